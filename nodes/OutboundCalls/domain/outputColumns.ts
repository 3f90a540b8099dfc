/**
 * Columns that are ours: a field of the API's answer with such a name would mean something else.
 * `simple`: what everybody reads, and what later nodes need; `more`: with Simplify off, as well.
 * `results/outputRows.ts` fills them.
 */
const OURS = {
	simple: [
		'status',
		'called',
		'reached',
		'reason',
		'destination',
		'called_at',
		'callable_at',
		'held_by',
	],
	more: ['success', 'record_status', 'settled', 'original_destination', 'time_zones', 'request'],
} as const;

/** Columns that mean the same as the API's field of that name. */
const OF_API = {
	simple: [
		'consent_id',
		'batch_id',
		'conversation_id',
		// Of a dry run.
		'prompt_variables',
		'agent_number',
		'caller_number',
	],
	more: ['call_sid', 'auto_call_error', 'updated_at'],
} as const;

/** Fields of an answer that are no columns. */
export const NO_COLUMNS: readonly string[] = [...OURS.simple, ...OURS.more];

const SIMPLE = [...OURS.simple, ...OF_API.simple] as const;
const EVERYTHING = [...SIMPLE, ...OURS.more, ...OF_API.more] as const;
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
	placeCall: [...OF_PLACE_CALL, 'consent_id', 'batch_id'],
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
