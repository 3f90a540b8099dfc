/**
 * Which of the calls that earlier tries recorded in the ledger is a row's. A call is kept by its number; a number's second,
 * third … call has " 2", " 3" … behind it. Functions return keys of the ledger by the positions of the rows.
 */
import type { Row } from '../domain/row';
import { type LedgerEntry, type LedgerState, SENT } from '../execution/nodeState';

type Recorded = LedgerState['rows'];
type Keys = Map<number, string>;

/** The number of a key. */
export const numberIn = (key: string): string => key.split(' ', 1)[0]!;

/** One call for each number: an earlier try that called each row may have made it for the number's second row. `isCall`: somebody was called, or may have been. */
export function matchByNumber(
	recorded: Recorded,
	rows: readonly Row[],
	isCall: (entry: LedgerEntry | undefined) => boolean,
): Keys {
	const calls = new Map<string, string>();
	for (const [key, entry] of Object.entries(recorded)) {
		const number = numberIn(key);
		if (key !== number && isCall(entry) && !isCall(recorded[number])) calls.set(number, key);
	}
	const keys: Keys = new Map();
	for (const { position, person } of rows) {
		const key = calls.get(person);
		if (key !== undefined) keys.set(position, key);
	}
	return keys;
}

/** A call that is no row's yet. */
interface OpenCall {
	key: string;
	parts: readonly string[];
}

/**
 * Several calls to one number: a recorded one belongs to the row with the same content, else to the one that comes from the same. `known`: rows whose keys
 * were given before; `partsOf`: as calls are recorded.
 */
export function matchOwn(
	recorded: Recorded,
	rows: readonly Row[],
	known: ReadonlyMap<number, string>,
	partsOf: (row: Row) => readonly string[],
	matches: readonly Match[] = SAME,
): Keys {
	const keys: Keys = new Map();
	const openCalls = openCallsIn(recorded, new Set(known.values()));
	let open = rows.filter(({ position }) => !known.has(position));
	for (const match of matches) {
		open = open.filter((row) => {
			const same = openCalls.get(row.person);
			if (!same || same.length === 0) return true;
			const wanted = partsOf(row);
			const index = same.findIndex((call) => match(call.parts, wanted));
			if (index >= 0) keys.set(row.position, same.splice(index, 1)[0]!.key);
			return index < 0;
		});
	}
	return keys;
}

/** As `matchOwn`, and else to any row of that number, so that a number is never called more often than it has rows. The other rows are given keys of their own. */
export function matchByContent(
	recorded: Recorded,
	rows: readonly Row[],
	known: ReadonlyMap<number, string>,
	partsOf: (row: Row) => readonly string[],
): Keys {
	const keys = matchOwn(recorded, rows, known, partsOf, [...SAME, () => true]);
	const calls = lastCalls([...known.values(), ...Object.keys(recorded)]);
	for (const { person, position } of rows) {
		if (known.has(position) || keys.has(position)) continue;
		const call = (calls.get(person) ?? 0) + 1;
		calls.set(person, call);
		keys.set(position, call === 1 ? person : `${person} ${call}`);
	}
	return keys;
}

/** Recorded calls by number, without those that are `taken`. */
function openCallsIn(recorded: Recorded, taken: ReadonlySet<string>): Map<string, OpenCall[]> {
	const openCalls = new Map<string, OpenCall[]>();
	for (const [key, entry] of Object.entries(recorded)) {
		if (taken.has(key)) continue;
		const call = { key, parts: ((entry === SENT ? undefined : entry[1]) ?? '').split(' ') };
		const same = openCalls.get(numberIn(key));
		if (same) same.push(call);
		else openCalls.set(numberIn(key), [call]);
	}
	return openCalls;
}

/** The highest call of each number. */
function lastCalls(keys: readonly string[]): Map<string, number> {
	const calls = new Map<string, number>();
	for (const key of keys)
		calls.set(
			numberIn(key),
			Math.max(calls.get(numberIn(key)) ?? 0, Number(key.split(' ')[1] ?? 1)),
		);
	return calls;
}

type Match = (recorded: readonly string[], wanted: readonly string[]) => boolean;

/** What makes a recorded call a row's own, best first: the same in all, the same content and key, the same content, of the same item. */
export const SAME: readonly Match[] = [
	([words, key, item], wanted) => words === wanted[0] && key === wanted[1] && item === wanted[2],
	([words, key], wanted) => words === wanted[0] && key === wanted[1],
	([words], [wanted]) => words === wanted,
	([, , item], [, , wanted]) => item === wanted,
];
