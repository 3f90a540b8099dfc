import { type IExecuteFunctions, type INodeExecutionData, type INodeType, type INodeTypeDescription, NodeOperationError } from 'n8n-workflow';
import { MAIN } from './execution/connection';
import { errorItem } from './execution/items';
import { perRun } from './execution/parameters';
import { CREDENTIAL } from './http/credential';
import { operationFor, outputs, properties, subtitle } from './operations';

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
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		if (items.length === 0) return [[]];
		if (!this.continueOnFail()) return await execute(this);
		// The host would pass the input on as if nothing had happened (n8n behaviour).
		return await execute(this).catch((thrown: unknown) => [items.map((_item, itemIndex) => errorItem(thrown as NodeOperationError, itemIndex))]);
	}
}

async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const resource = perRun(context, 'resource', 'call');
	const name = perRun(context, 'operation', 'placeCall');
	const operation = operationFor(resource, name);
	if (!operation) {
		throw new NodeOperationError(context.getNode(), `This version of the node has no operation “${name}” for “${resource}”`, {
			description: 'Choose an operation in the node, or update the package.',
		});
	}
	return await operation.execute(context);
}
