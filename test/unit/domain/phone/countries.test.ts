import { COUNTRIES, isoOf, regionOf } from '../../../../nodes/OutboundCalls/domain/phone/countries';

describe('the list of countries', () => {
	it('has each country once, by its code and by its name', () => {
		expect(new Set(COUNTRIES.map(({ iso }) => iso)).size).toBe(COUNTRIES.length);
		expect(new Set(COUNTRIES.map(({ name }) => name)).size).toBe(COUNTRIES.length);
		expect(COUNTRIES.length).toBe(245);
	});

	it.each(COUNTRIES.map(({ iso, callingCode: code, name }) => [iso, code, name]))(
		'%s +%s %s is a country with a calling code and a name',
		(iso, code, name) => {
			expect(iso).toMatch(/^[A-Z]{2}$/);
			expect(code).toMatch(/^[1-9]\d{0,2}$/);
			expect(name).toMatch(/^\p{Lu}[^\d\n]*\S$/u);
			const known = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(iso);
			expect(known).toBeDefined();
		},
	);

	it('is in the order of the names, as a person looks for them', () => {
		const names = COUNTRIES.map(({ name }) => name);
		expect(names).toEqual([...names].sort(new Intl.Collator('en').compare));
	});
});

describe('a country as a list or an expression gives it', () => {
	it.each<[string, object | undefined]>([
		['DE', { callingCode: '49', iso: 'DE' }],
		['de', { callingCode: '49', iso: 'DE' }],
		[' De ', { callingCode: '49', iso: 'DE' }],
		['US', { callingCode: '1', iso: 'US' }],
		['49', { callingCode: '49' }],
		['+49', { callingCode: '49' }],
		['0049', { callingCode: '49' }],
		[' 1 ', { callingCode: '1' }],
		['+1', { callingCode: '1' }],
		['001', { callingCode: '1' }],
		['7', { callingCode: '7' }],
		['358', { callingCode: '358' }],
		['', undefined],
		[' ', undefined],
		['0', undefined],
		['+', undefined],
		['00', undefined],
		['++49', undefined],
		['+0049', undefined],
		['049', undefined],
		['+DE', undefined],
		['00DE', undefined],
		['Germany', undefined],
		['DEU', undefined],
		['UK', undefined],
		['XX', undefined],
		['1242', undefined],
		['4900', undefined],
		['999', undefined],
		['1+1', undefined],
		['49x', undefined],
		['4 9', undefined],
		['__proto__', undefined],
		['constructor', undefined],
	])('%j is %j', (text, expected) => {
		expect(regionOf(text)).toEqual(expected);
	});
});

it.each<[string, string | undefined]>([
	['Germany', 'DE'],
	[' germany ', 'DE'],
	['Türkiye', 'TR'],
	['Germny', undefined],
	['DE', undefined],
	['', undefined],
])('the name %j has the code %j', (name, expected) => {
	expect(isoOf(name)).toBe(expected);
});
