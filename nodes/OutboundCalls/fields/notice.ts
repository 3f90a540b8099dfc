import type { INodeProperties } from 'n8n-workflow';

/** Executing a later node can run the node that calls once more (n8n behaviour). */
export const pinNotice: INodeProperties = {
	displayName:
		'Pin the output of the node that calls (the pin icon) before you execute this step. Otherwise n8n may run that node again: its rows then come out as already_called. With “Call Again in Each Run” everybody would be called again.',
	name: 'pinNotice',
	type: 'notice',
	default: '',
};
