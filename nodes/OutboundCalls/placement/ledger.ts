import {
	contentOf,
	countOccurrences,
	hash,
	type Occurrence,
	type Occurrences,
} from '../domain/contentHash';
import { type CallOutcome, notPlaced } from '../domain/callOutcome';
import { personOf, retryCall, retryRow } from '../domain/memoryKeys';
import type { Row } from '../domain/row';
import type { Duplicates } from '../domain/sharing';
import type { Execution, RetryTree } from '../execution/execution';
import { type LedgerEntry, type LedgerState, type NodeState, SENT } from '../execution/nodeState';
import type { RetryKeys } from '../claims/siblings';
import type { Packed, Packing } from './callOperation';
import { matchByContent, matchByNumber, matchOwn, numberIn, SAME } from './recordedCalls';

/** For a row that was on its way when an earlier try of this execution ended. */
const UNANSWERED =
	'It was sent, and the run broke off before the API answered: the call may have been placed. Look at your dashboard before you call again.';

/** For a number that the other placing operation called before the operation was changed. */
const CALLED_OTHERWISE =
	'An earlier try of this run called this number with another operation of this node.';

/** What the ledger has to know of the try that it is opened for. */
export interface Attempt {
	round: number;
	execution: string;
	tree: RetryTree;
	/** The node is a tool of an agent. There the host counts each try as a round, and tries may overlap (n8n behaviour). */
	isTool: boolean;
	/** One call for each number, or one for each row. */
	perRow: boolean;
	/** Of the rows that share a number, by what they say. */
	occurrences: Occurrences;
	/** People of whom another row is not called, which a Retry may call; null: nobody knows whose rows these are. */
	others: ReadonlySet<string> | null;
	/** By what they come from: a prompt variable may hold the time. Only asked for where there was an earlier try. */
	ofItems: Occurrences;
	/** What a row comes from: in all retries of an execution, the items are the same. */
	itemOf: (row: Pick<Row, 'itemIndex' | 'place'>) => string;
}

const ALONE: Occurrence = { occurrence: 1, rowsOfNumber: 1 };

/** What JSON cannot hold, such as what holds itself, is known by its place. */
function hashOf(item: unknown, place: number): string {
	try {
		return hash(item);
	} catch {
		return String(place);
	}
}

/** The ledger of this execution. `rows`: all live ones, also those that are not called now, so that a row is the same in all tries. `others`: see there. May be cut where it yields. */
export function* openLedger(
	{
		state,
		round,
		id,
		tree,
		isTool,
		input,
	}: Pick<Execution, 'state' | 'round' | 'id' | 'tree' | 'isTool' | 'input'>,
	rows: readonly Row[],
	duplicates: Duplicates,
	packing: Packing,
	others: Attempt['others'] = new Set(),
): Generator<void, Ledger> {
	const perRow = duplicates === 'callEach';
	const items = new Map<number, string>();
	const itemOf: Attempt['itemOf'] = ({ itemIndex, place }) => {
		const item = items.get(itemIndex) ?? hashOf(input[itemIndex], itemIndex);
		items.set(itemIndex, item);
		return `${item}${place ?? ''}`;
	};
	const isAgain = tree.isRetry || state.outboundCallsLedger !== undefined;
	const occurrences = yield* countOccurrences(rows, contentOf);
	const ofItems = isAgain ? yield* countOccurrences(rows, itemOf) : new Map<number, Occurrence>();
	const ledger = new Ledger(state, packing, {
		round,
		execution: id,
		tree,
		isTool,
		perRow,
		occurrences,
		ofItems,
		itemOf,
		others,
	});
	if (isAgain) yield* ledger.countRead(rows);
	return ledger;
}

/**
 * What became of each row that was sent, kept in the node's execution context, which survives
 * *Retry On Fail* and the *Retry* button (n8n behaviour), so that neither calls anybody twice.
 * A row is entered before it is sent, because an execution that is stopped while the API answers must
 * not forget it. Rows are recognised by number, never by position.
 */
export class Ledger {
	/** Numbers that earlier tries of this execution called or may have called, and how often. */
	readonly called: ReadonlyMap<string, number>;
	/** Whether this execution continues another one. */
	readonly isRetry: boolean;
	private readonly stored: LedgerState;
	/** By position; a row that is not here is known by its number. */
	private readonly keys = new Map<number, string>();
	private readonly before = new Map<number, LedgerEntry>();
	private readonly parts = new Map<number, readonly string[]>();
	private readonly textIndexes: Map<string, number>;

	constructor(
		private readonly state: NodeState,
		private readonly packing: Packing,
		private readonly attempt: Attempt,
	) {
		const kept = state.outboundCallsLedger;
		const { round, execution, isTool } = attempt;
		this.stored =
			kept && (isTool || kept.round === round) ? kept : { round, execution, texts: [], rows: {} };
		this.isRetry = attempt.tree.isRetry || this.stored.execution !== execution;
		this.stored.execution = execution;
		state.outboundCallsLedger = this.stored;
		this.textIndexes = new Map(this.stored.texts.map((text, index) => [text, index]));
		this.called = this.countCalls();
	}

	/** Counts the rows of this round, and adds those of the one before to what was read earlier. Where one call serves all rows of a number, they are one. May be cut where it yields. */
	*countRead(rows: readonly Row[]): Generator<void, void> {
		const { round, perRow } = this.attempt;
		const here: Record<string, number> = {};
		for (const row of rows) {
			for (const name of [personOf(row), this.saysTo(row)])
				here[name] = perRow ? (here[name] ?? 0) + 1 : 1;
			yield;
		}
		if (!this.isRetry) return;
		const read = (this.state.outboundCallsRead ??= { round, here: {}, before: {} });
		if (read.round !== round)
			for (const [name, times] of Object.entries(read.here))
				read.before[name] = (read.before[name] ?? 0) + times;
		Object.assign(read, { round, here });
	}

	/** What a row comes from. */
	get itemOf(): Attempt['itemOf'] {
		return this.attempt.itemOf;
	}

	/** Outcomes of earlier tries for these rows, by position. The other rows are given their place in the ledger. */
	recorded(rows: readonly Row[]): Map<number, CallOutcome> {
		const isCall = (entry: LedgerEntry | undefined): boolean => this.isCall(entry);
		const keys = this.attempt.perRow
			? matchByContent(this.stored.rows, rows, this.keys, this.partsOf)
			: matchByNumber(this.stored.rows, rows, isCall);
		for (const [position, key] of keys) this.keys.set(position, key);
		const outcomes = new Map<number, CallOutcome>();
		for (const row of rows) {
			const entry = this.entry(row);
			if (entry !== undefined) outcomes.set(row.position, this.read(entry));
		}
		return outcomes;
	}

	/** Puts the rows first whose words earlier tries have spoken, so that they, and no other row of the number, come out with that call. */
	spokenFirst(rows: readonly Row[]): readonly Row[] {
		const spoken = this.spokenCalls();
		if (spoken.size === 0) return rows;
		const own = this.spokenTo(rows);
		const live = rows.filter(({ isDry }) => !isDry);
		const words = new Set(
			[...spoken].flatMap(([number, calls]) => calls.map(([, [said]]) => `${number} ${said}`)),
		);
		const hasSameWords = (row: Row): boolean =>
			spoken.has(personOf(row)) && words.has(`${personOf(row)} ${this.partsOf(row)[0]}`);
		const isSpoken = new Set([
			...live.filter(({ position }) => own.has(position)),
			...live.filter(hasSameWords),
		]);
		return [...isSpoken, ...rows.filter((row) => !isSpoken.has(row))];
	}

	/**
	 * Outcomes of the rows whose words earlier tries have spoken, by position: each has had a call of its own, also where rows share
	 * one by now, because Duplicates, or what people are remembered by, was changed.
	 */
	spoken(rows: readonly Row[]): Map<number, CallOutcome> {
		const told = (entries: Iterable<[number, LedgerEntry]>) =>
			new Map([...entries].map(([position, entry]) => [position, this.read(entry)]));
		if (!this.attempt.perRow) return told(this.spokenTo(rows));
		const live = rows.filter(({ isDry }) => !isDry);
		const own = matchOwn(this.stored.rows, live, this.keys, this.partsOf);
		for (const [position, key] of own) this.keys.set(position, key);
		const entries = [...own].map(([position, key]): [number, LedgerEntry] => [
			position,
			this.stored.rows[key]!,
		]);
		return told(entries.filter(([, entry]) => this.isCall(entry)));
	}

	/** By position, the call in which a row's words were spoken: of several rows, the one that it was remembered by. They may be other words by now, of the same row. */
	private spokenTo(rows: readonly Row[]): Map<number, LedgerEntry> {
		const found = new Map<number, LedgerEntry>();
		const spoken = this.spokenCalls();
		const isOpen = ({ isDry, position, person }: Row): boolean =>
			!isDry && !found.has(position) && spoken.has(person);
		for (const isSame of SAME)
			for (const row of rows.filter(isOpen)) {
				const calls = spoken.get(personOf(row))!;
				const wanted = this.partsOf(row);
				const place = calls.findIndex(([, said]) => isSame(said, wanted));
				if (place >= 0) found.set(row.position, [calls.splice(place, 1)[0]![0]]);
			}
		return found;
	}

	/** By number, what became of the one call that earlier tries made to it, or may have made; with whose it was, where another row may have had it. */
	onlyCalls(): Map<string, { outcome: CallOutcome; parts: readonly string[] | undefined }> {
		const found = new Map<string, { outcome: CallOutcome; parts: readonly string[] | undefined }>();
		// Another use of a tool may have a call under way.
		if (this.attempt.isTool) return found;
		for (const [key, entry] of Object.entries(this.stored.rows)) {
			const number = numberIn(key);
			const parts = entry === SENT ? undefined : entry[1]?.split(' ');
			if (this.isCall(entry) && this.called.get(number) === 1)
				found.set(number, { outcome: this.read(entry), parts });
		}
		return found;
	}

	/** Calls of earlier tries by number, each with what it said. */
	private spokenCalls(): Map<string, Array<[Packed, readonly string[]]>> {
		const spoken = new Map<string, Array<[Packed, readonly string[]]>>();
		for (const [key, entry] of Object.entries(this.stored.rows)) {
			if (entry === SENT || entry[1] === undefined || !this.isCall(entry)) continue;
			const call: [Packed, string[]] = [entry[0], entry[1].split(' ')];
			const same = spoken.get(numberIn(key));
			if (same) same.push(call);
			else spoken.set(numberIn(key), [call]);
		}
		return spoken;
	}

	/** What this row's call is known by in all retries of one execution; `tree`: one of their IDs. */
	retryKeys(row: Row, tree: string): RetryKeys {
		const { perRow, occurrences, ofItems, round } = this.attempt;
		const { occurrence, rowsOfNumber } =
			(perRow ? occurrences.get(row.position) : undefined) ?? ALONE;
		const person = personOf(row);
		const ofItem = (): string =>
			`${person} item ${this.itemOf(row)} ${round} ${ofItems.get(row.position)?.occurrence ?? 1}`;
		const before = (name: string): number => this.state.outboundCallsRead?.before[name] ?? 0;
		return {
			row: [
				`${this.saysTo(row)} ${before(this.saysTo(row)) + occurrence}`,
				...(this.hasOthers(row) ? [ofItem()] : []),
			].map((name) => retryRow(tree, name)),
			calls: Array.from({ length: rowsOfNumber }, (_, call) =>
				retryCall(tree, person, before(person) + call + 1),
			),
			made: this.called.get(person) ?? 0,
		};
	}

	/** To be called before a request leaves. */
	markSent(rows: readonly Row[]): void {
		for (const row of rows) {
			const entry = this.entry(row);
			if (entry !== undefined) this.before.set(row.position, entry);
			this.stored.rows[this.keyOf(row)] = SENT;
		}
	}

	/** To be called as soon as the API has answered. */
	recordResult(row: Row, outcome: CallOutcome): void {
		const packed = this.packing.pack(outcome, (text) => this.indexOf(text));
		this.stored.rows[this.keyOf(row)] = this.hasOthers(row)
			? [packed, this.partsOf(row).join(' ')]
			: [packed];
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

	/** The output of these rows is final, so nothing needs to be kept. */
	close(rows: readonly Row[]): void {
		if (!this.attempt.isTool) {
			delete this.state.outboundCallsLedger;
			return;
		}
		// Another use of the tool may have a call under way.
		for (const row of rows)
			if (this.entry(row) !== SENT) Reflect.deleteProperty(this.stored.rows, this.keyOf(row));
	}

	/** As a row's call is recorded: what it says, what it is remembered by, what it comes from. */
	private readonly partsOf = (row: Row): readonly string[] => {
		const parts =
			this.parts.get(row.position) ?? `${contentOf(row)} ${this.attempt.itemOf(row)}`.split(' ');
		this.parts.set(row.position, parts);
		return parts;
	};

	private saysTo(row: Row): string {
		const [words, key] = this.partsOf(row);
		return `${personOf(row)} ${words} ${key}`;
	}

	/** Whether rows of its number have to be told apart, in this try or another one. */
	private hasOthers({ position, person }: Row): boolean {
		const { perRow, occurrences, others } = this.attempt;
		return perRow || occurrences.has(position) || !others || others.has(person);
	}

	private countCalls(): Map<string, number> {
		const numbers = new Map<string, number>();
		for (const [key, entry] of Object.entries(this.stored.rows)) {
			const number = numberIn(key);
			if (this.isCall(entry)) numbers.set(number, (numbers.get(number) ?? 0) + 1);
		}
		return numbers;
	}

	private isCall(entry: LedgerEntry | undefined): boolean {
		if (entry === undefined) return false;
		return entry === SENT || this.unpack(entry[0])?.called !== 'no';
	}

	private keyOf({ position, person }: Row): string {
		return this.keys.get(position) ?? person;
	}

	private entry(row: Row): LedgerEntry | undefined {
		const key = this.keyOf(row);
		return Object.hasOwn(this.stored.rows, key) ? this.stored.rows[key] : undefined;
	}

	private read(entry: LedgerEntry): CallOutcome {
		if (entry === SENT) return notPlaced('unknown', UNANSWERED);
		return this.unpack(entry[0]) ?? notPlaced('already_called', CALLED_OTHERWISE);
	}

	private unpack(packed: Packed): CallOutcome | undefined {
		return this.packing.unpack(packed, (index) => this.stored.texts[index]!);
	}

	private indexOf(text: string): number {
		const known = this.textIndexes.get(text);
		if (known !== undefined) return known;
		this.textIndexes.set(text, this.stored.texts.length);
		return this.stored.texts.push(text) - 1;
	}
}
