import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { COUNTRIES, regionOf } from '../../../../nodes/OutboundCalls/domain/phone/countries';

describe('the list of countries', () => {
	it('has each country of the numbering plans once, with its calling code', () => {
		expect(COUNTRIES.map(({ iso }) => iso).sort()).toEqual([...getCountries()].sort());
		expect(new Set(COUNTRIES.map(({ name }) => name)).size).toBe(COUNTRIES.length);
		const differ = COUNTRIES.filter(
			({ iso, callingCode }) => getCountryCallingCode(iso as 'DE') !== callingCode,
		);
		expect(differ).toEqual([]);
	});

	it('is in the order of the names, as a person looks for them', () => {
		const names = COUNTRIES.map(({ name }) => name);
		expect(names).toEqual([...names].sort(new Intl.Collator('en').compare));
	});
});

it.each<[string, object | undefined]>([
	['DE', { callingCode: '49', iso: 'DE' }],
	[' de ', { callingCode: '49', iso: 'DE' }],
	['Germany', { callingCode: '49', iso: 'DE' }],
	['uk', { callingCode: '44', iso: 'GB' }],
	['USA', { callingCode: '1', iso: 'US' }],
	['49', { callingCode: '49' }],
	['+49', { callingCode: '49' }],
	['0049', { callingCode: '49' }],
	[' 1 ', { callingCode: '1' }],
	...['', ' ', '0', '+', '00', '++49', '049', '+DE', 'Germny', 'DEU', 'XX', '1242', '999']
		.concat('49x', '4 9', '__proto__', 'constructor')
		.map((text): [string, undefined] => [text, undefined]),
])('the country of numbers without +: given as %j is %j', (text, expected) => {
	const { callingCode, iso } = regionOf(text) ?? {};
	expect(callingCode && { callingCode, iso }).toEqual(expected);
});
