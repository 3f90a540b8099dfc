import { executeCancelBatch } from './batch/cancelBatch';
import { executeGetBatch } from './batch/getBatch';
import { executeBulkCall } from './call/bulkCall';
import { executeCancelCall } from './call/cancelCall';
import { executeGetCall } from './call/getCall';
import { executePlaceCall } from './call/placeCall';
import { executeForget } from './memory/forget';
import type { Execute } from './operation';

/**
 * Handlers by the stored names of resources and operations. The compiler makes sure that the panel
 * (`index.ts`) shows no operation without one.
 */
const executes = {
	call: {
		bulkCall: executeBulkCall,
		placeCall: executePlaceCall,
		getCall: executeGetCall,
		cancelCall: executeCancelCall,
	},
	batch: { getBatch: executeGetBatch, cancelBatch: executeCancelBatch },
	memory: { forget: executeForget },
};

/** Resources with their operations. */
export type Executes = typeof executes;

const byNames = new Map<string, Execute>(
	Object.entries(executes).flatMap(([resource, operations]) =>
		Object.entries(operations).map(
			([operation, execute]) => [`${resource} ${operation}`, execute] as const,
		),
	),
);

/** Undefined for names that this version of the node does not have. */
export const executeOf = (resource: string, operation: string): Execute | undefined =>
	byNames.get(`${resource} ${operation}`);
