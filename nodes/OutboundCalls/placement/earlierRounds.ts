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
		if (!remembers || setting === undefined || duplicates === 'callEach' || execution.isTool)
			return;
		this.called = openRound(
			(execution.state.outboundCallsByKey ??= { round: execution.round, rounds: {} }),
			execution,
		);
	}

	/** Undefined where no earlier round called the number. Of one that called this very key, or of a row without a key, the memory knows. */
	outcomeOf(row: Row): CallOutcome | undefined {
		if (row.callOnceKey === undefined) return undefined;
		const [number, key] = namesOf(row).map((name) => this.called?.rounds[name] !== undefined);
		return number && !key ? { ...SAME_NUMBER, called: row.isDry ? 'no' : 'other_row' } : undefined;
	}

	/** What became of the rows of this round; a call that was cancelled before it was dialed is none. */
	note(rows: readonly RowOutcome[], isCancelled: (row: RowOutcome) => boolean): void {
		const { called, execution } = this;
		if (!called) return;
		for (const each of rows) {
			const { row, outcome } = each;
			if ('problem' in row || outcome.isDuplicate || isCancelled(each)) continue;
			if (row.isDry ? outcome.status === 'dry_run' : isCalled(outcome))
				for (const name of namesOf(row)) called.rounds[name] ??= execution.round;
		}
	}
}

/** A dry run in a loop says what Live would do. */
const namesOf = ({ person, callOnceKey, isDry }: Row): string[] =>
	[person, ` ${callOnceKey}`].map((name) => (isDry ? `dry ${name}` : name));

const SAME_NUMBER: CallOutcome = {
	status: 'same_number',
	reason:
		'Same number as a row of an earlier round, with another value in Remember People By. To call for each row, set Duplicates to Call Each Row',
	success: false,
	called: 'no',
	reach: 'person',
};
