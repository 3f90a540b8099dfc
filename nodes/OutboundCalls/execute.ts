import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	type Execution,
	openExecution,
	type OutputItem,
	type ShownError,
} from './execution/execution';
import { errorItem } from './execution/items';
import { handlerOf } from './operations/handlers';

/**
 * What the node does when it runs. n8n loads it with the first execution, and the node's panel
 * alone when it starts.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const execution = openExecution(context);
	if (execution.stops) return [await operate(execution)];
	// n8n would pass the input on as if nothing had happened (n8n behavior).
	const shown = (thrown: unknown): OutputItem[] =>
		execution.input.map((_item, item) => errorItem(thrown as ShownError, item));
	return [await operate(execution).catch(shown)];
}

async function operate(execution: Execution): Promise<OutputItem[]> {
	const resource = execution.parameters.perItem('resource', 'call')(0);
	const operation = execution.parameters.perItem('operation', 'bulkCall')(0);
	const handler = handlerOf(resource, operation);
	if (handler) return await handler(execution);
	throw execution.operationError({
		message: `This version of the node has no operation “${operation}” for “${resource}”`,
		remedy: 'Nobody was called. Choose an operation in the node, or update the node.',
	});
}
