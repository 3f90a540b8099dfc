import {
	apiOutcome,
	isUndialedAnswer,
	readBulkResults,
	readPlacedCall,
} from '../../../../nodes/OutboundCalls/domain/api/answers';
import type { Placement } from '../../../../nodes/OutboundCalls/domain/outcome';
import type { Row } from '../../../../nodes/OutboundCalls/domain/row';

const A = '+15551110001';
const B = '+15551110002';
const BATCH = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';

const rows: Row[] = [A, B].map((destination, position) => {
	const row = { itemIndex: position, position, rowNumber: 1 };
	return { ...row, destination, person: destination, agentNumber: '+15550001000' };
});

const result = (destination: string, more: object = {}) => ({
	destination,
	success: true,
	consent_id: 7,
	call_sid: `CA-${destination}`,
	status: 'initiated',
	error: null,
	...more,
});

/** The outcome of that result; `ids` in place of its own. */
const called = (
	destination: string,
	{
		consent_id = 7,
		call_sid = `CA-${destination}`,
		batch_id = BATCH,
		...more
	}: Record<string, unknown> = {},
) => ({
	success: true,
	status: 'initiated',
	reason: undefined,
	answer: { consent_id, call_sid, batch_id },
	...more,
});

const answer = (...results: unknown[]) => ({ success: true, batch_id: BATCH, results });

describe('the answer is read row by row', () => {
	const skipped = result(A, { success: false, status: 'skipped' });
	const locked = { success: false, status: 'locked', call_sid: null };
	const odd = { status: 'teleported' };
	const both = [called(A), called(B)];
	it.each<[string, unknown, Array<object | undefined>]>([
		['in another order', answer(result(B), result(A)), both],
		['with one missing', answer(result(B)), [undefined, called(B)]],
		['with a stranger', answer(result('+1999'), result(A), result(B)), both],
		['with one named twice, first the call', answer(result(A), skipped, result(B)), both],
		['with one named twice, the call last', answer(skipped, result(A), result(B)), both],
		[
			'not dialed, and why',
			answer(result(A, { ...locked, error: 'Locked' }), result(B)),
			[called(A, { ...locked, reason: 'Locked' }), called(B)],
		],
		[
			'with a status that nobody has seen',
			answer(result(A, { ...odd, success: false, error: 'Beam' }), result(B, odd)),
			[called(A, { ...odd, success: false, reason: 'Beam' }), called(B, odd)],
		],
		[
			'without batch_id',
			{ results: [result(A), result(B)] },
			[called(A, { batch_id: null }), called(B, { batch_id: null })],
		],
		[
			'with IDs that are no whole numbers, or have lost digits',
			answer(result(A, { consent_id: 2 ** 53 }), result(B, { consent_id: 1.5 })),
			[called(A, { consent_id: null }), called(B, { consent_id: null })],
		],
		['body a text', JSON.stringify(answer(result(A))).slice(0, 40), [undefined, undefined]],
	])('%s', (_, body, expected) => {
		expect(readBulkResults(rows, body)).toMatchObject(expected);
	});

	it('rows that one call was for all get it', () => {
		const shared = [rows[0]!, { ...rows[0]!, position: 5 }];
		expect(readBulkResults(shared, answer(result(A)))).toMatchObject([called(A), called(A)]);
	});
});

const placed = (more: object = {}, answer: object = { call_id: 'c1' }) => ({
	success: true,
	status: 'placed',
	reason: undefined,
	answer,
	call: 'placed',
	...more,
});

it.each<[string, unknown, object | undefined]>([
	['the documented field alone', { call_id: 'c1' }, placed()],
	...[null, '', ' ', {}, [], true].map((call_id): [string, unknown, undefined] => [
		`call_id ${JSON.stringify(call_id)}`,
		{ call_id },
		undefined,
	]),
	['success alone', { success: true }, placed({}, {})],
	[
		'with a status of its own',
		{ success: true, call_id: 'c1', status: 'initiated' },
		placed({ status: 'initiated' }),
	],
	[
		'with fields that nobody has seen',
		{ call_id: 'c1', agent: { id: 5 }, eta: 3 },
		placed({}, { call_id: 'c1', agent: { id: 5 }, eta: 3 }),
	],
	['with the number, which the row has', { call_id: 'c1', destination: A }, placed()],
	[
		'with an error, which becomes the reason, because n8n takes a row with that field for a failed one',
		{ call_id: 'c1', error: 'Late' },
		placed({ reason: 'Late' }),
	],
	['success false', { success: false, call_id: 'c1' }, undefined],
	['neither call_id nor success', { hello: 'world' }, undefined],
	['null', null, undefined],
])('the answer to Place Call comes out as it is: %s', (_, body, expected) => {
	expect(readPlacedCall(body)).toEqual(expected);
});

type Result = Parameters<typeof apiOutcome>[0];
const NO_IDS = { consent_id: null, call_sid: null, batch_id: null };
const resultOf = (more: Partial<Result> = {}): Result => ({
	status: 'failed',
	reason: undefined,
	success: false,
	answer: NO_IDS,
	...more,
});
const FOREIGN = 'teleported queued invalid refused dry_run duplicate unknown'.split(' ');
const withSid = { answer: { ...NO_IDS, call_sid: 'CA1' } };

it.each<[string, Partial<Result>, Placement]>([
	['initiated', { status: 'initiated', success: true, ...withSid }, 'placed'],
	['placed', { status: 'placed', success: true, answer: { call_id: 'c1' } }, 'placed'],
	['a success with an unknown status', { status: 'teleported', success: true }, 'placed'],
	['a success with a word of ours', { status: 'refused', success: true, ...withSid }, 'placed'],
	...['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'].flatMap(
		(status): Array<[string, Partial<Result>, Placement]> => [
			[status, { status }, 'none'],
			[`${status}, yet with a call`, { status, ...withSid }, 'unknown'],
			[`${status}, of Place Call`, { status, answer: { call_id: null } }, 'none'],
			[`${status} without a field`, { status, answer: {} }, 'none'],
			[`${status} with an empty call_sid`, { status, answer: { call_sid: '' } }, 'unknown'],
			[`${status}, yet a success`, { status, success: true }, 'placed'],
		],
	),
	// A word of the node's in the API's mouth proves nothing.
	...FOREIGN.map((status): [string, Partial<Result>, Placement] => [
		`${status}, as the API’s own status`,
		{ status },
		'unknown',
	]),
])('whether somebody was called: %s', (_, more, expected) => {
	const given = resultOf(more);
	expect(apiOutcome(given)).toEqual({
		...given,
		call: expected,
		...(expected === 'none' ? { reach: 'person' } : {}),
	});
});

it.each<[string, object, boolean]>([
	['rate_limited', { status: 'rate_limited' }, true],
	['temporarily_unavailable', { status: 'temporarily_unavailable' }, true],
	['limited, with a call', { status: 'rate_limited', call_sid: 'CA1' }, false],
	['a success', { status: 'rate_limited', success: true }, false],
	['failed', { status: 'failed' }, false],
	['nothing', {}, false],
])('an answer may be better when it is asked for again: %s', (_, given, expected) => {
	expect(isUndialedAnswer({ results: [{ success: false, ...given }] })).toBe(expected);
});
