import * as fc from 'fast-check';
import {
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	isValidPhoneNumber,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import { COUNTRIES, regionOf } from '../../../../nodes/OutboundCalls/domain/phone/countries';
import { readPhoneNumber } from '../../../../nodes/OutboundCalls/domain/phone/phone';
import { WRITTEN_FORMS } from './writtenForms';

const cleanNumber = (...given: Parameters<typeof readPhoneNumber>) => {
	const read = readPhoneNumber(...given);
	return read.ok ? { ok: true, value: read.value.number } : read;
};

const exampleOf = (iso: string) =>
	getExampleNumber(iso as ReturnType<typeof getCountries>[number], examples)!;

describe('the list of countries is that of the numbering plans', () => {
	it('has each country, and no other', () => {
		expect(COUNTRIES.map(({ iso }) => iso).sort()).toEqual([...getCountries()].sort());
	});

	it('has their calling codes', () => {
		expect(
			COUNTRIES.filter(
				({ iso, callingCode }) => getCountryCallingCode(iso as 'DE') !== callingCode,
			),
		).toEqual([]);
	});
});

describe('numbers as people write them', () => {
	const forms = Object.entries(WRITTEN_FORMS).flatMap(([iso, written]) =>
		written.map((form) => [iso, form] as const),
	);
	const isInternational = (form: string): boolean => /^(\+|00|tel:\+)/.test(form);

	it('are many, from many countries', () => {
		expect(Object.keys(WRITTEN_FORMS).length).toBeGreaterThanOrEqual(40);
		expect(new Set(forms.map(([, form]) => form)).size).toBeGreaterThanOrEqual(120);
	});

	it.each(forms)('%s: %s', (iso, form) => {
		const meant = { ok: true, value: exampleOf(iso).number };
		expect(cleanNumber(form, regionOf(iso))).toEqual(meant);
		expect(cleanNumber(form, regionOf(getCountryCallingCode(iso as 'DE')))).toEqual(meant);
		expect(cleanNumber(form)).toEqual(
			isInternational(form) ? meant : { ok: false, error: { kind: 'noCountry' } },
		);
	});

	it.each(forms.filter(([, form]) => isInternational(form)))(
		'whatever the country of other numbers: %s %s',
		(iso, form) => {
			for (const other of ['DE', 'US', 'IT', 'RU', 'IN', 'KE']) {
				expect([other, cleanNumber(form, regionOf(other))]).toEqual([
					other,
					{ ok: true, value: exampleOf(iso).number },
				]);
			}
		},
	);
});

describe.each(COUNTRIES.map(({ iso, name }) => [name, iso]))('%s', (_, iso) => {
	const example = exampleOf(iso);
	const meant = { ok: true, value: example.number };

	it('reads its own numbers as they are written at home and for people abroad', () => {
		const atHome = example.formatNational();
		// A few are left alone: "75.12.34" may be a date, and five digits one that a sheet stores as a number.
		if (atHome.replace(/\D/g, '').length >= 6 && !/^\d\d\.\d\d\.\d\d$/.test(atHome))
			expect(cleanNumber(atHome, regionOf(iso))).toEqual(meant);
		expect(cleanNumber(example.formatInternational())).toEqual(meant);
		expect(cleanNumber(`00${example.number.slice(1)}`)).toEqual(meant);
		expect(cleanNumber(`${example.number} `)).toEqual(meant);
	});

	it('reads its own numbers without their +, or not at all', () => {
		const read = cleanNumber(example.number.slice(1), regionOf(iso));
		// Korea's ends in seven zeros, as what a sheet has rounded does.
		const kind = iso === 'KR' ? 'noPhoneNumber' : 'ambiguous';
		expect([meant, { ok: false, error: expect.objectContaining({ kind }) }]).toContainEqual(read);
	});
});

describe('any cell', () => {
	const digits = fc.stringMatching(/^[0-9]{1,15}$/);
	const separator = fc.constantFrom(
		'',
		'',
		' ',
		'-',
		'.',
		'/',
		'\u00a0',
		'\u2013',
		'\u200b',
		') ',
		' (',
	);
	const written = fc
		.tuple(
			fc.constantFrom('', '+', '00', "'", 'tel:', '(', '0', '011', '8', '1', '+49 (0) ', '+39 (0)'),
			fc.array(fc.tuple(digits, separator), { minLength: 1, maxLength: 5 }),
			fc.constantFrom('', ')', ' '),
		)
		.map(([before, parts, behind]) => `${before}${parts.flat().join('')}${behind}`);

	const countries = fc.option(
		fc.constantFrom(...COUNTRIES.map(({ iso }) => iso), '1', '7', '39', '44', '49', '599'),
		{ nil: undefined, freq: 5 },
	);

	/** A number of a country, often not quite right, in a sheet of that country or of another. */
	const almost = fc
		.record({
			iso: fc.constantFrom(...getCountries()),
			before: fc.constantFrom('+', '00', '011', '0', '', 'national', '(0)'),
			end: fc.stringMatching(/^[0-9]{0,5}$/),
			at: fc.nat(15),
			between: separator,
			elsewhere: fc.option(countries),
		})
		.map(({ iso, before, end, at, between, elsewhere }) => {
			const example = exampleOf(iso);
			const number =
				before === 'national'
					? example.formatNational()
					: `${before}${['0', '(0)'].includes(before) ? example.nationalNumber : example.number.slice(1)}`;
			const changed = number.slice(0, number.length - end.length) + end;
			return {
				value: changed.slice(0, at) + between + changed.slice(at),
				country: elsewhere === null ? iso : elsewhere,
			};
		});

	const junk = fc.oneof(
		fc.string(),
		fc.string({ unit: 'binary' }),
		fc.integer(),
		fc.maxSafeNat(),
		fc.double(),
		fc.bigInt(),
	);
	const other = fc.record({
		value: fc.oneof<Array<fc.Arbitrary<unknown>>>(written, junk),
		country: countries,
	});
	const rows = fc
		.oneof(almost, other)
		.map(({ value, country }) => ({
			value,
			country,
			cleaned: cleanNumber(value, country === undefined ? undefined : regionOf(country)),
		}));

	it('that is changed comes out as a number that is valid for its country, or not at all', () => {
		let changed = 0;
		fc.assert(
			fc.property(rows, ({ value, cleaned }) => {
				if (!cleaned.ok || cleaned.value === value) return;
				changed++;
				// E.164 names no least length: +491640, a German pager, is whole.
				expect(cleaned.value).toMatch(/^\+[1-9]\d{1,14}$/);
				expect([cleaned.value, isValidPhoneNumber(cleaned.value)]).toEqual([cleaned.value, true]);
			}),
			{ numRuns: 5_000 },
		);
		// Otherwise it would show nothing.
		expect(changed).toBeGreaterThan(500);
	});

	it('keeps its last digits', () => {
		const lastDigits = (value: unknown): string =>
			String(value).normalize('NFKC').replace(/\D/g, '').slice(-5);
		fc.assert(
			fc.property(rows, ({ value, cleaned }) => {
				if (cleaned.ok) expect(lastDigits(value)).toBe(lastDigits(cleaned.value));
			}),
			{ numRuns: 1_000 },
		);
	});

	it('is the same cleaned once or twice', () => {
		fc.assert(
			fc.property(rows, ({ cleaned }) => {
				if (cleaned.ok) expect(cleanNumber(cleaned.value)).toEqual(cleaned);
			}),
			{ numRuns: 1_000 },
		);
	});
});
