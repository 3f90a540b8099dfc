import type { IDataObject } from 'n8n-workflow';
import { bodyOf, isSecret, readCallbacks } from '../../../nodes/OutboundCallsTrigger/callback';

const items = (body: unknown, query: IDataObject = {}) =>
	readCallbacks(body, query).map(({ item }) => item);
const ids = (body: unknown, query: IDataObject = {}) =>
	readCallbacks(body, query).map(({ callId }) => callId);

const TOLD = expect.stringContaining('"%%call_id%%" without filling it in') as string;

describe('the ID of a call is lifted from wherever it stands', () => {
	it.each<[string, unknown, IDataObject, IDataObject]>([
		['call_id', { call_id: 'c-1' }, {}, { call_id: 'c-1' }],
		['call_id first', { callId: 'c-2', call_id: 'c-1' }, {}, { call_id: 'c-1', callId: 'c-2' }],
		['a number', { callId: 17 }, {}, { call_id: '17' }],
		[
			'fields of a form that name their place',
			{ 'call[call_id]': 'c-1', 'metadata[externalCallId]': 'e-1' },
			{},
			{ call_id: 'c-1', external_call_id: 'e-1' },
		],
		['a token in the body', { call_id: '%%call_id%%' }, { call_id: 'c-1' }, { call_id: 'c-1' }],
	])('%s', (_what, body, query, expected) => {
		expect(items(body, query)).toEqual([expect.objectContaining(expected)]);
	});

	it.each<[string, unknown]>([
		['a number that has lost digits', { call_id: 2 ** 53 }],
		['an object', { call_id: { a: 1 } }],
		['a name that only ends like it', { my_call_id: 'c-1', 'data[last_call_id]': 'c-2' }],
		['a list of several', { calls: [{ call_id: 'c-1' }, { call_id: 'c-2' }] }],
	])('%s is none', (_what, body) => {
		expect(ids(body)).toEqual([undefined]);
	});
});

describe('a token that was not filled in', () => {
	it.each<[string, unknown, IDataObject]>([
		['call_id', { call_id: '%%call_id%%' }, { call_id: null, callback_notice: TOLD }],
		[
			'of another name',
			{ external_call_id: '%%id%%', call_id: 'c-1' },
			{ external_call_id: null, call_id: 'c-1', callback_notice: expect.any(String) },
		],
	])('is told and is no ID: %s', (_what, body, expected) => {
		expect(items(body)).toEqual([expected]);
	});
});

describe('a list', () => {
	it('of objects is one callback for each of them, each with its own ID', () => {
		expect(
			items([{ call_id: 'c-1' }, { data: { callId: 'c-2' } }], { campaign: 'spring' }),
		).toEqual([
			{ call_id: 'c-1', query: { campaign: 'spring' } },
			{ call_id: 'c-2', data: { callId: 'c-2' }, query: { campaign: 'spring' } },
		]);
	});

	it.each([[[]], [[1, 2]], [[{ call_id: 'c-1' }, 2]]])(
		'%j of anything else comes out as it is',
		(list) => {
			expect(items(list)).toEqual([{ body: list }]);
		},
	);
});

describe('nothing that comes is lost', () => {
	it('a field named error or query of the body, and the address’s query, each have a place', () => {
		expect(items({ error: 'busy', query: 'q' }, { a: '1' })).toEqual([
			{ callback_error: 'busy', query: 'q', callback_query: { a: '1' } },
		]);
	});

	it.each<[string, string]>([
		['application/vnd.calls+json', '{"callId":"c-1"}'],
		['text/plain', ' {"callId":"c-1"}\r\n'],
		['', '\ufeff{"callId":"c-1"}'],
	])('JSON as %j is read', (contentType, text) => {
		// What the host makes of types that it does not know, and of text.
		for (const body of [undefined, {}, text]) {
			expect(items(bodyOf({ contentType, body, rawBody: Buffer.from(text) }))).toEqual([
				{ call_id: 'c-1', callId: 'c-1' },
			]);
		}
	});
});

it.each<[unknown, string, boolean]>([
	['open sesame', 'open sesame', true],
	['open sesame', ' open sesame\n', true],
	['open', 'open sesame', false],
	['', ' ', false],
	[undefined, 'open sesame', false],
])('%j opens a trigger with the secret %j: %j', (given, secret, opens) => {
	expect(isSecret(given, secret)).toBe(opens);
});
