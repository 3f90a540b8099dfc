import { type Checked, ok, problem } from '../values/problem';
import { MINUTE } from './zoneTime';
import { isDateTime, quoted, textOf } from '../values/untrustedValues';

/**
 * Dates on which nobody is called, by the calendar of the person called: "2026-12-25,2026-12-26",
 * sorted; empty for none.
 */
export type NoCallDates = string;

/**
 * Reads ISO dates (2026-12-25) with commas, semicolons or spaces between, dates of a database, or a
 * list of them. 03.04.2026 is another day in another country.
 */
export function readNoCallDates(value: unknown): Checked<NoCallDates> {
	if (value !== last.value || typeof value === 'object') last = { value, read: read(value) };
	return last.read;
}

/** The same text for all rows, often a long one, is read once. */
let last: { value: unknown; read: Checked<NoCallDates> } = { value: '', read: ok('') };

function read(value: unknown): Checked<NoCallDates> {
	const days: string[] = [];
	for (const entry of [value].flat<unknown[]>()) {
		const text = daysIn(entry)?.replace(MIDNIGHT, '');
		if (text === undefined) return noDate(entry);
		for (const date of text.match(/[^\s,;]+/g) ?? []) {
			if (date.length > LONGEST_DATE || isoDate(new Date(date)) !== date)
				return noDate(isDateTime(entry) ? entry : date);
			days.push(date);
		}
	}
	return ok([...new Set(days)].sort().join());
}

/** A date that a database has as an instant. */
const MIDNIGHT = /(?<=\d)[T ]00:00(:00(\.0+)?)?(Z|[+-]\d\d:?\d\d)?(?![^\s,;])/g;

/** Characters of a date, and of a text with dates. */
const LONGEST_DATE = 10;
const LONGEST_LIST = 10_000;

function daysIn(entry: unknown): string | undefined {
	if (entry instanceof Date) {
		// Drivers give a date as midnight, by the clock of the host or by UTC.
		const isLocal = entry.getHours() === 0 && entry.getMinutes() === 0;
		const shift = isLocal ? entry.getTimezoneOffset() * MINUTE : 0;
		return isoDate(new Date(entry.getTime() - shift));
	}
	const text = textOf(entry, LONGEST_LIST);
	// Of a date of Luxon, its day.
	return isDateTime(entry) ? text?.slice(0, LONGEST_DATE) : text;
}

const isoDate = (date: Date): string =>
	Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString().slice(0, 10);

const noDate = (entry: unknown): Checked<never> =>
	problem(
		`the rule No-Call Dates holds ${quoted(entry)}, which is not a date like 2026-12-25`,
		'Write dates as 2026-12-25, without a time, with commas between them.',
	);
