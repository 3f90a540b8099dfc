/** What everybody reads, before the input's own fields. */
const HEAD = ['status', 'called', 'reached', 'reason', 'destination'] as const;

/** What later nodes need, after the input's own fields. */
const SIMPLE = [
	...HEAD,
	'called_at',
	'consent_id',
	'batch_id',
	'conversation_id',
	// Of a dry run.
	'prompt_variables',
	'agent_number',
	'caller_number',
	// Of rows that can be called later.
	'callable_at',
] as const;

/** With Simplify off. */
const EVERYTHING = [
	...SIMPLE,
	'success',
	'call_sid',
	'auto_call_error',
	'record_status',
	'updated_at',
	'settled',
	'original_destination',
	'time_zones',
	'request',
] as const;

const OF_PLACE_CALL = ['call_id', 'external_call_id'] as const;

/** The columns of the operations that call people. */
export const CALL_COLUMNS = {
	bulkCall: { simple: SIMPLE, everything: EVERYTHING },
	placeCall: {
		simple: [...SIMPLE, ...OF_PLACE_CALL],
		everything: [...EVERYTHING, ...OF_PLACE_CALL],
	},
} as const satisfies Record<string, Record<string, readonly string[]>>;

/** A column that this node fills itself, in a row of an operation that calls people. */
export type Column = (typeof CALL_COLUMNS)['placeCall']['everything'][number];

/** The IDs that later nodes need of a call. */
export const IDS = {
	bulkCall: ['consent_id', 'batch_id'],
	placeCall: ['call_id', 'external_call_id', 'consent_id', 'batch_id'],
} as const satisfies Record<string, readonly Column[]>;

/** What Get Call puts before and after the documented fields of a call record. */
export const RECORD_COLUMNS: readonly string[] = [
	'reached',
	'id',
	'phone',
	'status',
	'consent_method',
	'auto_call_sid',
	'auto_call_error',
	'conversation_id',
	'updated_at',
	'settled',
];

export const CANCEL_COLUMNS: readonly string[] = ['success', 'id', 'status', 'cancelled', 'reason'];
