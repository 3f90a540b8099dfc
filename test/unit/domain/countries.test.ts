import { callingCode, COUNTRIES } from '../../../nodes/OutboundCalls/domain/countries';

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

	it.each([
		['US', '1'],
		['CA', '1'],
		['DE', '49'],
		['GB', '44'],
		['FR', '33'],
		['IT', '39'],
		['VA', '39'],
		['RU', '7'],
		['KZ', '7'],
		['IN', '91'],
		['BR', '55'],
		['CI', '225'],
		['XK', '383'],
	])('%s has the calling code %s', (iso, code) => {
		expect(COUNTRIES.find((country) => country.iso === iso)?.callingCode).toBe(code);
	});
});

describe('a country as a list or an expression gives it', () => {
	it.each<[string, string | undefined]>([
		['DE', '49'],
		['de', '49'],
		[' De ', '49'],
		['US', '1'],
		['49', '49'],
		['+49', '49'],
		['0049', '49'],
		[' 1 ', '1'],
		['+1', '1'],
		['001', '1'],
		['7', '7'],
		['358', '358'],
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
		expect(callingCode(text)).toBe(expected);
	});
});
