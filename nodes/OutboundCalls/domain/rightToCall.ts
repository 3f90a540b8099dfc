import { type CallingHours, callableAtText, type HoursVerdict } from './hours/callingHours';
import type { DoNotCall } from './doNotCall';
import { rowName, uncapitalized } from './format';
import { namesOfNumber } from './phone/numbersIn';
import { fail, type Problem } from './problem';
import { timeZonesOf } from './phone/phone';
import type { CheckedRow, Row } from './row';
import { DatesOfPeople, type NoCallDates } from './hours/noCallDates';
import { MINUTE } from './hours/zoneTime';

/** What keeps people from being called, over and above what their rows say. */
export interface RightToCall {
	/** Undefined: at any time. */
	hours: CallingHours | undefined;
	/** For numbers of which no zone is known; empty: they are not called. */
	unknownZones: readonly string[];
	doNotCall: DoNotCall;
	/** Names of people who opted out, or of whom a row says it in words that cannot be read, with the position of the first such row. */
	optedOut: ReadonlyMap<string, number>;
	/** Names of those who did so earlier in this execution; undefined if nobody did. */
	optedOutEarlier: Names | undefined;
}

/** What people are known by: numbers in their one spelling, and keys. */
export interface Names {
	has(name: string): boolean;
}

/** A person opts out, not a row: whoever did so in one row is not called for another, even if the first could not be sent. */
export function optedOutIn(rows: readonly CheckedRow[]): Map<string, number> {
	const found = new Map<string, number>();
	for (const row of rows) {
		const { optedOut, position } = row.ok ? row.value : row.error;
		for (const name of optedOut ?? []) if (!found.has(name)) found.set(name, position);
	}
	return found;
}

/** Goes over all rows, and may be cut where it yields. */
type Pass = Generator<void, void>;

/** What a row says of the days on which its person is not called; of a row that cannot be called, too. */
export function datesIn(
	row: CheckedRow,
): { names: readonly string[]; dates: NoCallDates } | undefined {
	if (!row.ok) return row.error.closed;
	const dates = row.value.noCallDates;
	return dates && { names: namesOf(row.value), dates };
}

/** Of a person in several rows, the dates of all of them count. `earlier`: what rows of earlier rounds said of a name; undefined if they said nothing. */
export function* joinDates(
	rows: readonly CheckedRow[],
	earlier?: (name: string) => NoCallDates | undefined,
): Pass {
	if (!earlier && rows.every((row) => datesIn(row)?.dates === datesIn(rows[0]!)?.dates)) return;
	const people = new DatesOfPeople(earlier);
	for (const row of rows) {
		const said = datesIn(row);
		if (said) people.see(said.names, said.dates);
		yield;
	}
	for (const row of rows) {
		const all =
			row.ok &&
			people.of([
				...namesOfNumber({ person: row.value.person, number: row.value.destination }),
				...(row.value.keys ?? []),
			]);
		if (all) row.value.noCallDates = all;
		yield;
	}
}

/** People of whom a row says it in a way that cannot be read, with its position. */
const unreadIn = (
	rows: readonly CheckedRow[],
	option: 'noCallDates' | 'timeZone',
): Map<string, number> =>
	new Map(
		rows.flatMap((row) =>
			row.ok
				? []
				: (row.error.unread?.[option] ?? []).map((name) => [name, row.error.position] as const),
		),
	);

/** Nobody knows when a person may be called of whom one row says it in a way that cannot be read: no other row of theirs is called, unless it says itself where they are. */
export function* rejectUnread(rows: CheckedRow[]): Pass {
	const [dates, zones] = [unreadIn(rows, 'noCallDates'), unreadIn(rows, 'timeZone')];
	if (dates.size === 0 && zones.size === 0) return;
	for (const [place, row] of rows.entries()) {
		yield;
		if (!row.ok) continue;
		const { itemIndex, position, isDry, isTest, person, destination, optedOut, timeZones } =
			row.value;
		const numbers = namesOfNumber({ person, number: destination });
		const inDates = [...namesOf(row.value), ...numbers].find((each) => dates.has(each));
		const inZones = timeZones ? undefined : numbers.find((each) => zones.has(each));
		if (inDates === undefined && inZones === undefined) continue;
		const of = uncapitalized(
			rowName(inDates === undefined ? zones.get(inZones!)! : dates.get(inDates)!),
		);
		const what = inDates === undefined ? 'time zone' : 'no-call dates';
		const why: Problem = {
			message: `${of} is of the same person, and its ${what} cannot be read`,
			remedy: 'Correct that row.',
		};
		rows[place] = fail({
			itemIndex,
			position,
			isDry,
			destination,
			problem: why,
			...(isDry ? {} : { isLive: true, number: { number: destination, person } }),
			...(isTest ? { isTest } : {}),
			...(optedOut ? { optedOut } : {}),
		});
	}
}

/** A row that does not say where its person is takes what others say of them, beside what its number says: all of it must be open. */
export function* joinTimeZones(rows: readonly CheckedRow[]): Pass {
	const zonesIn = (row: CheckedRow): readonly string[] =>
		(row.ok ? row.value.timeZones : row.error.located?.timeZones) ?? [];
	if (
		rows.every((row) => zonesIn(row).length > 0) ||
		rows.every((row) => zonesIn(row).length === 0)
	)
		return;
	const byName = new Map<string, Set<string>>();
	for (const row of rows) {
		const zones = zonesIn(row);
		const names =
			zones.length === 0 ? [] : row.ok ? [row.value.person] : (row.error.located?.names ?? []);
		for (const name of names) {
			const said = byName.get(name) ?? new Set();
			for (const zone of zones) said.add(zone);
			byName.set(name, said);
		}
		yield;
	}
	const unread = unreadIn(rows, 'timeZone');
	/** Rows with the same zones share them (`callingHours.ts`). */
	const shared = new Map<string, readonly string[]>();
	for (const row of rows) {
		yield;
		if (!row.ok || row.value.timeZones) continue;
		const { person, destination } = row.value;
		const names = namesOfNumber({ person, number: destination });
		const said = names.some((name) => unread.has(name))
			? []
			: names.flatMap((name) => [...(byName.get(name) ?? [])]);
		const own = said.length > 0 ? timeZonesOf(person) : [];
		if (own.length === 0) continue;
		const all = [...new Set([...own, ...said])];
		row.value.timeZones = shared.get(all.join()) ?? all;
		shared.set(all.join(), row.value.timeZones);
	}
}

const namesOf = ({ person, keys = [] }: Row): string[] => [person, ...keys];

/** Why a row must not be called now. */
export type Blocked =
	| { status: 'outside_hours'; reason: string; hours: OutsideHours }
	| { status: 'do_not_call'; reason: string };

/** When a person may be called, and where they may be. */
export interface OutsideHours {
	/** Epoch milliseconds; null when not within 14 days. */
	callableAt: number | null;
	/** In addition to those that every row has. */
	columns: { callable_at: string | null; time_zones: readonly string[] };
}

/** Judges the rows of a run. It costs next to nothing for each further row, so that it can be asked again right before each request. */
export class Judge {
	/** Where people were found to be who are judged by the hour. */
	readonly timeZones = new Set<readonly string[]>();
	/** Rows share what they have in common, so that a large list costs no more than its zones do. */
	private readonly known = new WeakMap<HoursVerdict, { minute: number; blocked: Blocked }>();

	constructor(private readonly rules: RightToCall) {}

	/** Why a row must not be called at a moment (epoch milliseconds), but for who opted out; undefined when it may be. */
	blocked(row: Row, now: number): Blocked | undefined {
		const { hours, unknownZones, doNotCall } = this.rules;
		if (doNotCall.has(row.person))
			return { status: 'do_not_call', reason: 'On the Do Not Call list' };
		if (!hours) return undefined;
		const timeZones = zonesOf(row, unknownZones);
		this.timeZones.add(timeZones);
		const verdict = hours.judge(now, timeZones, row.noCallDates);
		return verdict.open ? undefined : this.outsideHours(hours, row, now, timeZones, verdict);
	}

	get someoneOptedOutEarlier(): boolean {
		return this.rules.optedOutEarlier !== undefined;
	}

	/** Why a row must never be called; undefined where nobody has asked for that. */
	optedOut({ optedOut, person, destination, keys = [] }: Row): string | undefined {
		if (optedOut) return 'Opted out';
		if (this.rules.optedOut.size === 0 && !this.rules.optedOutEarlier) return undefined;
		const byNumber = this.whereOptedOut(namesOfNumber({ person, number: destination }));
		if (byNumber !== undefined) return `Opted out ${byNumber}, with the same number`;
		const byKey = this.whereOptedOut(keys);
		return byKey === undefined
			? undefined
			: `Opted out ${byKey}, with the same value in Remember People By`;
	}

	private whereOptedOut(names: readonly string[]): string | undefined {
		const { optedOut, optedOutEarlier } = this.rules;
		const name = names.find((each) => optedOut.has(each));
		if (name !== undefined) return `in ${rowName(optedOut.get(name)!).toLowerCase()}`;
		return names.some((each) => optedOutEarlier?.has(each))
			? 'earlier in this execution'
			: undefined;
	}

	private outsideHours(
		hours: CallingHours,
		{ noCallDates }: Row,
		now: number,
		timeZones: readonly string[],
		verdict: HoursVerdict,
	): Blocked {
		const minute = Math.floor(now / MINUTE);
		const same = this.known.get(verdict);
		if (same?.minute === minute) return same.blocked;
		const callableAt = verdict.open ? now : verdict.callableAt;
		const blocked: Blocked = {
			status: 'outside_hours',
			reason: hours.whyClosed(now, timeZones, noCallDates),
			hours: {
				callableAt,
				columns: { callable_at: callableAtText(callableAt, timeZones), time_zones: timeZones },
			},
		};
		this.known.set(verdict, { minute, blocked });
		return blocked;
	}
}

function zonesOf({ timeZones, person }: Row, unknownZones: readonly string[]): readonly string[] {
	if (timeZones && timeZones.length > 0) return timeZones;
	// Mayotte and Palestine have numbers of their neighbours, too, but not their clocks.
	const byNumber = timeZonesOf(person);
	return byNumber.length > 0 ? byNumber : unknownZones;
}
