import type { BulkCounts, Miscount } from '../domain/bulkAnswer';
import { formatCount, listed } from '../domain/format';

/** Batches that are named; the others are counted. */
const NAMED = 3;

const WORDS: Record<keyof BulkCounts, string> = {
	total: 'calls',
	succeeded: 'started',
	failed: 'not started',
};

/** What the API's own counts say otherwise than its rows, and what to do; empty where they agree. */
export function countedOtherwise(miscounts: readonly Miscount[]): string {
	if (miscounts.length === 0) return '';
	const requests =
		miscounts.length === 1 ? 'one request' : `${formatCount(miscounts.length)} requests`;
	const ids = miscounts.flatMap(({ batchId }) => batchId ?? []);
	const batches =
		ids.length === 0 ? '' : ` (${ids.length === 1 ? 'batch' : 'batches'} ${listed(ids, NAMED)})`;
	const counts = (Object.keys(WORDS) as Array<keyof BulkCounts>).flatMap((name) =>
		differences(miscounts, name),
	);
	// Where one request has as many too many as another has too few, the sums agree.
	const counted = counts.length > 0 ? counts.join('; ') : 'otherwise than your table';
	return `In ${requests}${batches}, the API counted ${counted}. Compare them with Get Batch, or on the outbound calls page of your dashboard, before you call these people again.`;
}

/** Of the requests whose answers say this count. */
function differences(miscounts: readonly Miscount[], name: keyof BulkCounts): string[] {
	let [counted, rows] = [0, 0];
	for (const each of miscounts) {
		const count = each.counted[name];
		if (count === undefined) continue;
		counted += count;
		rows += each.rows[name];
	}
	return counted === rows
		? []
		: [`${formatCount(counted)} ${WORDS[name]}, your table has ${formatCount(rows)}`];
}
