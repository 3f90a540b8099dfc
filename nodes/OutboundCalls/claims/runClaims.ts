/**
 * All that one run asks of the list of keys: whom it may call, how many more calls it may start, and what it learns of its
 * calls when it waits for them.
 *
 * Who has to agree before a row is called, one after the other:
 * - Max Calls (`maxCalls.ts`), for all rows that are left, before the first of them is planned;
 * - once for the run, where people are remembered or calls are counted, the gate (`gate.ts`);
 * - the memory (`memory.ts`) and, in a retry, the other retries (`siblings.ts`), both together (`claims.ts`) and, where there is a
 *   memory, ahead of the row's turn (`ahead.ts`);
 * - the limits, right before it is sent (`withinLimits.ts`).
 *
 * What a row had claimed is let go at once: the keys of the memory and of the retries with one write for each list, or several if
 * they are many, and the counts as a step of their own. Its call of Max Calls is given back later. A process that dies in between
 * leaves what is not taken out yet: a call too few.
 */
import { type CallLimits, countsCalls, learnsReached, reachedName } from '../domain/callLimits';
import {
	alongKeys,
	memoryKeys,
	type MemoryScope,
	type MemorySetting,
	otherScope,
} from '../domain/memoryKeys';
import type { Row } from '../domain/row';
import type { Duplicates } from '../domain/sharing';
import type { Execution } from '../execution/execution';
import { Slices } from '../execution/slices';
import { ClaimsAhead } from './ahead';
import { MaxCalls } from './maxCalls';
import { both, type Claims, noClaims } from './claims';
import { Counts } from './counts';
import { openGate } from './gate';
import { lookUp } from './lookUp';
import { Memory } from './memory';
import { OpenCalls } from './openCalls';
import { RunKeys } from './runKeys';
import { unseenMarks } from './unseenMarks';
import { type RetryKeys, Siblings } from './siblings';
import { WithinLimits } from './withinLimits';

/** The settings that claims follow. */
export interface ClaimSettings {
	/** People called by earlier runs are skipped; otherwise nothing is remembered. */
	remembers: boolean;
	/** Who shares the memory. */
	memoryOf: MemoryScope;
	/** What people are remembered by; undefined: their numbers. */
	setting: MemorySetting | undefined;
	duplicates: Duplicates;
	/** Over all runs that share the memory. */
	limits: CallLimits;
	/** Calls of one execution; undefined without a limit. */
	maxCalls: number | undefined;
}

/** What earlier tries of the execution have done. */
export interface EarlierTries {
	/** Whom they called, or may have: the run waits for these calls, too. */
	called: Iterable<string>;
	/** How other retries know a row; undefined in a run that is no retry. */
	retryKeys: ((row: Row, tree: string) => RetryKeys) | undefined;
	/** Whether they claimed the row's number. */
	claimed: (row: Row) => boolean;
}

/** What the wait for calls has shown. */
export interface CallsLearned {
	reached: readonly Row[];
	/** Cancelled before they were dialed: certainly not placed. */
	neverDialed: readonly Row[];
}

export class RunClaims {
	/** How many calls the execution may still start. */
	readonly limit: MaxCalls;
	/** Whom it may call. */
	readonly claims: Claims;
	private readonly keys: RunKeys;
	/** What the retries of one execution share, whatever the memory's setting was in each of them: always the workflow's list. */
	private readonly keysOfRetries: RunKeys;
	private readonly counts: Counts;
	private readonly open: OpenCalls | undefined;
	private opened: Promise<number> | undefined;

	/** To be settled when nothing more is sent, and closed when nothing more is learned. */
	constructor(
		private readonly execution: Execution,
		private readonly settings: ClaimSettings,
		private readonly earlier: EarlierTries,
	) {
		const store = execution.keyStore(settings.memoryOf);
		this.keys = new RunKeys(store);
		this.open = learnsReached(settings.limits) ? new OpenCalls(store.id) : undefined;
		this.keysOfRetries =
			settings.memoryOf === 'workflow' ? this.keys : new RunKeys(execution.keyStore('workflow'));
		this.counts = new Counts(this.keys);
		this.limit = new MaxCalls(execution, settings.maxCalls, this.keysOfRetries);
		for (const person of earlier.called) this.open?.hold(person);
		const claims = this.claimsOf(earlier);
		const { limits } = settings;
		this.claims = countsCalls(limits)
			? new WithinLimits(claims, this.counts, limits, this.open, () => this.openGate())
			: claims;
	}

	/** Of rows that are not claimed, in a retry: those that another one has called, or may have, as far as the list can be asked (`lookUp.ts`). Rejects when the database cannot be used. */
	async calledByRetries(rows: readonly Row[]): Promise<Row[]> {
		const { retryKeys } = this.earlier;
		if (!retryKeys) return [];
		const { tree, signal } = this.execution;
		const slices = new Slices(signal);
		const asked: Array<{ row: Row; keys: string[] }> = [];
		for (const row of rows) {
			asked.push({ row, keys: tree.ids.flatMap((id) => retryKeys(row, id).row) });
			if (slices.isOver) await slices.rest();
		}
		const found = await lookUp(
			this.keysOfRetries,
			new Set(asked.flatMap(({ keys }) => keys)),
			signal,
		);
		return found.kind === 'known'
			? asked.filter(({ keys }) => keys.some(found.has)).map(({ row }) => row)
			: [];
	}

	/** Remembers what the wait for calls has shown. False when the database could not be used: then it is only remembered as long as the process lives. */
	async learn({ reached, neverDialed }: CallsLearned): Promise<boolean> {
		const isToMark = learnsReached(this.settings.limits) && reached.length > 0;
		if (neverDialed.length === 0 && !isToMark) return true;
		try {
			if (neverDialed.length > 0) await this.claims.release(neverDialed);
			if (isToMark) await this.counts.mark(reached.map(({ person }) => reachedName(person)));
			await this.claims.settle?.();
		} catch {
			return false;
		} finally {
			await this.settle();
		}
		// As long as the database cannot be used, what was let go is owed, and what was learned is due: nothing rejects then.
		return [...this.allKeys].every(({ isSettled }) => isSettled);
	}

	/** Never rejects. */
	async settle(): Promise<void> {
		for (const keys of this.allKeys) await keys.settle();
	}

	close(): void {
		this.open?.close();
		for (const keys of this.allKeys) keys.leave();
	}

	private get allKeys(): Set<RunKeys> {
		return new Set([this.keys, this.keysOfRetries]);
	}

	private claimsOf({ retryKeys, claimed }: EarlierTries): Claims {
		const { remembers, duplicates, setting } = this.settings;
		const { ids } = this.execution.tree;
		const siblings =
			retryKeys &&
			ids
				.map((tree): Claims => new Siblings(this.keysOfRetries, (row) => retryKeys(row, tree)))
				.reduce(both);
		if (!remembers) return siblings ?? noClaims;
		const isOurs = duplicates === 'callEach' ? { isOurs: claimed } : {};
		const memory = new Memory(this.keys, {
			decidedBy: (row) => memoryKeys(row, setting),
			alsoOf: (row) => alongKeys(row, setting),
			...isOurs,
		});
		return new ClaimsAhead(siblings ? both(siblings, memory) : memory, () => this.openGate());
	}

	/** Once for the run: how many keys the list has. */
	private async openGate(): Promise<number> {
		return await (this.opened ??= this.askGate());
	}

	private async askGate(): Promise<number> {
		const { execution, settings } = this;
		const { memoryOf, setting } = settings;
		const other = new RunKeys(execution.keyStore(otherScope(memoryOf)));
		try {
			return await openGate(
				this.keys,
				other,
				{ setting, node: execution.node },
				unseenMarks(execution, execution.keyStore(memoryOf)),
			);
		} finally {
			await other.close();
		}
	}
}
