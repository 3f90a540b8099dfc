import * as fc from 'fast-check';
import { isE164 } from '../../../nodes/OutboundCalls/domain/limits';
import { agentNumberOf, cleanNumber, needsCountry } from '../../../nodes/OutboundCalls/domain/phone';

const GERMAN = '+491712345678';

describe('a number as people write it becomes the number that is meant', () => {
	it.each<[string, unknown]>([
		['international already', GERMAN],
		['with spaces', '+49 171 2345678'],
		['with spaces around it', '  +491712345678 '],
		['with a line break behind', '+491712345678\r\n'],
		['with a tab', '+49\t1712345678'],
		['with no-break spaces', '+49\u00a0171\u202f2345678'],
		['with thin spaces', '+49\u2009171\u20072345678'],
		['with zero-width characters', '\ufeff+49\u200b171\u200c234\u200d5678\u2060'],
		['with the direction marks that phone books copy along', '\u202a+491712345678\u202c'],
		['with hyphens', '+49-171-2345678'],
		['with non-breaking hyphens', '+49\u2010171\u20112345678'],
		['with figure, en, em and long dashes', '+49\u2012171\u201323\u201445\u2015678'],
		['with minus signs', '+49\u2212171\u22122345678'],
		['with soft hyphens', '+49\u00ad171\u00ad2345678'],
		['with full-width and small hyphens', '+49\uff0d171\ufe632345678'],
		['with dots', '+49.171.2345678'],
		['with middle dots', '+49\u00b7171\u00b72345678'],
		['with slashes', '+49/171/2345678'],
		['with brackets', '(+49) [171] 2345678'],
		['with the trunk zero in brackets', '+49 (0) 171 2345678'],
		['with the trunk zero in brackets, close by', '+49(0)1712345678'],
		['with the trunk zero in brackets between dashes', '+49-(0)-171-2345678'],
		['with the country in brackets, then the trunk zero', '(+49) (0) 171 2345678'],
		['with 00', '0049 171 2345678'],
		['with 00 and the trunk zero in brackets', '0049 (0) 171 2345678'],
		['with tel:', 'tel:+49-171-2345678'],
		['with TEL: and a space', 'TEL: +49 171 2345678'],
		['with the apostrophe that keeps a sheet from calculating', "'+491712345678"],
		['with a space and an apostrophe', " '+49 171 2345678"],
		['with full-width digits and plus', '\uff0b\uff14\uff19\uff11\uff17\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18'],
	])('%s', (_, value) => {
		expect(cleanNumber(value)).toBe(GERMAN);
	});
});

describe('a national number becomes an international one with the calling code of its country', () => {
	it.each<[string, unknown, string]>([
		['49', '0171 2345678', '+491712345678'],
		['49', '171 2345678', '+491712345678'],
		['49', '(0171) 234-5678', '+491712345678'],
		['49', '030/123456', '+4930123456'],
		['49', '030/12/34/56', '+4930123456'],
		['49', '30.12.34.56', '+4930123456'],
		['49', '0171.2345678', '+491712345678'],
		['49', '0171 23456.78', '+491712345678'],
		['49', '1712345678.', '+491712345678'],
		['49', '030 123', '+4930123'],
		['49', '301234', '+49301234'],
		['33', '06.12.34.56.78', '+33612345678'],
		['33', '6.12.34.56.78', '+33612345678'],
		['32', '02/345 67 89', '+3223456789'],
		['44', '20.7946.0018', '+442079460018'],
		['44', '2079.46.0018', '+442079460018'],
		['1', '415-55-50123', '+14155550123'],
		['55', '55-11-9876-5432', '+551198765432'],
		['55', '55-11-9876 5432', '+551198765432'],
		['55', '11-9876-5432', '+551198765432'],
		['1', '(415) 555-0123', '+14155550123'],
		['1', '415.555.0123', '+14155550123'],
		['1', '0415 555 0123', '+14155550123'],
		['1', '1 415 555 0123', '+14155550123'],
		['1', '011 49 171 2345678', '+491712345678'],
		['39', '06 6982 1234', '+390669821234'],
		['39', '347 123 4567', '+393471234567'],
		['7', '8 916 123-45-67', '+79161234567'],
		['7', '916 123-45-67', '+79161234567'],
		['36', '06 30 123 4567', '+36301234567'],
		['36', '30 123 4567', '+36301234567'],
		['370', '8 612 34567', '+37061234567'],
		['370', '0 612 34567', '+37061234567'],
		['375', '8 029 123-45-67', '+375291234567'],
		['375', '29 123-45-67', '+375291234567'],
		['44', '020 7946 0018', '+442079460018'],
		['44', '20 7946 0018', '+442079460018'],
		['33', '06 12 34 56 78', '+33612345678'],
		['33', '6 12 34 56 78', '+33612345678'],
		['225', '07 08 09 10 11', '+2250708091011'],
		['229', '01 97 00 00 00', '+2290197000000'],
		['242', '06 612 3456', '+242066123456'],
	])('+%s: %j', (country, value, expected) => {
		expect(cleanNumber(value, country)).toBe(expected);
	});

	it.each<[string, unknown, string]>([
		['without its plus', '49 171 2345678', '+491712345678'],
		['without its plus, in a number cell', 491712345678, '+491712345678'],
		['without its plus, with the trunk zero in brackets', '49 (0) 171 2345678', '+491712345678'],
		['of another country', '+1 415 555 0123', '+14155550123'],
		['of another country with 00', '001 415 555 0123', '+14155550123'],
	])('an international number %s is not given a second country code', (_, value, expected) => {
		expect(cleanNumber(value, '49')).toBe(expected);
	});

	it.each<[string, unknown, string, string]>([
		['a number cell', 1712345678, '49', '+491712345678'],
		['a big integer', 1712345678n, '49', '+491712345678'],
		['a mobile number that begins like the country code', '391 234 5678', '39', '+393912345678'],
		['a national number of ten digits that begins like the country code', '4917123456', '49', '+494917123456'],
		['a number of eleven digits that ends in zero', '49 171 234560', '49', '+49171234560'],
		['a number without its country code, with the digits inside it', '301 49 12345', '49', '+493014912345'],
		['an area code that begins like the country code', '0491 12345', '49', '+4949112345'],
	])('%s', (_, value, country, expected) => {
		expect(cleanNumber(value, country)).toBe(expected);
	});

	it('an Italian number keeps its zero, in brackets too', () => {
		expect(cleanNumber('+39 (0)6 6982 1234')).toBe('+390669821234');
	});
});

describe('what is no phone number stays none', () => {
	it.each<[string, unknown]>([
		['empty', ''],
		['blank', ' \u00a0\u200b'],
		['null', null],
		['missing', undefined],
		['true', true],
		['a list', ['+491712345678']],
		['an object', { phone: '+491712345678' }],
		['a word', 'Ada'],
		['letters for digits', '0800 FLOWERS'],
		['with an extension', '+49 171 2345678 x12'],
		['with ext.', '+49 171 2345678 ext. 12'],
		['with #', '+49 171 2345678#12'],
		['with a word behind', '+49 171 2345678 (mobile)'],
		['two numbers with a comma', '0171 2345678, 0172 3456789'],
		['two numbers with a slash', '0171 2345678 / 0172 3456789'],
		['two numbers in two lines', '0171 2345678\n0172 3456789'],
		['two international numbers', '+491712345678 +491723456789'],
		['an apostrophe in the middle', "+49171'2345678"],
		['tel: in the middle', '+49 tel:171 2345678'],
		['a word before', 'call +491712345678'],
		['a date', '2026-11-20'],
		['a date with time', '2026-11-20 10.30'],
		['a date with an apostrophe', "'2026-11-20"],
		['a date with the year first and slashes', '2026/1/15'],
		['a date with the year first and dots', '2026.01.15'],
		['a date with dots', '15.01.2024'],
		['a date with dots and zeros in front', '01.02.2024'],
		['a date with dots and spaces', '15. 01. 2024'],
		['a date with dots and a time', '15.01.2024 10.30'],
		['a date with slashes', '10/12/2024'],
		['a date with slashes and a short year', '10/12/24'],
		['a date with one digit each', '1/2/24'],
		['a date with dashes', '15-01-2024'],
		['a date with long dashes', '15\u201301\u20132024'],
		['a date with an invisible character before', '\ufeff15.01.2024'],
		['a date with an apostrophe and dots', " '15.01.2024"],
		['what may be a date', '12-34-5678'],
		['what a sheet makes of a date', 45306],
		['what a sheet makes of a date, as text', '45306'],
		['a national number of five digits', '12 345'],
		['a plus alone', '+'],
		['00 alone', '00'],
		['0 alone', '0'],
		['two pluses', '++491712345678'],
		['a plus at the end', '491712345678+'],
		['digits of another script', '+٤٩١٧١'],
		['a number that a sheet made scientific', '4.91712E+11'],
		['a number too large to be exact', 2 ** 53 + 2],
		['a number so large that it is written with an exponent', 1e22],
		['a number with a fraction', 12.5],
		['a decimal as text', '1712345678.0'],
		['a decimal with two places', '1712345678.00'],
		['a decimal with many zeros', '1712345678.0000'],
		['a decimal with spaces between its thousands', '1 712 345 678.00'],
		['a decimal that is no whole number', '1712345678.5'],
		['a decimal with a plus', '+491712345678.0'],
		['a decimal with an apostrophe', "'1712345678.0"],
		['a decimal with an invisible character before', '\ufeff1712345678.0'],
		['a decimal with a full-width dot', '1712345678\uff0e0'],
		['a negative number', -491712345678],
		['not a number', NaN],
		['infinity', Infinity],
	])('%s', (_, value) => {
		expect(cleanNumber(value, '49')).toBeUndefined();
	});

	it.each<[string, unknown]>([
		['national', '0171 2345678'],
		['without plus', '491712345678'],
		['a number cell', 491712345678],
	])('%s, where no country is known', (_, value) => {
		expect(cleanNumber(value)).toBeUndefined();
	});
});

it.each<[string, unknown]>([
	['7', '8 016 123-45-67'],
	['36', '06 030 123 456'],
	['370', '8 012 34567'],
	['375', '80 029 123-45-6'],
])('+%s: %j has a zero behind what is dialed at home, where no number has one', (country, value) => {
	expect(cleanNumber(value, country)).toBeUndefined();
});

it('an American number has ten digits, and nothing else is one', () => {
	for (const value of ['555-0123', '415 555 01234', '2 415 555 0123', '49 171 2345678']) expect(cleanNumber(value, '1')).toBeUndefined();
});

describe('any cell', () => {
	const countries = fc.constantFrom(undefined, '1', '7', '33', '39', '44', '49', '378', '1242');
	const separator = fc.constantFrom('', ' ', '-', '.', '/', '\u00a0', '\u2013', '\u200b');
	const digits = fc.stringMatching(/^[0-9]{1,15}$/);
	/** Digits with something between them, as in sheets. */
	const written = fc
		.tuple(
			fc.constantFrom('', '+', '00', "'", 'tel:', '(', '0'),
			fc.array(fc.tuple(digits, separator), { minLength: 1, maxLength: 5 }),
			fc.constantFrom('', ')', ' '),
		)
		.map(([before, parts, behind]) => `${before}${parts.flat().join('')}${behind}`);
	const cells = fc.oneof(written, fc.string(), fc.string({ unit: 'binary' }), fc.integer(), fc.double(), fc.bigInt());

	it('comes out in international format, or not at all', () => {
		fc.assert(
			fc.property(cells, countries, (value, country) => {
				const cleaned = cleanNumber(value, country);
				expect(cleaned === undefined || isE164(cleaned)).toBe(true);
			}),
		);
	});

	it('is the same cleaned once or twice', () => {
		fc.assert(
			fc.property(cells, countries, (value, country) => {
				const cleaned = cleanNumber(value, country);
				if (cleaned !== undefined) expect(cleanNumber(cleaned, country)).toBe(cleaned);
			}),
		);
	});

	it('keeps its digits in their order, but for leading zeros, the country code and what is dialed before them', () => {
		const digits = (text: string): string => text.replace(/\D/g, '');
		const significant = (text: string): string => digits(text).replace(/^0+/, '');
		fc.assert(
			fc.property(written, countries, (value, country) => {
				const cleaned = cleanNumber(value, country);
				if (cleaned === undefined) return;
				const national = country !== undefined && cleaned.startsWith(`+${country}`) ? cleaned.slice(1 + country.length) : undefined;
				// Russians dial an 8 before the ten digits of a number, Americans 011 before one abroad.
				if (country === '7' && national?.length === 10 && digits(value) === `8${national}`) return;
				if (country === '1' && digits(value) === `011${digits(cleaned)}`) return;
				expect([significant(cleaned), national && significant(national)]).toContain(significant(value));
			}),
			{
				examples: [
					['89161234567', '7'],
					['80000000000', '7'],
					['0111000000', '1'],
				],
			},
		);
	});
});

describe('the country would help', () => {
	it.each<[unknown, boolean]>([
		['0171 2345678', true],
		[1712345678, true],
		[1712345678n, true],
		['(415) 555-0123', true],
		['415 555 0123', true],
		['491712345678', true],
		['030 123', true],
		['Ada', false],
		['', false],
		[null, false],
		['12 345', false],
		['4.91712E+11', false],
		['1712345678.0', false],
		['15.01.2024', false],
		[45306, false],
		['0171 2345678 x12', false],
		['0171 2345678, 0172 3456789', false],
		[`0171${' '.repeat(100)}2345678`, false],
	])('%p: %p', (value, expected) => {
		expect(needsCountry(value)).toBe(expected);
	});
});

it.each<[string, string, string | undefined]>([
	['100 characters', `0171${' '.repeat(89)}2345678`, '+491712345678'],
	['101 characters', `0171${' '.repeat(90)}2345678`, undefined],
])('a cell of %s is read: only up to 100', (_, value, expected) => {
	expect(cleanNumber(value, '49')).toBe(expected);
});

describe('an agent is cleaned as numbers are, but never given a country', () => {
	it.each<[string, string, string]>([
		['a number', '+15550001000', '+15550001000'],
		['a number without its plus', '15550001000', '15550001000'],
		['spaces, brackets and dashes', '+1 (555) 000-1000', '+15550001000'],
		['spaces, without the plus', '1 555 000 1000', '15550001000'],
		['00', '001 555 000 1000', '+15550001000'],
		['an invisible character', '\u202a+15550001000\u202c', '+15550001000'],
		['a SIP ID', 't-sales', 't-sales'],
		['a SIP ID that holds digits and dashes', 't-1 555-000', 't-1 555-000'],
		['a word', 'Reminder', 'Reminder'],
		['an extension', '+15550001000 x5', '+15550001000 x5'],
		['a date', '15.01.2024', '15.01.2024'],
		['nothing', '', ''],
	])('%s', (_, text, expected) => {
		expect(agentNumberOf(text)).toBe(expected);
	});
});
