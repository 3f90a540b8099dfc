import type { BlockedNow } from '../domain/blockedRows';
import { type CallOutcome, limitReached } from '../domain/callOutcome';
import type { Miscount } from '../domain/bulkAnswer';
import { calledBefore } from '../domain/calledBefore';
import type { Exchange } from '../domain/exchange';
import type { Fields } from '../domain/fields';
import { isolateBadRows } from '../domain/isolateBadRows';
import type { MemoryScope } from '../domain/memoryKeys';
import type { Chunk } from '../domain/requestPlan';
import { demandedWaitMs } from '../domain/retryTiming';
import type { Row } from '../domain/row';
import { classifyExchange, isLimit } from '../domain/sendPolicy';
import { apiProblem, type ApiProblem, pauseProblem, type Subject } from '../http/apiErrors';
import type { Execution } from '../execution/execution';
import type { Api } from '../http/client';
import { forEachConcurrent } from '../http/concurrency';
import type { Pause } from '../http/line';
import type { Throttle } from '../http/throttle';
import { type Claims, rememberAgain } from '../claims/claims';
import type { Halt } from '../results/runErrors';
import type { CallOperation } from './callOperation';
import type { Ledger } from './ledger';
import { isSomeoneBeingCalled, untilNobodyIsBeingCalled, whileCalling } from './numbersUnderWay';
import { Outcomes } from './outcomes';
import { Proofs } from './proofs';
import { comeBackLater, memoryProblem, UNREADABLE_ROW } from './runProblems';

export interface PlacementPolicy {
	/** Requests under way at the same time. */
	concurrency: number;
	timeoutMs: number;
	/** On Error = Stop: what concerns the whole run ends it. */
	stop: boolean;
	/** The run continues another execution: other retries of it are to be asked. */
	isRetry: boolean;
	/** Who shares the memory of people called; undefined without one. */
	memoryOf: MemoryScope | undefined;
	/** Send rows that the API could not dial for now again in later requests. */
	retryUndialed: boolean;
	/** Aborted when the execution is stopped. */
	signal?: AbortSignal | undefined;
	/** The user's bound on waiting, in milliseconds, for the message. */
	maxWaitMs: number;
	/** The call records of a batch; undefined when they cannot be read. */
	recordsOf(batchId: string): Promise<readonly Fields[] | undefined>;
	/** Rows → requests. */
	plan(rows: readonly Row[]): Chunk[];
	/** Judges a row right before it is sent. Absent when there is nothing to judge. */
	blockedNow?: BlockedNow | undefined;
}

/** What became of rows that were to be sent together. */
interface Sent {
	sent: readonly Row[];
	/** Rows that must not be called any more when their turn comes. */
	late: readonly Row[];
	/** Why the rows were rejected; 'halted' when the run ended before they were sent; undefined once they are placed or unknown. */
	rejected: ApiProblem | 'halted' | undefined;
}

/** Undefined for a row that an answer left out. */
type MaybeOutcome = CallOutcome | undefined;

/** A server that does not open within so many tries is taken to be down. */
const CONNECTION_TRIES = 3;

/**
 * Sends chunks and records what became of their rows. The only place that places calls: a request goes out
 * again only when `classifyExchange` proves that it placed nothing.
 */
export class Placement {
	private readonly results: Outcomes;
	private readonly proofs: Proofs;
	/** Nothing was sent before. A later request may consist of rows that were refused beside good ones, so that a refusal of all of them proves nothing. */
	private isFirst = true;
	/** Requests whose answers count otherwise than their rows. */
	readonly miscounts: Miscount[] = [];
	/** The API could dial no row of the last request for now, and the run pauses. */
	private pausedUndialed = false;

	constructor(
		execution: Pick<Execution, 'state' | 'id' | 'round'>,
		private readonly operation: CallOperation,
		private readonly api: Api,
		private readonly throttle: Throttle,
		private readonly ledger: Ledger,
		private readonly claims: Claims,
		private readonly policy: PlacementPolicy,
	) {
		this.results = new Outcomes(ledger, policy);
		this.proofs = new Proofs(execution, api.account.address);
	}

	/** By position. */
	get outcomes(): Map<number, CallOutcome> {
		return this.results.byPosition;
	}

	/**
	 * Resolves when every row has an outcome, or with what ended the run before. Rows that have one from an
	 * earlier try are not sent.
	 */
	async run(rows: readonly Row[]): Promise<Halt | undefined> {
		const open = rows.filter(({ position }) => !this.outcomes.has(position));
		this.isFirst = this.outcomes.size === 0;
		await this.sendAll(this.policy.plan(open));
		for (
			let round = 0;
			this.policy.retryUndialed && !this.results.halt && !this.proofs.runProblem;
			round++
		) {
			const undialed = rows.filter((row) => this.results.isUndialed(row));
			// A request of which no row could be dialed has paused the run already.
			if (
				undialed.length === 0 ||
				(!this.pausedUndialed && !this.throttle.backOff(undefined, round))
			)
				break;
			await this.sendAll(this.policy.plan(undialed));
		}
		return this.results.halt;
	}

	/** To be asked when nothing more is sent: where the API refused each of these rows alone, that ends the run. */
	haltIfAllRefused(rows: readonly Row[]): Halt | undefined {
		return this.results.haltIfAllRefused(rows);
	}

	/** The memory cannot be used: these rows are not called, and no further ones either. */
	async refuse(rows: readonly Row[], thrown: unknown): Promise<{ halt: Halt | undefined }> {
		const why = this.proofs.endRun(memoryProblem(thrown, this.policy));
		await this.rejectChunk({ rows, group: '' }, why);
		return { halt: this.results.halt };
	}

	private async sendAll(chunks: readonly Chunk[]): Promise<void> {
		this.claims.expect?.(chunks.flatMap(({ rows }) => rows));
		try {
			let first = 0;
			// A request goes alone until it is known that the API answers: what the first one meets, the others would meet.
			while (first < chunks.length && !this.api.account.isKnown())
				if (!(await this.sendNext(chunks[first++]!))) return;
			await forEachConcurrent(
				this.policy.concurrency,
				chunks.length - first,
				async (index) => await this.sendNext(chunks[first + index]!),
			);
		} finally {
			await this.claims.settle?.();
		}
	}

	/** False once the run has ended. */
	private async sendNext(chunk: Chunk): Promise<boolean> {
		await this.sendChunk(chunk);
		if (this.isFirst && chunk.rows.length > 1) this.results.haltIfAllRefused(chunk.rows);
		return this.results.halt === undefined;
	}

	private async sendChunk({ rows: planned, group }: Chunk): Promise<void> {
		// Rows are claimed as late as possible: a claim that a crash leaves behind keeps somebody from being called.
		const rows = await this.throttle.paced(async (tooLong) => {
			if (this.results.halt) return [];
			if (tooLong) this.endPaused(tooLong, planned);
			const ended = this.proofs.problemOf(group);
			const callable = ended ? [] : this.callableNow(planned, group);
			if (callable.length < planned.length)
				this.claims.pass?.(planned.filter((row) => !callable.includes(row)));
			if (!ended) return await this.claim(callable);
			this.results.haltRejected(planned, ended);
			this.results.reject(planned, ended);
			return [];
		});
		if (!rows) this.results.cancel();
		if (!rows || rows.length === 0) return;

		this.ledger.markSent(rows);
		const { sent, late, rejected } = await this.sendUntilCertain(rows, group);
		if (late.length > 0) await this.claims.release(late);
		if (!rejected) return;
		this.takeBack(sent);
		if (rejected === 'halted') await this.claims.release(sent);
		else await this.rejectChunk({ rows: sent, group }, rejected);
	}

	/** The rows that it is right to call at this moment. The others have their outcome, if they had none. */
	private callableNow(rows: readonly Row[], group: string): readonly Row[] {
		const { blockedNow } = this.policy;
		if (!blockedNow && !this.proofs.needs(group)) return rows;
		return rows.filter((row) => {
			const lacking = this.proofs.lacking(row, group);
			if (lacking) this.results.rejectAlone([row], lacking);
			const blocked = lacking ? undefined : blockedNow?.(row);
			if (blocked) this.results.keepBack(row, blocked);
			return !lacking && !blocked;
		});
	}

	/** Rows that were not sent after all: in the ledger they are as before, and they use up no calls per minute. */
	private takeBack(rows: readonly Row[]): void {
		this.ledger.restore(rows);
		this.throttle.giveBack(rows.length);
	}

	/** Sends the rows, again as long as that is safe and worth the wait. */
	private async sendUntilCertain(rows: readonly Row[], group: string): Promise<Sent> {
		let sent = rows;
		const late: Row[] = [];
		const ended = (rejected?: ApiProblem | 'halted'): Sent => ({ sent, late, rejected });
		for (let attempt = 0; ;) {
			await untilNobodyIsBeingCalled(sent, this.policy.signal);
			// Also before the first try: what other requests met while these rows were claimed holds for them too.
			const turn = await this.throttle.acquire();
			if (turn === 'stopped') this.results.cancel();
			else if (turn !== 'now') this.endPaused(turn, sent);
			if (this.results.halt) return ended('halted');
			const why = this.proofs.problemOf(group);
			if (why) return ended(why);
			if (isSomeoneBeingCalled(sent) || !this.throttle.isClear) continue;
			const hasLapsed = this.haveLapsed(sent);
			if (hasLapsed) await this.claims.release(sent);
			// Nothing is awaited between this and the request, unless the rows have to be claimed once more.
			const callable = hasLapsed ? await this.claim(sent) : this.callableNow(sent, group);
			if (callable.length < sent.length) {
				const left = new Set(callable);
				const others = sent.filter((row) => !left.has(row));
				this.takeBack(others);
				late.push(...others);
				sent = callable;
			}
			if (sent.length === 0) return ended();
			if (hasLapsed) continue;
			const answer = await this.sendOnce(sent, group, attempt++);
			if (answer === 'again') continue;
			if (answer === undefined) await this.rememberAgain(sent);
			return ended(answer);
		}
	}

	/** People who were forgotten while they were being called were called after that. */
	private async rememberAgain(rows: readonly Row[]): Promise<void> {
		const forgotten = rows.filter(
			(row) => this.claims.isForgotten?.(row) && this.outcomes.get(row.position)?.called !== 'no',
		);
		if (forgotten.length > 0) await rememberAgain(this.claims, forgotten).catch(() => undefined);
	}

	/** Whether rows have to be claimed once more: their claims were forgotten, or were of a period that is over. */
	private haveLapsed(rows: readonly Row[]): boolean {
		return (
			rows.some((row) => this.claims.isForgotten?.(row)) || (this.claims.hasLapsed?.(rows) ?? false)
		);
	}

	/** Undefined once the rows are placed or unknown; else why they were rejected, or that they may be sent again. */
	private async sendOnce(
		rows: readonly Row[],
		group: string,
		attempt: number,
	): Promise<ApiProblem | 'again' | undefined> {
		const exchange = await whileCalling(
			rows,
			async () => await this.api.send(this.operation.request(rows, this.policy.timeoutMs)),
		);
		this.proofs.noteAnswer(exchange);
		const classification = classifyExchange(
			this.operation.purpose,
			exchange,
			this.proofs.apiAnswered,
		);
		if (classification.kind === 'succeeded' && exchange.kind === 'answer') {
			await this.recordAnswer(rows, exchange);
			return undefined;
		}
		const why = this.describe(exchange, rows);
		if (classification.kind !== 'rejected') {
			this.results.markUnknown(rows, why);
			return undefined;
		}
		const mayOpen = exchange.kind !== 'notOpened' || attempt + 1 < CONNECTION_TRIES;
		if (classification.retryable && mayOpen)
			return await this.waitToSendAgain(rows, exchange, attempt, why);
		this.proofs.noteRefusal(group, why, exchange);
		return why;
	}

	/** A refusal that placed nothing and may pass. Where the wait for that is too long, the run ends. */
	private async waitToSendAgain(
		rows: readonly Row[],
		exchange: Exchange,
		attempt: number,
		why: ApiProblem,
	): Promise<ApiProblem | 'again'> {
		const demandedMs = demandedWaitMs(exchange, Date.now());
		const waits = isLimit(exchange)
			? this.throttle.keepPause()
			: this.throttle.backOff(demandedMs, attempt);
		if (!waits) return this.proofs.endRun(comeBackLater(why, demandedMs, this.policy.maxWaitMs));
		// It queues up again, so that requests which waited behind it do not leave at the same moment.
		this.throttle.giveBack(rows.length);
		await this.throttle.takeTurn(rows.length);
		return 'again';
	}

	/** The rows that this run may call; the others were called already. */
	private async claim(rows: readonly Row[]): Promise<readonly Row[]> {
		if (rows.length === 0) return [];
		let claimed: Set<number>;
		try {
			claimed = await this.claims.claim(rows);
		} catch (thrown) {
			await this.refuse(rows, thrown);
			return [];
		}
		const free: Row[] = [];
		for (const row of rows) {
			if (claimed.has(row.position)) free.push(row);
			else this.outcomes.set(row.position, this.whyNotClaimed(row));
		}
		if (this.results.halt && free.length > 0) {
			await this.claims.release(free);
			return [];
		}
		return free;
	}

	private whyNotClaimed(row: Row): CallOutcome {
		const refusal = this.claims.refusalOf?.(row);
		return refusal ? limitReached(refusal) : calledBefore(row, this.policy.memoryOf);
	}

	private async recordAnswer(
		rows: readonly Row[],
		exchange: Exchange & { kind: 'answer' },
	): Promise<void> {
		const { beside } = this.operation;
		const told = this.operation.read(rows, exchange.body);
		this.recordEach(rows, told);
		this.pausedUndialed = isLimit(exchange);
		if (this.pausedUndialed && !this.throttle.keepPause())
			this.proofs.endRun(
				comeBackLater(this.describe(exchange, rows), undefined, this.policy.maxWaitMs),
			);
		await this.claims.release(rows.filter((_row, i) => told[i]?.called === 'no'));

		const outcomes = told.includes(undefined)
			? await this.withLeftOut(rows, told, exchange.body)
			: told;
		const unclear = rows.filter(
			(_row, i) =>
				outcomes[i] === undefined || (told[i] === undefined && outcomes[i].called === 'maybe'),
		);
		if (unclear.length > 0)
			this.results.markUnknown(unclear, { ...UNREADABLE_ROW, httpCode: exchange.status });
		const miscount = beside?.miscount(outcomes, exchange.body);
		if (miscount) this.miscounts.push(miscount);
	}

	/** The outcomes of all rows, as far as the batch knows those that the answer left out. */
	private async withLeftOut(
		rows: readonly Row[],
		told: readonly MaybeOutcome[],
		body: unknown,
	): Promise<readonly MaybeOutcome[]> {
		const { beside } = this.operation;
		const batchId = beside?.batch(body);
		const records = batchId === undefined ? undefined : await this.policy.recordsOf(batchId);
		if (!beside || !records) return told;
		const outcomes = beside.leftOut(rows, told, body, records);
		this.recordEach(
			rows,
			outcomes.map((outcome, i) => (told[i] === undefined ? outcome : undefined)),
		);
		return outcomes;
	}

	private recordEach(rows: readonly Row[], outcomes: readonly MaybeOutcome[]): void {
		rows.forEach((row, i) => {
			const outcome = outcomes[i];
			if (outcome) this.results.record(row, outcome);
		});
	}

	/** The chunk was rejected for good. After a 400 its good rows, and other chunks, may still be called. */
	private async rejectChunk({ rows, group }: Chunk, why: ApiProblem): Promise<void> {
		const maySplit = why.httpCode === 400 && !this.proofs.runProblem;
		// Before the database is awaited, so that no other request leaves meanwhile.
		if (!maySplit) this.results.haltRejected(rows, why);
		await this.claims.release(rows);
		if (!maySplit) {
			this.results.reject(rows, why);
			return;
		}
		const { bad, again } = isolateBadRows(rows, why.missingVariables);
		if (why.missingVariables && bad.length > 0) this.proofs.need(group, why);
		this.results.rejectAlone(bad, why);
		for (const part of again) await this.sendChunk({ rows: part, group });
	}

	private describe(exchange: Exchange, rows: readonly Row[]): ApiProblem {
		return apiProblem(exchange, this.subjectOf(rows), Date.now());
	}

	/** The account pauses for longer than this run may wait. */
	private endPaused(pause: Pause, rows: readonly Row[]): void {
		const demandedMs = this.throttle.demandedMs(pause);
		this.proofs.endRun(
			comeBackLater(
				pauseProblem(pause.limit, this.subjectOf(rows), demandedMs),
				demandedMs,
				this.policy.maxWaitMs,
			),
		);
	}

	private subjectOf(rows: readonly Row[]): Subject {
		const { apiAnswered } = this.proofs;
		const sentVariables = [
			...new Set(rows.flatMap(({ variables }) => Object.keys(variables ?? {}))),
		];
		const { purpose } = this.operation;
		return {
			purpose,
			agentNumber: rows[0]!.agentNumber,
			timeoutMs: this.policy.timeoutMs,
			sentVariables,
			apiAnswered,
		};
	}
}
