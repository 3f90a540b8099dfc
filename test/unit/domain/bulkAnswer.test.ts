import * as fc from 'fast-check';
import { batchIn, miscountIn, readLeftOut } from '../../../nodes/OutboundCalls/domain/bulkAnswer';
import { type CallOutcome, outcomeOf } from '../../../nodes/OutboundCalls/domain/callOutcome';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import { row } from '../claims/hostStore';

const BATCH = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';
const numbers = ['+15551110001', '+15551110002', '+15551110003'];
const rowsOf = (destinations: readonly string[]): Row[] =>
	destinations.map((destination, position) => row(position, destination));
const initiated = outcomeOf({ status: 'initiated', reason: null, success: true });
const failed = outcomeOf({ status: 'failed', reason: 'No', success: false });
const dialed = (phone: unknown, id: unknown = 7) => ({ id, phone, auto_call_sid: 'CA7' }) as never;
const pending = (phone: unknown, more: object = {}) =>
	({ id: 7, phone, auto_call_sid: null, ...more }) as never;
const answer = (counts: object = {}) => ({ batch_id: BATCH, ...counts });
const all = { total: 2, succeeded: 2, failed: 0 };

/** What becomes of the second row of two, the first of which was called. */
const second = (records: never[], counts: object = {}): CallOutcome | undefined =>
	readLeftOut(rowsOf(numbers.slice(0, 2)), [initiated, undefined], answer(counts), records)[1];

describe('a row that an answer left out', () => {
	it.each<[string, never[], object, string | undefined]>([
		['was placed where its record was dialed', [dialed(numbers[1])], {}, 'yes'],
		[
			'was placed where its record has a conversation',
			[pending(numbers[1], { conversation_id: 5 })],
			{},
			'yes',
		],
		[
			'was placed where nothing failed that the answer does not tell',
			[pending(numbers[1])],
			all,
			'yes',
		],
		['is known without its +', [dialed('15551110002')], {}, 'yes'],
		[
			'may have been placed where something failed that it does not tell',
			[pending(numbers[1])],
			{ ...all, succeeded: 1, failed: 1 },
			'maybe',
		],
		[
			'may have been placed where the counts contradict each other',
			[pending(numbers[1])],
			{ succeeded: 1, failed: 0 },
			'maybe',
		],
		['may have been placed where nothing is counted', [pending(numbers[1])], {}, 'maybe'],
		[
			'may have been placed where its record has a reason and no more',
			[pending(numbers[1], { auto_call_error: 'Busy' })],
			{},
			'maybe',
		],
		['stays open where no record has its number', [dialed(numbers[2])], all, undefined],
		[
			'stays open where two records have its number',
			[dialed(numbers[1], 7), dialed(numbers[1], 8)],
			all,
			undefined,
		],
		[
			'stays open where three records have its number',
			[7, 8, 9].map((id) => dialed(numbers[1], id)),
			all,
			undefined,
		],
		[
			'stays open where records have no number',
			[dialed(undefined), dialed(null), dialed(15_551_110_002), dialed({})],
			all,
			undefined,
		],
		['stays open where there are no records', [], all, undefined],
	])('%s', (_, records, counts, called) => {
		expect(second(records, counts)?.called).toBe(called);
	});

	it('has the IDs of its record and of the batch', () => {
		expect(second([dialed(numbers[1])])).toMatchObject({
			answer: { consent_id: 7, call_sid: 'CA7', batch_id: BATCH },
		});
		for (const id of [{ odd: 1 }, 2 ** 53, 1.5])
			expect(second([pending(numbers[1], { id })])).toMatchObject({
				answer: { consent_id: null, call_sid: null, batch_id: BATCH },
			});
	});

	it('stays open where two rows of the request have its number', () => {
		const rows = rowsOf([0, 1, 1].map((n) => numbers[n]!));
		expect(
			readLeftOut(rows, [initiated, undefined, undefined], answer(), [dialed(numbers[1])]),
		).toEqual([initiated, undefined, undefined]);
		expect(
			readLeftOut(rows, [initiated, initiated, undefined], answer(), [dialed(numbers[1])]),
		).toEqual([initiated, initiated, undefined]);
	});

	it('never changes what an answer told, and is never told as certainly not called', () => {
		const record = fc.record({
			id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
			phone: fc.oneof(fc.constantFrom(...numbers), fc.string(), fc.constant(null)),
			auto_call_sid: fc.option(fc.string()),
			auto_call_error: fc.option(fc.string()),
			status: fc.constantFrom('pending', 'cancelled', 'called', ''),
		});
		const outcomes = fc.array(fc.constantFrom(initiated, failed, undefined), {
			minLength: 3,
			maxLength: 3,
		});
		const counts = fc.record({ succeeded: fc.nat(4), failed: fc.nat(4) }, { requiredKeys: [] });
		fc.assert(
			fc.property(
				fc.array(record, { maxLength: 6 }),
				outcomes,
				counts,
				(records, told, counted) => {
					const read = readLeftOut(rowsOf(numbers), told, answer(counted), records);
					read.forEach((outcome, i) => {
						if (told[i]) expect(outcome).toBe(told[i]);
						else if (outcome) {
							expect(['yes', 'maybe']).toContain(outcome.called);
							expect(records.filter(({ phone }) => phone === numbers[i])).toHaveLength(1);
						}
					});
				},
			),
		);
	});
});

describe('the counts of an answer', () => {
	const told = [initiated, failed, undefined];

	it.each<[string, unknown, boolean]>([
		['agree', { total: 3, succeeded: 1, failed: 1 }, false],
		['are not there', {}, false],
		['are no counts', { total: '5', succeeded: -1, failed: 1.5 }, false],
		['belong to no object', null, false],
		['name more rows', { total: 4, succeeded: 1, failed: 1 }, true],
		['name more that were started', { succeeded: 2 }, true],
		['name fewer that were not', { failed: 0 }, true],
	])('%s', (_, body, differs) => {
		expect(miscountIn(told, body) !== undefined).toBe(differs);
	});

	it('are told with those of the rows; of a row that is unknown, nobody knows', () => {
		expect(miscountIn(told, answer({ total: 3, succeeded: 2, failed: 1 }))).toEqual({
			batchId: BATCH,
			counted: { total: 3, succeeded: 2, failed: 1 },
			rows: { total: 3, succeeded: 1, failed: 1 },
		});
	});
});

it.each([
	undefined,
	null,
	'x',
	{},
	{ batch_id: 7 },
	{ batch_id: '../calls' },
	{ batch_id: `${BATCH}/` },
])('no batch is named by %j', (body) => {
	expect(batchIn(body)).toBeUndefined();
});
