import type { IDataObject } from 'n8n-workflow';
import {
	bodyOf,
	type CallbackRequest,
	isSecret,
	readCallbacks,
} from '../../../nodes/OutboundCallsTrigger/callback';

const items = (body: unknown, query: IDataObject = {}) =>
	readCallbacks(body, query).map(({ item }) => item);
const BOTH = { call_id: 'c-1', external_call_id: 'e-1' };
const ids = (body: unknown, query: IDataObject = {}) =>
	readCallbacks(body, query).map(({ callId }) => callId);

describe('the ID of a call is at the top of the item', () => {
	it.each<[string, unknown, IDataObject, IDataObject]>([
		['call_id', { call_id: 'c-1' }, {}, { call_id: 'c-1' }],
		['both in the address', {}, { call_id: 'c-1', external_call_id: 'e-1' }, BOTH],
		['in metadata', { call_id: 'c-1', metadata: { external_call_id: 'e-1' } }, {}, BOTH],
		['a number', { call_id: 17 }, {}, { call_id: '17' }],
		[
			'a token, and the ID in the address',
			{ call_id: '%%call_id%%' },
			{ call_id: 'c-1' },
			{ call_id: 'c-1' },
		],
	])('%s', (_what, body, query, expected) => {
		expect(items(body, query)).toEqual([expect.objectContaining(expected)]);
	});

	it.each<[string, unknown]>([
		['a number that has lost digits', { call_id: 2 ** 53 }],
		['an object', { call_id: { a: 1 } }],
		['a token that was not filled in', { call_id: '%%call_id%%' }],
		['a field of something else', { data: { call_id: 'c-1' } }],
	])('%s is none, and comes out as it came', (_what, body) => {
		expect(ids(body)).toEqual([undefined]);
		expect(items(body)).toEqual([body]);
	});
});

describe('a list', () => {
	it('of objects is one callback for each of them, each with its own ID', () => {
		expect(items([{ call_id: 'c-1' }, { call_id: 'c-2' }], { campaign: 'spring' })).toEqual([
			{ call_id: 'c-1', query: { campaign: 'spring' } },
			{ call_id: 'c-2', query: { campaign: 'spring' } },
		]);
	});

	it.each([[[]], [[1, 2]], [[{ call_id: 'c-1' }, 2]]])('of anything else stays: %j', (list) => {
		expect(items(list)).toEqual([{ body: list }]);
	});
});

describe('nothing that comes is lost', () => {
	it('a field named error or query of the body, and the address’s query, each have a place', () => {
		expect(items({ error: 'busy', query: 'q' }, { a: '1' })).toEqual([
			{ callback_error: 'busy', query: 'q', callback_query: { a: '1' } },
		]);
	});

	it.each<[string, string]>([
		['application/vnd.calls+json', '{"call_id":"c-1"}'],
		['application/problem+json; charset=utf-8', '{"call_id":"c-1"}'],
		['text/json', '{"call_id":"c-1"}'],
		['text/plain', ' {"call_id":"c-1"}\r\n'],
		['', '\ufeff{"call_id":"c-1"}'],
	])('JSON as %j is read', (contentType, text) => {
		// What the host makes of types that it does not know, and of text.
		for (const body of [undefined, {}, text]) {
			const read = items(bodyOf({ contentType, body, rawBody: Buffer.from(text) }));
			expect(read).toEqual([{ call_id: 'c-1' }]);
		}
	});
});

describe('what a stranger may send', () => {
	const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
	const entries = (count: number) =>
		Array.from({ length: count }, (_, n) => ({ call_id: `c-${n}` }));

	it('a list of 1,000 entries becomes items, a longer one comes out as one item', () => {
		expect(items(entries(1_000))).toHaveLength(1_000);
		const wide = Object.assign({}, Array(90).fill(1)) as object;
		expect(items(Array(111).fill(wide))).toHaveLength(111);
		for (const body of [Array(112).fill(wide), Object.assign({}, Array(10_001).fill(1)) as object])
			expect(items(body)).toEqual([{ body }]);
		const long = entries(1_001);
		const read = items(bodyOf({ contentType: 'application/json', body: long }));
		expect(read).toEqual([{ body: long }]);
	});

	it.each<[string, CallbackRequest, unknown]>([
		[
			'an unknown charset',
			{ contentType: 'text/plain', encoding: 'klingon', rawBody: Buffer.from('Qapla’') },
			'Qapla’',
		],
		[
			'a part without a file',
			{
				contentType: 'multipart/form-data; boundary=x',
				body: { data: { a: '1' }, files: { f: [] } },
			},
			{ a: '1', files: { f: { name: null, type: null, size: null } } },
		],
		[
			'a body nested 50,000 deep',
			{ contentType: 'application/json', rawBody: Buffer.from(deep) },
			deep,
		],
	])('%s loses nothing', (_what, request, expected) => {
		expect(bodyOf(request)).toEqual(expected);
	});
});

it.each<[unknown, string, boolean]>([
	['open sesame', 'open sesame', true],
	['open sesame', ' open sesame\n', true],
	['open', 'open sesame', false],
	['', ' ', false],
	[undefined, 'open sesame', false],
	['Schl\u00c3\u00bcssel', 'Schlüssel', true],
	['Schlüssel', 'Schlüssel', true],
	['Schlussel', 'Schlüssel', false],
])('%j opens a trigger with the secret %j: %j', (given, secret, opens) => {
	expect(isSecret(given, secret)).toBe(opens);
});
