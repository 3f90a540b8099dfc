import EXAMPLES from 'libphonenumber-js/examples.mobile.json';
import { getExampleNumber } from 'libphonenumber-js/max';
import { notAllowed } from '../../../../nodes/OutboundCalls/domain/phone/callableCountries';
import { COUNTRIES, regionOf } from '../../../../nodes/OutboundCalls/domain/phone/countries';
import { readPhoneNumber } from '../../../../nodes/OutboundCalls/domain/phone/phone';
import { NEVER, SPECIAL, SPECIAL_BEHIND_ZERO, WRITTEN_FORMS } from './numbers';

const exampleOf = (iso: string) => getExampleNumber(iso as 'DE', EXAMPLES)!;

const called = (value: unknown, iso = ''): string => {
	const read = readPhoneNumber(value, regionOf(iso));
	return read.ok ? read.value.number : read.error.kind;
};

const forms = Object.entries(WRITTEN_FORMS).flatMap(([iso, written]) =>
	written.map((form) => [iso, form] as const),
);

it('mobile numbers as people write them are the number that is meant: in their own country, and in any other where they have + or 00', () => {
	expect(forms.length).toBeGreaterThan(100);
	const misread = forms.flatMap(([iso, form]) => {
		const { number } = exampleOf(iso);
		const isInternational = /^(\+|00|tel:\+)/.test(form);
		const countries = isInternational ? ['', iso, 'DE', 'US', 'IT', 'RU', 'IN', 'KE'] : [iso];
		return [
			...countries.filter((country) => called(form, country) !== number),
			...(isInternational || called(form) === 'noCountry' ? [] : ['no country']),
		].map((country) => [country, form]);
	});
	expect(misread).toEqual([]);
});

describe('the mobile numbers of all countries', () => {
	const examples = COUNTRIES.map(({ iso }) => ({ iso, number: exampleOf(iso).number }));

	it('are read with 00, and without +, or not at all', () => {
		expect(examples.filter(({ number }) => called(`00${number.slice(1)}`) !== number)).toEqual([]);
		const misread = examples.filter(
			({ iso, number }) =>
				// Korea's example ends in seven zeros, as what a sheet has rounded does.
				![number, 'lostPlus', 'noPhoneNumber'].includes(called(number.slice(1), iso)),
		);
		expect(misread).toEqual([]);
	});

	it.each(['DE', 'US', 'GB', 'IT', 'SG', 'HK', 'BR', 'AU', 'CL', 'RU'])(
		'never become numbers of %s when they are written with 00 and have lost or gained a digit',
		(home) => {
			const region = regionOf(home)!;
			const changed = examples
				.filter(({ number }) => !number.startsWith(`+${region.callingCode}`))
				.flatMap(({ number }) =>
					[4, 6, 9].flatMap((at) => [
						`00${number.slice(1, at)}${number.slice(at + 1)}`,
						`00${number.slice(1, at)}5${number.slice(at)}`,
					]),
				);
			const misread = changed.filter((written) => {
				const read = readPhoneNumber(written, region);
				return read.ok && read.value.callingCode === region.callingCode;
			});
			expect(misread).toEqual([]);
		},
	);
});

describe('numbers that nobody meant to call', () => {
	const isCalled = (number: string, rule: 'doNotCall' | 'call'): boolean => {
		const read = readPhoneNumber(number);
		return read.ok && notAllowed(read.value, { countries: 'any', special: rule }) === undefined;
	};

	it('are not called when they are special, unless that is asked for', () => {
		const all = [...SPECIAL, ...SPECIAL_BEHIND_ZERO];
		expect(all.filter((number) => isCalled(number, 'doNotCall'))).toEqual([]);
		expect(SPECIAL.filter((number) => !isCalled(number, 'call'))).toEqual([]);
	});

	it('are never called when no subscriber can have them', () => {
		expect(NEVER.filter((number) => readPhoneNumber(number).ok)).toEqual([]);
	});

	it.each(['+911902222345', '+37090112345', '+498923110', '+431234112', '+823111991120'])(
		'%s is ordinary, though it looks like one of them',
		(number) => {
			expect(isCalled(number, 'doNotCall')).toBe(true);
		},
	);
});
