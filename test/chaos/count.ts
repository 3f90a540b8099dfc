/** What must not happen, as it is counted against the sandbox's journal. */
const BREACHES = [
	/** People, keys or rows that were called more often than they should be. */
	'twice',
	/** Calls of dry rows and of rows that cannot be called, to another number than the row's, and in runs in which nobody may be called. */
	'forbidden',
	/** Rows without exactly one outcome in its place. */
	'lost',
	/** Rows without a known status, or with a field that n8n takes for a failure. */
	'noStatus',
	/** Rows that can be called told invalid or dry, and the other way round. */
	'misjudged',
	/** Rows that report a call that the journal does not have. */
	'invented',
	/** Rows that report no call although the journal has one. */
	'denied',
	/** Rows told "already called" although nobody can have called them. */
	'hearsay',
	/** Rows that could be called in an undisturbed run, and for which nobody ever was. */
	'unheard',
	/** Rows on Called of people who certainly were not called, and rows on Not Called of others. */
	'wrongOutput',
	/** Rows of a run that waited that do not say how their own call ended. */
	'unfollowed',
	/** Calls that came sooner than Calls per Minute allows. */
	'hurried',
	/** Runs that did not end in time, or only after a storm of requests. */
	'endless',
	/** Call records that were given or cancelled twice, left out, or told otherwise than they are. */
	'misread',
	/** Runs in which the token stood in an output, a message or the execution's record. */
	'leaks',
	/** Requests of a deactivated node, and rows that it did not pass on as they came. */
	'deactivated',
	/** Messages and columns of the node's own with control or direction characters. */
	'unseen',
	/** Messages with markup or a whole phone number, and texts of the API without end. */
	'exposed',
] as const;

type Breach = (typeof BREACHES)[number];

/** What a campaign came to. */
export type Count = Record<
	Breach | 'rows' | 'dialed' | 'unknown' | 'requests' | 'executions',
	number
>;

export const none = (): Count => ({
	...(Object.fromEntries(BREACHES.map((name) => [name, 0])) as Record<Breach, number>),
	rows: 0,
	dialed: 0,
	unknown: 0,
	requests: 0,
	executions: 0,
});

/** What went wrong, by its name; nothing where all went well. */
export const broken = (count: Count): Partial<Count> =>
	Object.fromEntries(BREACHES.filter((name) => count[name] > 0).map((name) => [name, count[name]]));
