import { handleCancelBatch } from './batch/cancelBatch';
import { handleGetBatch } from './batch/getBatch';
import { handleBulkCall } from './call/bulkCall';
import { handleCancelCall } from './call/cancelCall';
import { handleGetCall } from './call/getCall';
import { handlePlaceCall } from './call/placeCall';
import { handleForget } from './memory/forget';
import type { Handler } from './operation';

/** By the stored names of resource and operation. */
const handlers: Readonly<Record<string, Handler>> = {
	'call bulkCall': handleBulkCall,
	'call placeCall': handlePlaceCall,
	'call getCall': handleGetCall,
	'call cancelCall': handleCancelCall,
	'batch getBatch': handleGetBatch,
	'batch cancelBatch': handleCancelBatch,
	'memory forget': handleForget,
};

/** Undefined for names that this version of the node does not have. */
export const handlerOf = (resource: string, operation: string): Handler | undefined => {
	const name = `${resource} ${operation}`;
	return Object.hasOwn(handlers, name) ? handlers[name] : undefined;
};
