import type { INodeProperties } from 'n8n-workflow';

/** Executing a later node can run the node that calls once more, and a node with several outputs cannot be pinned (n8n behaviour). */
export const rerunNotice: INodeProperties = {
	displayName:
		'When you execute this step in the editor, n8n may run the node that calls once more. In Live, it then calls whoever was not called yet; with “Skip”, the others come out as already_called, without IDs, and with “Call Again in Each Run” everybody is called again. While you build, put an Edit Fields node between the two, and pin that one.',
	name: 'rerunNotice',
	type: 'notice',
	default: '',
};
