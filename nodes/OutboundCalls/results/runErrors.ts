import { isCalled, type RowOutcome } from '../domain/outcome';
import type { Halt } from './endOfRun';
import { capitalized, formatCount, type Problem, rowNames, withoutNumbers } from '../domain/values';
import type { CheckedRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { type MemorySettings, usesMemory } from '../memory/keys';
import { formatCalls } from './runResult';

/** To be thrown: something that counts for the whole run keeps everybody from being called. */
export function runProblemError(
	execution: Execution,
	{ message, remedy }: Problem,
	memory: MemorySettings,
) {
	return execution.operationError({
		message,
		remedy: `${remedy}${nobody(execution, memory)}`,
	});
}

/**
 * To be thrown: every row is invalid. The first one is named, or the field of the panel that keeps
 * all back.
 */
export function allInvalid(
	execution: Execution,
	checked: readonly CheckedRow[],
	memory: MemorySettings,
) {
	const rejected = checked.flatMap((each) => (each.ok ? [] : [each.error]));
	const { rowNumber, problem } = rejected[0]!;
	const isOfAll =
		problem.field && rejected.every(({ problem: other }) => other.message === problem.message);
	const what = problem.field ? problem.message : withoutNumbers(problem.message);
	const named = `Row ${rowNumber}: ${what}`;
	const message = isOfAll
		? what
		: rejected.length === 1
			? named
			: `${named}. None of the ${formatCount(rejected.length)} rows can be called`;
	const remedy = `${problem.remedy}${nobody(execution, memory)}`;
	return execution.operationError({ message, remedy });
}

const RETRY =
	'press Retry on this execution in the Executions tab: whoever was called is not called again.';
const NOT_ANEW = ' Executing the workflow again would start a new run and call everybody again.';

/**
 * Of a run that called nobody. Earlier runs of the node in a loop, or the execution that a Retry
 * continues, may have.
 */
function nobody({ state }: Execution, { calledBefore }: MemorySettings) {
	if (!state.outboundCallsStarted) return ' Nobody was called.';
	return ` No further call was started.${calledBefore === 'callAgain' ? NOT_ANEW : ''}`;
}

/** To be thrown: why the run ended, how far it got, and what to press. */
export function haltError(
	execution: Execution,
	halt: Halt,
	rows: readonly RowOutcome[],
	memory: MemorySettings,
) {
	const counts = formatCalls(rows);
	const remembers = memory.calledBefore !== 'callAgain';
	if (halt.kind === 'stopped') {
		const next = remembers ? 'A new run calls the rest.' : `To go on, ${RETRY}${NOT_ANEW}`;
		const message = `The execution was stopped. ${counts}`;
		return execution.operationError({
			message,
			remedy: `No further call was started. ${next}`,
		});
	}
	const { problem, kind } = halt;
	const numbers = [...new Set(halt.rows.map(({ rowNumber }) => rowNumber))];
	const isSafe =
		!execution.state.outboundCallsStarted && !rows.some(({ outcome }) => isCalled(outcome));
	if (numbers.length === 0 && isSafe) return runProblemError(execution, problem, memory);
	const were = numbers.length === 1 ? 'was' : 'were';
	const what = kind === 'unknown' ? 'sent without a clear answer' : 'not called';
	const named = numbers.length > 0 ? `: ${rowNames(numbers)} ${were} ${what}` : '';
	const message = `${capitalized(problem.message)}${named}. ${counts}`;
	// What a Retry would call: rows that were refused, by the API alone as well, or had no turn.
	const hasRest = rows.some(
		({ outcome: { call, status, answer } }) => status === 'refused' || (call === 'none' && answer),
	);
	const next = [
		problem.remedy,
		problem.apiAdds,
		kind === 'unknown' && usesMemory(memory) ? FREED : undefined,
		isSafe
			? 'Nobody was called, so executing again is safe.'
			: hasRest
				? `To go on with the rest, ${RETRY}${remembers ? '' : NOT_ANEW}`
				: undefined,
	];
	const remedy = next.filter((part) => part).join(' ');
	return execution.apiError({ ...problem, remedy, apiAdds: undefined }, message);
}

const FREED = 'Forget People frees those who were not called.';
