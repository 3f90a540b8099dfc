import {
	destinationsFromJson,
	variablesFromInput,
} from '../../../nodes/OutboundCalls/input/rowSources';
import { saying } from '../domain/problems';

const NONE = new Set<string>();

describe('destinations as JSON', () => {
	it.each<[string, unknown, Array<[unknown, unknown]>]>([
		[
			'texts',
			'["+15551110001", "+15551110002"]',
			['+15551110001', '+15551110002'].map((phone): [unknown, unknown] => [phone, []]),
		],
		[
			'objects with variables of their own',
			'[{"phone": "+15551110001", "prompt_variables": {"name": "Ada"}}]',
			[['+15551110001', [['name', 'Ada']]]],
		],
		['a number that is no text, for the row check to find', [15551110001], [[15551110001, []]]],
		['null, for the row check to find', [null], [[null, []]]],
	])('%s', (_, json, expected) => {
		const checked = destinationsFromJson(json);
		expect(
			checked.ok &&
				checked.value.map(({ phone, variables }) => [phone, variables.ok && variables.value]),
		).toEqual(expected);
	});

	it.each<[string, unknown, RegExp, RegExp]>([
		['an object', '{"phone": "+15551110001"}', /not a list/, /Write it like/],
		['nothing', undefined, /not a list/, /Write it like/],
		['a fixed field', '{{ $json.phones }}', /plain text/, /Fixed to Expression/],
	])('%s cannot be called', (_, json, message, remedy) => {
		const checked = destinationsFromJson(json);
		expect(checked.ok ? '' : checked.error.message).toMatch(message);
		expect(checked.ok ? '' : checked.error.remedy).toMatch(remedy);
	});

	it.each<[string, object, RegExp, RegExp]>([
		[
			'values beside "phone", because the prompt would lack them',
			{ phone: '+15551110001', name: 'Ada', amount: 5 },
			/\+15551110001.*"name" and "amount"/,
			/prompt_variables/,
		],
		[
			'phone_number instead of phone',
			{ phone_number: '+15551110001', prompt_variables: { name: 'Ada' } },
			/\+15551110001/,
			/Name the field phone, not phone_number/,
		],
	])('%s: the row keeps its number and names the remedy', (_, destination, message, remedy) => {
		const checked = destinationsFromJson([destination]);
		const [entry] = checked.ok ? checked.value : [];
		expect(entry).toEqual({
			phone: '+15551110001',
			variables: { ok: false, error: saying(message, remedy) },
		});
	});
});

it.each<[string, Record<string, unknown>, RegExp]>([
	['a field without letters or digits', { name: 'Ada', '€': 5 }, /"€" has no letters or digits/],
	['a name of 201 characters', { ['x'.repeat(201)]: 5 }, /201 characters/],
])('every input field as a variable: %s: rename it or leave it out', (_, input, message) => {
	const checked = variablesFromInput(input, NONE);
	expect(checked.ok ? '' : checked.error.message).toMatch(message);
	expect(checked.ok ? '' : checked.error.remedy).toMatch(/Rename it.*Fields to Leave Out/);
});
