import type { INodeExecutionData } from 'n8n-workflow';
import type { Execution } from './client';

/** The outputs behind All Rows. */
const OUTPUTS = ['Called', 'Not Called'] as const;

/** What became of one input row, as the node says it. */
export interface Outcome {
	output: (typeof OUTPUTS)[number];
	destination: string;
	status: string;
	reason: string | null;
	/** Null while nothing is known. */
	reached: boolean | null;
	conversationId: number | null;
}

/** What is known of a call when it was followed, and its ID, as it is in a table. */
interface FollowedCall {
	consent_id: string;
	reached: boolean | null;
	conversation_id: number | null;
}

/** What the Bulk Call operation puts out. */
interface BulkCallRow {
	destination: string;
	status: string;
	reason: string | null;
	consent_id: number | null;
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

/** The rows of a node that calls, in the order of its input. */
export const rowsOf = (execution: Execution, nodeName: string): INodeExecutionData[] =>
	itemsOf(execution, nodeName);

/**
 * For each of the node's `rows` input items, every outcome that it got: exactly one, if all is well. `followedBy`: the Get Call
 * node that waited for its calls.
 */
export function outcomesByRow(
	execution: Execution,
	nodeName: string,
	rows: number,
	followedBy: string,
): Outcome[][] {
	const calls = itemsOf(execution, followedBy).map(({ json }) => json as unknown as FollowedCall);
	const followed = new Map(calls.map((call) => [call.consent_id, call]));
	const byRow: Outcome[][] = Array.from({ length: rows }, () => []);
	OUTPUTS.forEach((output, index) => {
		for (const item of itemsOf(execution, nodeName, 1 + index)) {
			const { destination, status, reason, consent_id } =
				item.json as unknown as Partial<BulkCallRow>;
			const call = followed.get(String(consent_id));
			byRow[inputIndex(item) ?? -1]?.push({
				output,
				destination: destination ?? '',
				status: status ?? '',
				reason: reason ?? null,
				reached: call?.reached ?? null,
				conversationId: call?.conversation_id ?? null,
			});
		}
	});
	return byRow;
}

/** What stands above the table of a node's rows. */
export const totalsOf = (execution: Execution, nodeName: string): string | undefined =>
	execution.data.resultData.runData[nodeName]?.at(-1)?.hints?.[0]?.message;
