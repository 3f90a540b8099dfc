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
import problems from './cellProblems.json';
import { looksLike } from './writtenNumber';

/**
 * Reads the value of the field Phone Number. `country`: of numbers without +, an ISO or calling
 * code.
 */
export function checkDestination(value: unknown, country: unknown): Checked<PhoneNumber> {
	if (typeof value === 'boolean' || (typeof value === 'object' && value !== null))
		return problem(
			`Phone Number holds ${typeof value === 'boolean' ? quoted(value) : 'a list or an object'}`,
			'Choose the field that holds the number.',
		);
	const number = readPhoneNumber(value, regionOf(typedText(country)));
	if (number.ok) return number;
	if (typedText(value) === '')
		return problem('this row has no phone number', problems.words.remedy);
	return fail(
		number.error.kind === 'noCountry' && !isBlank(country)
			? unknownCountry(country)
			: noNumber(value, number.error),
	);
}

function noNumber(value: unknown, why: NoNumber): Problem {
	const kind = why.kind === 'noPhoneNumber' ? looksLike(value) : why.kind;
	const { message, ...rest } = problems[kind] as Problem;
	const ofWhat = why.kind === 'notValid' ? ofCountry(why) : '';
	return { ...rest, message: message.replace('#', () => quoted(value)) + ofWhat };
}

/** As a message names the country, where its name cannot stand before "number". */
const ADJECTIVES: Readonly<Record<string, string>> = { GB: 'UK', US: 'US' };

function ofCountry({ callingCode, country }: NotValid) {
	if (callingCode === undefined) return 'phone number';
	if (country === undefined) return `number (+${callingCode})`;
	const adjective = ADJECTIVES[country];
	return adjective === undefined
		? `number in ${countryName(country)} (+${callingCode})`
		: `${adjective} number (+${callingCode})`;
}

const unknownCountry = (country: unknown) =>
	fieldProblem(
		`Country of Numbers Without + is ${quoted(country)}, which is not a country`,
		'Use a name from the list, a code such as DE, or a calling code such as 49.',
	);
