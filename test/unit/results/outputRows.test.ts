import type { RowOutcome } from '../../../nodes/OutboundCalls/domain/callOutcome';
import type { Execution } from '../../../nodes/OutboundCalls/execution/execution';
import { outputRows } from '../../../nodes/OutboundCalls/results/outputRows';
import { row } from '../claims/hostStore';

it('G5 the items of All Rows are those of Called and Not Called themselves, so that n8n stores each once', async () => {
	const rows: RowOutcome[] = ['yes', 'no', 'maybe', 'no'].map((called, n) => ({
		row: row(n, `+1555010100${n}`),
		outcome: {
			status: 'x',
			reason: null,
			success: false,
			called: called as 'yes' | 'no' | 'maybe',
		},
	}));
	const input = rows.map((_row, n) => ({ name: `Person ${n}` }));
	const options = {
		operation: 'bulkCall',
		leaveOut: new Set<string>(),
		followed: new Map(),
		requests: new Map(),
	} as const;
	const [all, called, notCalled] = (await outputRows(
		{ binaryOf: () => undefined, input } as unknown as Execution,
		rows,
		options,
	)) as [object[], object[], object[]];
	expect(all).toHaveLength(4);
	expect(called.map((item) => all.indexOf(item))).toEqual([0, 2]);
	expect(notCalled.map((item) => all.indexOf(item))).toEqual([1, 3]);
});
