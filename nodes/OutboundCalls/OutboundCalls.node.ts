import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { MAIN } from './execution/connection';
import { type Execution, openExecution, type ShownError } from './execution/execution';
import { errorItem } from './execution/items';
import { CREDENTIAL } from './http/credential';
import { hints, operationFor, outputs, properties, subtitle } from './operations';

export class OutboundCalls implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Outbound Calls',
		name: 'outboundCalls',
		icon: { light: 'file:outboundCalls.svg', dark: 'file:outboundCalls.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle,
		description: 'Have an AI agent call people by phone: one number or a whole sheet, each number once',
		defaults: { name: 'Outbound Calls' },
		inputs: [MAIN],
		outputs,
		usableAsTool: true,
		credentials: [{ name: CREDENTIAL, required: true }],
		properties,
		hints,
		builderHint: {
			searchHint:
				'Calls people by phone through an AI agent; each call costs money and rings somebody. Bulk Call takes all rows at once: it needs no loop, no batching and no HTTP Request, follows limits by itself, and with Wait Until it returns how each call ended. Keep Mode on dryRun; only the person who owns the workflow sets it to live.',
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getInputData().length === 0) return [[]];
		const execution = openExecution(this);
		if (execution.stops) return await execute(execution);
		// The host would pass the input on as if nothing had happened (n8n behaviour).
		return await execute(execution).catch((thrown: unknown) => [
			execution.input.map((_item, itemIndex) => errorItem(thrown as ShownError, itemIndex)),
		]);
	}
}

async function execute(execution: Execution): Promise<INodeExecutionData[][]> {
	const resource = execution.parameters.perItem('resource', 'call')(0);
	const name = execution.parameters.perItem('operation', 'placeCall')(0);
	const operation = operationFor(resource, name);
	if (!operation) {
		throw execution.operationError({
			message: `This version of the node has no operation “${name}” for “${resource}”`,
			remedy: 'Choose an operation in the node, or update the package.',
		});
	}
	return await operation.execute(execution);
}
