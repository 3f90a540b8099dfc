import type { BulkCounts, Miscount } from '../../../nodes/OutboundCalls/domain/bulkAnswer';
import { countedOtherwise } from '../../../nodes/OutboundCalls/results/miscounts';

const counts = (total?: number, succeeded?: number, failed?: number): BulkCounts => ({
	total,
	succeeded,
	failed,
});

const miscount = (
	batchId: string | undefined,
	counted: BulkCounts,
	total: number,
	succeeded: number,
): Miscount => ({
	batchId,
	counted,
	rows: { total, succeeded, failed: total - succeeded },
});

const NEXT =
	' Compare them with Get Batch, or on the outbound calls page of your dashboard, before you call these people again.';

describe('the API’s own counts are told where they differ from the rows:', () => {
	it.each<[string, Miscount[], string]>([
		['none that differs', [], ''],
		[
			'what one request counts otherwise',
			[miscount('a', counts(3, 3, 0), 3, 2)],
			'In one request (batch a), the API counted 3 started, your table has 2; 0 not started, your table has 1.',
		],
		[
			'what several do, summed up',
			[miscount('a', counts(11, 10, 0), 10, 10), miscount('b', counts(11, 10, 0), 10, 10)],
			'In 2 requests (batches a and b), the API counted 22 calls, your table has 20.',
		],
		[
			'only of the requests whose answer has the count',
			[miscount(undefined, counts(2), 1, 1), miscount(undefined, counts(undefined, 4), 5, 5)],
			'In 2 requests, the API counted 2 calls, your table has 1; 4 started, your table has 5.',
		],
		[
			'also where the sums agree',
			[miscount('a', counts(9), 10, 10), miscount('b', counts(11), 10, 10)],
			'In 2 requests (batches a and b), the API counted otherwise than your table.',
		],
	])('%s', (_, miscounts, told) => {
		expect(countedOtherwise(miscounts)).toBe(told === '' ? '' : `${told}${NEXT}`);
	});
});
