import { type CallOutcome, limitReached, nodeOutcome } from '../domain/callOutcome';
import { rowNames } from '../domain/values/format';
import { plainText, quoted } from '../domain/values/untrustedValues';
import { notAllowed } from '../domain/phone/callableCountries';
import { timeZonesOf } from '../domain/hours/timeZones';
import { namesOfNumber } from '../domain/phone/numbersIn';
import type { Row } from '../domain/row';
import { deduplicate, type Shared } from '../domain/sharing';
import type { Run } from '../input/readRun';
import type { Refusal } from '../memory/keys';
import type { Ledger } from './ledger';

/** Why a row must not be called at this moment; undefined if it may be. */
export type BlockedNow = (row: Row) => CallOutcome | undefined;

/**
 * Checks a row against the countries, the opt-outs and the calling hours, when it is called. Each
 * further row costs next to nothing.
 */
export function judge({ settings, optedOut }: Run): BlockedNow {
	const { callable, hours, doNotCall } = settings;
	return (row) => {
		const notHere = notAllowed(row, callable);
		if (notHere !== undefined) return nodeOutcome('not_allowed', notHere);
		const asked = whoOptedOut(row, optedOut);
		if (asked !== undefined) return doNotCallRow(asked, 'optedOut');
		if (doNotCall.has(row.person)) return doNotCallRow('On the Do Not Call list', 'doNotCall');
		const zones = row.timeZones ?? timeZonesOf(row.person);
		const outside = hours.closed(Date.now(), zones, row.noCallDates);
		return (
			outside && {
				...nodeOutcome('outside_hours', outside.reason),
				call: 'none',
				reach: 'hours',
				hours: outside,
			}
		);
	};
}

/**
 * Outcomes of the rows that must not be called as the run begins, by position, and the others by
 * the calls that they share.
 */
export async function judgeRows(
	run: Run,
	ledger?: Ledger,
): Promise<{ blocked: Map<number, CallOutcome>; shared: Shared }> {
	const { rows, slices, problem } = run;
	const blockedNow = judge(run);
	const sent = ledger?.sentOf(rows) ?? [];
	const known = new Set(sent);
	const blocked = new Map<number, CallOutcome>();
	for (const row of problem ? [] : rows) {
		if (slices.isOver) await slices.rest();
		const outcome = known.has(row) ? undefined : blockedNow(row);
		if (outcome) blocked.set(row.position, outcome);
	}
	const open = rows.filter((row) => !known.has(row) && !blocked.has(row.position));
	await slices.restIfOver();
	const shared = deduplicate(open, sent);
	await slices.restIfOver();
	return { blocked, shared: { ...shared, callers: [...sent, ...shared.callers] } };
}

const doNotCallRow = (reason: string, rule: 'optedOut' | 'doNotCall'): CallOutcome => ({
	...nodeOutcome('do_not_call', reason),
	call: 'none',
	reach: 'person',
	rule,
});

function whoOptedOut(
	{ optedOut, person, destination }: Row,
	names: Run['optedOut'],
): string | undefined {
	if (optedOut) return 'Opted out';
	if (names.size === 0) return undefined;
	const name = namesOfNumber({ person, number: destination }).find((each) => names.has(each));
	if (name === undefined) return undefined;
	return `Same number as ${rowNames([names.get(name)!])}, whose Opted Out says not to call or cannot be read`;
}

/** The outcome of a row that could not be claimed. */
export function refusalOutcome(refusal: Refusal, { onceForEach }: Row): CallOutcome {
	if (refusal.kind === 'limit_reached') return limitReached(refusal);
	if (refusal.by === 'retry')
		return nodeOutcome('already_called', 'Called by another Retry of this execution');
	const value =
		onceForEach === undefined ? '' : ` for ${plainText(quoted(onceForEach), LONGEST_VALUE)}`;
	return nodeOutcome('already_called', `Called before${value}`);
}

/** Of Once for Each, in a reason that many rows share. */
const LONGEST_VALUE = 30;
