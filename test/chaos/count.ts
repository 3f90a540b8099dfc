/** What must not happen, as it is counted against the sandbox's journal. */
const BREACHES = [
	/** People who were called more often than they should be: in one run, over runs, or beyond a limit. */
	'twice',
	/** Calls of rows that must not be called, in runs in which nobody may be called, and outside calling hours. */
	'forbidden',
	/** People to whom a request left while another one to them was under way. */
	'atOnce',
	/** Requests that left before the wait was over that the API had asked for. */
	'hasty',
	/** Rows without exactly one outcome in its place. */
	'lost',
	/** Rows without a known status, with a `called` that does not fit it, or with a field that n8n takes for a failure. */
	'noStatus',
	/** Rows that can be called told invalid or held back, and the other way round. */
	'misjudged',
	/** Rows that report a call that the journal does not have, or has at another time. */
	'invented',
	/** Rows that report no call although the journal has one. */
	'denied',
	/** Rows told "already called" although nobody can have called them. */
	'hearsay',
	/** People who could be called in an undisturbed run, and whom nobody ever called. */
	'unheard',
	/** Rows that came out of a dry run otherwise than out of the live run after it. */
	'misforeseen',
	/** Rows of a run that waited that do not say how their own call ended. */
	'unfollowed',
	/** Runs that did not end in time, or only after a storm of requests. */
	'endless',
	/** Runs in which the token stood in an output, a message or the execution's record. */
	'leaks',
	/** Texts of the node's own with markup, control or direction characters, or without end. */
	'exposed',
] as const;

export type Breach = (typeof BREACHES)[number];

export type Count = Record<Breach | 'rows' | 'dialed' | 'unknown' | 'executions', number>;

export const none = (): Count => ({
	...(Object.fromEntries(BREACHES.map((name) => [name, 0])) as Record<Breach, number>),
	rows: 0,
	dialed: 0,
	unknown: 0,
	executions: 0,
});

/** What went wrong, by its name; empty where all went well. */
export const broken = (count: Count): Partial<Count> =>
	Object.fromEntries(BREACHES.filter((name) => count[name] > 0).map((name) => [name, count[name]]));
