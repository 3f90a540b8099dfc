import {
	type ChosenCountries,
	countedCountries,
	COUNTRY_CHOICES,
	fitsNone,
	isChosen,
	notAllowed,
	onlyCountry,
	readCountries,
	withCountriesOfRows,
} from '../../../../nodes/OutboundCalls/domain/phone/callableCountries';
import type { SpecialKind } from '../../../../nodes/OutboundCalls/domain/phone/specialNumbers';
import { saying } from '../problems';

const chosen = (...codes: string[]): ChosenCountries => new Set(codes);

describe('the list of Countries That May Be Called', () => {
	const byCode = new Map(COUNTRY_CHOICES.map((choice) => [choice.iso, choice]));

	it.each([
		['DE', 'Germany (DE)', undefined],
		['GB', 'United Kingdom (GB, UK)', 'Includes Guernsey, Isle of Man and Jersey'],
		['US', 'United States (US, USA)', expect.stringMatching(/^Includes .*Guam.*Puerto Rico/)],
	])('offers %s as %s', (iso, name, description) => {
		expect(byCode.get(iso)).toMatchObject({ iso, name });
		expect(byCode.get(iso)?.description).toEqual(description);
	});

	it('offers no territory that another country includes', () => {
		const included = ['GG', 'JE', 'IM', 'VA', 'AS', 'GU', 'MP', 'PR', 'VI'];
		expect(included.filter((iso) => byCode.has(iso))).toEqual([]);
	});

	it('has names short enough that each chip shows its ×', () => {
		expect(COUNTRY_CHOICES.filter(({ name }) => name.length > 40)).toEqual([]);
		expect(new Set(COUNTRY_CHOICES.map(({ name }) => name)).size).toBe(COUNTRY_CHOICES.length);
	});
});

describe('what the field holds', () => {
	it.each<[string, unknown, ChosenCountries]>([
		['one country', ['DE'], chosen('DE')],
		['a territory that another country includes', ['GG'], chosen('GG')],
		['every country', ['any'], 'any'],
	])('is read: %s', (_, value, expected) => {
		expect(readCountries(value)).toEqual({ ok: true, value: expected });
	});

	it.each<[string, unknown, RegExp]>([
		['nothing chosen', [], /^Choose the countries/],
		['text', 'DE', /^Choose the countries/],
		['an unknown code', ['DE', 'XX'], /"XX"/],
		['what every object has', ['constructor'], /"constructor"/],
		['any country and others', ['any', 'DE'], /Any Country/],
	])('calls nobody: %s', (_, value, message) => {
		expect(readCountries(value)).toEqual({
			ok: false,
			error: saying(message, /Choose .*\.$/, { field: true }),
		});
	});

	it.each<[ChosenCountries, string | undefined, boolean]>([
		[chosen('DE'), 'DE', true],
		[chosen('DE'), 'AT', false],
		[chosen('GB'), 'GG', true],
		[chosen('GG'), 'GB', false],
		[chosen('IT'), 'VA', true],
		[chosen('US'), 'PR', true],
		[chosen('US'), undefined, false],
		['any', 'JM', true],
		['any', undefined, true],
	])('%p allows numbers of %s: %s', (countries, country, allowed) => {
		expect(isChosen(countries, country)).toBe(allowed);
	});

	it.each<[ChosenCountries, string | undefined]>([
		[chosen('DE'), 'DE'],
		[chosen('DE', 'AT'), undefined],
		['any', undefined],
	])('%p: numbers without + are of %s', (countries, expected) => {
		expect(onlyCountry(countries)).toBe(expected);
	});
});

describe('the countries of the rows', () => {
	const times = (country: string | undefined, count: number) =>
		Array.from({ length: count }, () => country);

	it.each<[string, Array<string | undefined>, string]>([
		['the most frequent first', ['JM', ...times('DE', 2)], 'Germany (2) and Jamaica (1)'],
		['territories included', ['PR', 'US', undefined], 'United States (2) and no country (1)'],
	])('are counted, %s', (_, countries, expected) => {
		expect(countedCountries(countries)).toBe(expected);
	});

	it('are not all named where they are many', () => {
		const many = COUNTRY_CHOICES.slice(0, 40).map(({ iso }) => iso);
		expect(countedCountries(many)).toMatch(/ and 28 more$/);
	});

	it('are named to a person who has chosen none', () => {
		const empty = readCountries([]);
		if (empty.ok) throw new Error();
		const named = withCountriesOfRows(empty.error, [...times('DE', 12), ...times('AT', 3)]);
		expect(named.message).toMatch(/^Choose the countries/);
		expect(named.remedy).toBe('Your rows have numbers in Germany (12) and Austria (3).');
		expect(withCountriesOfRows(empty.error, [])).toEqual(empty.error);
	});

	it('are told apart from a chosen country that fits none of them', () => {
		expect(fitsNone('UA', 15)).toMatchObject({
			message: '15 of 15 numbers are not valid in Ukraine',
			remedy: expect.stringMatching(/Countries That May Be Called/),
		});
	});
});

it.each<[string, string | undefined, SpecialKind | undefined, RegExp | undefined]>([
	['of a chosen country is allowed', 'DE', undefined, undefined],
	['of another country is not', 'JM', undefined, /^Country not chosen: Jamaica$/],
	['of no country is not', undefined, undefined, /Any Country/],
	['that is special is not', 'DE', 'premiumRate', /^Special number: premium rate$/],
])('a number %s', (_, country, special, reason) => {
	const rules = { countries: chosen('DE'), special: 'doNotCall' } as const;
	expect(notAllowed({ country, special }, rules)?.reason ?? 'allowed').toMatch(
		reason ?? /^allowed$/,
	);
});
