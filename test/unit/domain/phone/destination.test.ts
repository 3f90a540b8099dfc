import { checkDestination } from '../../../../nodes/OutboundCalls/domain/phone/destination';

/** As the output shows it. */
const reasonOf = (value: unknown, country: unknown = 'DE'): string => {
	const checked = checkDestination(value, country);
	return checked.ok
		? `calls ${checked.value.number}`
		: `${checked.error.message}. ${checked.error.remedy}`;
};

const FORMULA = /^your sheet treated ".*" as a formula\. Format the column as plain text/;
const AMOUNT = /^your sheet rounded or reformatted ".*"\. Format the column as plain text/;
const DATE = /looks like a date\. .*column/;
const LOOKUP = /in place of a phone number\. Check the formula, lookup or expression/;
const SEVERAL = /more than one phone number\. Leave one phone number in the cell\.$/;
const MORE =
	/more than a phone number\. Leave one phone number in the cell, without words or an extension/;
const WORDS = /is not a phone number\. Check .*column/;
const SHORT = /too few digits/;
const DIGITS = /is not a valid number in Germany \(\+49\)\. Check for missing or extra digits\.$/;
const PLUS = /may have lost its \+ or a zero\. Write it with \+ or with its leading zero\.$/;

describe('the reason for a row that cannot be called names the cause and the remedy', () => {
	it.each<[unknown, RegExp]>([
		[-9999999908, FORMULA],
		['=0171-2345678', FORMULA],
		['#ERROR!', FORMULA],
		['#N/A', LOOKUP],
		['Loading...', LOOKUP],
		['{{ $json.phone }}', /Switch the field from Fixed to Expression\.$/],
		['445566', /lacks its area code or its leading zero/],
		['3012345678', /lacks its area code or its leading zero/],
		['+49 171 2345678 - 2', MORE],
		['+49 151 12345678-12', MORE],
		['030 1234567-12', /^calls \+493012345671?2$/],
		['1712345678', /^calls \+491712345678$/],
		['0171 2345678\n0172 3456789', SEVERAL],
		['0171 2345678 / 0172 3456789', SEVERAL],
		['0171 2345678:::0172 3456789', SEVERAL],
		['\u001f0171 2345678', /^calls \+491712345678$/],
		['0171 2345678 0172 3456789', MORE],
		['0171 2345678 x12', MORE],
		['030 1234567/68', MORE],
		['0171 2345678 (Ada)', MORE],
		['0800 FLOWERS', SHORT],
		['15.01.2024', DATE],
		[45306, DATE],
		['1712345678.0', AMOUNT],
		['491713000000', AMOUNT],
		[2 ** 53 + 2, AMOUNT],
		['Ada', WORDS],
		['12 345', SHORT],
		[`0171${' '.repeat(100)}2345678`, /too long for a phone number\. Leave one/],
		['', /^this row has no phone number\. .*Phone Number/],
		[null, /^this row has no phone number/],
		[true, /Phone Number holds "true"\. Choose the field/],
		[['0171 2345678'], /a list or an object\. Choose the field/],
		[{ phone: '0171 2345678' }, /a list or an object\. Choose the field/],
		['0171 23', DIGITS],
		['0049 30 12', DIGITS],
		['0044 7911 12345', /is not a valid UK number \(\+44\)\. Check for missing or extra digits\.$/],
		['001 555 123 4567', /is not a valid US number \(\+1\)/],
		['+881 12', /is not a valid number \(\+881\)/],
		['+999123456', /is not a valid phone number/],
		['447911123456', PLUS],
		['+39 (0)312 345 6789', /can be read as two numbers\. Write it with \+/],
	])('%j', (value, expected) => {
		const reason = reasonOf(value);
		expect(reason).toMatch(expected);
		expect(reason.length).toBeLessThanOrEqual(165);
		expect(reason.split(/\. (?=[A-Z])/).length).toBeLessThanOrEqual(2);
	});

	it('07400 12311 in the United Kingdom', () => {
		expect(reasonOf('07400 12311', 'GB')).toBe(
			'"07400 12311" is not a valid UK number (+44). Check for missing or extra digits.',
		);
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
