import { handleCancelBatch } from './batch/cancelBatch';
import { handleGetBatch } from './batch/getBatch';
import { handleBulkCall } from './call/bulkCall';
import { handleCancelCall } from './call/cancelCall';
import { handleGetCall } from './call/getCall';
import { handlePlaceCall } from './call/placeCall';
import { handleForget } from './memory/forget';
import type { Handler } from './operation';

/**
 * Handlers by the stored names of resources and operations. The compiler makes sure that the panel
 * (`index.ts`) shows no operation without one.
 */
const handlers = {
	call: {
		bulkCall: handleBulkCall,
		placeCall: handlePlaceCall,
		getCall: handleGetCall,
		cancelCall: handleCancelCall,
	},
	batch: { getBatch: handleGetBatch, cancelBatch: handleCancelBatch },
	memory: { forget: handleForget },
};

/** Resources with their operations. */
export type Handlers = typeof handlers;

const byNames = new Map<string, Handler>(
	Object.entries(handlers).flatMap(([resource, operations]) =>
		Object.entries(operations).map(
			([operation, execute]) => [`${resource} ${operation}`, execute] as const,
		),
	),
);

/** Undefined for names that this version of the node does not have. */
export const handlerOf = (resource: string, operation: string): Handler | undefined =>
	byNames.get(`${resource} ${operation}`);
