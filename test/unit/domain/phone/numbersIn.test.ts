import { getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import { COUNTRIES, regionOf } from '../../../../nodes/OutboundCalls/domain/phone/countries';
import { namesOfNumber, numbersIn } from '../../../../nodes/OutboundCalls/domain/phone/numbersIn';
import { readPhoneNumber } from '../../../../nodes/OutboundCalls/domain/phone/phone';
import { WRITTEN_FORMS } from './numbers';

const exampleOf = (iso: string) => getExampleNumber(iso as 'DE', examples)!;

/** Whether somebody is known by a cell from which nobody can be called, as rows are judged. */
const isKnownBy = (number: string, cell: string, iso?: string): boolean => {
	const read = readPhoneNumber(number);
	if (!read.ok) return false;
	const names = new Set(numbersIn(cell, iso === undefined ? undefined : regionOf(iso)));
	return namesOfNumber(read.value).some((name) => names.has(name));
};

describe('whoever stands in a cell from which nobody can be called is known by it', () => {
	const forms: Array<readonly [iso: string, number: string, written: string]> = [
		...Object.entries(WRITTEN_FORMS).flatMap(([iso, written]) =>
			written.map((form) => [iso, exampleOf(iso).number, form] as const),
		),
		...(['formatNational', 'formatInternational'] as const).flatMap((format) =>
			COUNTRIES.map(({ iso }) => [iso, exampleOf(iso).number, exampleOf(iso)[format]()] as const),
		),
	];
	// Shorter ones are extensions and house numbers more often.
	const known = forms.filter(
		([, , written], place) => place % 3 === 0 && written.replace(/\D/g, '').length >= 6,
	);

	/** Those that are not known by their cells, in their country or without one. */
	const missed = (of: typeof known, cellOf: (written: string) => string) =>
		of.filter(([iso, number, written]) =>
			[iso, undefined].some((country) => !isKnownBy(number, cellOf(written), country)),
		);

	it.each<[string, (written: string) => string]>([
		['a word behind the number', (written) => `${written} mobile`],
		['a word before the number', (written) => `Ada: ${written}`],
		['a long note before the number', (written) => `${'asked us to stop. '.repeat(50)}${written}`],
		['an extension', (written) => `${written} x12`],
		['another number before it', (written) => `030 901820 / ${written}`],
		['another number behind it', (written) => `${written}, +1 415 555 0101`],
		['no sign between another number and it', (written) => `${written} 0172 3456789`],
		['underscores for blanks', (written) => `_${written.replace(/ /g, '_')}`],
	])('with %s, in all countries', (_, cellOf) => {
		expect(known.length).toBeGreaterThan(200);
		expect(missed(known, cellOf)).toEqual([]);
	});

	it('with a + that a formula has put before it, in all countries, unless that makes it a valid number of another one', () => {
		const isOther = (cell: string): boolean => {
			const read = readPhoneNumber(`+${cell.replace(/\D/g, '')}`);
			return read.ok && read.value.isValid;
		};
		for (const behind of ['', ' mobile']) {
			const cellOf = (written: string) => `+${written}${behind}`;
			const stray = known.filter(([, , written]) => !written.includes('+') && !isOther(written));
			expect(stray.length).toBeGreaterThan(50);
			expect(missed(stray, cellOf)).toEqual([]);
		}
	});

	it.each(['0171 2345679 mobile', '0171 234567 mobile', '15.01.2024', 'Ada', ''])(
		'%j: nobody',
		(cell) => {
			for (const country of ['DE', undefined])
				expect(isKnownBy('+491712345678', cell, country)).toBe(false);
		},
	);
});

it('a note of any length is read at once', () => {
	const note = Array.from({ length: 10_000 }, (_, n) => 10 + ((n * 7) % 90)).join(' ');
	expect(numbersIn(note, regionOf('DE')).length).toBeLessThan(5_000);
});
