import { DEFAULT_WINDOW } from '../fieldDefaults';
import { type Checked, fieldRefused, ok } from '../values/problem';
import { isObject, numberOf, quoted, typedText } from '../values/untrustedValues';

/** The days of the week, from Monday. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/**
 * On these days people may be called between two times, half-open, in minutes since midnight (0 to
 * 1440).
 */
export interface Window {
	days: readonly unknown[];
	from: number;
	to: number;
}

/** When people may be called, on the clock of the person called. */
export type Windows = readonly Window[];

const workday = { from: 9 * 60, to: 20 * 60 };

/** Day and night. */
export const ANY_HOUR: Windows = [{ days: DAYS, from: 0, to: 1_440 }];

/** What the options of Calling Hours stand for, except `custom`. */
const WINDOWS = {
	weekdays: [{ ...workday, days: DAYS.slice(0, 5) }],
	daily: [{ ...workday, days: DAYS }],
	any: ANY_HOUR,
} satisfies Record<string, Windows>;

/**
 * Calling Hours, with the windows of `custom`: `{window: [{days: ['mon'], from: '09:00', to:
 * '20:00'}]}`.
 */
export const readCallingHours = (
	choice: keyof typeof WINDOWS | 'custom',
	windows: unknown,
): Checked<Windows> =>
	choice === 'custom'
		? readWindows(isObject(windows) ? windows.window : undefined)
		: ok(WINDOWS[choice]);

function readWindows(stored: unknown): Checked<Windows> {
	if (!Array.isArray(stored) || stored.length === 0)
		return fieldRefused(
			'Calling Hours has no window',
			'Add a window, or choose other Calling Hours.',
		);
	const windows: Window[] = [];
	for (const [index, window] of (stored as unknown[]).entries()) {
		const read = readWindow(window, `Window ${index + 1} of Calling Hours`);
		if (!read.ok) return read;
		windows.push(read.value);
	}
	return ok(windows);
}

/** What n8n leaves out of a stored window has its default. */
function readWindow(window: unknown, name: string): Checked<Window> {
	const { days, from, to } = { ...DEFAULT_WINDOW, ...(isObject(window) ? window : {}) } as Record<
		keyof Window,
		unknown
	>;
	if (
		!Array.isArray(days) ||
		days.length === 0 ||
		!days.every((day) => DAYS.includes(day as string))
	)
		return fieldRefused(`${name} needs at least one day`, 'Choose its days from the list.');
	const read = { days, from: minutesOf(from), to: minutesOf(to) };
	return read.from < read.to
		? ok(read)
		: fieldRefused(
				`${name} goes from ${quoted(from)} to ${quoted(to)}`,
				'Write times like 09:00 or 24:00, the earlier one first. For hours past midnight, add a second window.',
			);
}

/** Since midnight, from "09:00"; NaN when it is no time of day. */
function minutesOf(time: unknown): number {
	const [, hours, minutes] = /^\s*(\d{1,2}):([0-5]\d)\s*$/.exec(typedText(time)) ?? [];
	const since = (numberOf(hours) ?? NaN) * 60 + (numberOf(minutes) ?? NaN);
	return since <= 1_440 ? since : NaN;
}
