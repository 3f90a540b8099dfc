/**
 * What became of each person in this execution, kept in the node's context, which survives Retry On
 * Fail and the Retry button (n8n behavior), so that neither calls anybody twice.
 *
 * A person is unknown to it; sent, from before the request leaves until the API has answered; or
 * called, with the outcome. Whoever certainly was not called is unknown again. A process that dies
 * loses it (n8n behavior): then only the memory knows whom it has called.
 */
import { type CallOutcome, isCalled, nodeOutcome } from '../domain/outcome';
import type { Row } from '../domain/row';
import type { Execution } from '../execution/execution';
import type { LedgerState, NodeState } from '../execution/nodeState';

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
	has({ person }: Row): boolean {
		return Object.hasOwn(this.stored.people, person);
	}

	/** What became of the person in this execution; undefined if nobody called them. */
	outcomeOf(row: Row): CallOutcome | undefined {
		if (!this.has(row)) return undefined;
		const [, , outcome = nodeOutcome('unknown', UNANSWERED)] = this.stored.people[row.person]!;
		return outcome;
	}

	/** When the request to the person left, in milliseconds since 1970; undefined if none did. */
	leftAt(person: string): number | undefined {
		const [, seconds] = this.stored.people[person] ?? [];
		return seconds ? seconds * 1_000 : undefined;
	}

	/** One row for each of their people whom this execution has called: the one that was sent. */
	sentOf(rows: readonly Row[]): Row[] {
		const sent = new Map<string, Row>();
		for (const row of rows) {
			if (!this.has(row)) continue;
			const [position] = this.stored.people[row.person]!;
			if (row.position === position || !sent.has(row.person)) sent.set(row.person, row);
		}
		return [...sent.values()];
	}

	/** Call it before a request leaves. */
	markSent(rows: readonly Row[]): void {
		for (const { person, position } of rows) this.stored.people[person] = [position, 0];
	}

	/** Call it as the request leaves. */
	markLeft(rows: readonly Row[]): void {
		const seconds = Math.floor(Date.now() / 1_000);
		for (const { person, position } of rows) this.stored.people[person] = [position, seconds];
	}

	/** Call it as soon as the API has answered. */
	record({ person, position }: Row, outcome: CallOutcome): void {
		const [, leftAt = 0] = this.stored.people[person] ?? [];
		if (isCalled(outcome)) this.stored.people[person] = [position, leftAt, outcome];
		else Reflect.deleteProperty(this.stored.people, person);
	}

	/** The request certainly placed nothing. */
	takeBack(rows: readonly Row[]): void {
		for (const { person } of rows) Reflect.deleteProperty(this.stored.people, person);
	}

	/** Call it when the output is final. */
	close(): void {
		if (!this.run.isTool) delete this.state.outboundCallsLedger;
	}
}
