import fc from 'fast-check';
import { checkRow, type Row } from '../../../nodes/OutboundCalls/domain/row';
import { Ledger, type Attempt, type NodeContext, type Packing } from '../../../nodes/OutboundCalls/placement/ledger';
import { ok } from '../../../nodes/OutboundCalls/domain/problem';

const row = (position: number, destination: string, order = ''): Row => {
	const checked = checkRow(
		{ itemIndex: position, destination, agentNumber: '+15550001000', callerNumber: '', variables: ok([['order', order]]) },
		position,
	);
	if (!checked.ok) throw new Error(checked.error.problem.message);
	return checked.value;
};

const packing: Packing<string> = {
	pack: (outcome) => outcome,
	unpack: (_row, packed) => (typeof packed === 'string' ? packed : undefined),
	notPlaced: (_row, status) => (status === 'unknown' ? 'unanswered' : 'called otherwise'),
};

const first: Attempt = { round: 0, execution: '1', maxTries: 1, isTool: false, perRow: false };
const perRow: Attempt = { ...first, perRow: true };

/** What the host does with the context between two tries: it is written as JSON and read again. */
const stored = (context: NodeContext): NodeContext => JSON.parse(JSON.stringify(context)) as NodeContext;

const open = (context: NodeContext, attempt: Attempt = first): Ledger<string> => new Ledger(context, packing, attempt);

describe('the ledger of a run', () => {
	it('remembers a row from the moment before it is sent, so that a stop during the answer cannot forget it', () => {
		const context: NodeContext = {};
		const ledger = open(context);
		ledger.recorded([row(0, '+1555')]);
		ledger.markSent([row(0, '+1555')]);
		expect(open(stored(context)).recorded([row(0, '+1555')])).toEqual(new Map([[0, 'unanswered']]));
	});

	it('forgets a row whose request certainly placed nothing', () => {
		const context: NodeContext = {};
		const ledger = open(context);
		ledger.recorded([row(0, '+1555')]);
		ledger.markSent([row(0, '+1555')]);
		ledger.restore([row(0, '+1555')]);
		expect(open(stored(context)).recorded([row(0, '+1555')]).size).toBe(0);
	});

	it('keeps the outcome of a row that was sent once more in vain', () => {
		const context: NodeContext = {};
		const ledger = open(context);
		ledger.recorded([row(0, '+1555')]);
		ledger.markSent([row(0, '+1555')]);
		ledger.recordResult(row(0, '+1555'), 'rate_limited');
		ledger.markSent([row(0, '+1555')]);
		expect(
			open(stored(context))
				.recorded([row(0, '+1555')])
				.get(0),
		).toBe('unanswered');
		ledger.restore([row(0, '+1555')]);
		expect(
			open(stored(context))
				.recorded([row(0, '+1555')])
				.get(0),
		).toBe('rate_limited');
	});

	it('knows a number that another operation called in the same execution', () => {
		const context: NodeContext = {};
		const other = new Ledger(context, { ...packing, pack: () => ({ call_id: 1 }) }, first);
		other.recorded([row(0, '+1555')]);
		other.markSent([row(0, '+1555')]);
		other.recordResult(row(0, '+1555'), 'placed');
		expect(
			open(stored(context))
				.recorded([row(0, '+1555')])
				.get(0),
		).toBe('called otherwise');
	});

	it('begins anew in the next round of a loop', () => {
		const context: NodeContext = {};
		const ledger = open(context);
		ledger.recorded([row(0, '+1555')]);
		ledger.recordResult(row(0, '+1555'), 'initiated');
		expect(open(stored(context), { ...first, round: 1 }).recorded([row(0, '+1555')]).size).toBe(0);
	});

	it.each([
		['the first item is fine', 3, [false], false],
		['the first item failed and n8n has tries left', 3, [true], true],
		['the first item failed on the last try', 2, [true, true], false],
		['a try without an output stands between', 3, [true, undefined, true], true],
		['the first item failed and Retry On Fail is off', 1, [true], false],
	])('is kept after an output only where n8n runs the node again: %s', (_case, maxTries, tries, kept) => {
		let context: NodeContext = {};
		for (const failed of tries) {
			context = stored(context);
			const ledger = open(context, { ...first, maxTries });
			if (failed !== undefined) ledger.close([], failed);
		}
		expect(context.outboundCallsLedger !== undefined).toBe(kept);
	});

	it('counts tries anew when the Retry button starts another execution', () => {
		const context: NodeContext = {};
		open(context, { ...first, maxTries: 2 }).close([], true);
		open(context, { ...first, maxTries: 2, execution: '2' }).close([], true);
		expect(context.outboundCallsLedger).toBeDefined();
	});

	describe('of a tool', () => {
		const use = (round: number): Attempt => ({ ...first, round, isTool: true });

		it('goes on with the next try, which is a round of its own', () => {
			const context: NodeContext = {};
			open(context, use(0)).markSent([row(0, '+1555')]);
			expect(open(context, use(1)).recorded([row(0, '+1555')])).toEqual(new Map([[0, 'unanswered']]));
		});

		it('forgets a row once its output stands, so that the agent may call again', () => {
			const context: NodeContext = {};
			const ledger = open(context, use(0));
			ledger.recordResult(row(0, '+1555'), 'initiated');
			ledger.close([row(0, '+1555')], false);
			expect(open(context, use(1)).recorded([row(0, '+1555')]).size).toBe(0);
		});

		it('keeps the rows of another use at the same time', () => {
			const context: NodeContext = {};
			const one = open(context, use(0));
			const other = open(context, use(1));
			one.recordResult(row(0, '+1555'), 'initiated');
			other.markSent([row(0, '+1666')]);
			one.close([row(0, '+1555')], false);
			other.recordResult(row(0, '+1666'), 'unknown');
			expect(open(context, use(2)).recorded([row(0, '+1666')])).toEqual(new Map([[0, 'unknown']]));
		});
	});

	it('never lets a number be called more often than it has rows, whatever changed between the tries', () => {
		const orders = fc.array(fc.tuple(fc.constantFrom('+1', '+2', '+3'), fc.constantFrom('a', 'b', 'c')), { maxLength: 12 });
		fc.assert(
			fc.property(orders, fc.array(fc.boolean(), { maxLength: 12 }), orders, (before, sent, after) => {
				const context: NodeContext = {};
				const rows = before.map(([number, order], i) => row(i, number, order));
				const ledger = open(context, perRow);
				ledger.recorded(rows);
				const called = rows.filter((_row, i) => sent[i]);
				ledger.markSent(called);
				for (const each of called) ledger.recordResult(each, each.variables!.order!);

				const again = after.map(([number, order], i) => row(i, number, order));
				const recorded = open(stored(context), perRow).recorded(again);
				for (const number of ['+1', '+2', '+3']) {
					const calls = called.filter(({ destination }) => destination === number);
					const wanted = again.filter(({ destination }) => destination === number);
					const more = wanted.filter(({ position }) => !recorded.has(position)).length;
					expect(more).toBe(Math.max(0, wanted.length - calls.length));
					// A row with the same content as a recorded call gets exactly that outcome.
					for (const order of ['a', 'b', 'c']) {
						const of = (each: Row): boolean => each.variables!.order === order;
						const outcomes = wanted.filter(({ position }) => recorded.get(position) === order);
						const expected = Math.min(calls.filter(of).length, wanted.filter(of).length);
						expect(outcomes.filter(of).length).toBeGreaterThanOrEqual(expected);
					}
				}
			}),
		);
	});
});
