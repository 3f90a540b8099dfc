import { regionOf } from '../../../../nodes/OutboundCalls/domain/phone/countries';
import {
	cleanOwnNumber,
	readPhoneNumber,
	recognizePhoneNumber,
} from '../../../../nodes/OutboundCalls/domain/phone/phone';

const GERMAN = '+491712345678';

const read = (value: unknown, country = '') => readPhoneNumber(value, regionOf(country));

/** The number that is called, or why none is. */
const called = (value: unknown, country?: string): string => {
	const number = read(value, country);
	return number.ok ? number.value.number : number.error.kind;
};

it.each<[string, string]>([
	['with spaces around it', '  +491712345678 '],
	['with a line break at its end', '+491712345678\r\n'],
	['with the direction marks that phone books copy along', '\u202a+491712345678\u202c'],
	['with other invisible characters', '+49\u034f171\ufe0f234\u3164\u115f5678'],
	['with the trunk zero and the area code in brackets', '+49 (0171) 2345678'],
	['with tel:', 'TEL: +49-171-2345678'],
	['with p:, as lead forms of Meta export it', 'p:+491712345678'],
	['with the apostrophe that keeps a sheet from calculating', " '+49 171 2345678"],
	['with the long mark that Japanese keyboards have for a hyphen', '+49ー171ー2345678'],
	['with full-width digits and plus', '\uff0b\uff14\uff19 \uff11\uff17\uff11 2345678'],
])('a number as people write it becomes the number that is meant: %s', (_, value) => {
	expect(called(value)).toBe(GERMAN);
});

it.each<[string, unknown, string]>([
	['49', '0171 2345678', GERMAN],
	['DE', 1712345678, GERMAN],
	['49', '0171 23456.78', GERMAN],
	['DE', '030 18 681 11104', '+49301868111104'],
	['US', '1-512-555-2671', '+15125552671'],
	['39', '06 6982 1234', '+390669821234'],
	['7', '8 916 123-45-67', '+79161234567'],
	['BR', '015 11 98765 4321', '+5511987654321'],
	['MX', '044 222 123 4567', '+522221234567'],
	['MX', '1 222 123 4567', '+522221234567'],
])(
	'a national number gets the calling code of its country: +%s: %j',
	(country, value, expected) => {
		expect(called(value, country)).toBe(expected);
	},
);

describe('a number written with an international prefix belongs to the country that it names', () => {
	it.each<[string, string, string]>([
		['DE', '001 415 555 0123', '+14155550123'],
		['US', '011 49 171 2345678', GERMAN],
		['AU', '0011 49 171 2345678', GERMAN],
		['', '0011 49 171 2345678', GERMAN],
		['JP', '010 49 171 2345678', GERMAN],
		['HK', '001 49 171 2345678', GERMAN],
		['SG', '0033 6 12 34 56 78', '+33612345678'],
		['RU', '8 10 49 171 2345678', GERMAN],
		['JP', '0066 81 234 5678', '+810066812345678'],
	])('%s: %s', (country, value, expected) => {
		expect(called(value, country)).toBe(expected);
	});

	it.each<[string, string, string]>([
		['DE', '0044 7911 12345', 'notValid'],
		['DE', '001 555 123 4567', 'notValid'],
		['US', '011 415 555 0123', 'notValid'],
		['DE', '0011 415 555 0123', 'notValid'],
		['HK', '001 66 2 234 5678', 'unclear'],
	])('or calls nobody: %s: %s', (country, value, kind) => {
		expect(called(value, country)).toBe(kind);
	});
});

describe('a number without its +', () => {
	it.each<[string, unknown, string]>([
		['of the country itself', 491712345678, GERMAN],
		['with the trunk zero in brackets', '49 (0) 171 2345678', GERMAN],
		['of a country without trunk prefix', '+65 8123 4567'.slice(1), '+6581234567'],
	])('is read: %s', (_, value, expected) => {
		expect(called(value, expected.slice(1, 3))).toBe(expected);
	});

	it.each<[string, unknown, string]>([
		['of the United Kingdom, in Germany', 447911123456, 'DE'],
		['of the United States, or of Mexico with a former prefix', '14155552671', 'MX'],
		['of the United States, or of Luxembourg through a carrier', '1 (562) 987-6543', 'LU'],
		['a former mobile number of Italy, or a fixed line without its zero', 331123456, 'IT'],
		['of Düsseldorf, or of Emden without its zero', '4921112345', 'DE'],
	])('calls nobody where it may be of another country: %s', (_, value, country) => {
		expect(called(value, country)).toBe('lostPlus');
	});

	it.each<[string, unknown]>([
		['SG', '6581 2345'],
		['NO', '47 12 34 56'],
		['IN', '91987 65432'],
		['IT', '331 123 4567'],
	])('is an ordinary number at home: %s %s', (country, value) => {
		const { callingCode } = regionOf(country)!;
		expect(called(value, country)).toBe(`+${callingCode}${String(value).replace(/\D/g, '')}`);
	});

	it.each<[string, unknown, string]>([
		['DE', '49171234560', 'notValid'],
		['DE', '0711 112', 'notValid'],
		['US', '555-0123', 'notValid'],
		['', '0171 2345678', 'noCountry'],
		['', '011 49 171 2345678', 'noCountry'],
		['DE', '12 345', 'noPhoneNumber'],
		['DE', '00', 'noPhoneNumber'],
	])('calls nobody where it is not valid: %s %s', (country, value, kind) => {
		expect(called(value, country)).toBe(kind);
	});

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
	const cells = String.raw`
		Ada ~ 0800 FLOWERS ~ +49 171 2345678 x12 ~ +49 171 2345678#12 ~ +49 171 2345678 (mobile) ~ call +491712345678
		~ 0171 2345678, 0172 3456789 ~ 030 1234/030 1235 ~ 030 1234567/68 ~ 030/1234567/68 ~ 0421/12345/67890
		~ 030 1234567/890 ~ 030 1234567 (12) ~ 0171 2345678 0172 2345678 ~ +491712345678 +491723456789
		~ +49171'2345678 ~ +49 171 2345678² ~ 0171 2345678① ~ 2026-11-20 ~ 2026-11-20 10.30 ~ ٢٠٢٦-١١-٢٠ ~ '2026-11-20
		~ 2026/1/15 ~ 15.01.2024 ~ 10/12/24 ~ 15. 01. 2024 ~ 25-11-26 0930 ~ 25.-26.11.2026 ~ 2026-11 ~ (2026-11-25)
		~ 2025/26 ~ 09.30-17.00 ~ 24 11 2026 ~ 12-34-5678 ~ 030 12345… ~ 2. 0171 2345678 ~ 2) 0171 2345678 ~ +
		~ ++491712345678 ~ 491712345678+ ~ 4.91712E+11 ~ 491710000000 ~ 1712345678.0 ~ 1 712 345 678.00 ~ 45306.4375
		~ 52.520008 ~ +491712345678.0 ~ #N/A`;
	it.each<unknown>([
		...cells.split('~').map((cell) => cell.trim()),
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
	it.each<[string, string, string]>([
		['as it stands, of a range that the plans do not know', '+1 (555) 111-0001', '+15551110001'],
		['without Hungary’s 06', '+3606201234567', '+36201234567'],
		['without Mexico’s former 1', '+5212221234567', '+522221234567'],
		['without Mexico’s former 044', '+520442221234567', '+522221234567'],
		['with Argentina’s 9 instead of 15', '+549111523456789', '+5491123456789'],
		['with the zero of Italy', '+39 (0)6 6982 1234', '+390669821234'],
	])('is sent %s', (_, value, number) => {
		for (const country of ['', 'DE', '1']) expect(called(value, country)).toBe(number);
	});

	it.each<[string, string, string]>([
		['a mobile phone in Argentina, with 9 and without', '+5491123456789', '+541123456789'],
		['a mobile phone in Brazil, with 8 digits and with 9', '+551171234567', '+5511971234567'],
		['a fixed line in Italy, without its zero and with it', '+39212345678', '+390212345678'],
	])('is sent as it stands, and is of one person: %s', (_, one, other) => {
		expect(read(one)).toMatchObject({ ok: true, value: { number: one, person: other } });
		expect(read(other)).toMatchObject({ ok: true, value: { number: other, person: other } });
	});

	it.each<[string, string]>([
		['too short', '+49 12'],
		['too long', '+49 (0) 2100 0000 0000 00'],
		['the country code twice, with 00', '+430043664123456'],
		['a calling code that nobody has', '+999123456789'],
		['00 after the plus', '+00491712345678'],
		['112 after an area code', '+49 711 112'],
	])('that nobody can have calls nobody: %s', (_, value) => {
		expect(called(value)).toBe('notValid');
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

it.each<[string, string]>([
	['15550001000', '15550001000'],
	['1 555 000 1000', '15550001000'],
	['001 555 000 1000', '+15550001000'],
	['+49 (0) 171 2345678', GERMAN],
	['0171 2345678', '01712345678'],
	['\u202a+15550001000\u202c', '+15550001000'],
	['Reminder', 'Reminder'],
	['+15550001000 x5', '+15550001000 x5'],
])(
	'an agent’s or caller’s number is cleaned, but never given a country nor turned down: %s',
	(text, expected) => {
		expect(cleanOwnNumber(text)).toBe(expected);
	},
);
