import type { Problem } from '../../../nodes/OutboundCalls/domain/values/problem';
import {
	promptVariables,
	toSnakeCase,
	variablesFromJson,
} from '../../../nodes/OutboundCalls/domain/promptVariables';
import { saying } from './problems';
import cases from './cases.json';

const luxonLike = (iso: string | null) => ({ toISO: () => iso, c: { year: 2026 } });

const variablesOf = (values: Array<[string, unknown]>): Record<string, string> => {
	const checked = promptVariables(values);
	if (!checked.ok) throw new Error(checked.error.message);
	return checked.value ?? {};
};

const problemOf = (values: Array<[string, unknown]>): Problem => {
	const checked = promptVariables(values);
	if (checked.ok) throw new Error('The variables were accepted');
	return checked.error;
};

const many = (count: number): Array<[string, unknown]> =>
	Array.from({ length: count }, (_, n) => [`key_${n}`, 'x']);

describe('a value reaches the prompt as text', () => {
	it.each<[string, unknown, string]>([
		['text as it is, spaces included', ' Ada ', ' Ada '],
		['empty text', '', ''],
		['text without half a letter', 'Ann \ud83d', 'Ann '],
		['text without control characters', 'A\u0000n\u0007n\tB\nC', 'Ann\tB\nC'],
		['a whole emoji', 'Ann 😀', 'Ann 😀'],
		['a whole number', 42, '42'],
		['a number with decimals', 12.5, '12.5'],
		['null as empty text', null, ''],
		['a date', new Date(Date.UTC(2026, 0, 31, 9, 30)), '2026-01-31T09:30:00.000Z'],
		['a date of {{ $now }}', luxonLike('2026-01-31T09:30:00+01:00'), '2026-01-31T09:30:00+01:00'],
		['500 characters', 'x'.repeat(500), 'x'.repeat(500)],
		['500 emoji, each one character', '😀'.repeat(500), '😀'.repeat(500)],
	])('%s', (_, value, expected) => {
		expect(variablesOf([['name', value]])).toEqual({ name: expected });
	});

	it('the byte order mark that a sheet begins with is no part of a name', () => {
		expect(variablesOf([['\uFEFFname', 'Ada']])).toEqual({ name: 'Ada' });
		expect(problemOf([['\uFEFF', 'Ada']]).message).toBe('a prompt variable has no name');
	});

	it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
		'one may be named %s',
		(name) => {
			const variables = variablesOf([[name, 'value']]);
			expect(Object.entries(variables)).toEqual([[name, 'value']]);
			expect(JSON.parse(JSON.stringify(variables)) as unknown).toEqual(
				JSON.parse(`{"${name}": "value"}`),
			);
			expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
		},
	);
});

describe('a value that the API would reject is found beforehand', () => {
	it.each<[string, Array<[string, unknown]>, RegExp, RegExp]>([
		['an object', [['name', { first: 'Ada' }]], /"name" holds an object/, /Fields to Leave Out/],
		['a function', [['name', () => 1]], /"name"/, /Pick one field/],
		['an object as text', [['note', 'To [object Object]']], /"note".*object/, /one of its/],
		['a sheet error', [['amount', '#DIV/0!']], /"amount".*"#DIV\/0!"/, /formula/],
		['undefined as text', [['name', 'undefined']], /"name".*no value/, /column names/],
		['NaN', [['amount', NaN]], /"amount".*no value/, /column names/],
		['an impossible date', [['day', new Date('x')]], /"day".*no value/, /column names/],
		['501 characters', [['note', 'x'.repeat(501)]], /"note" has 501 characters.*500/, /Shorten/],
		['26 variables', many(26), /26 prompt variables.*25/, /key_25.*Fields to Leave Out/],
		['an empty name', [['', 'x']], /no name/, /placeholder/],
		['the prefix system__', [['system__id', 'x']], /"system__id" starts with/, /Rename it/],
		['the prefix secret__', [['secret__', 'x']], /"secret__" starts with "secret__"/, /Rename it/],
	])('%s', (_, values, message, remedy) => {
		const found = problemOf(values);
		expect(found.message).toMatch(message);
		expect(found.remedy).toMatch(remedy);
	});

	it.each([' secret__x', 'Secret__x', 'ｓecret__x', 'se\u200bcret__x', 'SYSTEM__x'])(
		'%j is reserved',
		(name) => {
			expect(problemOf([[name, 'x']]).message).toMatch(/reserves/);
		},
	);

	it('the prefixes count only where they stand first', () => {
		const named = { my_system__id: 'x', system_id: 'y' };
		expect(variablesOf(Object.entries(named))).toEqual(named);
	});
});

it.each<[string, string]>([
	['name', 'name'],
	['First Name', 'first_name'],
	['first-name', 'first_name'],
	['address1Line', 'address1_line'],
	['Amount (EUR)', 'amount_eur'],
	['__ a __', 'a'],
	['Prénom', 'prenom'],
	['이름', '이름'],
	['이름'.normalize('NFD'), '이름'],
	['system__id', 'system_id'],
	['プラン', 'プラン'],
	['नाम', 'नाम'],
	['Йод', 'йод'],
	['ชื่อ ลูกค้า', 'ชื่อ_ลูกค้า'],
	['Ñandú café', 'nandu_cafe'],
	['???', ''],
])('a column becomes a variable of that name: %s → %s', (column, expected) => {
	expect(toSnakeCase(column)).toBe(expected);
});

describe('variables as JSON', () => {
	it.each<[string, unknown, unknown]>([
		['an object as text', '{"name": "Ada", "n": 1}', Object.entries({ name: 'Ada', n: 1 })],
		['an object from an expression', { name: 'Ada' }, [['name', 'Ada']]],
		['an empty object', '{}', []],
		['empty text', '  ', []],
		['nothing', undefined, []],
	])('%s', (_, json, expected) => {
		expect(variablesFromJson(json)).toEqual({ ok: true, value: expected });
	});

	it.each(cases.variablesJsonUnreadable as Array<[string, unknown, string, string]>)(
		'%s is not an object of names and values',
		(_, json, message, remedy) => {
			expect(variablesFromJson(json)).toEqual({
				ok: false,
				error: saying(new RegExp(message), new RegExp(remedy)),
			});
		},
	);
});
