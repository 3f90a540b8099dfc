import type { Dial } from '../sandbox';
import { memoryOf, type Row } from './rows';
import type { Shape } from './shape';

export interface Circumstances {
	/** In one of the executions each row was to be called. */
	callEach: boolean;
	/** In all of them, or in none. */
	isSettled: boolean;
	/** Runs that were no retries of one another. */
	runs: number;
}

/** Who was called more often than they should be, by these dials of one campaign. */
export function twice(
	dials: readonly Dial[],
	rows: readonly Row[],
	shape: Shape,
	{ callEach, isSettled, runs }: Circumstances,
): number {
	const byName = new Map(rows.map((row) => [row.name, row]));
	const called = dials.flatMap(({ variables }) => byName.get(variables.name ?? '') ?? []);
	const remembers = shape.calledBefore === 'skip';
	const most = limits(rows, shape, callEach);
	let found = 0;
	for (const [number, times] of counted(called, ({ number }) => String(number))) {
		// With a key, a number may be called anew for another key, by another run.
		if (times > (most.get(number) ?? 0) * (shape.key === 'number' ? 1 : runs)) found++;
	}
	if (remembers) {
		for (const [memory, times] of counted(called, memoryOf))
			if (memory.startsWith('key ') && times > 1) found++;
	}
	// Where the setting changes, a call to the number stands for any of its rows.
	if (isSettled)
		for (const [, times] of counted(called, ({ name }) => name)) if (times > 1) found++;
	return found;
}

/** Over all executions together. */
export function beyondLimits(dials: readonly Dial[], { limits }: Shape): number {
	const { perPerson = Infinity, perDay = Infinity } = limits ?? {};
	const people = [...counted(dials, ({ phone }) => phone).values()];
	return people.filter((times) => times > perPerson).length + (dials.length > perDay ? 1 : 0);
}

/** How often each number may be called by one run: once in each round of a loop, or for each row. A memory of numbers knows the rounds before. */
function limits(
	rows: readonly Row[],
	{ batchSize, calledBefore, key }: Shape,
	callEach: boolean,
): Map<string, number> {
	const size = batchSize || rows.length;
	const most = new Map<string, number>();
	const remembersNumbers = calledBefore === 'skip' && key === 'number';
	for (let from = 0; from < rows.length; from += size) {
		for (const [number, times] of counted(rows.slice(from, from + size), (row) =>
			String(row.number),
		)) {
			const here = callEach ? times : 1;
			most.set(
				number,
				remembersNumbers ? Math.max(most.get(number) ?? 0, here) : (most.get(number) ?? 0) + here,
			);
		}
	}
	return most;
}

/** Calls of rows that must not be called, of no row, and to another number than the row's. */
export function forbidden(dials: readonly Dial[], rows: readonly Row[]): number {
	const byName = new Map(rows.map((row) => [row.name, row]));
	return dials.filter(({ phone, variables }) => {
		const row = byName.get(variables.name ?? '');
		if (!row) return true;
		return (
			row.number !== phone ||
			row.mode !== 'live' ||
			row.key === 'unusable' ||
			row.isTroubled ||
			row.isIncomplete ||
			row.held !== 'no'
		);
	}).length;
}

function counted<T>(values: readonly T[], key: (value: T) => string): Map<string, number> {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(key(value), (counts.get(key(value)) ?? 0) + 1);
	return counts;
}
