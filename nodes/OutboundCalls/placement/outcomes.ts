import { type CallOutcome, isUndialedForNow, notPlaced, type Reach } from '../domain/callOutcome';
import type { Row } from '../domain/row';
import type { ApiProblem } from '../http/apiErrors';
import type { Halt } from '../results/runErrors';
import type { Ledger } from './ledger';

/**
 * What became of the rows of a run so far, and what ended it before each had its turn. With On Error = Stop, what concerns the
 * whole run ends it.
 */
export class Outcomes {
	readonly byPosition = new Map<number, CallOutcome>();
	private ended: Halt | undefined;
	/** Rows that were refused for good when they were sent once more. */
	private readonly notAgain = new Set<number>();
	/** Why the API refused rows alone, with 400, by position. */
	private readonly refusedAlone = new Map<number, ApiProblem>();

	constructor(
		private readonly ledger: Ledger,
		private readonly run: { stop: boolean; signal?: AbortSignal | undefined },
	) {}

	/** What ended the run. */
	get halt(): Halt | undefined {
		return this.ended;
	}

	/** What the API said of a row that was sent. */
	record(row: Row, outcome: CallOutcome): void {
		this.byPosition.set(row.position, outcome);
		this.ledger.recordResult(row, outcome);
	}

	/** Sent, and nobody knows: never sent again. A row of which something is recorded keeps that. */
	markUnknown(rows: readonly Row[], why: ApiProblem): void {
		for (const row of rows) {
			if (this.byPosition.get(row.position)?.status !== 'unknown')
				this.record(row, notPlaced('unknown', `${why.message}. ${why.remedy}`));
		}
		this.haltWith('unknown', rows, why);
	}

	/** Not sent. A row that was to be sent once more keeps the outcome that it has, and is not tried again. */
	keepBack({ position }: Row, outcome: CallOutcome): void {
		if (this.byPosition.has(position)) this.notAgain.add(position);
		else this.byPosition.set(position, outcome);
	}

	/** The API refused these rows, or would. */
	reject(rows: readonly Row[], why: ApiProblem, reach = reachOf(why)): void {
		for (const row of rows)
			this.keepBack(row, notPlaced('refused', `${why.message}. ${why.remedy}`, reach));
	}

	/** The API refused rows for what each of them says. */
	rejectAlone(rows: readonly Row[], why: ApiProblem): void {
		this.reject(rows, why, 'row');
		for (const { position } of rows) this.refusedAlone.set(position, why);
	}

	/** Rows that were rejected for something that further ones would meet. Those that are sent once more do not end the run. */
	haltRejected(rows: readonly Row[], why: ApiProblem): void {
		if (!rows.some(({ position }) => this.byPosition.has(position)))
			this.haltWith('rejected', rows, why);
	}

	/** Where the API refused each row alone, the rows are not the reason: further ones would meet the same. */
	haltIfAllRefused(rows: readonly Row[]): Halt | undefined {
		const [first] = rows;
		const why = first && this.refusedAlone.get(first.position);
		// A row that is sent once more has another outcome, which it keeps.
		const isRefusedAlone = ({ position }: Row): boolean =>
			this.refusedAlone.has(position) && this.byPosition.get(position)?.status === 'refused';
		if (why && rows.every(isRefusedAlone)) this.haltWith('rejected', rows, why);
		return this.ended;
	}

	/** The execution was stopped. */
	cancel(): void {
		this.ended ??= { kind: 'cancelled' };
	}

	/** Whether the row may be sent once more, because the API could not dial it for now. */
	isUndialed({ position }: Row): boolean {
		const outcome = this.byPosition.get(position);
		return outcome !== undefined && isUndialedForNow(outcome) && !this.notAgain.has(position);
	}

	/** The first reason ends the run. Requests under way may meet the same one: then their rows are added. */
	private haltWith(kind: 'rejected' | 'unknown', rows: readonly Row[], why: ApiProblem): void {
		if (!this.run.stop) return;
		const { ended } = this;
		// Stop breaks off the requests under way: then the stop is the reason, not a lost connection.
		if (!ended && this.run.signal?.aborted) this.cancel();
		else if (!ended) this.ended = { kind, rows, problem: why };
		else if (ended.kind === kind && ended.problem.message === why.message) {
			ended.rows = [...ended.rows, ...rows].sort((a, b) => a.position - b.position);
		}
	}
}

/** A problem that ends a group holds for its agent; any other may hold for the whole run. */
const reachOf = ({ ends }: ApiProblem): Reach => (ends === 'group' ? 'agent' : 'run');
