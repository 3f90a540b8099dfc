import { notAllowed } from '../../../../nodes/OutboundCalls/domain/phone/callableNumbers';
import {
	type ChosenCountries,
	chooseCountries,
	COUNTRY_CHOICES,
	countedCountries,
	isChosen,
	onlyCountry,
	readCountries,
} from '../../../../nodes/OutboundCalls/domain/phone/chosenCountries';

const chosen = (value: unknown): string[] | string | undefined => {
	const read = readCountries(value);
	if (!read.ok) return undefined;
	return typeof read.value === 'string' ? read.value : [...read.value];
};

describe('the field Countries That May Be Called', () => {
	it.each<[string, unknown, string[] | string]>([
		['a list', ['DE', 'AT'], ['DE', 'AT']],
		['text with commas', 'DE, AT', ['DE', 'AT']],
		['text with semicolons and line breaks', 'DE;AT\nCH', ['DE', 'AT', 'CH']],
		['small letters and blanks', [' de', 'at '], ['DE', 'AT']],
		['one twice', 'DE,DE', ['DE']],
		['one', 'DE', ['DE']],
		['a territory alone', 'GG', ['GG']],
		['every country', ['any'], 'any'],
		['every country, as text', ' Any ', 'any'],
		['nothing chosen', [], 'none'],
		['empty text', '', 'none'],
		['blank text', ' ', 'none'],
	])('reads %s', (_, value, expected) => {
		expect(chosen(value)).toEqual(expected);
	});

	it.each<[string, unknown, string, string]>([
		['nothing', undefined, 'came to nothing', 'Check the field'],
		['null', null, 'came to nothing', 'Check the field'],
		['a number', 49, 'holds "49", which is no list of countries', 'codes with commas'],
		['an object', { country: 'DE' }, 'which is no list of countries', 'codes with commas'],
		['true', true, 'which is no list of countries', 'codes with commas'],
		['a name', 'Germany', 'holds "Germany", which is the code of no country', 'Give its code, DE.'],
		[
			'a code that no country has',
			'DE, XX',
			'holds "XX", which is the code of no country',
			'two-letter codes',
		],
		['a calling code', '+49', 'holds "+49", which is the code of no country', 'two-letter codes'],
		['a list of numbers', [49], 'holds "49", which is the code of no country', 'two-letter codes'],
		['a list of objects', [{ code: 'DE' }], 'which is the code of no country', 'two-letter codes'],
		['a list with null', ['DE', null], 'which is the code of no country', 'two-letter codes'],
		['a list in a list', [['DE']], 'which is the code of no country', 'two-letter codes'],
		['a comma too many', 'DE,,AT', 'holds an empty place', 'comma too many'],
		[
			'every country beside others',
			['any', 'DE'],
			'holds Every Country beside others',
			'one or the other',
		],
		['what every object has', 'constructor', 'which is the code of no country', 'two-letter codes'],
	])('refuses %s, and nobody is called', (_, value, what, remedy) => {
		const read = readCountries(value);
		expect(read).toEqual({
			ok: false,
			error: {
				message: expect.stringContaining(what),
				remedy: expect.stringContaining(remedy),
				field: true,
			},
		});
		expect(read.ok ? '' : read.error.remedy).toMatch(/\.$/);
	});

	it('offers each country once, with its code, and with what is chosen along with it', () => {
		expect(COUNTRY_CHOICES.find(({ iso }) => iso === 'DE')).toEqual({
			iso: 'DE',
			name: 'Germany (DE)',
		});
		expect(COUNTRY_CHOICES.find(({ iso }) => iso === 'GB')?.name).toBe(
			'United Kingdom (GB), with Guernsey, Isle of Man, Jersey',
		);
		expect(COUNTRY_CHOICES.find(({ iso }) => iso === 'US')?.name).toBe(
			'United States (US), with American Samoa, Guam, Northern Mariana Islands, Puerto Rico, U.S. Virgin Islands',
		);
		expect(
			COUNTRY_CHOICES.map(({ iso }) => iso).filter((iso) =>
				['GG', 'JE', 'IM', 'VA', 'AS', 'GU', 'MP', 'PR', 'VI'].includes(iso),
			),
		).toEqual([]);
		expect(COUNTRY_CHOICES.length).toBe(236);
	});

	it.each<[string, string, string | undefined, boolean]>([
		['Germany', 'DE', 'DE', true],
		['Germany', 'DE', 'AT', false],
		['Britain, and with it Guernsey', 'GB', 'GG', true],
		['Guernsey alone', 'GG', 'GB', false],
		['Guernsey alone', 'GG', 'GG', true],
		['Italy, and with it the Vatican', 'IT', 'VA', true],
		['the United States, and with them Puerto Rico', 'US', 'PR', true],
		['the United States without Canada', 'US', 'CA', false],
		['the United States without Jamaica', 'US', 'JM', false],
		['Russia without Kazakhstan', 'RU', 'KZ', false],
		['a country, which has no satellites', 'US', undefined, false],
		['every country', 'any', 'JM', true],
		['every country, and with it satellites', 'any', undefined, true],
		['nothing', '', 'DE', false],
	])('%s: %s allows %s: %s', (_, value, country, allowed) => {
		const read = readCountries(value);
		expect(read.ok && isChosen(read.value, country)).toBe(allowed);
	});

	it.each<[unknown, string | undefined]>([
		['DE', 'DE'],
		['DE,AT', undefined],
		['any', undefined],
		['', undefined],
	])('%j: numbers without + are of %s', (value, expected) => {
		const read = readCountries(value);
		expect(read.ok ? onlyCountry(read.value) : '').toBe(expected);
	});
});

describe('the countries of the rows', () => {
	const times = (country: string | undefined, count: number) =>
		Array.from({ length: count }, () => country);

	it('are named with how many rows each has, the most frequent first', () => {
		expect(countedCountries([...times('JM', 1), ...times('DE', 35), ...times('AT', 4)])).toBe(
			'Germany 35, Austria 4, Jamaica 1',
		);
		expect(
			countedCountries([...times('PR', 1_000), ...times('US', 234), ...times(undefined, 2)]),
		).toBe('United States 1,234, No country 2');
	});

	it('are counted where they are many', () => {
		const many = COUNTRY_CHOICES.slice(0, 40).map(({ iso }) => iso);
		expect(countedCountries(many)).toMatch(
			/^Åland Islands 1, Albania 1, .* and 28 more countries$|^Afghanistan 1, .* and 28 more countries$/,
		);
	});

	it('are what one is asked to choose', () => {
		expect(chooseCountries([...times('DE', 35), 'AT'])).toEqual({
			message: 'No country is chosen in Countries That May Be Called',
			remedy:
				'The rows hold numbers of Germany 35, Austria 1: choose those that you want to call in Countries That May Be Called.',
			field: true,
		});
	});
});

describe('a number that is not allowed', () => {
	const germany: ChosenCountries = new Set(['DE']);
	it.each<[string, Parameters<typeof notAllowed>, string | undefined]>([
		[
			'of a chosen country',
			[{ country: 'DE' }, { countries: germany, special: 'doNotCall' }],
			undefined,
		],
		[
			'of another one',
			[{ country: 'JM' }, { countries: germany, special: 'call' }],
			'Jamaica is not chosen in Countries That May Be Called.',
		],
		[
			'while none is chosen',
			[{ country: 'JM' }, { countries: 'none', special: 'doNotCall' }],
			undefined,
		],
		[
			'of no country',
			[{ special: 'satellite' }, { countries: germany, special: 'call' }],
			'This number is of no country. Only Every Country in Countries That May Be Called allows it.',
		],
		[
			'of no country, with every country',
			[{ special: 'satellite' }, { countries: 'any', special: 'call' }],
			undefined,
		],
		[
			'special',
			[
				{ country: 'DE', special: 'premiumRate' },
				{ countries: germany, special: 'doNotCall' },
			],
			'This is a premium-rate number. Such numbers are called only if the option Special Numbers is set to Call.',
		],
		[
			'special, and asked for',
			[
				{ country: 'DE', special: 'premiumRate' },
				{ countries: germany, special: 'call' },
			],
			undefined,
		],
		[
			'special, while no country is chosen',
			[
				{ country: 'DE', special: 'pager' },
				{ countries: 'none', special: 'doNotCall' },
			],
			'This is a pager. Such numbers are called only if the option Special Numbers is set to Call.',
		],
	])('%s', (_, given, expected) => {
		expect(notAllowed(...given)).toBe(expected);
	});
});
