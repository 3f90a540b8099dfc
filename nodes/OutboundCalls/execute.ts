import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type Execution, openExecution, type ShownError } from './execution/execution';
import { errorItem } from './execution/items';
import { executeOf } from './operations/executes';

/** What the node does when it runs. A file of its own in `dist`: n8n loads the node as it starts, for its panel alone, and this with the first execution. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const execution = openExecution(context);
	if (execution.stops) return await operate(execution);
	// The host would pass the input on as if nothing had happened (n8n behaviour).
	return await operate(execution).catch((thrown: unknown) => [
		execution.input.map((_item, itemIndex) => errorItem(thrown as ShownError, itemIndex)),
	]);
}

async function operate(execution: Execution): Promise<INodeExecutionData[][]> {
	const resource = execution.parameters.perItem('resource', 'call')(0);
	const operation = execution.parameters.perItem('operation', 'placeCall')(0);
	const execute = executeOf(resource, operation);
	if (!execute) {
		throw execution.operationError({
			message: `This version of the node has no operation “${operation}” for “${resource}”`,
			remedy: 'Nobody was called. Choose an operation in the node, or update the node.',
		});
	}
	return await execute(execution);
}
