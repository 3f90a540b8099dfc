/**
 * What a row's call says, as a short hash: so that the ledger and the retries of an execution tell the rows of a number apart,
 * wherever they stand.
 */
import { createHash } from 'node:crypto';
import { personOf } from './memoryKeys';
import type { CallContent, Row } from './row';

/** Short, to compare with another one of its kind. */
export const hash = (value: unknown): string =>
	createHash('sha1').update(JSON.stringify(value)).digest('base64').slice(0, 8);

/** A short hash of what is said in the call, and one of what it is remembered by. Only compared between rows with the same number. */
export function contentOf({
	agentNumber,
	callerNumber,
	variables,
	externalCallId,
	callOnceKey,
}: Row): string {
	// By its type, a new field of a call cannot be forgotten here.
	const content: { [Field in keyof Required<CallContent>]: CallContent[Field] } = {
		agentNumber,
		callerNumber,
		variables,
		externalCallId,
	};
	return `${hash(Object.values(content))} ${callOnceKey === undefined ? '' : hash(callOnceKey)}`;
}

/** Of a content: what is said in the call, without what it is remembered by. */
export const wordsIn = (content: string): string => content.split(' ', 1)[0]!;

/** Rows whose number stands in several, by position. */
export type Occurrences = ReadonlyMap<number, Occurrence>;

/** Of a row, among the rows of its number. */
export interface Occurrence {
	/** It is the first, second … row of the run that is the same to its number, from 1. */
	occurrence: number;
	/** So many live rows of the run have its number. */
	rowsOfNumber: number;
}

/** Tells the rows of a number that stands in several apart, by what they say or what they come from, in all executions alike. `identify`: within a number. May be cut where it yields. */
export function* countOccurrences(
	rows: readonly Row[],
	identify: (row: Row) => string,
): Generator<void, Occurrences> {
	const ofNumber = new Map<string, number>();
	const alike = new Map<string, number>();
	const next = (counts: Map<string, number>, key: string): number => {
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		return count;
	};
	for (const row of rows) next(ofNumber, personOf(row));
	const occurrences = new Map<number, Occurrence>();
	if (ofNumber.size === rows.length) return occurrences;
	for (const row of rows) {
		const rowsOfNumber = ofNumber.get(personOf(row))!;
		if (rowsOfNumber === 1) continue;
		occurrences.set(row.position, {
			occurrence: next(alike, `${personOf(row)} ${identify(row)}`),
			rowsOfNumber,
		});
		yield;
	}
	return occurrences;
}
