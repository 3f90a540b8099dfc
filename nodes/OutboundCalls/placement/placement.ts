import { type CallOutcome, isUndialedForNow, limitReached, notPlaced, type Reach } from '../domain/callOutcome';
import type { ApiRequest, Exchange } from '../domain/exchange';
import { formatDuration } from '../domain/format';
import type { Chunk } from '../domain/requestPlan';
import { demandedWaitMs } from '../domain/retryTiming';
import type { Row } from '../domain/row';
import { classifyExchange, isOwnAnswer } from '../domain/sendPolicy';
import type { MemoryScope } from '../execution/keyStore';
import { apiProblem, type ApiProblem } from '../http/apiErrors';
import type { Api } from '../http/client';
import { forEachConcurrent } from '../http/concurrency';
import type { Throttle } from '../http/throttle';
import type { Claims } from '../claims/claims';
import { MemoryRefusal } from '../claims/gate';
import type { Halt } from '../results/runErrors';
import { calledBefore } from './calledBefore';
import { isolateBadRows, lacksAny } from './isolateBadRows';
import type { Ledger } from './ledger';
import { isSomeoneBeingCalled, untilNobodyIsBeingCalled, whileCalling } from './numbersUnderWay';

/** One of the two endpoints that place calls. */
export interface Endpoint {
	purpose: 'bulkCall' | 'placeCall';
	request(rows: readonly Row[], timeoutMs: number): ApiRequest;
	/** Outcomes in a 2xx answer, one for each row sent; undefined for a row that it does not account for. */
	read(rows: readonly Row[], body: unknown): Array<CallOutcome | undefined>;
}

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
	/** A limit over all runs is set, which needs n8n's memory. */
	countsCalls: boolean;
	/** Send rows that the API could not dial for now again in later requests. */
	retryUndialed: boolean;
	/** Aborted when the execution is stopped. */
	signal?: AbortSignal | undefined;
	/** The user's bound on waiting, in milliseconds, for the message. */
	maxWaitMs: number;
	/** Rows → requests. */
	plan(rows: readonly Row[]): Chunk[];
	/** Why a row must not be called at this moment; undefined when it may be. Absent when that cannot be. */
	heldBack?: ((row: Row) => CallOutcome | undefined) | undefined;
}

/** What became of rows that were to be sent together. */
interface Sent {
	sent: readonly Row[];
	/** Those that it was not right to call any more when their turn came. */
	held: readonly Row[];
	/** Why the rows were rejected; 'halted' when the run ended before they were sent; undefined once they are placed or unknown. */
	rejected: ApiProblem | 'halted' | undefined;
}

/** So many answers in a row that are not the API's own end the run: it is not there. */
const FOREIGN_ANSWERS = 3;

const NOT_THE_API: ApiProblem = {
	message: `${FOREIGN_ANSWERS} answers in a row did not come from the API itself, so nothing more was sent`,
	remedy:
		'Check the Base URL in the credential: it ends in /api/v1/outbound. If it is right, a gateway in front of the API may be busy: try again later.',
};

const UNDIALED: ApiProblem = {
	message: 'The API can dial nobody for the moment',
	remedy: 'Try again in a few minutes.',
	cause: 'rate-limited',
};

/** A server that does not open within so many tries is taken to be down. */
const CONNECTION_TRIES = 3;

const UNREADABLE_ROW = {
	message: 'The API’s answer says nothing that can be read about this row, so the call may have been placed',
	remedy: 'Look at the outbound calls page of your dashboard before you call the number again.',
};

/**
 * Sends chunks and records what became of their rows. The only place that places calls: a request goes out
 * again only when `classifyExchange` proves that it placed nothing.
 */
export class Placement {
	readonly outcomes = new Map<number, CallOutcome>();
	private halt: Halt | undefined;
	private readonly endedGroups = new Map<string, ApiProblem>();
	private endedRun: ApiProblem | undefined;
	/** Nothing was sent before. Later, a request may hold nothing but rows that were refused beside good ones, and that says nothing more. */
	private isFirst = true;
	/** The API itself has answered a request of this run. */
	private apiAnswered = false;
	/** Answers in a row that are not the API's own. */
	private foreignAnswers = 0;
	/** Requests in a row of which the API could dial no row for now. */
	private undialedRequests = 0;
	/** What the API said that an agent's prompt needs, by group: every row that lacks it would be refused. */
	private readonly needed = new Map<string, ApiProblem[]>();
	/** Rows that were refused for good when they were sent once more. */
	private readonly notAgain = new Set<number>();
	/** Why the API refused rows alone, with 400, by position. */
	private readonly refusedAlone = new Map<number, ApiProblem>();

	constructor(
		private readonly endpoint: Endpoint,
		private readonly api: Api,
		private readonly throttle: Throttle,
		private readonly ledger: Ledger<CallOutcome>,
		private readonly claims: Claims,
		private readonly policy: PlacementPolicy,
	) {}

	/**
	 * Resolves when every row has an outcome, or with what ended the run before. Rows that have one from an
	 * earlier try are not sent.
	 */
	async run(rows: readonly Row[]): Promise<Halt | undefined> {
		const open = rows.filter(({ position }) => !this.outcomes.has(position));
		this.isFirst = this.outcomes.size === 0;
		await this.sendAll(this.policy.plan(open));
		for (let round = 0; this.policy.retryUndialed && !this.halt && !this.endedRun; round++) {
			const undialed = rows.filter((row) => this.isUndialed(row));
			// A request of which no row could be dialed has paused the run already.
			if (undialed.length === 0 || (this.undialedRequests === 0 && !this.throttle.backOff(undefined, round))) break;
			await this.sendAll(this.policy.plan(undialed));
		}
		return this.halt;
	}

	/** A request or a run of which the API refused each row alone says more than a bad row does: further ones would meet the same. */
	haltIfAllRefused(rows: readonly Row[]): Halt | undefined {
		const [first] = rows;
		const why = first && this.refusedAlone.get(first.position);
		// A row that is sent once more has another outcome, which it keeps.
		const isRefusedAlone = ({ position }: Row): boolean => this.refusedAlone.has(position) && this.outcomes.get(position)?.status === 'refused';
		if (this.policy.stop && why && rows.every(isRefusedAlone)) this.haltWith('rejected', rows, why);
		return this.halt;
	}

	private isUndialed({ position }: Row): boolean {
		const outcome = this.outcomes.get(position);
		return outcome !== undefined && isUndialedForNow(outcome) && !this.notAgain.has(position);
	}

	private async sendAll(chunks: readonly Chunk[]): Promise<void> {
		this.claims.expect?.(chunks.flatMap(({ rows }) => rows));
		try {
			let first = 0;
			const sendNext = async (chunk: Chunk): Promise<boolean> => {
				await this.sendChunk(chunk);
				if (this.isFirst && chunk.rows.length > 1) this.haltIfAllRefused(chunk.rows);
				return this.halt === undefined;
			};
			// A request goes alone until it is known that the API answers: what the first one meets, the others would meet.
			while (first < chunks.length && !this.api.account.isKnown()) if (!(await sendNext(chunks[first++]!))) return;
			await forEachConcurrent(this.policy.concurrency, chunks.length - first, async (index) => await sendNext(chunks[first + index]!));
		} finally {
			await this.claims.settle?.();
		}
	}

	private async sendChunk({ rows: planned, group }: Chunk): Promise<void> {
		// Rows are claimed as late as possible: a claim that a crash leaves behind keeps somebody from being called.
		const rows = await this.throttle.paced(async () => {
			if (this.halt) return [];
			const ended = this.endedRun ?? this.endedGroups.get(group);
			const callable = ended ? [] : this.callableNow(planned, group);
			if (callable.length < planned.length) this.claims.pass?.(planned.filter((row) => !callable.includes(row)));
			if (!ended) return await this.claim(callable);
			this.rejectPlanned(planned, ended);
			return [];
		});
		if (!rows) this.halt ??= { kind: 'cancelled' };
		if (!rows || rows.length === 0) return;

		this.ledger.markSent(rows);
		const { sent, held, rejected } = await this.sendUntilCertain(rows, group);
		if (held.length > 0) await this.claims.release(held);
		if (!rejected) return;
		this.takeBack(sent);
		if (rejected === 'halted') await this.claims.release(sent);
		else await this.rejectChunk({ rows: sent, group }, rejected);
	}

	/** Rows whose turn came after something ended their group or the run. */
	private rejectPlanned(rows: readonly Row[], why: ApiProblem): void {
		if (this.policy.stop && !this.areResent(rows)) this.haltWith('rejected', rows, why);
		this.rejectRows(rows, why, this.reachOf(why));
	}

	/** Rows that have an outcome are being sent once more. */
	private areResent(rows: readonly Row[]): boolean {
		return rows.some(({ position }) => this.outcomes.has(position));
	}

	/** The rows that it is right to call at this moment. The others have their outcome, if they had none. */
	private callableNow(rows: readonly Row[], group: string): readonly Row[] {
		const { heldBack } = this.policy;
		const needed = this.needed.get(group);
		if (!heldBack && !needed) return rows;
		return rows.filter((row) => {
			const lacking = needed?.find(({ missingVariables = [] }) => lacksAny(row, missingVariables));
			if (lacking) {
				this.rejectAlone([row], lacking);
				return false;
			}
			const outcome = heldBack?.(row);
			if (!outcome) return true;
			if (this.outcomes.has(row.position)) this.notAgain.add(row.position);
			else this.outcomes.set(row.position, outcome);
			return false;
		});
	}

	/** Rows that were to be sent, and were not: in the ledger they are as they were, and they take no time of the others. */
	private takeBack(rows: readonly Row[]): void {
		this.ledger.restore(rows);
		this.throttle.giveBack(rows.length);
	}

	/** Sends the rows, again as long as that is safe and worth the wait. */
	private async sendUntilCertain(rows: readonly Row[], group: string): Promise<Sent> {
		let sent = rows;
		const held: Row[] = [];
		const ended = (rejected?: ApiProblem | 'halted'): Sent => ({ sent, held, rejected });
		for (let attempt = 0; ;) {
			await untilNobodyIsBeingCalled(sent, this.policy.signal);
			// Also before the first try: what other requests met while these rows were claimed holds for them too.
			if (!(await this.mayGoOn(this.throttle.acquire()))) return ended('halted');
			const why = this.endedRun ?? this.endedGroups.get(group);
			if (why) return ended(why);
			if (isSomeoneBeingCalled(sent)) continue;
			const hasLapsed = this.claims.hasLapsed?.(sent) ?? false;
			if (hasLapsed) await this.claims.release(sent);
			// Unless the rows are claimed once more, nothing is waited for between this and the request.
			const callable = hasLapsed ? await this.claim(sent) : this.callableNow(sent, group);
			if (callable.length < sent.length) {
				const left = new Set(callable);
				const late = sent.filter((row) => !left.has(row));
				this.takeBack(late);
				held.push(...late);
				sent = callable;
				if (sent.length === 0) return ended();
			}
			if (hasLapsed) continue;
			const answer = await this.sendOnce(sent, group, attempt++);
			if (answer !== 'again') return ended(answer);
		}
	}

	/** Undefined once the rows are placed or unknown; else why they were rejected, or that they may be sent again. */
	private async sendOnce(rows: readonly Row[], group: string, attempt: number): Promise<ApiProblem | 'again' | undefined> {
		const exchange = await whileCalling(rows, async () => await this.api.send(this.endpoint.request(rows, this.policy.timeoutMs)));
		this.noteWhoAnswered(exchange);
		const classification = classifyExchange(this.endpoint.purpose, exchange, this.apiAnswered);
		if (classification.kind === 'succeeded' && exchange.kind === 'answer') {
			await this.recordAnswer(rows, exchange);
			return undefined;
		}
		const why = this.describe(exchange, rows);
		if (classification.kind !== 'rejected') {
			this.markUnknown(rows, why);
			return undefined;
		}
		const opened = exchange.kind !== 'notOpened';
		if (classification.retryable && (opened || attempt + 1 < CONNECTION_TRIES)) {
			const demandedMs = demandedWaitMs(exchange, Date.now());
			if (this.throttle.backOff(demandedMs, attempt)) {
				// It takes its turn once more: what waited behind it must not leave together with it.
				this.throttle.giveBack(rows.length);
				await this.throttle.paced(async () => await Promise.resolve(rows));
				return 'again';
			}
			this.endedRun ??= this.comeBackLater(why, demandedMs);
			return this.endedRun;
		}
		if (!opened) this.endedRun ??= why;
		else if (why.ends === 'run') this.endedRun ??= why;
		else if (why.ends === 'group') this.endedGroups.set(group, why);
		return why;
	}

	private noteWhoAnswered(exchange: Exchange): void {
		if (exchange.kind !== 'answer') return;
		const isOwn = isOwnAnswer(exchange);
		this.apiAnswered ||= isOwn;
		this.foreignAnswers = isOwn ? 0 : this.foreignAnswers + 1;
		if (this.foreignAnswers >= FOREIGN_ANSWERS) this.endedRun ??= NOT_THE_API;
	}

	/** False once the run has ended. */
	private async mayGoOn(waiting: Promise<boolean>): Promise<boolean> {
		if (!(await waiting)) this.halt ??= { kind: 'cancelled' };
		return this.halt === undefined;
	}

	/** The memory cannot be used: these rows are not called, and no further ones either. */
	async refuse(rows: readonly Row[], thrown: unknown): Promise<{ halt: Halt | undefined }> {
		this.endedRun ??= memoryProblem(thrown, this.policy);
		await this.rejectChunk({ rows, group: '' }, this.endedRun);
		return { halt: this.halt };
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
		if (this.halt && free.length > 0) {
			await this.claims.release(free);
			return [];
		}
		return free;
	}

	private whyNotClaimed(row: Row): CallOutcome {
		const refusal = this.claims.refusalOf?.(row);
		return refusal ? limitReached(refusal) : calledBefore(row, this.policy.memoryOf);
	}

	private async recordAnswer(rows: readonly Row[], exchange: Exchange & { kind: 'answer' }): Promise<void> {
		const outcomes = this.endpoint.read(rows, exchange.body);
		const lost: Row[] = [];
		const notDialed: Row[] = [];
		rows.forEach((row, i) => {
			const outcome = outcomes[i];
			if (!outcome) {
				lost.push(row);
				return;
			}
			this.record(row, outcome);
			if (outcome.called === 'no') notDialed.push(row);
		});
		if (lost.length > 0) this.markUnknown(lost, { ...UNREADABLE_ROW, httpCode: exchange.status });
		const isUndialed = lost.length === 0 && outcomes.every((outcome) => outcome && isUndialedForNow(outcome));
		if (isUndialed) this.pauseUndialed();
		else this.undialedRequests = 0;
		await this.claims.release(notDialed);
	}

	/** The account's limit is reached, and the API says it of each row: what follows would meet the same. */
	private pauseUndialed(): void {
		if (!this.throttle.backOff(undefined, this.undialedRequests++)) this.endedRun ??= this.comeBackLater(UNDIALED, undefined);
	}

	private record(row: Row, outcome: CallOutcome): void {
		this.outcomes.set(row.position, outcome);
		this.ledger.recordResult(row, outcome);
	}

	/** Sent, and nobody knows: never sent again. */
	private markUnknown(rows: readonly Row[], { message, remedy, ...why }: ApiProblem): void {
		for (const row of rows) this.record(row, notPlaced('unknown', `${message}. ${remedy}`));
		if (this.policy.stop) this.haltWith('unknown', rows, { message, remedy, ...why });
	}

	/** The first reason ends the run; what is under way then may meet the same one. */
	private haltWith(kind: 'rejected' | 'unknown', rows: readonly Row[], why: ApiProblem): void {
		const { halt } = this;
		// The host ends the requests that are under way when the execution is stopped: that is the stop, not a lost connection.
		if (!halt && this.throttle.cancelled) this.halt = { kind: 'cancelled' };
		else if (!halt) this.halt = { kind, rows, problem: why };
		else if (halt.kind === kind && halt.problem.message === why.message) {
			halt.rows = [...halt.rows, ...rows].sort((a, b) => a.position - b.position);
		}
	}

	private rejectRows(rows: readonly Row[], { message, remedy }: ApiProblem, reach: Reach): void {
		for (const row of rows) {
			// A row that is sent once more keeps the outcome that it has.
			if (this.outcomes.has(row.position)) this.notAgain.add(row.position);
			else this.outcomes.set(row.position, notPlaced('refused', `${message}. ${remedy}`, reach));
		}
	}

	/** The chunk was rejected for good. After a 400 its good rows, and other chunks, may still be called. */
	private async rejectChunk({ rows, group }: Chunk, why: ApiProblem): Promise<void> {
		const maySplit = why.httpCode === 400 && !this.endedRun;
		// Before the database is waited for: no other request may leave meanwhile.
		if (!maySplit && this.policy.stop && !this.areResent(rows)) this.haltWith('rejected', rows, why);
		await this.claims.release(rows);
		if (!maySplit) {
			this.rejectRows(rows, why, this.reachOf(why));
			return;
		}
		const { bad, again } = isolateBadRows(rows, why);
		if (why.missingVariables && bad.length > 0) this.needed.set(group, [...(this.needed.get(group) ?? []), why]);
		this.rejectAlone(bad, why);
		for (const part of again) await this.sendChunk({ rows: part, group });
	}

	private rejectAlone(rows: readonly Row[], why: ApiProblem): void {
		this.rejectRows(rows, why, 'row');
		for (const { position } of rows) this.refusedAlone.set(position, why);
	}

	/** An API problem that ends a group holds for its agent; nobody knows how far another one reaches. */
	private reachOf(why: ApiProblem): Reach {
		return why.ends === 'group' ? 'agent' : 'run';
	}

	private describe(exchange: Exchange, rows: readonly Row[]): ApiProblem {
		const { purpose } = this.endpoint;
		const sentVariables = [...new Set(rows.flatMap(({ variables }) => Object.keys(variables ?? {})))];
		const subject = { purpose, agentNumber: rows[0]!.agentNumber, timeoutMs: this.policy.timeoutMs, sentVariables, apiAnswered: this.apiAnswered };
		return apiProblem(exchange, subject, Date.now());
	}

	private comeBackLater(why: ApiProblem, demandedMs: number | undefined): ApiProblem {
		const bound = formatDuration(this.policy.maxWaitMs);
		return {
			...why,
			remedy: demandedMs
				? `Wait ${formatDuration(demandedMs)} first: the API asks for that, and it is more than is left of the option Max Retry Wait (${this.policy.maxWaitMs > 0 ? `${bound} in all` : 'set to 0'}).`
				: this.policy.maxWaitMs > 0
					? `${why.remedy} It was tried again for ${bound}, as the option Max Retry Wait allows.`
					: why.remedy,
		};
	}
}

function memoryProblem(thrown: unknown, { isRetry, countsCalls }: PlacementPolicy): ApiProblem {
	if (thrown instanceof MemoryRefusal) return thrown.problem;
	const why = thrown instanceof Error && thrown.message !== '' ? ` (${thrown.message})` : '';
	return {
		message: `n8n’s memory of the people called could not be used${why}`,
		remedy: isRetry
			? 'A Retry asks it whom other retries of the same execution have called. Press Retry once more in a moment. If it stays so, ask whoever runs this n8n to look at its database.'
			: `If this workflow is new, save it and execute again. ${countsCalls ? '' : 'Or set “People Called Before” to “Call Again in Each Run”: then nothing is remembered. '}If it stays so in a saved workflow, ask whoever runs this n8n to look at its database.`,
	};
}
