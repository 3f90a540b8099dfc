/**
 * What became of each person in this execution, kept in the node's context, which survives Retry On
 * Fail and the Retry button (n8n behavior), so that neither calls anybody twice.
 *
 * A person is unknown to it; sent, from before the request leaves until the API has answered; or
 * called, with the outcome. Whoever certainly was not called is unknown again. A process that dies
 * loses it (n8n behavior): then only the memory knows whom it has called.
 */
import { type CallOutcome, isCalled, nodeOutcome, type Reach } from '../domain/outcome';
import type { Row } from '../domain/row';
import type { Execution } from '../execution/execution';
import type { LedgerState, NodeState } from '../execution/nodeState';
import type { Halt } from '../results/endOfRun';
import type { ApiProblem } from '../domain/api/exchange';

const UNANSWERED =
	'It was sent, and the run ended before the API answered. Check your dashboard before you call again.';

export class Ledger {
	private readonly stored: LedgerState;

	/**
	 * As an AI tool it lasts for the execution; otherwise a later run of the node in a loop starts
	 * anew.
	 */
	constructor(
		private readonly state: NodeState,
		private readonly run: Pick<Execution, 'runIndex' | 'isTool'>,
	) {
		const { runIndex, isTool } = run;
		const kept = state.outboundCallsLedger;
		this.stored = kept && (isTool || kept.runIndex === runIndex) ? kept : { runIndex, people: {} };
		state.outboundCallsLedger = this.stored;
	}

	/** Whether this execution has called the person, or may have. */
	has({ person }: Row) {
		return Object.hasOwn(this.stored.people, person);
	}

	/** What became of the person in this execution; undefined if nobody called them. */
	outcomeOf(row: Row) {
		if (!this.has(row)) return undefined;
		const [, , outcome = nodeOutcome('unknown', UNANSWERED)] = this.stored.people[row.person]!;
		return outcome;
	}

	/** When the request to the person left, in milliseconds since 1970; undefined if none did. */
	leftAt(person: string) {
		const [, seconds] = this.stored.people[person] ?? [];
		return seconds ? seconds * 1_000 : undefined;
	}

	/** One row for each of their people whom this execution has called: the one that was sent. */
	sentOf(rows: readonly Row[]) {
		const sent = new Map<string, Row>();
		for (const row of rows) {
			if (!this.has(row)) continue;
			const [position] = this.stored.people[row.person]!;
			if (row.position === position || !sent.has(row.person)) sent.set(row.person, row);
		}
		return [...sent.values()];
	}

	/** Call it before a request leaves. */
	markSent(rows: readonly Row[]) {
		for (const { person, position } of rows) this.stored.people[person] = [position, 0];
	}

	/** Call it as the request leaves. */
	markLeft(rows: readonly Row[]) {
		const seconds = Math.floor(Date.now() / 1_000);
		for (const { person, position } of rows) this.stored.people[person] = [position, seconds];
	}

	/** Call it as soon as the API has answered. */
	record({ person, position }: Row, outcome: CallOutcome) {
		const [, leftAt = 0] = this.stored.people[person] ?? [];
		if (isCalled(outcome)) this.stored.people[person] = [position, leftAt, outcome];
		else Reflect.deleteProperty(this.stored.people, person);
	}

	/** The request certainly placed nothing. */
	takeBack(rows: readonly Row[]) {
		for (const { person } of rows) Reflect.deleteProperty(this.stored.people, person);
	}

	/** Call it when the output is final. */
	close() {
		if (!this.run.isTool) delete this.state.outboundCallsLedger;
	}
}

/**
 * What became of the rows of a run so far, and what ended it. With On Error = Stop, what concerns
 * the whole run ends it.
 */
export class Outcomes {
	readonly byPosition = new Map<number, CallOutcome>();
	/** What ended the run, if something did. */
	halt: Halt | undefined;
	/** Why the API refused rows alone, with 400, by position. */
	private readonly refusedAlone = new Map<number, ApiProblem>();

	constructor(
		private readonly ledger: Ledger,
		private readonly run: Pick<Execution, 'stops' | 'signal'>,
	) {}

	/** What became of people whom an earlier try of this execution has called. */
	carryOver(rows: readonly Row[]) {
		for (const row of rows) {
			const outcome = this.ledger.outcomeOf(row);
			if (outcome) this.byPosition.set(row.position, outcome);
		}
	}

	/** What the API said of a row that was sent. */
	record(row: Row, outcome: CallOutcome) {
		this.byPosition.set(row.position, outcome);
		this.ledger.record(row, outcome);
	}

	/** Sent, and nobody knows: never sent again. */
	markUnknown(rows: readonly Row[], why: ApiProblem) {
		for (const row of rows) this.record(row, nodeOutcome('unknown', why));
		this.haltWith('unknown', rows, why);
	}

	/** These rows were refused, or would be. `named`: those that the message is about. */
	refuse(rows: readonly Row[], why: ApiProblem, named = rows) {
		this.setRefused(rows, why, why.reach ?? 'run');
		this.haltWith('refused', named, why);
	}

	/** The API refused rows for what each of them says. */
	refuseAlone(rows: readonly Row[], why: ApiProblem) {
		this.setRefused(rows, why, 'row');
		for (const { position } of rows) this.refusedAlone.set(position, why);
	}

	/**
	 * If the API refused each row alone, the rows are not the reason: further ones would meet the
	 * same.
	 */
	haltIfAllRefused(rows: readonly Row[]) {
		const why = rows[0] && this.refusedAlone.get(rows[0].position);
		if (why && rows.every(({ position }) => this.refusedAlone.has(position)))
			this.haltWith('refused', rows, why);
	}

	stop() {
		this.halt ??= { kind: 'stopped' };
	}

	private setRefused(rows: readonly Row[], why: ApiProblem, reach: Reach) {
		const outcome = nodeOutcome('refused', why, reach);
		for (const { position } of rows) this.byPosition.set(position, outcome);
	}

	/**
	 * The first reason ends the run. The rows of requests under way that meet the same one are
	 * added.
	 */
	private haltWith(kind: 'refused' | 'unknown', rows: readonly Row[], why: ApiProblem) {
		if (!this.run.stops) return;
		const { halt } = this;
		// Stop breaks off the requests under way: then the stop is the reason, not a lost
		// connection.
		if (!halt && this.run.signal?.aborted) this.stop();
		else if (!halt) this.halt = { kind, rows: [...rows], problem: why };
		else if (halt.kind === kind && halt.problem.message === why.message) halt.rows.push(...rows);
	}
}
