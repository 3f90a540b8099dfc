import { type Checked, isDateTime, ok, problem, quoted, textOf } from '../values';
import { DAY, MINUTE } from './zoneTime';

/**
 * Dates on which nobody is called, by the calendar of the person called: "2026-12-25,2026-12-26",
 * sorted; empty for none.
 */
export type NoCallDates = string;

/**
 * Reads dates and ranges with commas between them, ISO dates also with spaces (2026-12-24,
 * 24.12.2026, 2026-12-24 to 2027-01-01), dates of a database, or a list of them. 12/24/2026 is
 * another day in another country.
 */
export function readNoCallDates(value: unknown): Checked<NoCallDates> {
	if (value !== last.value || typeof value === 'object') last = { value, read: read(value) };
	return last.read;
}

/** The same text for all rows, often a long one, is read once. */
let last: { value: unknown; read: Checked<NoCallDates> } = { value: '', read: ok('') };

function read(value: unknown) {
	const days = new Set<string>();
	for (const entry of [value].flat<unknown[]>()) {
		const text = daysIn(entry)?.replace(MIDNIGHT, '').replace(BETWEEN_ISO_DATES, ',');
		if (text === undefined || text.length > MAX_LIST_LENGTH) return noDate(entry);
		for (const part of text.split(/[,;\r\n]/)) {
			const written = part.trim();
			if (written === '') continue;
			const [first, end = first] = (RANGE.exec(written) ?? []).slice(1).map(dayOf);
			if (!first || !end || end < first || days.size + end - first > MAX_DAYS)
				return noDate(isDateTime(entry) ? entry : written);
			for (let day = first; day <= end; day++) days.add(isoDate(new Date(day * DAY)));
		}
	}
	return ok([...days].sort().join());
}

const DATE = /(\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4})/.source;
const RANGE = new RegExp(`^${DATE}(?:\\s*(?:to|until|bis|[-–—])\\s*${DATE})?$`, 'i');
const BETWEEN_ISO_DATES = /(?<=\d{4}-\d\d-\d\d)\s+(?=\d{4}-\d\d-\d\d)/g;

/** A date that a database has as an instant. */
const MIDNIGHT = /(?<=\d)[T ]00:00(:00(\.0+)?)?(Z|[+-]\d\d:?\d\d)?(?![^\s,;])/g;

/** Characters of a date in ISO form, and of a text with dates. */
const ISO_DATE_LENGTH = 10;
const MAX_LIST_LENGTH = 10_000;

/** In all. */
const MAX_DAYS = 1_000;

/** Days since 1970 of "2026-12-24" or "24.12.2026"; undefined for what is no date. */
function dayOf(written = '') {
	const parts = written.split('.').map((part) => part.padStart(2, '0'));
	const iso = parts.reverse().join('-');
	const date = new Date(iso);
	return isoDate(date) === iso ? date.getTime() / DAY : undefined;
}

function daysIn(entry: unknown) {
	if (entry instanceof Date) {
		// Drivers give a date as midnight, by the clock of the host or by UTC.
		const isLocal = entry.getHours() === 0 && entry.getMinutes() === 0;
		const shift = isLocal ? entry.getTimezoneOffset() * MINUTE : 0;
		return isoDate(new Date(entry.getTime() - shift));
	}
	const text = textOf(entry, MAX_LIST_LENGTH);
	// Of a date of Luxon, its day.
	return isDateTime(entry) ? text?.slice(0, ISO_DATE_LENGTH) : text;
}

/** Also of an invalid one, which then is no date that somebody can have written. */
const isoDate = (date: Date) => textOf(date)!.slice(0, ISO_DATE_LENGTH);

const noDate = (entry: unknown): Checked<never> =>
	problem(
		`the rule No-Call Dates holds ${quoted(entry)}, which is not a date like 2026-12-25`,
		'Write 2026-12-25 or 25.12.2026, or a range such as 2026-12-24 to 2027-01-01, with commas between them.',
	);
