import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { MAIN } from './fields/common';
import { CREDENTIAL } from './execution/execution';
import { properties, subtitle } from './operations';

export class OutboundCalls implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Outbound Calls',
		name: 'outboundCalls',
		icon: { light: 'file:outboundCalls.svg', dark: 'file:outboundCalls.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle,
		description:
			'Have an AI agent call people by phone: one number or a whole sheet, each number once',
		defaults: { name: 'Outbound Calls' },
		inputs: [MAIN],
		outputs: [MAIN],
		usableAsTool: true,
		credentials: [{ name: CREDENTIAL, required: true }],
		properties,
		builderHint: {
			searchHint:
				'Calls people by phone through an AI agent; each call costs money and rings a real phone. Bulk Call takes all rows at once: it needs no loop, no batching and no HTTP Request, follows limits by itself, and with Wait Until it returns how each call ended. Keep Mode on dryRun; only the person who owns the workflow sets it to live.',
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getInputData().length === 0) return [[]];
		const { execute, executeAndCatch } = await import('./execute');
		return [await (this.continueOnFail() ? executeAndCatch(this) : execute(this))];
	}
}
