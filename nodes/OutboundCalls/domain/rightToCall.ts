import { type CallOutcome, notPlaced } from './callOutcome';
import type { DoNotCall } from './doNotCall';
import { rowName, uncapitalized } from './format';
import type { CallingHours } from './hours/callingHours';
import { type CallableNumbers, notAllowed } from './phone/callableNumbers';
import { namesOfNumber } from './phone/numbersIn';
import { timeZonesOf } from './phone/phone';
import type { CheckedRow, Row } from './row';

/** What keeps people from being called, over and above what their rows say. */
export interface RightToCall {
	/** Where calls may lead. */
	callable: CallableNumbers;
	hours: CallingHours;
	doNotCall: DoNotCall;
	/** Numbers of people who opted out, or whose Opted Out cannot be read, with the number of the first such row. */
	optedOut: ReadonlyMap<string, number>;
}

/** Why a row must not be called at this moment; undefined if it may be. */
export type BlockedNow = (row: Row) => CallOutcome | undefined;

/** A person opts out, not a row: whoever did so in one row is not called for another, even if the first could not be sent. */
export function optedOutIn(rows: readonly CheckedRow[]): Map<string, number> {
	const found = new Map<string, number>();
	for (const row of rows) {
		const numbers = row.ok ? (row.value.optedOut ? [row.value.person] : []) : row.error.optedOut;
		const { rowNumber } = row.ok ? row.value : row.error;
		for (const number of numbers ?? []) if (!found.has(number)) found.set(number, rowNumber);
	}
	return found;
}

/** Judges rows by where they lead, by what their people asked for, and by the clock, each time anew. It costs next to nothing for each further row. */
export function judge({ callable, hours, doNotCall, optedOut }: RightToCall): BlockedNow {
	return (row) => {
		const notHere = notAllowed(row, callable);
		if (notHere !== undefined) return notPlaced('not_allowed', notHere);
		const asked = whoOptedOut(row, optedOut);
		if (asked !== undefined) return doNotCallRow(asked, 'optedOut');
		if (doNotCall.has(row.person)) return doNotCallRow('On the Do Not Call list', 'doNotCall');
		const zones = row.timeZones ?? timeZonesOf(row.person);
		const outside = hours.closed(Date.now(), zones, row.noCallDates);
		return (
			outside && {
				...notPlaced('outside_hours', outside.reason),
				called: 'no',
				reach: 'hours',
				hours: outside,
			}
		);
	};
}

const doNotCallRow = (reason: string, rule: 'optedOut' | 'doNotCall'): CallOutcome => ({
	...notPlaced('do_not_call', reason),
	called: 'no',
	reach: 'person',
	rule,
});

function whoOptedOut(
	{ optedOut, person, destination }: Row,
	names: RightToCall['optedOut'],
): string | undefined {
	if (optedOut) return 'Opted out';
	if (names.size === 0) return undefined;
	const name = namesOfNumber({ person, number: destination }).find((each) => names.has(each));
	if (name === undefined) return undefined;
	return `Same number as ${uncapitalized(rowName(names.get(name)!))}, which opted out`;
}
