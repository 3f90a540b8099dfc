import type { IExecuteFunctions } from 'n8n-workflow';
import { openExecution, type ShownError } from './execution/execution';
import { errorItem, type Handler } from './operations/operation';
import { handleCancelBatch } from './operations/batch/cancelBatch';
import { handleGetBatch } from './operations/batch/getBatch';
import { handleBulkCall } from './operations/call/bulkCall';
import { handleCancelCall } from './operations/call/cancelCall';
import { handleGetCall } from './operations/call/getCall';
import { handlePlaceCall } from './operations/call/placeCall';
import { handleForget } from './operations/memory/forget';

/**
 * What the node does when it runs: one output item for each row. n8n loads it with the first
 * execution, and the node's panel alone when it starts.
 */
export async function execute(context: IExecuteFunctions) {
	const execution = openExecution(context);
	const operation = execution.parameters.perItem<string>('operation', 'bulkCall')(0);
	const handler = handlerOf(operation);
	if (handler) return await handler(execution);
	throw execution.operationError({
		message: `This version of the node has no operation “${operation}”`,
		remedy: 'Nobody was called. Choose an operation in the node, or update the node.',
	});
}

/**
 * With On Error = Continue: what is thrown comes out as one item for each input item. n8n would
 * pass the input on as if nothing had happened (n8n behavior).
 */
export const executeAndCatch = async (context: IExecuteFunctions) =>
	await execute(context).catch((thrown: unknown) =>
		context.getInputData().map((_item, item) => errorItem(thrown as ShownError, item)),
	);

/** By the stored name of the operation. */
const handlers: Readonly<Record<string, Handler>> = {
	bulkCall: handleBulkCall,
	placeCall: handlePlaceCall,
	getCall: handleGetCall,
	cancelCall: handleCancelCall,
	getBatch: handleGetBatch,
	cancelBatch: handleCancelBatch,
	forget: handleForget,
};

/** Undefined for a name that this version of the node does not have. */
export const handlerOf = (operation: string): Handler | undefined =>
	Object.hasOwn(handlers, operation) ? handlers[operation] : undefined;
