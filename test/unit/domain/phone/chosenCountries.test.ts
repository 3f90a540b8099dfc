import {
	type ChosenCountries,
	countedCountries,
	COUNTRY_CHOICES,
	isChosen,
	readCountries,
} from '../../../../nodes/OutboundCalls/domain/phone/callableCountries';

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
});
