import {
	countedStatuses,
	duplicateOf,
	isUndialedForNow,
	notPlacedInBulk,
	provesNotDialed,
	readBulkResults,
} from '../../../nodes/OutboundCalls/domain/callOutcome';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';

const A = '+15551110001';
const B = '+15551110002';
const BATCH = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';

const rows: Row[] = [A, B].map((destination, position) => ({
	itemIndex: position,
	position,
	destination,
	agentNumber: '+15550001000',
}));

const result = (destination: string, more: object = {}) => ({
	destination,
	success: true,
	consent_id: 7,
	call_sid: `CA-${destination}`,
	status: 'initiated',
	error: null,
	...more,
});

const called = (destination: string, more: object = {}) => ({
	destination,
	success: true,
	status: 'initiated',
	reason: null,
	consent_id: 7,
	call_sid: `CA-${destination}`,
	batch_id: BATCH,
	...more,
});

const answer = (...results: unknown[]) => ({ success: true, batch_id: BATCH, results });

describe('the answer is read row by row', () => {
	it.each<[string, unknown, Array<object | undefined>]>([
		['in order', answer(result(A), result(B)), [called(A), called(B)]],
		['in another order', answer(result(B), result(A)), [called(A), called(B)]],
		['with one missing', answer(result(B)), [undefined, called(B)]],
		['with a stranger among them', answer(result('+1999'), result(A), result(B)), [called(A), called(B)]],
		['with one named twice, first the call', answer(result(A), result(A, { success: false, status: 'skipped' }), result(B)), [called(A), called(B)]],
		['with one named twice, the call last', answer(result(A, { success: false, status: 'skipped' }), result(A), result(B)), [called(A), called(B)]],
		...['rate_limited', 'failed'].flatMap((status): Array<[string, unknown, Array<object | undefined>]> => {
			const undialed = result(A, { success: false, status, call_sid: null });
			const maybeDialed = result(A, { success: false, status: 'failed', error: 'Line dropped' });
			const expected = [called(A, { success: false, status: 'failed', reason: 'Line dropped' }), undefined];
			return [
				[`with one named twice, ${status} after what may have been dialed`, answer(maybeDialed, undialed), expected],
				[`with one named twice, ${status} before what may have been dialed`, answer(undialed, maybeDialed), expected],
			];
		}),
		[
			'not dialed, and why',
			answer(result(A, { success: false, status: 'locked', call_sid: null, error: 'Locked' }), result(B)),
			[called(A, { success: false, status: 'locked', call_sid: null, reason: 'Locked' }), called(B)],
		],
		[
			'with a status that nobody has seen',
			answer(result(A, { success: false, status: 'teleported', error: 'Beam' }), result(B, { status: 'teleported' })),
			[called(A, { success: false, status: 'teleported', reason: 'Beam' }), called(B, { status: 'teleported' })],
		],
		['without batch_id', { results: [result(A), result(B)] }, [called(A, { batch_id: null }), called(B, { batch_id: null })]],
		[
			'with a batch_id that is no text',
			{ batch_id: 5, results: [result(A), result(B)] },
			[called(A, { batch_id: null }), called(B, { batch_id: null })],
		],
		[
			'with a status alone',
			answer({ destination: A, status: 'initiated' }, { destination: B, status: 'failed' }),
			[called(A, { consent_id: null, call_sid: null }), called(B, { success: false, status: 'failed', consent_id: null, call_sid: null })],
		],
		[
			'with success alone',
			answer({ destination: A, success: true }, { destination: B, success: false }),
			[called(A, { consent_id: null, call_sid: null }), called(B, { success: false, status: 'failed', consent_id: null, call_sid: null })],
		],
		[
			'with other types',
			answer(
				result(A, { success: false, status: 'failed', error: { code: 5 }, consent_id: '7', call_sid: 9 }),
				result(B, { consent_id: {}, call_sid: undefined }),
			),
			[
				called(A, { success: false, status: 'failed', reason: '{"code":5}', consent_id: '7', call_sid: '9' }),
				called(B, { consent_id: null, call_sid: null }),
			],
		],
		['with entries that are none', answer(null, 'x', 5, [], { destination: A }, { destination: 5, success: true }), [undefined, undefined]],
		['with a success that is text', answer({ destination: A, success: 'true' }), [undefined, undefined]],
		['results null', { success: true, results: null }, [undefined, undefined]],
		['results an object', { success: true, results: { 0: result(A) } }, [undefined, undefined]],
		['an entry whose destination is no text', answer({ destination: null, success: true }, result(B)), [undefined, called(B)]],
		['a status that is no text', answer(result(A, { status: 7 }), result(B)), [called(A), called(B)]],
		['body null', null, [undefined, undefined]],
		['body nothing', undefined, [undefined, undefined]],
		['body a list', [result(A), result(B)], [undefined, undefined]],
		['body a text', JSON.stringify(answer(result(A))).slice(0, 40), [undefined, undefined]],
	])('%s', (_, body, expected) => {
		expect(readBulkResults(rows, body)).toEqual(expected);
	});

	it('rows that one call was for all get it', () => {
		expect(readBulkResults([rows[0]!, { ...rows[0]!, position: 5 }], answer(result(A)))).toEqual([called(A), called(A)]);
	});
});

it('a row without a clear answer says that it is unknown, and why', () => {
	expect(notPlacedInBulk(rows[0]!, 'unknown', 'No answer.')).toEqual({
		destination: A,
		success: false,
		status: 'unknown',
		reason: 'No answer.',
		consent_id: null,
		call_sid: null,
		batch_id: null,
	});
});

it('a duplicate repeats the earlier row’s IDs', () => {
	expect(duplicateOf(called(A))).toEqual(called(A, { status: 'duplicate' }));
});

it('totals begin with the most frequent status', () => {
	expect(countedStatuses(['failed', 'initiated', 'duplicate', 'initiated'])).toEqual([
		['initiated', 2],
		['failed', 1],
		['duplicate', 1],
	]);
	expect(countedStatuses([])).toEqual([]);
});

it('a row that an earlier run called says so, and has no IDs', () => {
	expect(notPlacedInBulk(rows[0]!, 'already_called', 'Called before.')).toEqual({
		destination: A,
		success: false,
		status: 'already_called',
		reason: 'Called before.',
		consent_id: null,
		call_sid: null,
		batch_id: null,
	});
});

describe('a result proves that nobody was dialed', () => {
	const undialed = { success: false, status: 'failed', call_sid: null };
	it.each<[string, object, boolean, boolean]>([
		['failed', undialed, true, false],
		['skipped', { ...undialed, status: 'skipped' }, true, false],
		['locked', { ...undialed, status: 'locked' }, true, false],
		['rate_limited', { ...undialed, status: 'rate_limited' }, true, true],
		['temporarily_unavailable', { ...undialed, status: 'temporarily_unavailable' }, true, true],
		['failed without the field call_sid', { success: false, status: 'failed' }, true, false],
		['failed, yet with a call', { ...undialed, call_sid: 'CA1' }, false, false],
		['rate_limited, yet with a call', { ...undialed, status: 'rate_limited', call_sid: 'CA1' }, false, false],
		['failed, with an empty call_sid', { ...undialed, call_sid: '' }, false, false],
		['initiated', { success: true, status: 'initiated', call_sid: 'CA1' }, false, false],
		['initiated without a call', { ...undialed, status: 'initiated' }, false, false],
		['rate_limited, yet a success', { ...undialed, success: true, status: 'rate_limited' }, false, false],
		['without success', { status: 'failed', call_sid: null }, false, false],
		['a status that the API does not show', { ...undialed, status: 'queued' }, false, false],
		['without a status', { success: false, call_sid: null }, false, false],
	])('%s', (_, result, proves, again) => {
		expect([provesNotDialed(result), isUndialedForNow(result)]).toEqual([proves, again]);
	});
});
