import { type CallOutcome, type HeldBack, heldBackOutcome } from '../domain/outcome';
import type { Answer, ApiProblem, Exchange, Subject } from '../domain/api/exchange';
import { type Chunk, isolateBadRows } from '../domain/api/requests';
import { demandedWaitMs } from '../domain/api/retryTiming';
import type { Row } from '../domain/row';
import { classifyExchange, isLimit } from '../domain/api/sendPolicy';
import type { Execution } from '../execution/execution';
import { apiProblem, pauseProblem } from '../http/apiErrors';
import type { Api } from '../http/client';
import type { CallSettings } from '../input/settings';
import { forEachConcurrent } from '../execution/concurrency';
import { Throttle, type TooLong, WaitBudget } from '../http/throttle';
import type { Claims } from '../memory/claims';
import type { CallOperation } from './callOperation';
import { ClaimsAhead } from './claimsAhead';
import type { BlockedNow } from './judge';
import { type Ledger, Outcomes } from './ledger';
import { isSomeoneBeingCalled, untilNobodyIsBeingCalled, whileCalling } from './numbersUnderWay';
import { comeBackLater, memoryProblem, RunEvidence, UNREADABLE_ROW } from './runEvidence';

/** Requests are sent with these parts. */
export interface SendContext {
	execution: Execution;
	operation: CallOperation;
	settings: CallSettings;
	api: Api;
	ledger: Ledger;
	claims: Claims;
	/** Judges a row right before it is sent. */
	blockedNow: BlockedNow;
}

/** A server that does not open within so many tries is taken to be down. */
const MAX_CONNECTION_TRIES = 3;

/**
 * Sends requests and records what became of their rows. A request goes out again only if
 * `classifyExchange` proves that it placed nothing.
 */
export class Sender {
	readonly outcomes: Outcomes;
	private readonly evidence: RunEvidence;
	private readonly throttle: Throttle;

	constructor(private readonly context: SendContext) {
		const { execution, operation, settings, ledger } = context;
		const { account } = context.api;
		this.outcomes = new Outcomes(ledger, execution);
		this.evidence = new RunEvidence(execution.state, account.address);
		this.throttle = new Throttle({
			line: account.line(operation.purpose),
			budget: new WaitBudget(settings.maxWaitMs),
			callsPerMinute: settings.callsPerMinute,
			pace: account.pace(execution.node),
			signal: execution.signal,
		});
	}

	/** Resolves when every row has an outcome, or when the run has ended. */
	async send(chunks: readonly Chunk[]) {
		const { claims, api, settings } = this.context;
		// After a Retry, the rows that are left may be those that the API refused beside good ones.
		const isFirst = this.outcomes.byPosition.size === 0;
		const ahead = new ClaimsAhead(
			claims,
			chunks.flatMap(({ rows }) => rows),
		);
		const sendNext = async (chunk: Chunk) => {
			await this.sendChunk(chunk, ahead);
			// A later request may consist of rows that were refused beside good ones: that proves
			// nothing.
			if (isFirst && chunk === chunks[0] && chunk.rows.length > 1)
				this.outcomes.haltIfAllRefused(chunk.rows);
			return this.outcomes.halt === undefined;
		};
		try {
			let first = 0;
			// A request goes alone until it is known that the API answers: what the first one
			// meets, the others would meet.
			while (first < chunks.length && !api.account.isKnown())
				if (!(await sendNext(chunks[first++]!))) return;
			await forEachConcurrent(settings.concurrency, chunks.slice(first), sendNext);
		} finally {
			await ahead.close();
		}
	}

	private async sendChunk({ rows: planned, agent }: Chunk, ahead: ClaimsAhead) {
		// Rows are claimed as late as possible: a claim that a crash leaves behind keeps somebody
		// from being called.
		const rows = await this.throttle.paced(async (tooLong) => {
			if (this.outcomes.halt) return [];
			if (tooLong) this.endPaused(tooLong, planned);
			const ended = this.evidence.problemOf(agent);
			if (!ended) return await this.claim(this.callableNow(planned, agent), ahead);
			this.outcomes.refuse(planned, ended);
			return [];
		});
		if (!rows) this.outcomes.stop();
		else if (rows.length > 0) await this.sendClaimed(rows, agent);
	}

	/** The rows that this run may call; the others were called before, or a limit is reached. */
	private async claim(rows: readonly Row[], ahead: ClaimsAhead) {
		if (rows.length === 0) return [];
		let heldBack: Map<number, HeldBack>;
		try {
			heldBack = await ahead.claim(rows);
		} catch (thrown) {
			if (this.context.execution.signal?.aborted) this.outcomes.stop();
			else this.outcomes.refuse(rows, this.evidence.endRun(memoryProblem(thrown)), []);
			return [];
		}
		for (const row of rows) {
			const why = heldBack.get(row.position);
			if (why) this.outcomes.byPosition.set(row.position, heldBackOutcome(why));
		}
		const claimed = rows.filter(({ position }) => !heldBack.has(position));
		if (!this.outcomes.halt) return claimed;
		await this.context.claims.release(claimed);
		return [];
	}

	/** The rows that may be called at this moment. The others get their outcome. */
	private callableNow(rows: readonly Row[], agent: string): readonly Row[] {
		return rows.filter((row) => {
			const lacking = this.evidence.lacking(row, agent);
			if (lacking) this.outcomes.refuseAlone([row], lacking);
			const blocked = lacking ? undefined : this.context.blockedNow(row);
			if (blocked) this.outcomes.byPosition.set(row.position, heldBackOutcome(blocked));
			return !lacking && !blocked;
		});
	}

	/** Sends rows that were claimed, again as long as that is safe and worth the wait. */
	private async sendClaimed(claimed: readonly Row[], agent: string) {
		const { claims, ledger } = this.context;
		ledger.markSent(claimed);
		let rows = claimed;
		for (let attempt = 0; ;) {
			await this.untilFree(rows);
			await claims.renew(rows);
			// Nothing is awaited between this and the request.
			const leaves = this.mayLeave(rows, agent);
			if (leaves === 'askAgain') continue;
			const ended = this.evidence.problemOf(agent);
			if (leaves === 'never')
				return await (this.outcomes.halt || !ended
					? this.letGo(rows)
					: this.refuse(rows, agent, ended));
			const callable = this.callableNow(rows, agent);
			const late = rows.filter((row) => !callable.includes(row));
			rows = callable;
			const sending = rows.length === 0 || this.sendOnce(rows, agent, attempt++);
			const [isOver] = await Promise.all([sending, this.letGo(late)]);
			if (isOver) return;
		}
	}

	/**
	 * Until nobody of the rows is being called and no pause is on: what other requests met while
	 * these rows were claimed holds for them, too.
	 */
	private async untilFree(rows: readonly Row[]) {
		await untilNobodyIsBeingCalled(rows, this.context.execution.signal);
		const slot = await this.throttle.acquire();
		if (slot === 'stopped') this.outcomes.stop();
		else if (slot !== 'now') this.endPaused(slot, rows);
	}

	/** Whether claimed rows may leave at this moment; never, if the run has ended. */
	private mayLeave(rows: readonly Row[], agent: string): 'now' | 'askAgain' | 'never' {
		if (this.outcomes.halt ?? this.evidence.problemOf(agent)) return 'never';
		const isDelayed = isSomeoneBeingCalled(rows) || !this.throttle.isClear;
		return isDelayed || this.context.execution.signal?.aborted ? 'askAgain' : 'now';
	}

	/** False if the rows may be sent again. */
	private async sendOnce(rows: readonly Row[], agent: string, attempt: number) {
		const { api, ledger, operation, settings } = this.context;
		const { purpose, path } = operation;
		const { timeoutMs } = settings;
		const body = operation.body(rows);
		ledger.markLeft(rows);
		const exchange = await whileCalling(rows, () => api.send({ purpose, path, body, timeoutMs }));
		this.evidence.noteAnswer(exchange);
		const classification = classifyExchange(purpose, exchange, this.evidence.apiAnswered);
		if (classification.kind === 'placed' && exchange.kind === 'answer') {
			await this.recordAnswer(rows, exchange);
			return true;
		}
		const why = apiProblem(exchange, this.subjectOf(rows));
		if (classification.kind !== 'refused') {
			this.outcomes.markUnknown(rows, why);
			return true;
		}
		const mayOpen = exchange.kind !== 'notOpened' || attempt + 1 < MAX_CONNECTION_TRIES;
		if (
			classification.retryable &&
			mayOpen &&
			(await this.waitToResend(rows, exchange, attempt, why))
		)
			return false;
		this.evidence.noteRefusal(agent, why, exchange);
		await this.refuse(rows, agent, this.evidence.problemOf(agent) ?? why);
		return true;
	}

	/** Waits before rows are sent again. If that takes too long, the run ends. */
	private async waitToResend(
		rows: readonly Row[],
		exchange: Exchange,
		attempt: number,
		why: ApiProblem,
	) {
		const { execution, settings } = this.context;
		const demandedMs = demandedWaitMs(exchange, Date.now());
		// A pause of the account is waited for before the next try.
		if (!isLimit(exchange) && !(await this.throttle.backOff(demandedMs, attempt))) {
			const isStopped = execution.signal?.aborted ?? false;
			if (!isStopped) this.evidence.endRun(comeBackLater(why, demandedMs, settings.maxWaitMs));
			// After a Stop, the next slot ends the run and lets the rows go.
			return isStopped;
		}
		// It takes another slot in the pace, so that it does not leave together with the next
		// request.
		await this.throttle.paced(() => Promise.resolve(rows));
		return true;
	}

	private async recordAnswer(rows: readonly Row[], exchange: Answer) {
		const told = this.context.operation.read(rows, exchange.body);
		const unread: Row[] = [];
		rows.forEach((row, i) => {
			const outcome: CallOutcome | undefined = told[i];
			if (outcome) this.outcomes.record(row, outcome);
			else unread.push(row);
		});
		if (unread.length > 0)
			this.outcomes.markUnknown(unread, { ...UNREADABLE_ROW, httpCode: exchange.status });
		await this.context.claims.release(rows.filter((_row, i) => told[i]?.call === 'none'));
	}

	/** Rows were refused for good. If that may be for what one of them says, the others may still be called. */
	private async refuse(rows: readonly Row[], agent: string, why: ApiProblem) {
		if (why.reach !== 'row') {
			// Before the database is awaited, so that no other request leaves meanwhile.
			this.outcomes.refuse(rows, why);
			return await this.letGo(rows);
		}
		const { bad, again } = isolateBadRows(rows, why.missingVariables);
		if (why.missingVariables && bad.length > 0) this.evidence.need(agent, why);
		this.outcomes.refuseAlone(bad, why);
		await this.letGo(bad);
		for (const part of again) await this.sendClaimed(part, agent);
	}

	/** Rows that certainly were not placed. */
	private async letGo(rows: readonly Row[]) {
		this.context.ledger.takeBack(rows);
		if (rows.length > 0) await this.context.claims.release(rows);
	}

	/** The account pauses for longer than this run may wait. */
	private endPaused({ limit, leftMs }: TooLong, rows: readonly Row[]) {
		const why = pauseProblem(limit, this.subjectOf(rows), leftMs);
		this.evidence.endRun(comeBackLater(why, leftMs, this.context.settings.maxWaitMs));
	}

	private subjectOf(rows: readonly Row[]): Subject {
		const { operation, settings } = this.context;
		const variables = rows.flatMap((row) => Object.keys(row.variables ?? {}));
		return {
			purpose: operation.purpose,
			agentNumber: rows[0]!.agentNumber,
			timeoutMs: settings.timeoutMs,
			sentVariables: [...new Set(variables)],
			apiAnswered: this.evidence.apiAnswered,
		};
	}
}
