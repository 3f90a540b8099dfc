import type { Miscount } from '../domain/bulkAnswer';
import { formatCount, listed } from '../domain/format';

/** Batches that are named; the others are counted. */
const NAMED = 3;

/** What the API's own counts say otherwise than its rows, and what to do; empty where they agree. */
export function countedOtherwise(miscounts: readonly Miscount[]): string {
	if (miscounts.length === 0) return '';
	const sum = (of: (miscount: Miscount) => number | undefined): number => miscounts.reduce((all, each) => all + (of(each) ?? 0), 0);
	const counted = sums(
		sum(({ counted: { total } }) => total),
		sum(({ counted: { succeeded } }) => succeeded),
		sum(({ counted: { failed } }) => failed),
	);
	const rows = sums(
		sum((each) => each.rows.total),
		sum((each) => each.rows.succeeded),
		sum((each) => each.rows.failed),
	);
	const requests = miscounts.length === 1 ? 'one request' : `${formatCount(miscounts.length)} requests`;
	const ids = miscounts.flatMap(({ batchId }) => batchId ?? []);
	const batches = ids.length === 0 ? '' : ` (${ids.length === 1 ? 'batch' : 'batches'} ${listed(ids, NAMED)})`;
	return `The API’s own counts of ${requests}${batches} differ from what it says of each row: it counts ${counted}, the rows are ${rows}. Compare them with Get Batch, or on the outbound calls page of your dashboard, before you call these people again.`;
}

const sums = (total: number, succeeded: number, failed: number): string =>
	`${formatCount(total)}, ${formatCount(succeeded)} of them started and ${formatCount(failed)} not`;
