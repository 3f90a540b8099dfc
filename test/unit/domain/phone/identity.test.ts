import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import metadata from 'libphonenumber-js/metadata.max.json';
import { mersenne } from 'pure-rand/generator/mersenne';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { notAllowed } from '../../../../nodes/OutboundCalls/domain/phone/callableNumbers';
import { regionOf } from '../../../../nodes/OutboundCalls/domain/phone/countries';
import { readPhoneNumber } from '../../../../nodes/OutboundCalls/domain/phone/phone';
import { SPECIAL_RANGES } from '../../../../nodes/OutboundCalls/domain/phone/specialNumbers';
import { NEVER, SPECIAL } from './specialNumbers';
import { PAIRS } from './spellings';

const personOf = (value: unknown, iso?: string): string | undefined => {
	const read = readPhoneNumber(value, iso === undefined ? undefined : regionOf(iso));
	return read.ok ? read.value.person : undefined;
};

describe('one person', () => {
	it('is whoever has a number, in 400 pairs of spellings of 60 countries', () => {
		expect(PAIRS.length).toBeGreaterThanOrEqual(400);
		expect(new Set(PAIRS.map(({ iso }) => iso)).size).toBeGreaterThanOrEqual(60);
		const others = PAIRS.filter(
			({ plain, other }) => personOf(plain) === undefined || personOf(other) !== personOf(plain),
		);
		expect(others).toEqual([]);
		expect(new Set(PAIRS.map(({ plain }) => personOf(plain))).size).toBe(
			new Set(PAIRS.map(({ plain }) => plain)).size,
		);
	});

	it('is who is called: what is sent for a spelling is sent for the person', () => {
		const different = PAIRS.filter(({ plain, other }) => {
			const read = readPhoneNumber(other);
			return !read.ok || read.value.number !== plain;
		});
		expect(different).toEqual([]);
	});
});

it.each([
	['+49001712345678', '+491712345678'],
	['+3100612345678', '+31612345678'],
])(
	'is who has the number without the 00 that a formula put behind the country code: %s',
	(written, number) => {
		const read = readPhoneNumber(written);
		expect(read).toMatchObject({ ok: true, value: { number, person: number } });
	},
);

it('is who has the number without a zero behind the country code, also where nobody dials one: it is known, and sent as it stands', () => {
	const noTrunkZero = ['CO', 'CZ', 'GR', 'HK', 'LU', 'OM', 'PF', 'PL', 'QA', 'SZ'] as const;
	const read = noTrunkZero.map((iso) => {
		const { countryCallingCode: code, nationalNumber } = getExampleNumber(iso, examples)!;
		const [plain, withZero] = [`+${code}${nationalNumber}`, `+${code}0${nationalNumber}`];
		const found = readPhoneNumber(withZero);
		return { plain, withZero, found: found.ok ? found.value : undefined };
	});
	expect(read.map(({ found }) => [found?.number, found?.person])).toEqual(
		read.map(({ withZero, plain }) => [withZero, plain]),
	);
});

/** A number as Google's library reads it, which shares its data with ours, and no code. */
interface Judged {
	number: string;
	country: string | undefined;
	type: string | undefined;
}

const judge = (number: string): Judged | undefined => {
	const read = parsePhoneNumberFromString(number);
	const type = read?.getType();
	// It takes prefixes away: what it reads as another number stands for that one.
	return read?.number === number && type !== undefined
		? { number, country: read.country, type }
		: undefined;
};

/**
 * Valid numbers, each once: examples of all countries, and of the calling codes of none, with all digits drawn anew from the second, third, fourth …
 * behind the calling code on.
 */
function draw(seed: number, count: number): Judged[] {
	const random = mersenne(seed);
	const starts = [
		...getCountries().map((iso) => getExampleNumber(iso, examples)!.number),
		...Object.keys(metadata.nonGeographic).map((code) => `+${code}123456789`),
	];
	const numbers = new Map<string, Judged>();
	while (numbers.size < count) {
		for (const start of starts) {
			let number = start.slice(0, 3 + uniformInt(random, 1, 3));
			while (number.length < start.length) number += String(uniformInt(random, 0, 9));
			const judged = judge(number);
			if (judged) numbers.set(number, judged);
		}
	}
	return [...numbers.values()].slice(0, count);
}

/** Those to which the library gives no number of its own: it finds the same in the plan of the main country of their calling code. */
const OF_MAIN_COUNTRY = ['BL', 'CC', 'CX', 'EH', 'MF', 'SJ', 'VA'];

const SPECIAL_TYPES: ReadonlySet<string | undefined> = new Set([
	'PREMIUM_RATE',
	'SHARED_COST',
	'PERSONAL_NUMBER',
	'PAGER',
	'VOICEMAIL',
]);

describe('100,000 numbers that Google’s data calls valid', () => {
	const numbers = draw(42, 100_000).map((judged) => ({
		...judged,
		read: readPhoneNumber(judged.number),
	}));

	it('are of all countries', () => {
		const countries = new Set(numbers.map(({ country }) => country));
		expect(
			getCountries()
				.filter((iso) => !countries.has(iso))
				.sort(),
		).toEqual(OF_MAIN_COUNTRY);
	});

	it('are never two of one person', () => {
		const people = new Set(numbers.map(({ read }) => (read.ok ? read.value.person : undefined)));
		expect(people.size).toBe(numbers.length);
	});

	it('are sent as they stand, and have the country that Google’s data says', () => {
		const different = numbers.filter(
			({ number, country, read }) =>
				!read.ok ||
				!read.value.isValid ||
				read.value.number !== number ||
				read.value.country !== country,
		);
		expect(different).toEqual([]);
	});

	it.each<[string, string | undefined]>([
		['00', undefined],
		['00', 'DE'],
		['00', 'SG'],
		['0011', 'AU'],
		['0011', undefined],
		['0011', 'NZ'],
		['001', 'HK'],
		['001', 'TH'],
		['010', 'JP'],
		['011', 'US'],
		['810', 'RU'],
	])(
		'are of no other person where they are written as they are dialed abroad: with %s, numbers without + being of %s',
		(prefix, iso) => {
			const dialed = numbers
				.filter((_, n) => n % 30 === 0)
				.map(({ number, read }) => [
					number,
					read.ok ? read.value.person : undefined,
					personOf(`${prefix}${number.slice(1)}`, iso),
				]);
			expect(dialed.filter(([, person, found]) => found !== undefined && found !== person)).toEqual(
				[],
			);
			expect(dialed.filter(([, , found]) => found !== undefined).length).toBeGreaterThan(
				0.7 * dialed.length,
			);
		},
	);

	it.each(['+911902222345', '+911905222345', '+37090112345'])(
		'%s is ordinary, though numbers like it are special',
		(number) => {
			const read = readPhoneNumber(number);
			expect(
				read.ok && notAllowed(read.value, { countries: 'any', special: 'doNotCall' }),
			).toBeUndefined();
		},
	);

	it('are not refused where they are ordinary', () => {
		// Services and satellite phones that the data has as ordinary numbers.
		const isNamed = (number: string): boolean =>
			['1', '7', '54', '61', '62', '81', '86', '351', '358'].some(
				(code) =>
					number.startsWith(`+${code}`) &&
					SPECIAL_RANGES[code]![0].test(number.slice(1 + code.length)),
			);
		const isSpecial = ({ number, type }: (typeof numbers)[number]): boolean =>
			SPECIAL_TYPES.has(type) || /^\+(?:87[08]|88[123]|979)/.test(number) || isNamed(number);
		const ordinary = numbers.filter((each) => !isSpecial(each));
		expect(ordinary.length).toBeGreaterThan(20_000);
		const rules = { countries: 'any', special: 'doNotCall' } as const;
		expect(
			ordinary.filter(({ read }) => !read.ok || notAllowed(read.value, rules) !== undefined),
		).toEqual([]);
	});
});

describe('numbers that nobody meant to call', () => {
	const special = Object.entries(SPECIAL).flatMap(([iso, numbers]) =>
		numbers.map((number) => [iso, number] as const),
	);
	const never = Object.entries(NEVER).flatMap(([iso, numbers]) =>
		numbers.map((number) => [iso, number] as const),
	);

	it('are 300 of 80 countries', () => {
		expect(new Set([...special, ...never].map(([, number]) => number)).size).toBeGreaterThanOrEqual(
			300,
		);
		expect(new Set([...special, ...never].map(([iso]) => iso)).size).toBeGreaterThanOrEqual(80);
	});

	it('are not called when they are special, unless that is asked for', () => {
		const callable = (number: string, rule: 'doNotCall' | 'call'): boolean => {
			const read = readPhoneNumber(number);
			return read.ok && notAllowed(read.value, { countries: 'any', special: rule }) === undefined;
		};
		expect(special.filter(([, number]) => callable(number, 'doNotCall'))).toEqual([]);
		expect(special.filter(([, number]) => !callable(number, 'call'))).toEqual([]);
	});

	it('are not called ever when no subscriber can have them', () => {
		expect(never.filter(([, number]) => readPhoneNumber(number).ok)).toEqual([]);
	});
});
