import { regionOf } from '../../../../nodes/OutboundCalls/domain/phone/countries';
import {
	cleanOwnNumber,
	readPhoneNumber,
	recognizePhoneNumber,
} from '../../../../nodes/OutboundCalls/domain/phone/phone';
import cases from './cases.json';

const GERMAN = '+491712345678';

const read = (value: unknown, country: unknown = '') =>
	readPhoneNumber(value, regionOf(String(country)));

/** The number that is called, or why none is. */
const called = (value: unknown, country?: unknown): string => {
	const number = read(value, country);
	return number.ok ? number.value.number : number.error.kind;
};

it.each(cases.written)('a number becomes the number that is meant: %s', (_, value) => {
	expect(called(value)).toBe(GERMAN);
});

it.each(cases.national)(
	'a number gets the code of its country: %s: %j',
	(country, value, expected) => {
		expect(called(value, country)).toBe(expected);
	},
);

it.each(cases.international)(
	'a number with an international prefix is of the country that it names, or calls nobody: %s: %s',
	(country, value, expected) => {
		expect(called(value, country)).toBe(expected);
	},
);

describe('a number without its +', () => {
	it.each(cases.withoutPlus)(
		'is read, or calls nobody where it is not valid or may be of another country: %s',
		(_, value, country, expected) => {
			expect(called(value, country)).toBe(expected);
		},
	);

	it.each([
		['0171 2345678', true],
		[491712345678, true],
		['0049 171 2345678', undefined],
		[GERMAN, undefined],
	])('is told apart from a number with it: %s', (value, lacksPlus) => {
		const number = read(value, 'DE');
		expect(number.ok && number.value.lacksPlus).toBe(lacksPlus);
	});
});

describe('a cell that holds no single phone number calls nobody', () => {
	it.each<unknown>([
		...cases.noNumbers.flatMap((line) => line.split(' ~ ')),
		...['', ' \u00a0\u200b', '0171 2345678\n0172 3456789', null, undefined, true, [GERMAN]],
		...[{ phone: GERMAN }, 491713000000, 2 ** 53 + 2, 1e22, 12.5, NaN, Infinity, -9999999908],
	])('%p', (value) => {
		expect(called(value, 'DE')).toBe('noPhoneNumber');
	});

	it('of more than 100 characters', () => {
		expect(called(`0171${' '.repeat(89)}2345678`, 'DE')).toBe(GERMAN);
		expect(called(`0171${' '.repeat(90)}2345678`, 'DE')).toBe('noPhoneNumber');
	});
});

describe('a number with +', () => {
	it.each(cases.withPlus)(
		'is sent as it stands, or calls nobody if nobody can have it, whatever the country: %s',
		(_, value, expected) => {
			for (const country of ['', 'DE', '1']) expect(called(value, country)).toBe(expected);
		},
	);

	it.each<[string, string, string]>([
		['a mobile phone in Argentina, with 9 and without', '+5491123456789', '+541123456789'],
		['a mobile phone in Brazil, with 8 digits and with 9', '+551171234567', '+5511971234567'],
		['a fixed line in Italy, without its zero and with it', '+39212345678', '+390212345678'],
	])('is sent as it stands, and is of one person: %s', (_, one, other) => {
		expect(read(one)).toMatchObject({ ok: true, value: { number: one, person: other } });
		expect(read(other)).toMatchObject({ ok: true, value: { number: other, person: other } });
	});

	it.each<[string, string | undefined]>([
		['+77711234567', 'KZ'],
		['+17871550123', 'PR'],
		['+15551110001', 'US'],
		['+447781123456', 'GG'],
		['+881612345678', undefined],
	])('belongs to a country, also of a range not in the plans: %s to %s', (value, country) => {
		const number = read(value);
		expect(number.ok && number.value.country).toBe(country);
	});
});

it('a person on a list is recognized by a number that is newer than the plans, also with 00', () => {
	const number = recognizePhoneNumber('001 555 111 0001', regionOf('DE'));
	expect(number.ok && number.value.person).toBe('+15551110001');
});

it.each(cases.ownNumbers)(
	'an agent’s or caller’s number is cleaned, but never given a country nor turned down: %s',
	(text, expected) => {
		expect(cleanOwnNumber(text)).toBe(expected);
	},
);
