import { regionOf } from '../../../../nodes/OutboundCalls/domain/phone/countries';
import { numberInKey, setApart } from '../../../../nodes/OutboundCalls/domain/phone/numberInKey';
import {
	cleanOwnNumber,
	readPhoneNumber,
} from '../../../../nodes/OutboundCalls/domain/phone/phone';

const ok = (value: unknown) => ({ ok: true, value });
const fail = (error: unknown) => ({ ok: false, error });

const GERMAN = '+491712345678';

/** Forms of all countries: `numberingPlans.test.ts`. */
const read = (value: unknown, country = '') => readPhoneNumber(value, regionOf(country));
const cleaned = (value: unknown, country?: string): string | undefined => {
	const number = read(value, country);
	return number.ok ? number.value.number : undefined;
};

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
		['with the trunk zero and the area code in brackets', '+49 (0171) 2345678'],
		['with the trunk zero and no brackets', '+49 0171 2345678'],
		['with the trunk zero in brackets, close by', '+49(0)1712345678'],
		['with the trunk zero in brackets between dashes', '+49-(0)-171-2345678'],
		['with the country in brackets, then the trunk zero', '(+49) (0) 171 2345678'],
		['with 00', '0049 171 2345678'],
		['with 00 and the trunk zero in brackets', '0049 (0) 171 2345678'],
		['with tel:', 'tel:+49-171-2345678'],
		['with TEL: and a space', 'TEL: +49 171 2345678'],
		['with the apostrophe that keeps a sheet from calculating', "'+491712345678"],
		['with a space and an apostrophe', " '+49 171 2345678"],
		['with p:, as lead forms of Meta export it', 'p:+491712345678'],
		['with the long mark that Japanese keyboards have for a hyphen', '+49ー171ー2345678'],
		['with Arabic digits', '+٤٩ ١٧١ ٢٣٤٥٦٧٨'],
		['with Persian digits', '+۴۹ ۱۷۱ ۲۳۴۵۶۷۸'],
		[
			'with full-width digits and plus',
			'\uff0b\uff14\uff19\uff11\uff17\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18',
		],
	])('%s', (_, value) => {
		expect(cleaned(value)).toBe(GERMAN);
	});
});

describe('a national number becomes an international one with the calling code of its country', () => {
	it.each<[string, unknown, string]>([
		['49', '0171 2345678', '+491712345678'],
		['49', '171 2345678', '+491712345678'],
		['49', '(0171) 234-5678', '+491712345678'],
		['49', '030/123456', '+4930123456'],
		['49', '030/12/34/56', '+4930123456'],
		['49', '+49 (0) 2461/123', '+492461123'],
		['49', '0049 (0) 33056/12345', '+493305612345'],
		['49', '30.12.34.56', '+4930123456'],
		['49', '0171.2345678', '+491712345678'],
		['49', '0171 23456.78', '+491712345678'],
		['49', '1712345678.', '+491712345678'],
		['49', '030 123', '+4930123'],
		['49', '301234', '+49301234'],
		['49', '0049-30-1234567', '+49301234567'],
		['81', '0466-22-1234', '+81466221234'],
		['81', '０３ー１２３４ー５６７８', '+81312345678'],
		['32', '0475-12-34-56', '+32475123456'],
		['212', '0661-12-34-56', '+212661123456'],
		['98', '۰۹۱۲۳۴۵۶۷۸۹', '+989123456789'],
		['20', '٠١٠٠ ١٢٣ ٤٥٦٧', '+201001234567'],
		['33', '06.12.34.56.78', '+33612345678'],
		['33', '6.12.34.56.78', '+33612345678'],
		['32', '02/345 67 89', '+3223456789'],
		['44', '20.7946.0018', '+442079460018'],
		['44', '2079.46.0018', '+442079460018'],
		['1', '415-55-50123', '+14155550123'],
		['55', '55-11-2345-6789', '+551123456789'],
		['55', '11-2345-6789', '+551123456789'],
		['55', '(55) 99123-4567', '+5555991234567'],
		['1', '(415) 555-0123', '+14155550123'],
		['1', '415.555.0123', '+14155550123'],
		['1', '1 415 555 0123', '+14155550123'],
		['1', '011 49 171 2345678', '+491712345678'],
		['JM', '011 49 171 2345678', '+491712345678'],
		['AU', '0011 49 171 2345678', '+491712345678'],
		['AU', '0011 65 9234 5678', '+6592345678'],
		['NZ', '0011 49 171 2345678', '+491712345678'],
		['SG', '001 415 555 0123', '+14155550123'],
		['HK', '001 49 171 2345678', '+491712345678'],
		['HK', '0065 9234 5678', '+6592345678'],
		['JP', '010 49 171 2345678', '+491712345678'],
		['39', '06 6982 1234', '+390669821234'],
		['39', '347 123 4567', '+393471234567'],
		['7', '8 916 123-45-67', '+79161234567'],
		['7', '916 123-45-67', '+79161234567'],
		['7', '8 800 555-35-35', '+78005553535'],
		['7', '800 555-35-35', '+78005553535'],
		['7', '843 123-45-67', '+78431234567'],
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
		expect(cleaned(value, country)).toBe(expected);
	});

	it.each<[string, unknown, string]>([
		['without its plus', '49 171 2345678', '+491712345678'],
		['without its plus, in a number cell', 491712345678, '+491712345678'],
		['without its plus, with the trunk zero in brackets', '49 (0) 171 2345678', '+491712345678'],
		['of another country', '+1 415 555 0123', '+14155550123'],
		['of another country with 00', '001 415 555 0123', '+14155550123'],
		[
			'whose code ends with the zero that is dialed at home',
			'+38 (067) 123-45-67',
			'+380671234567',
		],
	])('an international number %s is not given a second country code', (_, value, expected) => {
		expect(cleaned(value, '49')).toBe(expected);
	});

	it.each<[string, unknown, string, string]>([
		['a number cell', 1712345678, '49', '+491712345678'],
		['a big integer', 1712345678n, '49', '+491712345678'],
		['a mobile number that begins like the country code', '391 234 5678', '39', '+393912345678'],
		[
			'a national number of ten digits that begins like the country code',
			'4917123456',
			'49',
			'+494917123456',
		],
		[
			'a number without its country code, with the digits inside it',
			'301 49 12345',
			'49',
			'+493014912345',
		],
		['an area code that begins like the country code', '0491 12345', '49', '+4949112345'],
	])('%s', (_, value, country, expected) => {
		expect(cleaned(value, country)).toBe(expected);
	});

	it('an Italian number keeps its zero, in brackets too', () => {
		expect(cleaned('+39 (0)6 6982 1234')).toBe('+390669821234');
	});
});

describe('what is no phone number stays none', () => {
	it.each<[string, unknown, string?]>([
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
		['two numbers with a slash, close by', '030 1234/030 1235'],
		['two numbers of which the second is written by its end', '030 1234567/68'],
		[
			'two numbers of which the second is written by its end, with a slash behind the area code',
			'030/1234567/68',
		],
		['two numbers of one area code', '0421/12345/67890'],
		['a number and its extension of three digits', '030 1234567/890'],
		['with an extension in brackets', '030 1234567 (12)'],
		['with a raised digit, as of a footnote', '+49 171 2345678\u00b2'],
		['with a digit in a circle', '0171 2345678\u2460'],
		['two international numbers', '+491712345678 +491723456789'],
		['an apostrophe in the middle', "+49171'2345678"],
		['tel: in the middle', '+49 tel:171 2345678'],
		['a word before', 'call +491712345678'],
		['a date', '2026-11-20'],
		['a date with time', '2026-11-20 10.30'],
		['a date that stands for none', '9999-12-31'],
		['a date of another calendar, with a time', '1448-06-12 10.30'],
		['a date in Arabic digits', '٢٠٢٦-١١-٢٠'],
		['a number that was cut off', '030 12345…'],
		['a number of which the middle is hidden', '+49 30 12...345'],
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
		['a date with middle dots', '25·11·2026'],
		['a date and an hour without a colon', '25-11-26 0930'],
		['days of a month', '25.-26.11.2026'],
		['a month', '2026-11'],
		['a date with a dot behind its year', '25.11.2026.'],
		['a date in brackets', '(2026-11-25)'],
		['two years', '2025/2026'],
		['two years with a dash', '2025-2026'],
		['two years, the second one short', '2025/26'],
		['a date and an hour with a dot', '25.11.26 9.30'],
		['a month with its year last', '11/2026'],
		['hours', '09.30-17.00'],
		['a date with long dashes', '15\u201301\u20132024'],
		['a date with an invisible character before', '\ufeff15.01.2024'],
		['a date with an apostrophe and dots', " '15.01.2024"],
		['a date with spaces', '24 11 2026'],
		['a date with spaces and the year first', '2026 11 24'],
		['what may be a date', '12-34-5678'],
		['what a sheet makes of a date', 45306, 'tooFewDigits'],
		['what a sheet makes of a date, as text', '45306', 'tooFewDigits'],
		['a national number of five digits', '12 345', 'tooFewDigits'],
		['a plus alone', '+'],
		['00 alone', '00', 'tooFewDigits'],
		['0 alone', '0', 'tooFewDigits'],
		['two pluses', '++491712345678'],
		['a plus at the end', '491712345678+'],
		['a number that a sheet made scientific', '4.91712E+11'],
		['a number that a sheet made scientific and read again', 491713000000],
		['such a number as text', '491713000000'],
		['such a number with five digits left', 491710000000],
		['its place in a list before it', '2. 0171 2345678'],
		['its place in a list before it, with a bracket', '2) 0171 2345678'],
		['a number too large to be exact', 2 ** 53 + 2],
		['a number so large that it is written with an exponent', 1e22],
		['a number with a fraction', 12.5],
		['a decimal as text', '1712345678.0'],
		['a decimal with two places', '1712345678.00'],
		['a decimal with many zeros', '1712345678.0000'],
		['a decimal with spaces between its thousands', '1 712 345 678.00'],
		['a decimal that is no whole number', '1712345678.5'],
		['a date with a time, as a sheet stores it', '45306.4375'],
		['a degree of latitude', '52.520008'],
		['a degree of longitude', '151.209296'],
		['a decimal with a plus', '+491712345678.0'],
		['a decimal with an apostrophe', "'1712345678.0"],
		['a decimal with an invisible character before', '\ufeff1712345678.0'],
		['a decimal with a full-width dot', '1712345678\uff0e0'],
		['a negative number', -491712345678],
		['not a number', NaN],
		['infinity', Infinity],
	])('%s', (_, value, kind = 'noPhoneNumber') => {
		expect(read(value, '49')).toEqual({ ok: false, error: { kind } });
	});
});

it('an American number has ten digits, and nothing else is one', () => {
	for (const value of [
		'555-0123',
		'415 555 01234',
		'2 415 555 0123',
		'0415 555 0123',
		'49 171 2345678',
	]) {
		expect([value, read(value, '1')]).toEqual([
			value,
			{ ok: false, error: { kind: 'notValid', callingCode: '1' } },
		]);
	}
});

it.each([
	['089 23110', 'DE', '+498923110'],
	['01 234112', 'AT', '+431234112'],
	['030 12112', 'DE', '+493012112'],
	['0711 9110', 'DE', '+497119110'],
	['0203 4112', 'DE', '+492034112'],
	['0512 9144', 'AT', '+435129144'],
	['031-1199-1120', 'KR', '+823111991120'],
])(
	'a subscriber’s number that ends as an emergency number does is called: %s',
	(value, country, number) => {
		expect(cleaned(value, country)).toBe(number);
	},
);

describe('a number that no country gives to anybody is none', () => {
	it.each<[string, unknown, string, string | undefined]>([
		['+ and too few digits', '+49 12', '', '49'],
		[
			'+ and too many digits for E.164, which Germany’s plan allows',
			'+49 (0) 2100 0000 0000 00',
			'',
			'49',
		],
		['America’s area code 555', '+1 (555) 010-1001', '', '1'],
		['a zero too many behind what is dialed at home', '06 030 123 456', 'HU', '36'],
		['a mobile number with a digit too few', '+49 171 234567', '', '49'],
		['00 and too few digits', '0049 12', 'DE', '49'],
		['a calling code that nobody has', '+999 123 4567', '', undefined],
		['a calling code that begins with zero', '+0 171 2345678', 'DE', undefined],
		['an American number that lost its +, in a German sheet', '14155550123', 'DE', '49'],
		[
			'a German number that lost its + and a digit is not taken for one of Leer',
			'49171234560',
			'DE',
			'49',
		],
		[
			'a digit before a mobile number is not taken for the area code of Essen',
			'2 0171 2345678',
			'DE',
			'49',
		],
		['112 behind an area code', '0711 112', 'DE', '49'],
		['144 behind an area code of Austria', '0512 144', 'AT', '43'],
		['112 behind Vienna’s area code', '+43 1 112', '', '43'],
		['133 behind Vienna’s area code', '+43 (0) 1 133', '', '43'],
		['a short number behind Vienna’s area code', '+43 1 118', '', '43'],
		['two numbers in a cell, the second without its area code', '089 55512 55513', 'DE', '49'],
		['two numbers in a cell with a dash between', '089 55512-55513', 'DE', '49'],
		[
			'a zero that nobody dials there, which may be that of another country',
			'030 1234567',
			'CZ',
			'420',
		],
		['133 behind a longer one', '+43 6223 133', '', '43'],
		['110 behind a short area code', '089 110', 'DE', '49'],
		['110 behind an area code of four digits', '02041 110', 'DE', '49'],
		['112 behind a long area code', '033056 112', 'DE', '49'],
		[
			'the country code twice, which is not taken for a number of Leer',
			'+49 49 171 2345678',
			'',
			'49',
		],
		[
			'a number of Norway as it is dialed in Australia, with a digit that is not right',
			'0011 47 8 234 5678',
			'',
			'47',
		],
		[
			'Russia’s 8 with a + is not taken for the country code of Vietnam',
			'+8 (495) 123-45-67',
			'',
			undefined,
		],
		[
			'a Russian number with a digit too few, whose 8 is not taken for the begin of an area code',
			'8 (343) 123-45-6',
			'RU',
			undefined,
		],
		['Russia’s 8 with a + and blanks', '+8 495 123 45 67', '', undefined],
	])('%s', (_, value, country, callingCode) => {
		expect(read(value, country)).toEqual({ ok: false, error: { kind: 'notValid', callingCode } });
	});
});

it.each<[string, string, string, string]>([
	['Russia’s 8, though Vietnam has +84', '84951234567', 'RU', '+74951234567'],
	['a carrier of Brazil behind the 0', '015 11 98765 4321', 'BR', '+5511987654321'],
	['a mobile number of Germany without its 0', '15125552671', 'DE', '+4915125552671'],
	['an American number with its 1', '1-512-555-2671', 'US', '+15125552671'],
	['a blank before a number of home', ' 4155552671', 'US', '+14155552671'],
	['a blank before a number as people write it', ' 604-641-2844', 'US', '+16046412844'],
	['a blank that may have been a +', ' 491712345678', 'DE', '+491712345678'],
	[
		'a number of Mexico with its 1, which is none of America',
		'1 222 123 4567',
		'MX',
		'+522221234567',
	],
	[
		'Chile’s 09, which was dialed before mobile numbers until 2016',
		'09 8765 4321',
		'CL',
		'+56987654321',
	],
	['Chile’s 09 behind its country code', '+56 09 8765 4321', '', '+56987654321'],
])('what is dialed at home is taken away: %s', (_, value, country, number) => {
	expect(cleaned(value, country)).toBe(number);
});

it.each<[string, string, string, readonly string[]]>([
	['a German number without its + or its 0', '4921112345', 'DE', ['+494921112345', '+4921112345']],
	[
		'an Italian number with a zero that may belong to it',
		'+39 (0)312 345 6789',
		'',
		['+3903123456789', '+393123456789'],
	],
	[
		'a number as it is dialed in Australia, or one of America',
		'0011 65 9234 5678',
		'',
		['+6592345678', '+16592345678'],
	],
	[
		'a number as it is dialed in Australia, in a sheet of New Zealand',
		'0011 65 9234 5678',
		'NZ',
		['+6592345678', '+16592345678'],
	],
	[
		'an American number that lost its +, or one of Mexico with a 1 that is dialed no more',
		'14155552671',
		'MX',
		['+14155552671', '+524155552671'],
	],
	[
		'an American number, or one of Luxembourg through another carrier',
		'1 (562) 987-6543',
		'LU',
		['+15629876543', '+352876543'],
	],
	[
		'an American number with its 1, or a German mobile number without its 0',
		'1-512-555-2671',
		'DE',
		['+15125552671', '+4915125552671'],
	],
	[
		'a + that a web address made a blank of, or a number of America',
		' 6598765432',
		'US',
		['+6598765432', '+16598765432'],
	],
	[
		'a + that a web address made a blank of, in groups',
		' 65 9876 5432',
		'US',
		['+6598765432', '+16598765432'],
	],
	[
		'a + that a web address made a blank of, with dashes',
		' 65-9876-5432',
		'US',
		['+6598765432', '+16598765432'],
	],
	[
		'a + that a web address made a blank of, or a number of Germany',
		' 4521112345',
		'DE',
		['+4521112345', '+494521112345'],
	],
	[
		'a toll-free number of Japan, or one of Thailand',
		'0066 81 234 5678',
		'JP',
		['+810066812345678', '+66812345678'],
	],
	[
		'a number as it is dialed in Hong Kong, or one of America',
		'001 66 2 234 5678',
		'HK',
		['+6622345678', '+16622345678'],
	],
])('what may be two numbers is neither: %s', (_, value, country, numbers) => {
	expect(cleaned(numbers[0])).toBe(numbers[0]);
	const found = read(value, country);
	expect(found).toEqual({ ok: false, error: { kind: 'ambiguous', numbers: expect.any(Array) } });
	expect(
		found.ok || found.error.kind !== 'ambiguous' ? [] : [...found.error.numbers].sort(),
	).toEqual([...numbers].sort());
});

it.each<[string, string, string]>([
	['of a federal office', '030 18 681 11104', '+49301868111104'],
	['of a federal office in Bonn', '0228 99 681-12345', '+492289968112345'],
	['with an extension behind a dash', '030 1234567-890', '+49301234567890'],
	['of a police office', '(030) 4664-904090', '+49304664904090'],
	['with an extension behind a long dash', '030 1234567 – 890', '+49301234567890'],
	['with + and its country code', '+49 89 5551255513', '+49895551255513'],
	['of eleven digits', '030 186811111', '+4930186811111'],
])('a long number of Germany is called: %s', (_, value, number) => {
	expect(cleaned(value, 'DE')).toBe(number);
});

it('a number of Austria may be as long as its extension: it is called', () => {
	expect(cleaned('01 71100 862516', 'AT')).toBe('+43171100862516');
});

describe('a number in E.164', () => {
	it.each<[string, string, string]>([
		['valid', GERMAN, GERMAN],
		['of a range that the plans do not know', '+15551110001', '+15551110001'],
		['of an American exchange that the plans do not know', '+14161550123', '+14161550123'],
	])('is sent as it stands: %s', (_, value, number) => {
		for (const country of ['', 'DE', '1'])
			expect(read(value, country)).toEqual(ok(expect.objectContaining({ number, person: number })));
	});

	it.each<[string, string, string]>([
		['Britain’s trunk zero', '+4407911123456', '+447911123456'],
		['Germany’s trunk zero', '+4901712345678', GERMAN],
		['Hungary’s 06', '+3606201234567', '+36201234567'],
		['Russia’s 8', '+789161234567', '+79161234567'],
		['Kazakhstan’s 8', '+787711234567', '+77711234567'],
		['Lithuania’s 8', '+370861234567', '+37061234567'],
		['Lithuania’s 0', '+370061234567', '+37061234567'],
		['America’s 1', '+114155550123', '+14155550123'],
		['Brazil’s zero', '+55011961234567', '+5511961234567'],
		['Mexico’s 1 of mobile numbers', '+5212221234567', '+522221234567'],
		['Mexico’s 044', '+520442221234567', '+522221234567'],
	])('loses what is dialed only inside its country: %s', (_, value, number) => {
		const found = read(value);
		expect(found).toEqual(ok(expect.objectContaining({ number, person: number, isValid: true })));
	});

	it.each<[string, string, string]>([
		['9', '+5491123456789', '+5491123456789'],
		['15', '+54111523456789', '+5491123456789'],
		['9 and 15', '+549111523456789', '+5491123456789'],
		['neither, and may be one of a fixed line', '+541123456789', '+541123456789'],
	])(
		'of a mobile phone in Argentina is of one person, and sent as it is dialed from abroad: with %s',
		(_, value, number) => {
			expect(read(value)).toEqual(
				ok(expect.objectContaining({ number, person: '+541123456789', isValid: true })),
			);
		},
	);

	it.each<[string, string, string]>([
		['in Mayotte and through France', '+33269611234', '+262269611234'],
		['in Martinique and through France', '+33596601234', '+596596601234'],
		['in Guadeloupe and through France', '+33690123456', '+590690123456'],
		['of the internet in Guadeloupe, and through France', '+33976011234', '+590976011234'],
		['of the internet in French Guiana, and through France', '+33947612345', '+594947612345'],
		['of the internet in Martinique, and through France', '+33976612345', '+596976612345'],
		['of the internet in Réunion, and through France', '+33976212345', '+262976212345'],
		['mobile in Mayotte, and through France', '+33709351234', '+262709351234'],
		['mobile in Saint Pierre, and through France', '+33708401234', '+508708401234'],
		['new in Guadeloupe, and through France', '+33598712345', '+590598712345'],
		['in French Guiana and through France', '+33694123456', '+594694123456'],
		['in Réunion and through France', '+33692123456', '+262692123456'],
		['in Saint Pierre and through France', '+33508411234', '+508411234'],
		['in Kosovo and, until 2018, through Monaco', '+37744123456', '+38344123456'],
		['in Kosovo and, until 2018, through Slovenia', '+38649123456', '+38349123456'],
		['in Kosovo and, until 2018, through Serbia', '+38138234567', '+38338234567'],
		['in Gabon before and after 2019, of a mobile phone', '+24106746701', '+24166746701'],
		['in Gabon before 2019, without its zero', '+2417123456', '+24177123456'],
		['in Gabon before and after 2019, of a fixed line', '+24101441234', '+24111441234'],
		['in Gambia before and after 2026, of a mobile phone', '+220877123456', '+2207123456'],
		['in Gambia before and after 2026, of a fixed line', '+220444212345', '+2204212345'],
		['in San Marino and through Italy', '+3780549991234', '+390549991234'],
		['in Palestine and through Israel', '+972599123456', '+970599123456'],
		['in Palestine and through Israel, of a fixed line', '+97222345678', '+97022345678'],
		['in Northern Ireland and through the Republic', '+3534890123456', '+442890123456'],
		['in Brazil with eight digits and with nine', '+551171234567', '+5511971234567'],
		['in Colombia before and after 2021', '+5712345678', '+576012345678'],
		['in Italy with its zero and without it', '+39212345678', '+390212345678'],
		['in Naples with its zero and without it', '+39811234567', '+390811234567'],
	])('is sent as it stands, and is of one person: a line %s', (_, one, other) => {
		expect(read(one)).toEqual(ok(expect.objectContaining({ number: one, person: other })));
		expect(read(other)).toEqual(ok(expect.objectContaining({ number: other, person: other })));
	});

	it.each([
		'+972541234567',
		'+97231234567',
		'+39800123456',
		'+393471234567',
		'+39199123456',
		'+353851234567',
		'+37866661212',
	])('%s is of no other person', (number) => {
		expect(read(number)).toEqual(ok(expect.objectContaining({ number, person: number })));
	});

	it.each<[string, string, string]>([
		['Italy’s zero', '+390669821234', '+390669821234'],
		['the zero of the Ivory Coast', '+2250708091011', '+2250708091011'],
		['Congo’s zero', '+242061234567', '+242061234567'],
		['Russia’s 8 of 800', '+78005553535', '+78005553535'],
		['a fixed line of Buenos Aires', '+541123456789', '+541123456789'],
	])('keeps what is part of it: %s', (_, value, number) => {
		expect(cleaned(value)).toBe(number);
	});

	it.each<[string, string, string]>([
		['a trunk zero before a range that the plans do not know', '+4909990123456', '+499990123456'],
		[
			'a trunk zero before a premium-rate number that the plans do not know',
			'+4909002345678',
			'+499002345678',
		],
		['a mobile number of Brazil from before its ninth digit', '+553181234567', '+5531981234567'],
	])('is sent as it stands, and is known by its one spelling: %s', (_, value, person) => {
		expect(read(value)).toEqual(
			ok(expect.objectContaining({ number: value, person, isValid: false })),
		);
		expect(read(person)).toEqual(ok(expect.objectContaining({ person })));
	});

	it.each<[string, string, string]>([
		['police', '+49110', 'tooShort'],
		['911, which is India’s code and a 1', '+911', 'tooShort'],
		['112, which is America’s code and 12', '+112', 'tooShort'],
		['five digits', '+12345', 'tooShort'],
		['a service of six digits', '+49116117', 'tooShort'],
		['a number with a digit too many', '+141555501234', 'tooLong'],
		['80 digits', `+49${'1'.repeat(78)}`, 'tooLong'],
		['more than 15 digits, which Germany’s plan allows', '+4921000000000000', 'tooLong'],
		['a length between two that exist', '+4490912345', 'wrongLength'],
		['an area code that serves emergencies', '+19115550123', 'notANumber'],
		['112 behind the area code of Stuttgart', '+49711112', 'tooShort'],
		['110 behind the area code of Bottrop', '+492041110', 'notANumber'],
		['110 behind the area code of Bottrop and a trunk zero', '+4902041110', 'notANumber'],
		['Germany’s code twice', '+49491712345678', 'notANumber'],
		['Germany’s code twice, with a trunk zero between', '+490491712345678', 'notANumber'],
		['Germany’s code twice, with a trunk zero behind', '+494901712345678', 'notANumber'],
		['Austria’s code twice, with 00', '+430043664123456', 'notANumber'],
		['India’s code twice', '+91919876543210', 'notANumber'],
		['a calling code that nobody has', '+999123456789', 'noCallingCode'],
		['a zero in front', '+01712345678', 'noCallingCode'],
		['00 behind the plus', '+00491712345678', 'noCallingCode'],
	])('that nobody can have is none: %s', (_, value, impossible) => {
		expect(read(value)).toEqual(fail(expect.objectContaining({ kind: 'impossible', impossible })));
	});
});

describe('the country of a number', () => {
	it.each<[string, string, string | undefined]>([
		['Germany', GERMAN, 'DE'],
		['Russia', '+79161234567', 'RU'],
		['Kazakhstan', '+77711234567', 'KZ'],
		['the United States', '+14155550123', 'US'],
		['Canada', '+14165550123', 'CA'],
		['Jamaica', '+18765550123', 'JM'],
		['an exchange of Canada that the plans do not know', '+14161550123', 'CA'],
		['an exchange of Puerto Rico that the plans do not know', '+17871550123', 'PR'],
		['an area code that nobody has', '+15551110001', 'US'],
		['America’s toll-free numbers', '+18005550123', 'US'],
		['Guernsey', '+447781123456', 'GG'],
		['Britain', '+447911234567', 'GB'],
		['the Vatican', '+390669812345', 'VA'],
		['Italy', '+390669712345', 'IT'],
		['a satellite phone', '+881612345678', undefined],
		['toll-free of no country', '+80012345678', undefined],
	])('%s', (_, value, country) => {
		expect(read(value)).toEqual(ok(expect.objectContaining({ country })));
	});
});

it('a number without + is told apart from one with it', () => {
	const lacksPlus = (value: unknown) => {
		const number = read(value, 'DE');
		return number.ok && number.value.lacksPlus === true;
	};
	expect(
		['0171 2345678', 1712345678, '491712345678', '+49 171 2345678', '0049 171 2345678', GERMAN].map(
			lacksPlus,
		),
	).toEqual([...[true, true, true], ...[false, false, false]]);
});

describe('a key holds the row’s number in one spelling', () => {
	const keyOf = (key: string, value: unknown = GERMAN) => {
		const number = read(value, 'DE');
		return number.ok ? numberInKey(key, number.value) : undefined;
	};

	it.each<[string, string, string]>([
		['as it is', 'spring-+491712345678', 'spring-+491712345678'],
		['without its +', 'spring-491712345678', 'spring-+491712345678'],
		['as it is dialed at home', 'spring-01712345678', 'spring-+491712345678'],
		['with blanks', 'spring 0171 234 56 78', 'spring +491712345678'],
		['with brackets', '+49 (0) 171/2345678 spring', '+491712345678 spring'],
		['with 00', '0049 171 2345678', '+491712345678'],
		['with a trunk zero', '+4901712345678', '+491712345678'],
		['twice', '01712345678/+491712345678', '+491712345678/+491712345678'],
		['with a year before it', '2026-0171 2345678', '2026-+491712345678'],
		['with a year behind it', '0171 2345678-2026', '+491712345678-2026'],
	])('%s', (_, key, expected) => {
		expect(keyOf(key)).toBe(expected);
		expect(keyOf(expected)).toBe(expected);
	});

	it('one of many signs is set apart in a moment', () => {
		expect(setApart(`${'-'.repeat(500_000)}x${'-'.repeat(500_000)}${GERMAN}`, GERMAN)).toBe(
			`${'-'.repeat(500_000)}x${GERMAN}`,
		);
	});

	it.each([
		'spring',
		'',
		'customer 2345678',
		'x1712345678901712345678',
		'01712345679',
		'017123456789',
		'+431712345678',
	])('%j is another one', (key) => {
		expect(keyOf(key)).toBe(key);
	});
});

describe('without a country', () => {
	it.each<[unknown, string]>([
		['0171 2345678', 'noCountry'],
		[1712345678, 'noCountry'],
		[1712345678n, 'noCountry'],
		['(415) 555-0123', 'noCountry'],
		['491712345678', 'noCountry'],
		['011 49 171 2345678', 'noCountry'],
		['030 123', 'noCountry'],
		['Ada', 'noPhoneNumber'],
		['', 'noPhoneNumber'],
		[null, 'noPhoneNumber'],
		['12 345', 'tooFewDigits'],
		['4.91712E+11', 'noPhoneNumber'],
		['1712345678.0', 'noPhoneNumber'],
		['15.01.2024', 'noPhoneNumber'],
		[45306, 'tooFewDigits'],
		['0171 2345678 x12', 'noPhoneNumber'],
		['0171 2345678, 0172 2345678', 'noPhoneNumber'],
		['0171 2345678 0172 2345678', 'noPhoneNumber'],
		[`0171${' '.repeat(100)}2345678`, 'noPhoneNumber'],
	])('%p: %s', (value, kind) => {
		expect(read(value)).toEqual({ ok: false, error: { kind } });
	});
});

it.each<[string, string, string | undefined]>([
	['100 characters', `0171${' '.repeat(89)}2345678`, '+491712345678'],
	['101 characters', `0171${' '.repeat(90)}2345678`, undefined],
])('a cell of %s is read: only up to 100', (_, value, expected) => {
	expect(cleaned(value, '49')).toBe(expected);
});

describe('an agent or a caller is cleaned as numbers are, but never given a country, and never turned down for its plan', () => {
	it.each<[string, string, string]>([
		['a number', '+15550001000', '+15550001000'],
		['a number without its plus', '15550001000', '15550001000'],
		['spaces, brackets and dashes', '+1 (555) 000-1000', '+15550001000'],
		['spaces, without the plus', '1 555 000 1000', '15550001000'],
		['00', '001 555 000 1000', '+15550001000'],
		['the trunk zero in brackets', '+49 (0) 171 2345678', GERMAN],
		['a national number', '0171 2345678', '01712345678'],
		['an invisible character', '\u202a+15550001000\u202c', '+15550001000'],
		['a SIP ID', 't-sales', 't-sales'],
		['a SIP ID that holds digits and dashes', 't-1 555-000', 't-1 555-000'],
		['a word', 'Reminder', 'Reminder'],
		['an extension', '+15550001000 x5', '+15550001000 x5'],
		['a date', '15.01.2024', '15.01.2024'],
		['nothing', '', ''],
	])('%s', (_, text, expected) => {
		expect(cleanOwnNumber(text)).toBe(expected);
	});
});
