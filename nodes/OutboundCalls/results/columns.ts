/**
 * Columns of every row of an operation that calls people; the input's own fields come after the
 * destination.
 */
const OF_ROWS = [
	'status',
	'called',
	'reason',
	'destination',
	'original_destination',
	'success',
	// Outside calling hours, and when a limit is reached.
	'callable_at',
	'time_zones',
	// Of a dry run.
	'request',
	'agent_number',
	'caller_number',
	'prompt_variables',
] as const;

const OF_FOLLOWED_CALLS = [
	'reached',
	'conversation_id',
	'auto_call_error',
	'record_status',
	'updated_at',
	'settled',
] as const;

const BULK_CALL = [...OF_ROWS, 'consent_id', 'call_sid', 'batch_id', ...OF_FOLLOWED_CALLS] as const;
/**
 * The API's answer may lack those of Bulk Call: then a row's own, of an earlier call, must not
 * stand for this one.
 */
const PLACE_CALL = [...BULK_CALL, 'call_id', 'external_call_id'] as const;

/**
 * The documented fields of a call record, and those that Get Call and Get Batch put before and
 * after them.
 */
const GET_CALL = [
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
] as const;

const CANCEL_CALL = ['success', 'id', 'status', 'cancelled', 'reason'] as const;

/**
 * The columns that are an operation's own: a column of the input with one of these names is
 * renamed, whether a row has it or not.
 */
export const COLUMNS = {
	bulkCall: BULK_CALL,
	placeCall: PLACE_CALL,
	getCall: GET_CALL,
	cancelCall: CANCEL_CALL,
} as const satisfies Record<string, readonly string[]>;

/**
 * Columns that only the node fills. A field with the same name in the API's answer means something
 * else.
 */
const OF_THE_NODE: readonly string[] = [
	'called',
	'reached',
	'original_destination',
	'callable_at',
	'time_zones',
	'request',
	'record_status',
	'settled',
] satisfies Array<(typeof PLACE_CALL)[number]>;

/** What the API answered to a call, without a field that has the name of such a column. */
export const answerColumns = (answer: Readonly<Record<string, unknown>>): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(answer).map(([name, value]) => [
			OF_THE_NODE.includes(name) ? `answer_${name}` : name,
			value,
		]),
	);

/** A column that this node fills itself, in a row of an operation that calls people. */
export type Column = (typeof COLUMNS)['bulkCall' | 'placeCall'][number];

/** The IDs of a row of which the API said nothing. */
export const NO_IDS = {
	bulkCall: { consent_id: null, call_sid: null, batch_id: null },
	placeCall: { call_id: null },
} as const;
