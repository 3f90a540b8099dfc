import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from './showWhen';

/**
 * Who calls. The caller number is asked for as soon as the agent is, or may turn out to be, a SIP ID. It is
 * not `required`: the host would then not start a workflow whose agent is an expression for a phone number,
 * and would put its own words in the place of ours.
 */
export const agentFields: INodeProperties[] = [
	{
		displayName: 'Agent Number',
		name: 'agentNumber',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. +14155550100',
		description:
			'The phone number of the AI agent that makes the call, or its SIP ID, which starts with t',
	},
	{
		displayName: 'Caller Number',
		name: 'callerNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. +14155550199',
		hint: 'Needed when the agent is a SIP ID',
		description: 'The number that the called person sees. It must be registered on your account.',
		// Not one regex: the host gives each a time limit, which a busy machine can miss. And it drops what a field holds that it does not show.
		...showWhen({
			agentNumber: ['t', '=', ' '].map((beginning) => ({ _cnd: { startsWith: beginning } })),
		}),
	},
];
