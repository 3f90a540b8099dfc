import type { INodeExecutionData } from 'n8n-workflow';
import type { Execution } from './client';

/** What became of one input row: the node's own row, or the reason why it has none. */
export interface Outcome {
	destination: string;
	status: string;
	reason: string | null;
	callRecordId: number | null;
	callSid: string | null;
}

/** What the Bulk Call operation puts out. */
interface BulkCallRow {
	destination: string;
	status: string;
	reason: string | null;
	consent_id: number | null;
	call_sid: string | null;
}

/** The items that a node put out in its last run, on one of its outputs; empty when it did not run. */
export function itemsOf(execution: Execution, nodeName: string, output = 0): INodeExecutionData[] {
	const run = execution.data.resultData.runData[nodeName]?.at(-1);
	return run?.data?.main?.[output] ?? [];
}

/** The index of the input item that an output item comes from. */
function inputIndex({ pairedItem }: INodeExecutionData): number | undefined {
	const [first] = Array.isArray(pairedItem) ? pairedItem : [pairedItem];
	return typeof first === 'object' ? first.item : first;
}

function outcomeOf({ json, error }: INodeExecutionData): Outcome {
	const row = json as Partial<BulkCallRow> & { error?: string };
	const refusal = error?.message ?? row.error;
	return {
		destination: row.destination ?? '',
		status: refusal === undefined ? (row.status ?? '') : 'not called',
		reason: refusal ?? row.reason ?? null,
		callRecordId: row.consent_id ?? null,
		callSid: row.call_sid ?? null,
	};
}

/** For each of the node's `rows` input items, every outcome that it got: exactly one, if all is well. */
export function outcomesByRow(execution: Execution, nodeName: string, rows: number): Outcome[][] {
	const byRow: Outcome[][] = Array.from({ length: rows }, () => []);
	for (const item of [...itemsOf(execution, nodeName), ...itemsOf(execution, nodeName, 1)]) {
		byRow[inputIndex(item) ?? -1]?.push(outcomeOf(item));
	}
	return byRow;
}
