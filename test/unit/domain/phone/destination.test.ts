import { checkDestination } from '../../../../nodes/OutboundCalls/domain/phone/phone';
import cases from './cases.json';

/** As the output shows it. */
const reasonOf = (value: unknown, country: unknown = 'DE'): string => {
	const checked = checkDestination(value, country);
	return checked.ok
		? `calls ${checked.value.number}`
		: `${checked.error.message}. ${checked.error.remedy}`;
};

/** What the reasons of `cases.json` are short for. */
const REASONS: Record<string, string> = {
	formula: '^your sheet treated ".*" as a formula\\. Format the column as plain text',
	amount: '^your sheet rounded or reformatted ".*"\\. Format the column as plain text',
	date: 'looks like a date\\. .*column',
	lookup: 'in place of a phone number\\. Check the formula, lookup or expression',
	several: 'more than one phone number\\. Leave one phone number in the cell\\.$',
	more: 'more than a phone number\\. Leave one phone number in the cell, without words or an ext',
	words: 'is not a phone number\\. Check .*column',
	short: 'too few digits',
	digits: 'not a valid number in Germany \\(\\+49\\)\\. Check for missing or extra digits\\.$',
	plus: 'may have lost its \\+ or a zero\\. Write it with \\+ or with its leading zero\\.$',
	long: 'too long for a phone number\\. Leave one',
};

describe('the reason for a row that cannot be called names the cause and the remedy', () => {
	const rows = [...cases.reasons, [`0171${' '.repeat(100)}2345678`, 'long']];
	it.each(rows as Array<[unknown, string]>)('%j', (value, expected) => {
		const reason = reasonOf(value);
		expect(reason).toMatch(new RegExp(REASONS[expected] ?? expected));
		expect(reason.length).toBeLessThanOrEqual(165);
		expect(reason.split(/\. (?=[A-Z])/).length).toBeLessThanOrEqual(2);
	});
});

describe('the country of numbers without +', () => {
	it.each<[unknown, RegExp]>([
		['', /has no country code\. .*Country of Numbers Without \+/],
		['Germny', /^Country of Numbers Without \+ is "Germny".* a code such as DE/],
		[{ code: 'DE' }, /^Country of Numbers Without \+ is/],
		['DE', /^calls \+491712345678/],
	])('%j', (country, expected) => {
		expect(reasonOf('0171 2345678', country)).toMatch(expected);
	});

	it('does not matter for a number with +', () => {
		expect(reasonOf('+491712345678', 'Germny')).toBe('calls +491712345678');
	});
});

it('a number that the plans do not know is called with a + alone', () => {
	expect(reasonOf('+44 7700 900123', 'GB')).toBe('calls +447700900123');
	expect(reasonOf('07700 900123', 'GB')).toMatch(/not a valid UK number.*missing or extra digits/);
});
