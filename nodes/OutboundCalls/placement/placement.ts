import { isUndialedForNow, type NotPlaced, type PlacementResult, provesNotDialed } from '../domain/callOutcome';
import type { ApiRequest, Exchange, Send } from '../domain/exchange';
import { formatDuration } from '../domain/format';
import type { Chunk } from '../domain/requestPlan';
import { demandedWaitMs } from '../domain/retryTiming';
import type { Row } from '../domain/row';
import { classifyExchange } from '../domain/sendPolicy';
import { apiProblem, type ApiProblem } from '../http/apiErrors';
import { forEachConcurrent } from '../http/concurrency';
import type { Throttle } from '../http/throttle';
import type { Claims } from './claims';
import { isolateBadRows } from './isolateBadRows';
import type { Ledger } from './ledger';

/** What a row came to: a row of the output, or a problem that becomes an n8n error item. */
export type Outcome<T> = { kind: 'result'; result: T } | { kind: 'rejected'; problem: ApiProblem };

/** Why a run ended before each row had an outcome. */
export type Halt = { kind: 'rejected' | 'unknown'; rows: readonly Row[]; problem: ApiProblem } | { kind: 'cancelled' };

/** One of the two endpoints that place calls. */
export interface Endpoint<T extends PlacementResult> {
	purpose: 'bulkCall' | 'placeCall';
	request(rows: readonly Row[]): ApiRequest;
	/** Results of a 2xx answer, one for each row sent; undefined for a row that it does not account for. */
	read(rows: readonly Row[], body: unknown): Array<T | undefined>;
	notPlaced: NotPlaced<T>;
	/** Rows → requests, for rows that are sent once more. */
	plan(rows: readonly Row[]): Chunk[];
}

export interface PlacementPolicy {
	/** Requests under way at the same time. */
	concurrency: number;
	/** On Error = Stop: the first rejected or unknown row ends the run. */
	stop: boolean;
	/** Send rows that the API could not dial for now again in later requests. */
	retryUndialed: boolean;
	/** The user's bound on waiting, in milliseconds, for the message. */
	maxWaitMs: number;
}

/** A server that does not open within so many tries is taken to be down. */
const CONNECTION_TRIES = 3;

const CALLED_BEFORE =
	'A call to this row was started by an earlier run, or by another retry of this one. If that run was broken off, the call may not have taken place: look at the outbound calls page of your dashboard. To call the row anyway, run the workflow anew; with Call Once, change its Call Once Key, for example by adding the campaign’s name.';

const UNREADABLE_ROW = {
	message: 'The API’s answer says nothing that can be read about this row, so the call may have been placed',
	remedy:
		'This node does not send it again, so that nobody is called twice. Look at the outbound calls page of your dashboard before you call the number again.',
};

/**
 * Sends chunks and records what became of their rows. The only place that places calls: a request goes out
 * again only when `classifyExchange` proves that it placed nothing.
 */
export class Placement<T extends PlacementResult> {
	readonly outcomes = new Map<number, Outcome<T>>();
	private halt: Halt | undefined;
	private readonly endedGroups = new Map<number, ApiProblem>();
	private endedRun: ApiProblem | undefined;
	/** Rows that have an outcome already are being sent once more. */
	private resending = false;
	/** Rows that were refused for good when they were sent once more. */
	private readonly notAgain = new Set<number>();

	constructor(
		private readonly endpoint: Endpoint<T>,
		private readonly send: Send,
		private readonly pace: Throttle,
		private readonly ledger: Ledger<T>,
		private readonly claims: Claims,
		private readonly policy: PlacementPolicy,
	) {}

	/**
	 * Resolves when every row of the chunks has an outcome, or with what ended the run before. `rows` are all
	 * rows of the run: some may have an outcome from an earlier try.
	 */
	async run(chunks: readonly Chunk[], rows: readonly Row[]): Promise<Halt | undefined> {
		await this.sendAll(chunks);
		for (let round = 0; this.policy.retryUndialed && !this.halt && !this.endedRun; round++) {
			const undialed = rows.filter((row) => this.isUndialed(row));
			if (undialed.length === 0 || !this.pace.backOff(undefined, round)) break;
			this.resending = true;
			await this.sendAll(this.endpoint.plan(undialed));
		}
		return this.halt;
	}

	private isUndialed({ position }: Row): boolean {
		const outcome = this.outcomes.get(position);
		return outcome?.kind === 'result' && isUndialedForNow(outcome.result) && !this.notAgain.has(position);
	}

	private async sendAll(chunks: readonly Chunk[]): Promise<void> {
		// Groups are numbered anew by each plan.
		this.endedGroups.clear();
		await forEachConcurrent(this.policy.concurrency, chunks.length, async (index) => {
			await this.sendChunk(chunks[index]!);
			return this.halt === undefined;
		});
	}

	private async sendChunk({ rows: planned, group }: Chunk): Promise<void> {
		// Rows are claimed as late as possible: if a crash leaves a claim behind, that person is not called later.
		const slot = this.pace.reserveSlot(planned.length);
		if (!(await this.mayGoOn(this.pace.waitForSlot(slot)))) return;
		const ended = this.endedRun ?? this.endedGroups.get(group);
		if (ended) return this.rejectRows(planned, ended);
		const rows = await this.claim(planned);
		if (rows.length === 0) return;

		this.ledger.markSent(rows);
		const rejected = await this.sendUntilCertain(rows, group);
		if (!rejected) return;
		this.ledger.restore(rows);
		if (rejected === 'halted') await this.claims.release(rows);
		else await this.rejectChunk({ rows, group }, rejected);
	}

	/**
	 * Sends the rows, again as long as that is safe and worth the wait. Answers with why they were rejected;
	 * with undefined once they are placed or unknown; with 'halted' when the run ended before they were sent.
	 */
	private async sendUntilCertain(rows: readonly Row[], group: number): Promise<ApiProblem | 'halted' | undefined> {
		for (let attempt = 0; ; attempt++) {
			// Checked before the first try too: while these rows were claimed, another request may have ended the group or the run.
			if (!(await this.mayGoOn(this.pace.acquire()))) return 'halted';
			const ended = this.endedRun ?? this.endedGroups.get(group);
			if (ended) return ended;
			const request = this.endpoint.request(rows);
			const exchange = await this.send(request);
			const classification = classifyExchange(this.endpoint.purpose, exchange);
			if (classification.kind === 'succeeded' && exchange.kind === 'answer') {
				await this.recordAnswer(rows, exchange);
				return undefined;
			}
			const why = this.describe(exchange, request, rows);
			if (classification.kind !== 'rejected') {
				this.markUnknown(rows, why);
				return undefined;
			}
			const opened = exchange.kind !== 'notOpened';
			if (classification.retryable && (opened || attempt + 1 < CONNECTION_TRIES)) {
				const demandedMs = demandedWaitMs(exchange, Date.now());
				if (this.pace.backOff(demandedMs, attempt)) continue;
				this.endedRun ??= this.comeBackLater(why, demandedMs);
				return this.endedRun;
			}
			if (!opened) this.endedRun ??= why;
			else if (why.endsGroup) this.endedGroups.set(group, why);
			return why;
		}
	}

	/** False once the run has ended. */
	private async mayGoOn(waiting: Promise<boolean>): Promise<boolean> {
		if (!(await waiting)) this.halt ??= { kind: 'cancelled' };
		return this.halt === undefined;
	}

	/** The rows that this run may call; the others were called already. */
	private async claim(rows: readonly Row[]): Promise<readonly Row[]> {
		let claimed: Set<number>;
		try {
			claimed = await this.claims.claim(rows);
		} catch (thrown) {
			this.endedRun ??= claimsProblem(thrown);
			await this.rejectChunk({ rows, group: -1 }, this.endedRun);
			return [];
		}
		const free: Row[] = [];
		for (const row of rows) {
			if (claimed.has(row.position)) free.push(row);
			else this.outcomes.set(row.position, { kind: 'result', result: this.endpoint.notPlaced(row, 'already_called', CALLED_BEFORE) });
		}
		if (this.halt && free.length > 0) {
			await this.claims.release(free);
			return [];
		}
		return free;
	}

	private async recordAnswer(rows: readonly Row[], exchange: Exchange & { kind: 'answer' }): Promise<void> {
		const results = this.endpoint.read(rows, exchange.body);
		const lost: Row[] = [];
		const notDialed: Row[] = [];
		rows.forEach((row, i) => {
			const result = results[i];
			if (!result) {
				lost.push(row);
				return;
			}
			this.recordResult(row, result);
			if (provesNotDialed(result)) notDialed.push(row);
		});
		if (lost.length > 0) this.markUnknown(lost, { ...UNREADABLE_ROW, httpCode: exchange.status });
		await this.claims.release(notDialed);
	}

	private recordResult(row: Row, result: T): void {
		this.outcomes.set(row.position, { kind: 'result', result });
		this.ledger.recordResult(row, result);
	}

	/** Sent, and nobody knows: never sent again. */
	private markUnknown(rows: readonly Row[], why: ApiProblem): void {
		for (const row of rows) this.recordResult(row, this.endpoint.notPlaced(row, 'unknown', `${why.message}. ${why.remedy}`));
		if (this.policy.stop) this.haltWith('unknown', rows, why);
	}

	/** The first reason ends the run. Requests that were under way then may end for the same reason. */
	private haltWith(kind: 'rejected' | 'unknown', rows: readonly Row[], why: ApiProblem): void {
		const { halt } = this;
		if (!halt) this.halt = { kind, rows, problem: why };
		else if (halt.kind === kind && halt.problem.message === why.message) {
			halt.rows = [...halt.rows, ...rows].sort((a, b) => a.position - b.position);
		}
	}

	private rejectRows(rows: readonly Row[], why: ApiProblem): void {
		for (const { position } of rows) {
			// A row that is sent once more keeps the outcome that it has.
			if (this.outcomes.has(position)) this.notAgain.add(position);
			else this.outcomes.set(position, { kind: 'rejected', problem: why });
		}
	}

	/** The chunk was rejected for good. With On Error = Continue its good rows, and other chunks, may still be called. */
	private async rejectChunk({ rows, group }: Chunk, why: ApiProblem): Promise<void> {
		const stops = this.policy.stop && !this.resending;
		// Must come before the wait for the database: no other request may leave meanwhile.
		if (stops) this.haltWith('rejected', rows, why);
		await this.claims.release(rows);
		if (stops) return;
		if (why.httpCode !== 400 || this.endedRun) {
			this.rejectRows(rows, why);
			return;
		}
		const { bad, again } = isolateBadRows(rows, why);
		this.rejectRows(bad, why);
		for (const part of again) await this.sendChunk({ rows: part, group });
	}

	private describe(exchange: Exchange, { timeoutMs }: ApiRequest, rows: readonly Row[]): ApiProblem {
		const subject = { purpose: this.endpoint.purpose, agentNumber: rows[0]!.agentNumber, timeoutMs };
		return apiProblem(exchange, subject, Date.now());
	}

	private comeBackLater(why: ApiProblem, demandedMs: number | undefined): ApiProblem {
		const bound = formatDuration(this.policy.maxWaitMs);
		return {
			...why,
			remedy: demandedMs
				? `Run again in ${formatDuration(demandedMs)}: the API asks for that wait, which is more than is left of the option Max Retry Wait (${this.policy.maxWaitMs > 0 ? `${bound} in all` : 'set to 0'}).`
				: this.policy.maxWaitMs > 0
					? `${why.remedy} It was tried again for ${bound}, as the option Max Retry Wait allows.`
					: why.remedy,
		};
	}
}

function claimsProblem(thrown: unknown): ApiProblem {
	const why = thrown instanceof Error && thrown.message !== '' ? ` (${thrown.message})` : '';
	return {
		message: `n8n’s memory of who was called, which Call Once needs, could not be used${why}`,
		remedy: 'Save the workflow and run it again. If it stays so, ask whoever runs this n8n to look at its database.',
	};
}
