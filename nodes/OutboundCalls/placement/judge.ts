import { type CallOutcome, type HeldBack, heldBackOutcome } from '../domain/outcome';
import { rowNames } from '../domain/values';
import { notAllowed } from '../domain/phone/callableCountries';
import { timeZonesOf } from '../domain/hours/timeZones';
import { namesOfNumber } from '../domain/phone/numbersIn';
import type { Row } from '../domain/row';
import { deduplicate } from '../domain/sharing';
import type { Run } from '../input/readRun';
import type { Ledger } from './ledger';

/** Why a row must not be called at this moment; undefined if it may be. */
export type BlockedNow = (row: Row) => HeldBack | undefined;

/**
 * Checks a row against the countries, the opt-outs and the calling hours, when it is called. Each
 * further row costs next to nothing.
 */
export function judge({ settings, optedOut }: Run): BlockedNow {
	const { callable, hours, doNotCall } = settings;
	return (row) => {
		const notHere = notAllowed(row, callable);
		if (notHere) return notHere;
		const reason = whoOptedOut(row, optedOut);
		if (reason !== undefined) return { by: 'opted_out', reason };
		if (doNotCall.has(row.person)) return { by: 'do_not_call', reason: 'On the Do Not Call list' };
		const zones = row.timeZones ?? timeZonesOf(row.person);
		return hours.closed(Date.now(), zones, row.noCallDates);
	};
}

/**
 * Outcomes of the rows that must not be called as the run begins, by position, and the others by
 * the calls that they share.
 */
export async function judgeRows(run: Run, ledger?: Ledger) {
	const { rows, slices, problem } = run;
	const blockedNow = judge(run);
	const sent = ledger?.sentOf(rows) ?? [];
	const known = new Set(sent);
	const blocked = new Map<number, CallOutcome>();
	for (const row of problem ? [] : rows) {
		if (slices.isOver) await slices.restIfOver();
		const why = known.has(row) ? undefined : blockedNow(row);
		if (why) blocked.set(row.position, heldBackOutcome(why));
	}
	const open = rows.filter((row) => !known.has(row) && !blocked.has(row.position));
	const shared = deduplicate(open, sent);
	await slices.restIfOver();
	return { blocked, shared: { ...shared, callers: [...sent, ...shared.callers] } };
}

function whoOptedOut({ optedOut, person, destination }: Row, names: Run['optedOut']) {
	if (optedOut) return 'Opted out';
	if (names.size === 0) return undefined;
	const name = namesOfNumber({ person, number: destination }).find((each) => names.has(each));
	if (name === undefined) return undefined;
	return `Same number as ${rowNames([names.get(name)!])}, whose Opted Out says not to call or cannot be read`;
}
