/** Fields whose values say how the API works, and nothing of anybody. Of all others only the kind of value is shown. */
const TELLING = new Set([
	'success',
	'status',
	'error',
	'error_type',
	'detail',
	'message',
	'policy',
	'retry_after',
	'consent_method',
	'auto_call_error',
	'total',
	'succeeded',
	'failed',
	'approved',
	'called',
	'total_pages',
	'current_page',
]);

const KINDS: Array<[RegExp, string]> = [
	[/^$/, '<empty text>'],
	[/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, '<UUID>'],
	[/^\+\d+$/, '<phone number>'],
	[/^\d{4}-\d{2}-\d{2}T/, '<date and time>'],
	[/^\d+$/, '<digits>'],
];

/** The shape of an answer without what it says of people: its names, and a value only where that tells how the API works. */
export function outline(
	value: unknown,
	telling: ReadonlySet<string> = TELLING,
	name = '',
): unknown {
	if (Array.isArray(value)) return value.map((each) => outline(each, telling, name));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([key, each]) => [key, outline(each, telling, key)]),
		);
	}
	if (value === undefined || value === null || typeof value === 'boolean' || telling.has(name))
		return value;
	if (typeof value === 'number') return '<number>';
	return (
		(typeof value === 'string' && KINDS.find(([pattern]) => pattern.test(value))?.[1]) || '<text>'
	);
}

/** The same without any value: a callback may hold what was said in a call. */
export const namesAlone = (value: unknown): unknown => outline(value, new Set());
