/**
 * Numbers that the panel asks for: their initial values and their bounds. The panel and whoever
 * reads a value share them.
 */

import type { PeriodKind } from './hours/periods';
import type { Protection } from './outcome';

/** A number that the panel asks for: its name there, what it begins with, and its bounds. */
export interface NumberField {
	label: string;
	unit?: 'Minutes' | 'Seconds';
	initial: number;
	least: number;
	most?: number;
}

/**
 * Rules that limit the calls to all people together, over all runs, by parameter: so many in a
 * period. `heldBy`: as the output names the rule. Calls per Person takes its periods from `CHOICES`.
 */
export const LIMITS_FOR_ALL = {
	maxCallsPerDay: {
		label: 'Max Calls per Day',
		initial: 100,
		least: 1,
		most: 10_000,
		per: 'day',
		heldBy: 'max_calls_per_day',
	},
} as const satisfies Record<string, NumberField & { per: PeriodKind; heldBy: Protection }>;

/** Those of all operations, by parameter. */
export const NUMBER_FIELDS = {
	...LIMITS_FOR_ALL,
	calls: { label: 'Calls', initial: 1, least: 1, most: 100 },
	callsPerMinute: { label: 'Calls per Minute', initial: 60, least: 1 },
	limit: { label: 'Limit', initial: 50, least: 1 },
	/** It begins with a pilot of a few calls. */
	maxCalls: { label: 'Max Calls', initial: 5, least: 0 },
	maxRetryWait: { label: 'Max Retry Wait', unit: 'Seconds', initial: 300, least: 0, most: 3_600 },
	parallelRequests: { label: 'Parallel Requests', initial: 5, least: 1, most: 10 },
	pollInterval: { label: 'Poll Interval', unit: 'Seconds', initial: 10, least: 1, most: 86_400 },
	timeout: { label: 'Timeout', unit: 'Seconds', initial: 60, least: 1, most: 3_600 },
	waitTimeout: { label: 'Stop Waiting After', unit: 'Minutes', initial: 10, least: 0 },
} as const satisfies Record<string, NumberField>;

/** What Hours Between Calls offers. */
export const HOURS_BETWEEN = [1, 2, 3, 4, 6, 8, 12, 24, 48] as const;
