import { quoted } from '../format';
import { isObject } from '../json';
import { type Checked, fail, ok } from '../problem';

/** Minutes of a day between which people may be called: from 0 up to 1440, half-open. */
export type Stretch = readonly [from: number, to: number];

/** When people may be called, on the clocks of the person called: for each day from Monday its stretches, in order and apart. */
export type CallingWindows = ReadonlyArray<readonly Stretch[]>;

/** At any time. */
export const WHOLE_WEEK: CallingWindows = Array.from({ length: 7 }, () => [[0, 24 * 60]]);

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** The end of the day. */
const MIDNIGHT = 24 * 60;

/**
 * The option Calling Hours, stored as `{window: [{days: ['mon', … 'sun'], from: '09:00', to: '20:00'}]}`. A window ends on the
 * day on which it begins; several on a day are put together.
 */
export function readCallingWindows(stored: unknown): Checked<CallingWindows> {
	const windows = isObject(stored) ? stored.window : undefined;
	if (!Array.isArray(windows) || windows.length === 0) {
		return refused(
			'Calling Hours has no window',
			'Add one with its days, from and to, or remove the option to call at any time.',
		);
	}
	const week: Stretch[][] = DAYS.map(() => []);
	for (const [index, window] of (windows as unknown[]).entries()) {
		const read = readWindow(window, `Window ${index + 1} of Calling Hours`);
		if (!read.ok) return read;
		for (const day of read.value.days) week[day]!.push(read.value.stretch);
	}
	return ok(week.map(united));
}

function readWindow(window: unknown, name: string): Checked<{ days: number[]; stretch: Stretch }> {
	if (!isObject(window))
		return refused(`${name} is ${quoted(window)}`, 'Give it days, from and to.');
	const days = readDays(window.days, name);
	if (!days.ok) return days;
	const from = readTime(window.from, `${name} begins at`);
	if (!from.ok) return from;
	const to = readTime(window.to, `${name} ends at`);
	if (!to.ok) return to;
	if (from.value >= to.value) return refused(...endsTooEarly(name, from.value, to.value));
	return ok({ days: days.value, stretch: [from.value, to.value] });
}

/** A list of days, or text of them with commas or spaces between. */
function readDays(value: unknown, name: string): Checked<number[]> {
	const named: unknown[] =
		typeof value === 'string'
			? value.split(/[\s,;]+/).filter((day) => day !== '')
			: Array.isArray(value)
				? value
				: [];
	if (named.length === 0)
		return refused(`${name} has no days`, 'Choose the days on which it holds.');
	const days: number[] = [];
	for (const day of named) {
		const text = typeof day === 'string' ? day.trim().toLowerCase() : '';
		const found =
			text.length < 3 ? -1 : DAYS.findIndex((full) => text === full || text === full.slice(0, 3));
		if (found < 0)
			return refused(
				`${name} has the day ${quoted(day)}`,
				'Days are mon, tue, wed, thu, fri, sat and sun.',
			);
		days.push(found);
	}
	return ok(days);
}

/** Minutes since midnight. */
function readTime(value: unknown, what: string): Checked<number> {
	const [, hours, minutes] =
		/^(\d{1,2}):(\d{2})$/.exec(typeof value === 'string' ? value.trim() : '') ?? [];
	const time = Number(hours) * 60 + Number(minutes);
	if (Number(minutes) < 60 && time <= MIDNIGHT) return ok(time);
	const given = value === undefined || value === null || value === '' ? 'no time' : quoted(value);
	return refused(
		`${what} ${given}, which is not a time of day`,
		'Write hours and minutes like 09:00, from 00:00 to 24:00.',
	);
}

function endsTooEarly(name: string, from: number, to: number): [message: string, remedy: string] {
	const times = `${name} goes from ${timeOfDay(from)} to ${timeOfDay(to)}`;
	if (to === 0) return [`${times}, which is the beginning of the day`, 'Write 24:00 for its end.'];
	if (from === to)
		return [
			`${times}, which is no time at all`,
			'Let it end later. A whole day is 00:00 to 24:00.',
		];
	return [
		`${times}, so it ends before it begins`,
		'If it goes over midnight, make two windows: one until 24:00 and one from 00:00.',
	];
}

/** "09:00", from minutes since midnight. */
export const timeOfDay = (minutes: number): string =>
	`${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(Math.floor(minutes) % 60).padStart(2, '0')}`;

/** In order, and those that overlap or touch as one. */
function united(stretches: readonly Stretch[]): Stretch[] {
	const result: Array<[number, number]> = [];
	for (const [from, to] of [...stretches].sort(([a], [b]) => a - b)) {
		const last = result[result.length - 1];
		if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
		else result.push([from, to]);
	}
	return result;
}

const refused = (message: string, remedy: string): Checked<never> =>
	fail({ message, remedy, field: true });
