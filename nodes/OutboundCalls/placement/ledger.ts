import { createHash } from 'node:crypto';
import type { NotPlaced } from '../domain/callOutcome';
import type { Row } from '../domain/row';

/** A stored outcome: short, and plain JSON, because the host writes it into the execution's record. */
export type Packed = unknown;

/** How an operation's outcomes are stored. Equal texts (batch ids, reasons) are kept once, as indexes. */
export interface Packing<T> {
	pack(outcome: T, index: (text: string) => number): Packed;
	/** Undefined for what another operation stored. */
	unpack(row: Row, packed: Packed, text: (index: number) => string): T | undefined;
	notPlaced: NotPlaced<T>;
}

/** For a row that was on its way when an earlier try of this execution ended. */
const UNANSWERED =
	'An earlier try of this execution sent this row and ended before the API answered, so the call may have been placed. This node does not send it again, so that nobody is called twice. Look at the outbound calls page of your dashboard before you call the number again.';

/** For a number that the other placing operation called before the operation was changed. */
const CALLED_OTHERWISE = 'An earlier try of this execution called this number with another operation of this node.';

/** What the host keeps for us in the node's context. */
interface Stored {
	/** Round of a loop (`$runIndex`): a later round is no retry. */
	round: number;
	/** The execution that the others are retries of. */
	origin: string;
	execution: string;
	/** Outputs of this execution whose first item was a failed one. */
	failed: number;
	texts: string[];
	/** By number; a number's second, third … call (Duplicates: each row) has " 2", " 3" … behind it. */
	rows: Record<string, Entry>;
}

/** Sent, no answer yet. */
const SENT = 0;
type Entry = typeof SENT | [packed: Packed, content?: string];

export interface NodeContext {
	outboundCallsLedger?: Stored;
}

export interface Attempt {
	round: number;
	execution: string;
	/** How many outputs with a failed first item the host takes at most (Retry On Fail), 1 without. */
	maxTries: number;
	/** The node is a tool of an agent. There the host counts each try as a round, and tries may overlap (n8n behaviour). */
	isTool: boolean;
	/** One call for each number, or one for each row. */
	perRow: boolean;
}

/**
 * What became of each row that was sent, kept in the node's execution context, which survives
 * *Retry On Fail* and the *Retry* button (n8n behaviour), so that neither calls anybody twice.
 * A row is entered before it is sent, because an execution that is stopped while the API answers must
 * not forget it. Rows are recognised by number, never by position.
 */
export class Ledger<T> {
	private readonly stored: Stored;
	/** By position; a row that is not here is known by its number. */
	private readonly keys = new Map<number, string>();
	private readonly before = new Map<number, Entry>();
	private readonly textIndexes: Map<string, number>;

	constructor(
		private readonly context: NodeContext,
		private readonly packing: Packing<T>,
		private readonly attempt: Attempt,
	) {
		const kept = context.outboundCallsLedger;
		const { round, execution, isTool } = attempt;
		this.stored = kept && (isTool || kept.round === round) ? kept : { round, origin: execution, execution, failed: 0, texts: [], rows: {} };
		if (this.stored.execution !== execution) Object.assign(this.stored, { execution, failed: 0 });
		context.outboundCallsLedger = this.stored;
		this.textIndexes = new Map(this.stored.texts.map((text, index) => [text, index]));
	}

	/** Outcomes of earlier tries for these rows, by position. The other rows are given their place in the ledger. */
	recorded(rows: readonly Row[]): Map<number, T> {
		const outcomes = new Map<number, T>();
		if (this.attempt.perRow) this.matchByContent(rows);
		for (const row of rows) {
			const entry = this.entry(row);
			if (entry !== undefined) outcomes.set(row.position, this.read(row, entry));
		}
		return outcomes;
	}

	/**
	 * The key of this row's call in all retries of one execution; undefined in the execution itself.
	 * The Retry button starts from the record of the execution where it was pressed, which knows nothing of
	 * other retries.
	 */
	retryKey(row: Row): string | undefined {
		const { origin, execution } = this.stored;
		return origin === execution ? undefined : `retry ${origin} ${this.attempt.round} ${this.keyOf(row)}`;
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
		this.stored.rows[this.keyOf(row)] = this.attempt.perRow ? [packed, contentOf(row)] : [packed];
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

	/**
	 * The output of these rows is final and cannot be retried, so nothing needs to be kept. The exception: with
	 * Retry On Fail the host runs the node once more if the first item failed (n8n behaviour). Outputs are
	 * counted, not tries, because the host does not count every try that throws.
	 */
	close(rows: readonly Row[], firstItemFailed: boolean): void {
		const { isTool, maxTries } = this.attempt;
		if (firstItemFailed && ++this.stored.failed < maxTries) return;
		if (!isTool) {
			delete this.context.outboundCallsLedger;
			return;
		}
		this.stored.failed = 0;
		for (const row of rows) Reflect.deleteProperty(this.stored.rows, this.keyOf(row));
	}

	private keyOf({ position, destination }: Row): string {
		return this.keys.get(position) ?? destination;
	}

	private entry(row: Row): Entry | undefined {
		const key = this.keyOf(row);
		return Object.prototype.hasOwnProperty.call(this.stored.rows, key) ? this.stored.rows[key] : undefined;
	}

	private read(row: Row, entry: Entry): T {
		if (entry === SENT) return this.packing.notPlaced(row, 'unknown', UNANSWERED);
		return (
			this.packing.unpack(row, entry[0], (index) => this.stored.texts[index]!) ?? this.packing.notPlaced(row, 'already_called', CALLED_OTHERWISE)
		);
	}

	private indexOf(text: string): number {
		const known = this.textIndexes.get(text);
		if (known !== undefined) return known;
		this.textIndexes.set(text, this.stored.texts.length);
		return this.stored.texts.push(text) - 1;
	}

	/**
	 * Several calls to one number: a recorded one belongs to the row with the same content, else to any
	 * row of that number, so that a number is never called more often than it has rows.
	 */
	private matchByContent(rows: readonly Row[]): void {
		const recorded = new Map<string, Array<{ key: string; content?: string }>>();
		const calls = new Map<string, number>();
		for (const [key, entry] of Object.entries(this.stored.rows)) {
			const [destination, call] = key.split(' ') as [string, string?];
			const same = recorded.get(destination) ?? [];
			same.push({ key, ...(entry === SENT ? {} : { content: entry[1] }) });
			recorded.set(destination, same);
			calls.set(destination, Math.max(calls.get(destination) ?? 0, Number(call ?? 1)));
		}
		const others: Row[] = [];
		for (const row of rows) {
			const same = recorded.get(row.destination);
			const content = same && contentOf(row);
			const index = same?.findIndex((call) => call.content === content) ?? -1;
			if (index < 0) others.push(row);
			else this.keys.set(row.position, same!.splice(index, 1)[0]!.key);
		}
		for (const { destination, position } of others) {
			const left = recorded.get(destination)?.shift();
			if (left) {
				this.keys.set(position, left.key);
				continue;
			}
			const call = (calls.get(destination) ?? 0) + 1;
			calls.set(destination, call);
			this.keys.set(position, call === 1 ? destination : `${destination} ${call}`);
		}
	}
}

/** A short hash of a row's content. It is only compared between rows with the same phone number. */
const contentOf = ({ agentNumber, callerNumber, variables, externalCallId }: Row): string =>
	createHash('sha1')
		.update(JSON.stringify([agentNumber, callerNumber, variables, externalCallId]))
		.digest('base64')
		.slice(0, 8);
