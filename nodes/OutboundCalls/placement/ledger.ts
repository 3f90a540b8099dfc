import { createHash } from 'node:crypto';
import type { NotPlacedStatus } from '../domain/callOutcome';
import { personOf, retryCall, retryRow } from '../domain/memoryKeys';
import type { CallContent, Row } from '../domain/row';
import type { LedgerEntry, LedgerState, NodeState, SentMark } from '../execution/nodeState';
import type { RetryTree } from '../execution/retryTree';
import type { RetryKeys } from '../claims/siblings';

/** A stored outcome: short, and plain JSON, because the host writes it into the execution's record. */
export type Packed = unknown;

/** Makes the outcome of a row that is not the API's. */
export type NotPlaced<T> = (status: NotPlacedStatus, reason: string | null) => T;

/** How an operation's outcomes are stored. Equal texts (batch ids, reasons) are kept once, as indexes. */
export interface Packing<T> {
	pack(outcome: T, index: (text: string) => number): Packed;
	/** Undefined for what another operation stored. */
	unpack(packed: Packed, text: (index: number) => string): T | undefined;
	notPlaced: NotPlaced<T>;
}

/** For a row that was on its way when an earlier try of this execution ended. */
const UNANSWERED =
	'It was sent, and the run broke off before the API answered: the call may have been placed. Look at your dashboard before you call again.';

/** For a number that the other placing operation called before the operation was changed. */
const CALLED_OTHERWISE = 'An earlier try of this run called this number with another operation of this node.';

/** Sent, no answer yet. */
const SENT: SentMark = 0;

export interface Attempt {
	round: number;
	execution: string;
	tree: RetryTree;
	/** The node is a tool of an agent. There the host counts each try as a round, and tries may overlap (n8n behaviour). */
	isTool: boolean;
	/** One call for each number, or one for each row. */
	perRow: boolean;
	/** Of the rows whose number stands in several. */
	occurrences: Occurrences;
}

/** By position. */
export type Occurrences = ReadonlyMap<number, Occurrence>;

interface Occurrence {
	/** It is the first, second … row of the run that says the same to its number, from 1. */
	occurrence: number;
	/** So many live rows of the run have its number. */
	rowsOfNumber: number;
}

const ALONE: Occurrence = { occurrence: 1, rowsOfNumber: 1 };

/** Tells the rows of a number that stands in several apart by what they say, in all executions alike. */
export function countOccurrences(rows: readonly Row[]): Occurrences {
	const ofNumber = new Map<string, number>();
	const alike = new Map<string, number>();
	const next = (counts: Map<string, number>, key: string): number => counts.set(key, (counts.get(key) ?? 0) + 1).get(key)!;
	for (const row of rows) next(ofNumber, personOf(row));
	const occurrences = new Map<number, Occurrence>();
	for (const row of rows) {
		const rowsOfNumber = ofNumber.get(personOf(row))!;
		if (rowsOfNumber > 1) occurrences.set(row.position, { occurrence: next(alike, `${personOf(row)} ${contentOf(row)}`), rowsOfNumber });
	}
	return occurrences;
}

/**
 * What became of each row that was sent, kept in the node's execution context, which survives
 * *Retry On Fail* and the *Retry* button (n8n behaviour), so that neither calls anybody twice.
 * A row is entered before it is sent, because an execution that is stopped while the API answers must
 * not forget it. Rows are recognised by number, never by position.
 */
export class Ledger<T> {
	private readonly stored: LedgerState;
	/** By position; a row that is not here is known by its number. */
	private readonly keys = new Map<number, string>();
	private readonly before = new Map<number, LedgerEntry>();
	private readonly textIndexes: Map<string, number>;
	/** Whether this execution continues another one. */
	readonly isRetry: boolean;

	constructor(
		private readonly state: NodeState,
		private readonly packing: Packing<T>,
		private readonly attempt: Attempt,
	) {
		const kept = state.outboundCallsLedger;
		const { round, execution, isTool } = attempt;
		this.stored = kept && (isTool || kept.round === round) ? kept : { round, execution, texts: [], rows: {} };
		this.isRetry = attempt.tree.isRetry || this.stored.execution !== execution;
		this.stored.execution = execution;
		state.outboundCallsLedger = this.stored;
		this.textIndexes = new Map(this.stored.texts.map((text, index) => [text, index]));
	}

	/** Outcomes of earlier tries for these rows, by position. The other rows are given their place in the ledger. */
	recorded(rows: readonly Row[], isCalled: (outcome: T) => boolean = () => true): Map<number, T> {
		const outcomes = new Map<number, T>();
		if (this.attempt.perRow) this.matchByContent(rows);
		else this.matchByNumber(rows, isCalled);
		for (const row of rows) {
			const entry = this.entry(row);
			if (entry !== undefined) outcomes.set(row.position, this.read(entry));
		}
		return outcomes;
	}

	/** The rows in their order, but first those whose words earlier tries have spoken: the call to a number is told of them, and of no other row. */
	spokenFirst(rows: readonly Row[], isCalled: (outcome: T) => boolean): readonly Row[] {
		const spoken = new Set<string>();
		for (const [key, entry] of Object.entries(this.stored.rows)) {
			if (entry !== SENT && entry[1] !== undefined && this.isCall(entry, isCalled)) spoken.add(`${numberIn(key)} ${wordsIn(entry[1])}`);
		}
		if (spoken.size === 0) return rows;
		const isSpoken = new Set(rows.filter((row) => spoken.has(`${personOf(row)} ${wordsIn(contentOf(row))}`)));
		return [...isSpoken, ...rows.filter((row) => !isSpoken.has(row))];
	}

	/** What this row's call is known by in all retries of one execution. `made`: calls of earlier tries to its number. */
	retryKeys(row: Row, made: number): RetryKeys {
		const { occurrence, rowsOfNumber } = (this.attempt.perRow ? this.attempt.occurrences.get(row.position) : undefined) ?? ALONE;
		const scope = `${this.attempt.tree.id} ${this.attempt.round}`;
		const person = personOf(row);
		return {
			row: retryRow(scope, `${person} ${contentOf(row)} ${occurrence}`),
			calls: Array.from({ length: rowsOfNumber }, (_, call) => retryCall(scope, person, call + 1)),
			made,
		};
	}

	/** Numbers that earlier tries of this execution called or may have called, and how often. To be asked for before anything is sent. */
	calledNumbers(isCalled: (outcome: T) => boolean): Map<string, number> {
		const numbers = new Map<string, number>();
		for (const [key, entry] of Object.entries(this.stored.rows)) {
			const number = numberIn(key);
			if (this.isCall(entry, isCalled)) numbers.set(number, (numbers.get(number) ?? 0) + 1);
		}
		return numbers;
	}

	private isCall(entry: LedgerEntry | undefined, isCalled: (outcome: T) => boolean): boolean {
		if (entry === undefined) return false;
		const outcome = entry === SENT ? undefined : this.unpack(entry[0]);
		return outcome === undefined || isCalled(outcome);
	}

	/** To be called before a request leaves. */
	markSent(rows: readonly Row[]): void {
		for (const row of rows) {
			const entry = this.entry(row);
			if (entry !== undefined) this.before.set(row.position, entry);
			this.stored.rows[this.keyOf(row)] = SENT;
		}
	}

	recordResult(row: Row, outcome: T): void {
		const packed = this.packing.pack(outcome, (text) => this.indexOf(text));
		const hasOthers = this.attempt.perRow || this.attempt.occurrences.has(row.position);
		this.stored.rows[this.keyOf(row)] = hasOthers ? [packed, contentOf(row)] : [packed];
	}

	/** The request certainly placed nothing: the row is as it was before. */
	restore(rows: readonly Row[]): void {
		for (const row of rows) {
			const entry = this.before.get(row.position);
			const key = this.keyOf(row);
			if (entry === undefined) Reflect.deleteProperty(this.stored.rows, key);
			else this.stored.rows[key] = entry;
		}
	}

	/** The output of these rows stands and cannot be retried, so nothing needs to be kept. */
	close(rows: readonly Row[]): void {
		if (!this.attempt.isTool) delete this.state.outboundCallsLedger;
		// What another use of the tool has under way at the same time is not this one's to forget.
		else for (const row of rows) if (this.entry(row) !== SENT) Reflect.deleteProperty(this.stored.rows, this.keyOf(row));
	}

	private keyOf({ position, person }: Row): string {
		return this.keys.get(position) ?? person;
	}

	private entry(row: Row): LedgerEntry | undefined {
		const key = this.keyOf(row);
		return Object.hasOwn(this.stored.rows, key) ? this.stored.rows[key] : undefined;
	}

	private read(entry: LedgerEntry): T {
		if (entry === SENT) return this.packing.notPlaced('unknown', UNANSWERED);
		return this.unpack(entry[0]) ?? this.packing.notPlaced('already_called', CALLED_OTHERWISE);
	}

	private unpack(packed: Packed): T | undefined {
		return this.packing.unpack(packed, (index) => this.stored.texts[index]!);
	}

	private indexOf(text: string): number {
		const known = this.textIndexes.get(text);
		if (known !== undefined) return known;
		this.textIndexes.set(text, this.stored.texts.length);
		return this.stored.texts.push(text) - 1;
	}

	/** One call for each number: an earlier try that called each row may have made it for the number's second row. */
	private matchByNumber(rows: readonly Row[], isCalled: (outcome: T) => boolean): void {
		const calls = new Map<string, string>();
		for (const [key, entry] of Object.entries(this.stored.rows)) {
			const number = numberIn(key);
			if (key !== number && this.isCall(entry, isCalled) && !this.isCall(this.stored.rows[number], isCalled)) calls.set(number, key);
		}
		for (const { position, person } of rows) {
			const key = calls.get(person);
			if (key !== undefined) this.keys.set(position, key);
		}
	}

	/**
	 * Several calls to one number: a recorded one belongs to the row with the same content, else to any
	 * row of that number, so that a number is never called more often than it has rows.
	 */
	private matchByContent(rows: readonly Row[]): void {
		const recorded = new Map<string, Array<{ key: string; content: string }>>();
		const calls = new Map<string, number>();
		const taken = new Set(this.keys.values());
		for (const key of [...taken, ...Object.keys(this.stored.rows)]) {
			const number = numberIn(key);
			calls.set(number, Math.max(calls.get(number) ?? 0, Number(key.split(' ')[1] ?? 1)));
			if (taken.has(key)) continue;
			const entry = this.stored.rows[key]!;
			const call = { key, content: (entry === SENT ? undefined : entry[1]) ?? '' };
			const same = recorded.get(number);
			if (same) same.push(call);
			else recorded.set(number, [call]);
		}
		let open = rows.filter(({ position }) => !this.keys.has(position));
		for (const match of MATCHES) {
			open = open.filter((row) => {
				const same = recorded.get(row.person);
				if (!same || same.length === 0) return true;
				const content = contentOf(row);
				const index = same.findIndex((call) => match(call.content, content));
				if (index >= 0) this.keys.set(row.position, same.splice(index, 1)[0]!.key);
				return index < 0;
			});
		}
		for (const { person, position } of open) {
			const call = (calls.get(person) ?? 0) + 1;
			calls.set(person, call);
			this.keys.set(position, call === 1 ? person : `${person} ${call}`);
		}
	}
}

const numberIn = (key: string): string => key.split(' ', 1)[0]!;

const hash = (value: unknown): string => createHash('sha1').update(JSON.stringify(value)).digest('base64').slice(0, 8);

/** A short hash of what is said in the call, and one of what it is remembered by. Only compared between rows with the same number. */
export function contentOf({ agentNumber, callerNumber, variables, externalCallId, callOnceKey }: Row): string {
	// By its type, a new field of a call cannot be forgotten here.
	const content: { [Field in keyof Required<CallContent>]: CallContent[Field] } = { agentNumber, callerNumber, variables, externalCallId };
	return `${hash(Object.values(content))} ${callOnceKey === undefined ? '' : hash(callOnceKey)}`;
}

/** Of a content: what is said in the call, without what it is remembered by. */
const wordsIn = (content: string): string => content.split(' ', 1)[0]!;

/** What makes a recorded call a row's, best first: the same content and key, the same content, the same number. */
const MATCHES: ReadonlyArray<(recorded: string, wanted: string) => boolean> = [
	(recorded, wanted) => recorded === wanted,
	(recorded, wanted) => wordsIn(recorded) === wordsIn(wanted),
	() => true,
];
