/** What each row may say otherwise, by the labels of the panel: a single item may hold these settings of all. */
export const SETTINGS = { mode: 'Mode', defaultCountry: 'Country of Numbers Without +' } as const;
export const NUMBERS_OF_OURS = {
	agentNumber: 'Agent Number',
	callerNumber: 'Caller Number',
} as const;
export const KEY = { callOnceKey: 'Remember People By' } as const;

/** Options of a row, which one item must not answer for all rows. */
export const OF_EACH_ROW = {
	optedOut: 'Opted Out',
	noCallDates: 'No-Call Dates',
	timeZone: 'Time Zone',
} as const;
