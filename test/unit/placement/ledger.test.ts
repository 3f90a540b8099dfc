import fc from 'fast-check';
import { checkRow, type Row } from '../../../nodes/OutboundCalls/domain/row';
import type { CallOutcome } from '../../../nodes/OutboundCalls/domain/callOutcome';
import type { Packing } from '../../../nodes/OutboundCalls/placement/callOperation';
import { type Attempt, Ledger } from '../../../nodes/OutboundCalls/placement/ledger';
import type { NodeState } from '../../../nodes/OutboundCalls/execution/nodeState';
import { ok } from '../../../nodes/OutboundCalls/domain/problem';

const row = (position: number, destination: string, order = '', callOnceKey = ''): Row => {
	const checked = checkRow(
		{
			itemIndex: position,
			mode: 'live',
			destination,
			agentNumber: '+15550001000',
			callerNumber: '',
			country: '',
			timeZone: '',
			noCallDates: null,
			optedOut: '',
			isRemembered: true,
			variables: ok([['order', order]]),
			callOnceKey,
		},
		position,
	);
	if (!checked.ok) throw new Error(checked.error.problem.message);
	return checked.value;
};

/** What the API said, in one word. */
const said = (status: string): CallOutcome => {
	const result = { status, reason: null, success: false };
	return ['locked', 'rate_limited'].includes(status)
		? { ...result, called: 'no', reach: 'person' }
		: { ...result, called: 'yes' };
};

const packing: Packing = {
	pack: ({ status }) => status,
	unpack: (packed) => (typeof packed === 'string' ? said(packed) : undefined),
};

const first: Attempt = {
	round: 0,
	execution: '1',
	tree: { ids: ['tree'], isRetry: false },
	isTool: false,
	perRow: false,
	occurrences: new Map(),
	others: new Set(),
	ofItems: new Map(),
	itemOf: ({ itemIndex }) => `item${itemIndex}`,
};
const perRow: Attempt = { ...first, perRow: true };

/** What the host does with the context between two tries: it is written as JSON and read again. */
const stored = (context: NodeState): NodeState => JSON.parse(JSON.stringify(context)) as NodeState;

const open = (context: NodeState, attempt: Attempt = first): Ledger =>
	new Ledger(context, packing, attempt);

/** What is recorded for the rows, in one word each. */
const recorded = (ledger: Ledger, rows: readonly Row[]): Map<number, string> =>
	new Map(
		[...ledger.recorded(rows)].map(([position, { status, reason }]) => [
			position,
			(reason && WORDS[reason.split(' ', 3).join(' ')]) ?? status,
		]),
	);

const WORDS: Record<string, string> = {
	'It was sent,': 'unanswered',
	'An earlier try': 'called otherwise',
};

describe('the ledger of a run', () => {
	it('remembers a row from the moment before it is sent, so that a stop during the answer cannot forget it', () => {
		const context: NodeState = {};
		const ledger = open(context);
		ledger.recorded([row(0, '+15551110001')]);
		ledger.markSent([row(0, '+15551110001')]);
		expect(recorded(open(stored(context)), [row(0, '+15551110001')])).toEqual(
			new Map([[0, 'unanswered']]),
		);
	});

	it('forgets a row whose request certainly placed nothing', () => {
		const context: NodeState = {};
		const ledger = open(context);
		ledger.recorded([row(0, '+15551110001')]);
		ledger.markSent([row(0, '+15551110001')]);
		ledger.restore([row(0, '+15551110001')]);
		expect(open(stored(context)).recorded([row(0, '+15551110001')]).size).toBe(0);
	});

	it('keeps the outcome of a row that was sent once more in vain', () => {
		const context: NodeState = {};
		const ledger = open(context);
		ledger.recorded([row(0, '+15551110001')]);
		ledger.markSent([row(0, '+15551110001')]);
		ledger.recordResult(row(0, '+15551110001'), said('rate_limited'));
		ledger.markSent([row(0, '+15551110001')]);
		expect(recorded(open(stored(context)), [row(0, '+15551110001')]).get(0)).toBe('unanswered');
		ledger.restore([row(0, '+15551110001')]);
		expect(recorded(open(stored(context)), [row(0, '+15551110001')]).get(0)).toBe('rate_limited');
	});

	it('knows a number that another operation called in the same execution', () => {
		const context: NodeState = {};
		const other = new Ledger(context, { ...packing, pack: () => ({ call_id: 1 }) }, first);
		other.recorded([row(0, '+15551110001')]);
		other.markSent([row(0, '+15551110001')]);
		other.recordResult(row(0, '+15551110001'), said('placed'));
		expect(recorded(open(stored(context)), [row(0, '+15551110001')]).get(0)).toBe(
			'called otherwise',
		);
	});

	it('begins anew in the next round of a loop', () => {
		const context: NodeState = {};
		const ledger = open(context);
		ledger.recorded([row(0, '+15551110001')]);
		ledger.recordResult(row(0, '+15551110001'), said('initiated'));
		expect(
			open(stored(context), { ...first, round: 1 }).recorded([row(0, '+15551110001')]).size,
		).toBe(0);
	});

	it('is removed once the output stands', () => {
		const context: NodeState = {};
		const ledger = open(context);
		ledger.recordResult(row(0, '+15551110001'), said('initiated'));
		ledger.close([row(0, '+15551110001')]);
		expect(context).toEqual({});
	});

	describe('of a tool', () => {
		const use = (round: number): Attempt => ({ ...first, round, isTool: true });

		it('goes on with the next try, which is a round of its own', () => {
			const context: NodeState = {};
			open(context, use(0)).markSent([row(0, '+15551110001')]);
			expect(recorded(open(context, use(1)), [row(0, '+15551110001')])).toEqual(
				new Map([[0, 'unanswered']]),
			);
		});

		it('forgets a row once its output stands, so that the agent may call again', () => {
			const context: NodeState = {};
			const ledger = open(context, use(0));
			ledger.recordResult(row(0, '+15551110001'), said('initiated'));
			ledger.close([row(0, '+15551110001')]);
			expect(open(context, use(1)).recorded([row(0, '+15551110001')]).size).toBe(0);
		});

		it('keeps the rows of another use at the same time', () => {
			const context: NodeState = {};
			const one = open(context, use(0));
			const other = open(context, use(1));
			one.recordResult(row(0, '+15551110001'), said('initiated'));
			other.markSent([row(0, '+16665550001')]);
			one.close([row(0, '+15551110001')]);
			other.recordResult(row(0, '+16665550001'), said('unknown'));
			expect(recorded(open(context, use(2)), [row(0, '+16665550001')])).toEqual(
				new Map([[0, 'unknown']]),
			);
		});
	});

	describe('where each row is called', () => {
		/** An earlier try that called these rows. */
		const triedBefore = (...rows: Array<[Row, string]>): NodeState => {
			const context: NodeState = {};
			const ledger = open(context, perRow);
			ledger.recorded(rows.map(([each]) => each));
			for (const [each, outcome] of rows) {
				ledger.markSent([each]);
				if (outcome === 'refused') ledger.restore([each]);
				else if (outcome !== 'sent') ledger.recordResult(each, said(outcome));
			}
			return stored(context);
		};

		it('a row gets the outcome of the call with its content, wherever it stands now', () => {
			const context = triedBefore(
				[row(0, '+15550000001', 'a'), 'first'],
				[row(1, '+15550000001', 'b'), 'second'],
			);
			expect(
				recorded(open(context, perRow), [row(0, '+15550000001', 'b'), row(1, '+15550000001', 'a')]),
			).toEqual(
				new Map([
					[0, 'second'],
					[1, 'first'],
				]),
			);
		});

		it('of rows with the same content, the one with the key of the call gets it', () => {
			const context = triedBefore(
				[row(0, '+15550000001', 'a', 'INV-1'), 'refused'],
				[row(1, '+15550000001', 'a', 'INV-2'), 'called'],
			);
			expect(
				recorded(open(context, perRow), [
					row(0, '+15550000001', 'a', 'INV-1'),
					row(1, '+15550000001', 'a', 'INV-2'),
				]),
			).toEqual(new Map([[1, 'called']]));
		});

		it('with other keys than before, the row with the content of the call gets it', () => {
			const context = triedBefore(
				[row(0, '+15550000001', 'a', 'INV-1'), 'refused'],
				[row(1, '+15550000001', 'b', 'INV-2'), 'called'],
			);
			expect(
				recorded(open(context, perRow), [row(0, '+15550000001', 'a'), row(1, '+15550000001', 'b')]),
			).toEqual(new Map([[1, 'called']]));
		});

		it('with another content than before, any row of the number gets it', () => {
			const context = triedBefore([row(0, '+15550000001', 'a'), 'called']);
			expect(
				recorded(open(context, perRow), [
					row(0, '+15550000002', 'a'),
					row(1, '+15550000001', 'c'),
					row(2, '+15550000001', 'd'),
				]),
			).toEqual(new Map([[1, 'called']]));
		});

		it('rows that are called later in a run have places of their own', () => {
			const context: NodeState = {};
			const ledger = open(context, perRow);
			for (const each of [
				row(0, '+15550000001', 'a'),
				row(1, '+15550000001', 'a'),
				row(2, '+15550000001', 'a'),
			]) {
				expect(ledger.recorded([each]).size).toBe(0);
				ledger.markSent([each]);
				ledger.recordResult(each, said(`call ${each.position}`));
			}
			const outcomes = recorded(open(stored(context), perRow), [
				row(0, '+15550000001', 'a'),
				row(1, '+15550000001', 'a'),
				row(2, '+15550000001', 'a'),
			]);
			expect([...outcomes.values()].sort()).toEqual(['call 0', 'call 1', 'call 2']);
		});

		it('it names the numbers that earlier tries called or may have called', () => {
			const context = triedBefore(
				[row(0, '+15550000001', 'a'), 'refused'],
				[row(1, '+15550000001', 'b'), 'called'],
				[row(2, '+15550000002', 'a'), 'locked'],
				[row(3, '+15550000003', 'a'), 'sent'],
				[row(4, '+15550000004', 'a'), 'refused'],
			);
			expect(open(context, perRow).called).toEqual(
				new Map([
					['+15550000001', 1],
					['+15550000003', 1],
				]),
			);
			const otherOperation = new Ledger(context, { ...packing, unpack: () => undefined }, perRow);
			expect([...otherOperation.called.keys()].sort()).toEqual([
				'+15550000001',
				'+15550000002',
				'+15550000003',
			]);
		});
	});

	it('never lets a number be called more often than it has rows, whatever changed between the tries', () => {
		const orders = fc.array(
			fc.tuple(
				fc.constantFrom('+15550000001', '+15550000002', '+15550000003'),
				fc.constantFrom('a', 'b', 'c'),
			),
			{
				maxLength: 12,
			},
		);
		fc.assert(
			fc.property(
				orders,
				fc.array(fc.boolean(), { maxLength: 12 }),
				orders,
				(before, sent, after) => {
					const context: NodeState = {};
					const rows = before.map(([number, order], i) => row(i, number, order));
					const ledger = open(context, perRow);
					ledger.recorded(rows);
					const called = rows.filter((_row, i) => sent[i]);
					ledger.markSent(called);
					for (const each of called) ledger.recordResult(each, said(each.variables!.order!));

					const again = after.map(([number, order], i) => row(i, number, order));
					const outcomes = recorded(open(stored(context), perRow), again);
					for (const number of ['+15550000001', '+15550000002', '+15550000003']) {
						const calls = called.filter(({ destination }) => destination === number);
						const wanted = again.filter(({ destination }) => destination === number);
						const more = wanted.filter(({ position }) => !outcomes.has(position)).length;
						expect(more).toBe(Math.max(0, wanted.length - calls.length));
						// A row with the same content as a recorded call gets exactly that outcome.
						for (const order of ['a', 'b', 'c']) {
							const of = (each: Row): boolean => each.variables!.order === order;
							const ofOrder = wanted.filter(({ position }) => outcomes.get(position) === order);
							const expected = Math.min(calls.filter(of).length, wanted.filter(of).length);
							expect(ofOrder.filter(of).length).toBeGreaterThanOrEqual(expected);
						}
					}
				},
			),
		);
	});
});

it('what one use of a tool has under way is not forgotten when another use ends', () => {
	const context: NodeState = {};
	const use = (round: number) => open(context, { ...first, round, isTool: true });
	const one = row(0, '+15551110001');
	use(0).markSent([one]);
	const other = use(1);
	other.recorded([one]);
	other.close([one]);
	expect(recorded(use(2), [one]).get(0)).toBe('unanswered');
});
