import type { INodeProperties } from 'n8n-workflow';

/** Executing a later node can run the node that calls once more, and a node with several outputs cannot be pinned (n8n behaviour). */
export const rerunNotice: INodeProperties = {
	displayName:
		'When you execute this step in the editor, n8n may run the node that calls once more. With “Skip” nobody is called again, and its rows come out as already_called, without IDs. With “Call Again in Each Run” everybody would be called again. While you build, put an Edit Fields node between the two, and pin that one.',
	name: 'rerunNotice',
	type: 'notice',
	default: '',
};
