import { CALLS } from './callWorkflow';
import type { Execution } from './client';

/** A row of a table, as far as tests look at it. */
export type OutputRow = Record<string, string | number | boolean | null | undefined>;

/** What a node put out in its last run; empty when it did not run. */
export const jsonOf = ({ data }: Execution, nodeName: string): OutputRow[] =>
	(data.resultData.runData[nodeName]?.at(-1)?.data?.main?.[0] ?? []).map(
		({ json }) => json as OutputRow,
	);

/** The rows of the node that calls, in the order of its input. */
export const callsOf = (execution: Execution): OutputRow[] => jsonOf(execution, CALLS);

/** The status of each row. */
export const statuses = (execution: Execution): unknown[] =>
	callsOf(execution).map(({ status }) => status);

/** The lines above the table of a node's rows; empty when there are none. */
export const summaryOf = ({ data }: Execution, nodeName = CALLS): string[] =>
	data.resultData.runData[nodeName]
		?.at(-1)
		?.hints?.[0]?.message.replace(/<\/?b>/g, '')
		.split('<br>') ?? [];

/** What n8n shows for an execution that did not succeed. */
export function shown({ data }: Execution): { message: string; description: string } {
	const { message = '', description } = (data.resultData.error ?? {}) as {
		message?: string;
		description?: string | null;
	};
	return { message, description: description ?? '' };
}

/** An execution that succeeded; otherwise the test ends with what n8n shows. */
export function succeeded(execution: Execution): Execution {
	expect([execution.status, shown(execution)]).toEqual([
		'success',
		{ message: '', description: '' },
	]);
	return execution;
}
