import { type CallOutcome, nodeOutcome, type Reach } from '../domain/outcome';
import type { Halt } from '../results/endOfRun';
import type { Row } from '../domain/row';
import type { ApiProblem } from '../domain/api/exchange';
import type { Ledger } from './ledger';

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
		private readonly run: { stops: boolean; signal?: AbortSignal | undefined },
	) {}

	/** What became of people whom an earlier try of this execution has called. */
	carryOver(rows: readonly Row[]): void {
		for (const row of rows) {
			const outcome = this.ledger.outcomeOf(row);
			if (outcome) this.byPosition.set(row.position, outcome);
		}
	}

	/** What the API said of a row that was sent. */
	record(row: Row, outcome: CallOutcome): void {
		this.byPosition.set(row.position, outcome);
		this.ledger.record(row, outcome);
	}

	/** Sent, and nobody knows: never sent again. */
	markUnknown(rows: readonly Row[], why: ApiProblem): void {
		for (const row of rows) this.record(row, nodeOutcome('unknown', why));
		this.haltWith('unknown', rows, why);
	}

	/** These rows were refused, or would be. `named`: those that the message is about. */
	refuse(rows: readonly Row[], why: ApiProblem, named = rows): void {
		this.setRefused(rows, why, why.reach ?? 'run');
		this.haltWith('refused', named, why);
	}

	/** The API refused rows for what each of them says. */
	refuseAlone(rows: readonly Row[], why: ApiProblem): void {
		this.setRefused(rows, why, 'row');
		for (const { position } of rows) this.refusedAlone.set(position, why);
	}

	/**
	 * If the API refused each row alone, the rows are not the reason: further ones would meet the
	 * same.
	 */
	haltIfAllRefused(rows: readonly Row[]): void {
		const why = rows[0] && this.refusedAlone.get(rows[0].position);
		if (why && rows.every(({ position }) => this.refusedAlone.has(position)))
			this.haltWith('refused', rows, why);
	}

	stop(): void {
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
