import { quoted } from '../format';
import { type Checked, ok, problem } from '../problem';
import { DAY } from './zoneTime';

/** Dates on which nobody is called, by the calendar of the person called: days since 1970-01-01. */
export type NoCallDates = ReadonlySet<number>;

export const NO_DATES: NoCallDates = new Set();

/** A campaign has one such text; a sheet may have one for each country. */
const MOST_TEXTS = 300;
/** Of longer ones, only the last is kept: it is the same for all rows, or one for each. */
const LONGEST_KEPT = 1_000;
let lastLong: { text: string; checked: Checked<NoCallDates> } | undefined;
/** As many as there are days in 50 years: a text without end is no list of holidays. */
const LONGEST_TEXT = 200_000;
const read = new Map<string, Checked<NoCallDates>>();

/**
 * The option No-Call Dates: ISO dates (2026-12-25) with commas, semicolons, spaces or line breaks between, or a list of them. Anything else
 * is refused: 03.04.2026 is another day in another country, and an instant (2026-12-25T00:00:00Z) another day in another zone.
 * Empty text and null are no dates; undefined is refused, because it is what a field that does not exist comes to.
 * The same text gives the same set.
 */
export function readNoCallDates(value: unknown): Checked<NoCallDates> {
	if (value === null) return ok(NO_DATES);
	const parts = Array.isArray(value) ? (value as unknown[]) : [value];
	if (!parts.every((part) => typeof part === 'string'))
		return noDate(parts.find((part) => typeof part !== 'string'));
	const text = parts.join('\n');
	const known =
		text.length > LONGEST_KEPT
			? lastLong?.text === text
				? lastLong.checked
				: undefined
			: read.get(text);
	if (known !== undefined) return known;
	if (text.length > LONGEST_TEXT) return tooLong();
	const checked = readDates(text);
	if (text.length > LONGEST_KEPT) lastLong = { text, checked };
	else {
		if (read.size >= MOST_TEXTS) read.clear();
		read.set(text, checked);
	}
	return checked;
}

function readDates(text: string): Checked<NoCallDates> {
	const days = new Set<number>();
	for (const date of text.split(/[\s,;]+/)) {
		if (date === '') continue;
		const day = dayOf(date);
		if (day === undefined) return noDate(date);
		days.add(day);
	}
	return ok(days.size === 0 ? NO_DATES : days);
}

/** Undefined for what is no date, and for one that no calendar has. */
function dayOf(date: string): number | undefined {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
	const instant = Date.parse(`${date}T00:00:00Z`);
	return !Number.isNaN(instant) && dateOf(instant / DAY) === date ? instant / DAY : undefined;
}

/** "2026-12-25" */
export const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

const tooLong = (): Checked<never> =>
	problem(
		'the option No-Call Dates holds more text than any list of dates',
		'Leave the dates in it on which this person is not called.',
	);

function noDate(part: unknown): Checked<never> {
	if (part === undefined) {
		return problem(
			'the option No-Call Dates came to nothing',
			'Check the field that its expression names, or leave the option empty.',
		);
	}
	return problem(
		`the option No-Call Dates holds ${quoted(part)}, which is not a date like 2026-12-25`,
		remedyFor(part),
	);
}

function remedyFor(part: unknown): string {
	if (typeof part === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(part)) {
		return 'Write the date alone, without a time: it is the date of the person called.';
	}
	if (typeof part === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(part))
		return 'There is no such day. Correct it.';
	return 'Write year, month and day, with commas between dates: 2026-12-25, 2026-12-26.';
}
