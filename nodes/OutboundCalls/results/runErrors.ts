import { formatRows, rowName, rowNames, uncapitalized, withoutNumbers } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { RejectedRow, Row } from '../domain/row';
import type { Execution } from '../execution/execution';
import { hasCalled } from '../execution/nodeState';
import type { ApiProblem } from '../http/apiErrors';
import { type Count, formatPeople } from './totals';

/** Why a run ended before each row had its call. */
export type Halt =
	| { kind: 'rejected' | 'unknown'; rows: readonly Row[]; problem: ApiProblem }
	| { kind: 'cancelled' };

/** Why nobody could be called: something that counts for the whole run. `remembers`: a new run would not call the same people again. */
export const runProblemError = (
	execution: Execution,
	{ message, remedy }: Problem,
	remembers: boolean,
): Error =>
	execution.operationError(
		{ message, remedy: `${remedy} ${nobodyCalled(execution, remembers)}` },
		message,
	);

/** Why nobody could be called: each row is invalid. The first one is named, or the field of the panel that keeps all back. */
export function allInvalid(
	execution: Execution,
	rejected: readonly RejectedRow[],
	remembers: boolean,
): Error {
	const { position, problem } = rejected[0]!;
	const sameForAll = rejected.every(({ problem: other }) => other.message === problem.message);
	const what = problem.field ? problem.message : withoutNumbers(problem.message);
	const message =
		problem.field && sameForAll
			? what
			: rejected.length === 1
				? `${rowName(position)}: ${what}`
				: `None of the ${formatRows(rejected.length)} can be called. ${rowName(position)}: ${what}`;
	return execution.operationError(
		{ message, remedy: `${problem.remedy} ${nobodyCalled(execution, remembers)}` },
		message,
	);
}

const RETRY =
	'open the Executions tab, choose this execution and press Retry (the arrow icon): whoever was called is not called again.';
const NOT_ANEW = ' “Execute workflow” would start a new run and call everybody again.';

/** Of a run that called nobody. Earlier rounds of a loop, other nodes, or the execution that a Retry continues may have. */
const nobodyCalled = ({ flow }: Execution, remembers: boolean): string =>
	hasCalled(flow)
		? `No further call was started: people were called earlier in this execution.${remembers ? '' : NOT_ANEW}`
		: 'Nobody was called.';

/** Why the run ended, and how far it got. `told`: what else is to be said. `remembers`: a new run would not call the same people again either. */
export function haltError(
	execution: Execution,
	halt: Halt,
	{ told, ...count }: Count & { told: string },
	remembers: boolean,
): Error {
	const people = formatPeople(count);
	if (halt.kind === 'cancelled') {
		const look =
			count.maybe.people > 0
				? 'Look at the outbound calls page of your dashboard for those who may have been called. '
				: '';
		const remedy = `${look}No further call was started after the stop. ${remembers ? 'A new run goes on with the rest.' : 'A new run calls these rows again, because People Called Before is set to Call Again in Each Run.'}`;
		const message = `The execution was stopped. ${people}`;
		return execution.operationError({ message, remedy }, message);
	}
	const { rows, problem } = halt;
	const unsent =
		count.unsent.length === 0
			? ''
			: `. ${rowNames(count.unsent)} ${count.unsent.length === 1 ? 'was' : 'were'} not sent`;
	const names =
		rows.length === 1
			? rowName(rows[0]!.position, withoutNumbers(rows[0]!.destination))
			: rowNames(rows.map(({ position }) => position));
	const were = rows.length === 1 ? 'was' : 'were';
	const event = `${names} ${were} ${halt.kind === 'unknown' ? 'sent without a clear answer' : 'not called'}: ${uncapitalized(problem.message)}`;
	const nobody = count.called.people + count.maybe.people === 0 && !hasCalled(execution.flow);
	// Of a sub-workflow, other executions may have called people for the same parent, which would start them all again.
	const isSafe = remembers || execution.mode !== 'integrated';
	const next = nobody
		? `Nobody was called${isSafe ? ', so executing again is safe' : ' in this execution of the sub-workflow'}.`
		: `To go on${count.rest > 0 ? ' with the rest' : ''}, ${RETRY}${remembers ? '' : NOT_ANEW}`;
	const remedy = [problem.remedy, ...(told === '' ? [] : [told]), next].join(' ');
	return execution.apiError(
		{ ...problem, remedy },
		count.rows === 1 ? event : `${people}. ${event}${unsent}`,
	);
}
