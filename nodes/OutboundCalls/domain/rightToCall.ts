import { type CallingHours, callableAtText, type HoursVerdict } from './hours/callingHours';
import type { DoNotCall } from './doNotCall';
import { rowName, uncapitalized } from './format';
import { namesOfNumber } from './phone/numbersIn';
import { timeZonesOf } from './phone/phone';
import type { CheckedRow, Row } from './row';
import { MINUTE } from './hours/zoneTime';

/** What keeps people from being called, over and above what their rows say. */
export interface RightToCall {
	/** Undefined: at any time. */
	hours: CallingHours | undefined;
	/** For numbers of which no zone is known; empty: they are not called. */
	unknownZones: readonly string[];
	doNotCall: DoNotCall;
	/** Numbers of people who opted out, or whose Opted Out cannot be read, with the position of the first such row. */
	optedOut: ReadonlyMap<string, number>;
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

	/** Why a row must never be called; undefined if nobody asked for that. */
	optedOut({ optedOut, person, destination }: Row): string | undefined {
		if (optedOut) return 'Opted out';
		if (this.rules.optedOut.size === 0) return undefined;
		const numbers = namesOfNumber({ person, number: destination });
		const name = numbers.find((each) => this.rules.optedOut.has(each));
		if (name === undefined) return undefined;
		return `Same number as ${uncapitalized(rowName(this.rules.optedOut.get(name)!))}, which opted out`;
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
