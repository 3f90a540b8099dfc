import { type CallOutcome, isCalled, type RowOutcome } from '../domain/callOutcome';
import type { Row } from '../domain/row';
import type { Execution } from '../execution/execution';
import type { SaidState } from '../execution/nodeState';
import { openRound } from '../input/saidEarlier';
import type { CallSettings } from '../input/settings';

/**
 * Whom earlier rounds of a loop called by a key of their own. The memory knows such rows by their keys alone, so that a number with two of them would be
 * called in each of two rounds, and perhaps while the first call lasts. Without a key it knows the number. Uses of a tool by an agent are no list.
 */
export class EarlierRounds {
	private readonly called: SaidState | undefined;

	constructor(
		private readonly execution: Execution,
		{ remembers, setting, duplicates }: CallSettings,
	) {
		if (!remembers || setting === undefined || duplicates === 'callEach' || execution.isTool) return;
		this.called = openRound((execution.state.outboundCallsByKey ??= { round: execution.round, rounds: {} }), execution);
	}

	/** Undefined where no earlier round called the number. Of one that called this very key, or of a row without a key, the memory knows. */
	outcomeOf({ person, callOnceKey, isDry }: Row): CallOutcome | undefined {
		if (isDry || callOnceKey === undefined) return undefined;
		const has = (name: string): boolean => this.called?.rounds[name] !== undefined;
		return has(person) && !has(` ${callOnceKey}`) ? SAME_NUMBER : undefined;
	}

	/** What became of the rows of this round. */
	note(rows: readonly RowOutcome[]): void {
		const { called, execution } = this;
		if (!called) return;
		for (const { row, outcome } of rows) {
			if ('problem' in row || row.isDry || outcome.isDuplicate || !isCalled(outcome)) continue;
			for (const name of [row.person, ` ${row.callOnceKey}`]) called.rounds[name] ??= execution.round;
		}
	}
}

const SAME_NUMBER: CallOutcome = {
	status: 'same_number',
	reason: 'Same number as a row of an earlier round, with another value in Remember People By. To call for each row, set Duplicates to Call Each Row',
	success: false,
	called: 'other_row',
	reach: 'person',
};
