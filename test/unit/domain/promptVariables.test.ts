import type { Problem } from '../../../nodes/OutboundCalls/domain/problem';
import {
	promptVariables,
	toSnakeCase,
	variablesFromJson,
} from '../../../nodes/OutboundCalls/domain/promptVariables';

const luxonLike = (iso: string | null) => ({ toISO: () => iso, c: { year: 2026 } });

const variablesOf = (values: Array<[string, unknown]>): Record<string, string> => {
	const checked = promptVariables(values);
	if (!checked.ok) throw new Error(checked.error.message);
	return checked.value;
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
		['a whole number', 42, '42'],
		['a number with decimals', 12.5, '12.5'],
		['zero', 0, '0'],
		['a negative number', -1, '-1'],
		['a very large number', 123456789012345680n, '123456789012345680'],
		['true', true, 'true'],
		['false', false, 'false'],
		['null as empty text', null, ''],
		['a missing value as empty text', undefined, ''],
		['a date', new Date(Date.UTC(2026, 0, 31, 9, 30)), '2026-01-31T09:30:00.000Z'],
		[
			'a date of {{ $now }}',
			luxonLike('2026-01-31T09:30:00.000+01:00'),
			'2026-01-31T09:30:00.000+01:00',
		],
		['500 characters', 'x'.repeat(500), 'x'.repeat(500)],
		['500 emoji, each one character', '😀'.repeat(500), '😀'.repeat(500)],
	])('%s', (_, value, expected) => {
		expect(variablesOf([['name', value]])).toEqual({ name: expected });
	});

	it('the byte order mark that a sheet begins with is no part of a name', () => {
		expect(variablesOf([['\uFEFFname', 'Ada']])).toEqual({ name: 'Ada' });
		expect(problemOf([['\uFEFF', 'Ada']]).message).toBe('a prompt variable has no name');
	});

	it('a name given twice holds the later value', () => {
		expect(
			variablesOf([
				['name', 'shared'],
				['name', 'own'],
			]),
		).toEqual({ name: 'own' });
	});

	it('25 variables are accepted, and a name given twice counts once', () => {
		expect(Object.keys(variablesOf([...many(25), ['key_0', 'again']]))).toHaveLength(25);
	});

	it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
		'a variable may be called %s',
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
		['an object', [['name', { first: 'Ada' }]], /"name" holds an object/, /Pick one field/],
		['a list', [['tags', ['a', 'b']]], /"tags" holds a list/, /join a list/],
		['an empty list', [['tags', []]], /"tags" holds a list/, /join a list/],
		['a function', [['name', () => 1]], /"name"/, /./],
		[
			'501 characters',
			[['note', 'x'.repeat(501)]],
			/"note" has 501 characters.*500/,
			/Shorten.*"note"/,
		],
		['501 emoji', [['note', '😀'.repeat(501)]], /"note" has 501 characters/, /Shorten/],
		['26 variables', many(26), /26 prompt variables.*25/, /key_25/],
		['an empty name', [['', 'x']], /no name/, /name of a placeholder/],
		['a blank name', [['  ', 'x']], /no name/, /name of a placeholder/],
		[
			'the prefix system__',
			[['system__id', 'x']],
			/"system__id" starts with "system__"/,
			/Choose a name/,
		],
		[
			'the prefix secret__',
			[['secret__', 'x']],
			/"secret__" starts with "secret__"/,
			/Choose a name/,
		],
	])('%s', (_, values, message, remedy) => {
		const found = problemOf(values);
		expect(found.message).toMatch(message);
		expect(found.remedy).toMatch(remedy);
	});

	it.each<[string, unknown, string]>([
		['a number that is none', NaN, 'number'],
		['an infinite number', Infinity, 'number'],
		['an impossible date', new Date('nonsense'), 'date'],
		['an impossible date of an expression', luxonLike(null), 'date'],
	])('%s is not taken for an object', (_, value, what) => {
		expect(problemOf([['amount', value]])).toEqual({
			message: `the prompt variable "amount" is a ${what} that does not exist`,
			remedy: 'Look at the field that it is calculated from.',
		});
	});

	it('a symbol is no text, and no date either', () => {
		expect(problemOf([['name', Symbol('x')]]).message).toMatch(
			/only text, numbers, booleans and dates/,
		);
	});

	it('the prefixes count only where they stand first', () => {
		expect(
			variablesOf([
				['my_system__id', 'x'],
				['system_id', 'y'],
			]),
		).toEqual({ my_system__id: 'x', system_id: 'y' });
	});
});

describe('a column becomes a variable of that name', () => {
	it.each<[string, string]>([
		['name', 'name'],
		['First Name', 'first_name'],
		['firstName', 'first_name'],
		['first-name', 'first_name'],
		['FIRST NAME', 'first_name'],
		['customerID', 'customer_id'],
		['address1Line', 'address1_line'],
		['Amount (EUR)', 'amount_eur'],
		['  spaced  ', 'spaced'],
		['_private_', 'private'],
		['__ a __', 'a'],
		['a__b', 'a_b'],
		['Prénom', 'prenom'],
		['Änderung', 'anderung'],
		['이름', '이름'],
		['고객 이름', '고객_이름'],
		['이름'.normalize('NFD'), '이름'],
		['system__id', 'system_id'],
		['???', ''],
	])('%s → %s', (column, expected) => {
		expect(toSnakeCase(column)).toBe(expected);
	});
});

describe('variables as JSON', () => {
	it.each<[string, unknown, unknown]>([
		[
			'an object as text',
			'{"name": "Ada", "amount": 12.5}',
			[
				['name', 'Ada'],
				['amount', 12.5],
			],
		],
		['an object from an expression', { name: 'Ada' }, [['name', 'Ada']]],
		['an empty object', '{}', []],
		['empty text', '  ', []],
		['null', null, []],
		['nothing', undefined, []],
		['the text null', 'null', []],
	])('%s', (_, json, expected) => {
		expect(variablesFromJson(json)).toEqual({ ok: true, value: expected });
	});

	it.each<[string, unknown]>([
		['a list', '[1]'],
		['a list from an expression', ['a']],
		['a number', '5'],
		['text that is no JSON', 'name: Ada'],
		['cut JSON', '{"name": '],
		['true', true],
	])('%s is not an object of names and values', (_, json) => {
		const checked = variablesFromJson(json);
		expect(checked).toEqual({
			ok: false,
			error: {
				message: 'the prompt variables are not a JSON object',
				remedy: 'Write them like {"name": "Ada", "amount": "12.50"}.',
			},
		});
	});
});
