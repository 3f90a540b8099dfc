import {
	type Checked,
	fail,
	fieldProblem,
	isBlank,
	problem,
	type Problem,
	quoted,
	typedText,
} from '../values';
import { countryName, regionOf } from './countries';
import type { NotValid } from './numberingPlans';
import { type NoNumber, type PhoneNumber, readPhoneNumber } from './phone';
import { type LooksLike, looksLike } from './writtenNumber';

const RIGHT_COLUMN = 'Check that Phone Number uses the right column.';
const PLAIN_TEXT = 'Format the column as plain text and enter the number again.';
const ONE_NUMBER = 'Leave one phone number in the cell';

/**
 * Reads the value of the field Phone Number. `country`: of numbers without +, an ISO or calling
 * code.
 */
export function checkDestination(
	value: unknown,
	country: unknown,
): Checked<PhoneNumber & { lacksPlus?: true }> {
	if (typeof value === 'boolean' || (typeof value === 'object' && value !== null))
		return problem(
			`Phone Number holds ${typeof value === 'boolean' ? quoted(value) : 'a list or an object'}`,
			'Choose the field that holds the number.',
		);
	const number = readPhoneNumber(value, regionOf(typedText(country)));
	if (number.ok) return number;
	if (typedText(value) === '') return problem('this row has no phone number', RIGHT_COLUMN);
	return fail(
		number.error.kind === 'noCountry' && !isBlank(country)
			? unknownCountry(country)
			: noNumber(value, number.error),
	);
}

/** By what a cell looks like: what is said of it, and the remedy. */
const INSTEAD: Readonly<Record<LooksLike, readonly [(shown: string) => string, remedy: string]>> = {
	long: [(shown) => `${shown} is too long for a phone number`, `${ONE_NUMBER}.`],
	expression: [
		(shown) => `${shown} is plain text, not the result of an expression`,
		'Switch the field from Fixed to Expression.',
	],
	formula: [(shown) => `your sheet treated ${shown} as a formula`, PLAIN_TEXT],
	missing: [
		(shown) => `${shown} appears in place of a phone number`,
		'Check the formula, lookup or expression that fills this column.',
	],
	short: [(shown) => `${shown} has too few digits for a phone number`, 'Enter the whole number.'],
	date: [
		(shown) => `${shown} looks like a date`,
		'Choose the column with the phone numbers, or format it as plain text and enter the number again.',
	],
	amount: [(shown) => `your sheet rounded or reformatted ${shown}`, PLAIN_TEXT],
	words: [(shown) => `${shown} is not a phone number`, RIGHT_COLUMN],
	several: [(shown) => `${shown} holds more than one phone number`, `${ONE_NUMBER}.`],
	more: [
		(shown) => `${shown} holds more than a phone number`,
		`${ONE_NUMBER}, without words or an extension.`,
	],
};

function noNumber(value: unknown, why: NoNumber): Problem {
	const shown = quoted(value);
	switch (why.kind) {
		case 'noPhoneNumber':
		case 'tooFewDigits': {
			const [message, remedy] = INSTEAD[looksLike(value)];
			return { message: message(shown), remedy };
		}
		case 'noCountry':
			return {
				message: `${shown} has no country code`,
				remedy: 'Write it with +, or add the option Country of Numbers Without +.',
				cause: 'noCountry',
			};
		case 'notValid':
			return {
				message: `${shown} is not a valid ${ofCountry(why)}`,
				remedy: 'Check for missing or extra digits.',
				isOfCountry: true,
			};
		case 'lostPlus':
			return {
				message: `${shown} may have lost its + or a zero`,
				remedy: 'Write it with + or with its leading zero.',
				isOfCountry: true,
			};
		case 'noTrunkPrefix':
			return {
				message: `${shown} lacks its area code or its leading zero`,
				remedy: 'Write it with both, or with + and its country code.',
				cause: 'noTrunkPrefix',
			};
		case 'unclear':
			return {
				message: `${shown} can be read as two numbers`,
				remedy: 'Write it with + and its country code.',
			};
	}
}

/** As a message names the country, where its name cannot stand before "number". */
const ADJECTIVES: Readonly<Record<string, string>> = { GB: 'UK', US: 'US' };

function ofCountry({ callingCode, country }: NotValid): string {
	if (callingCode === undefined) return 'phone number';
	if (country === undefined) return `number (+${callingCode})`;
	const adjective = ADJECTIVES[country];
	return adjective === undefined
		? `number in ${countryName(country)} (+${callingCode})`
		: `${adjective} number (+${callingCode})`;
}

const unknownCountry = (country: unknown): Problem =>
	fieldProblem(
		`Country of Numbers Without + is ${quoted(country)}, which is not a country`,
		'Use a name from the list, a code such as DE, or a calling code such as 49.',
	);
