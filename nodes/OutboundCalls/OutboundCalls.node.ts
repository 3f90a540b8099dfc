import { type IExecuteFunctions, type INodeExecutionData, type INodeType, type INodeTypeDescription, NodeOperationError } from 'n8n-workflow';
import { MAIN } from './execution/connection';
import { perRun } from './execution/parameters';
import { CREDENTIAL } from './http/credential';
import { operationFor, properties, subtitle } from './operations';

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
		outputs: [MAIN],
		usableAsTool: true,
		credentials: [{ name: CREDENTIAL, required: true }],
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getInputData().length === 0) return [[]];
		const resource = perRun(this, 'resource', 'call');
		const name = perRun(this, 'operation', 'placeCall');
		const operation = operationFor(resource, name);
		if (!operation) {
			throw new NodeOperationError(this.getNode(), `This version of the node has no operation “${name}” for “${resource}”`, {
				description: 'Choose an operation in the node, or update the package.',
			});
		}
		return [await operation.execute(this)];
	}
}
