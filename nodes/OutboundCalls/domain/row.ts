import { countryName, isoOf, regionOf } from './phone/countries';
import type { Impossible } from './phone/identity';
import { capitalized, quoted, textIfAny } from './format';
import { formulaCode } from './formula';
import { isAgentNumber, isE164, isSipId } from './apiLimits';
import { type NoCallDates, readNoCallDates } from './hours/noCallDates';
import { readOptedOut } from './optedOut';
import { plainKey } from './memoryKeys';
import { readMode } from './mode';
import { cleanOwnNumber, type NoNumber, type PhoneNumber, readPhoneNumber } from './phone/phone';
import type { SpecialKind } from './phone/specialNumbers';
import { type Checked, fail, ok, problem, type Problem, type Result } from './problem';
import { looksLike } from './phone/writtenNumber';
import { numbersIn } from './phone/numbersIn';
import { promptVariables, type PromptVariables } from './promptVariables';
import { readTimeZone } from './hours/timeZoneOption';

/** A cell that could not be read. */
export const UNREAD = Symbol('unread');

/** A row as the workflow gives it: nothing is checked yet. */
export interface RawRow {
	/** Index of the input item that the row came from. */
	itemIndex: number;
	/** Of several destinations of that item, which one, from 0. */
	place?: number;
	mode: unknown;
	destination: unknown;
	/** Where the number of a destination that cannot be called may stand: its person may have opted out. */
	cells?: () => readonly unknown[];
	agentNumber: unknown;
	callerNumber: unknown;
	/** ISO or calling code, for numbers without one; empty: such rows are not called. */
	country: unknown;
	/** Not ok also when the row could not be read at all. */
	variables: Checked<Iterable<readonly [string, unknown]>>;
	/** The caller's own identifier (Place Call). */
	externalCallId?: unknown;
	/** What the person is known by, beside the number (option Remember People By). */
	callOnceKey?: unknown;
	/** With Call Again in Each Run, only those who opted out are known by that key. */
	isRemembered: boolean;
	/** IANA name of the zone of the person called; empty: by the number. */
	timeZone: unknown;
	/** ISO dates on which the person is not called; null: none. */
	noCallDates: unknown;
	/** Whether the person asked not to be called, in a sheet's words; UNREAD where nobody knows what it says. */
	optedOut: unknown;
}

/** What is said of a call beside its number: a request and the ledger hold all of it. */
export interface CallContent {
	agentNumber: string;
	/** Only for a SIP agent, or when the user gave one. */
	callerNumber?: string;
	variables?: PromptVariables;
	externalCallId?: string;
}

/** A row that may be sent. */
export interface Row extends CallContent {
	itemIndex: number;
	/** Of several destinations of that item, which one, from 0. */
	place?: number;
	/** Position in the run's rows, from 0; users see it as "Row 1". */
	position: number;
	/** Of a dry run: it is planned, but never sent. */
	isDry: boolean;
	/** Of a test: a dry run in which one row is called at the user's own phone. */
	isTest?: true;
	/** E.164: what is sent. */
	destination: string;
	/** E.164, the same for all spellings of a number: who is called. */
	person: string;
	/** ISO code of the number's country; undefined: of no country. */
	country?: string;
	/** ISO code, where the phone is of another country than its number. */
	owner?: string;
	/** Undefined: an ordinary number. */
	special?: SpecialKind;
	/** The number had no +: it was read as one of `country`. */
	lacksPlus?: true;
	/** What stood in the row before the number was cleaned. */
	originalDestination?: string;
	/** What the memory of people called knows the row by; undefined: by its number. */
	callOnceKey?: string;
	/** Undefined: by the number. */
	timeZones?: readonly string[];
	noCallDates?: NoCallDates;
	/** Numbers of a person who asked not to be called, as the row says. */
	optedOut?: readonly string[];
}

/** A row that must not be sent, and why. */
export interface RejectedRow {
	itemIndex: number;
	place?: number;
	position: number;
	isDry: boolean;
	/** The person was to be called for real. Neither this nor `isDry` if the mode cannot be read. */
	isLive?: true;
	/** Of a test. */
	isTest?: true;
	/** As it stood in the row, bounded. */
	destination: string;
	/** Whom a live row would call, as far as that can be read. */
	number?: Pick<PhoneNumber, 'number' | 'person'>;
	problem: Problem;
	/** Numbers in the row, if it says that the person asked not to be called, or something that cannot be read. */
	optedOut?: readonly string[];
}

/** A row of the run: it may be sent, or not. */
export type CheckedRow = Result<Row, RejectedRow>;

/** Checks one row against everything that the API document lets us know beforehand, so that no request holds a row that the API would reject. */
export function checkRow(raw: RawRow, position: number): CheckedRow {
	const checked = readRow(raw, position);
	if (checked.ok) return checked;
	const mode = readMode(raw.mode);
	const row: RejectedRow = {
		itemIndex: raw.itemIndex,
		position,
		isDry: mode.ok && mode.value !== 'live',
		destination: shown(raw.destination),
		problem: checked.error,
	};
	if (raw.place !== undefined) row.place = raw.place;
	if (mode.ok && mode.value === 'live') {
		row.isLive = true;
		const number = checkDestination(raw.destination, raw.country);
		if (number.ok) row.number = number.value;
	}
	if (mode.ok && mode.value === 'test') row.isTest = true;
	const optedOut = readOptedOut(raw.optedOut);
	if (!optedOut.ok || optedOut.value === 'optedOut') row.optedOut = numbersOf(raw);
	return fail(row);
}

function readRow(raw: RawRow, position: number): Checked<Row> {
	if (!raw.variables.ok) return raw.variables;
	const optedOut = readOptedOut(raw.optedOut);
	if (!optedOut.ok) return optedOut;
	const mode = readMode(raw.mode);
	if (!mode.ok) return mode;
	const agentNumber = checkAgentNumber(raw.agentNumber);
	if (!agentNumber.ok) return agentNumber;
	const callerNumber = checkCallerNumber(raw.callerNumber, agentNumber.value);
	if (!callerNumber.ok) return callerNumber;
	const destination = checkDestination(raw.destination, raw.country);
	if (!destination.ok) return destination;
	const variables = promptVariables(raw.variables.value);
	if (!variables.ok) return variables;
	const timeZones = readTimeZone(raw.timeZone);
	if (!timeZones.ok) return timeZones;
	const noCallDates = readNoCallDates(raw.noCallDates);
	if (!noCallDates.ok) return noCallDates;
	const externalCallId = textOf(raw.externalCallId);
	if (externalCallId.length > LONGEST_ID) return fail(longId(externalCallId.length));
	const key = checkKey(raw.callOnceKey);
	if (!key.ok) return key;

	const { number, person, country, owner, special, lacksPlus } = destination.value;
	const row: Row = {
		itemIndex: raw.itemIndex,
		position,
		isDry: mode.value !== 'live',
		destination: number,
		person,
		agentNumber: agentNumber.value,
		variables: isEmpty(variables.value) ? undefined : variables.value,
	};
	if (raw.place !== undefined) row.place = raw.place;
	if (mode.value === 'test') row.isTest = true;
	if (country !== undefined) row.country = country;
	if (owner !== undefined) row.owner = owner;
	if (special !== undefined) row.special = special;
	if (lacksPlus) row.lacksPlus = true;
	if (row.destination !== raw.destination) row.originalDestination = shown(raw.destination);
	if (callerNumber.value !== '') row.callerNumber = callerNumber.value;
	if (externalCallId !== '') row.externalCallId = externalCallId;
	if (key.value !== '' && raw.isRemembered) row.callOnceKey = key.value;
	if (timeZones.value.length > 0) row.timeZones = timeZones.value;
	if (noCallDates.value.size > 0) row.noCallDates = noCallDates.value;
	if (optedOut.value === 'optedOut') row.optedOut = [person];
	return ok(row);
}

const hasLostDigits = (value: unknown): boolean =>
	typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);

/** Empty: the number is the key. Anything but a text or a number may be the same for everybody, or different in each run. */
function checkKey(value: unknown): Checked<string> {
	if (value === null || value === undefined) return ok('');
	if (typeof value === 'string') {
		const key = plainKey(value);
		const code = formulaCode(key);
		// Once there is a value, the key is another one, and the person would be called again. Without one, many people may have the same.
		return code === undefined
			? ok(key)
			: problem(
					`the option Remember People By holds ${quoted(code)}, which is no value`,
					'Correct the formula in your sheet, or wait until it has its value.',
				);
	}
	if (hasLostDigits(value))
		return problem(
			`the option Remember People By holds ${quoted(value)}, a number so long that its last digits may be lost`,
			'Let the column hold it as text: otherwise, many people may have the same.',
		);
	if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value)))
		return ok(String(value));
	return problem(
		`the option Remember People By is ${quoted(value)}, which is neither a text nor a number`,
		'Use one field that tells people apart, such as an ID.',
	);
}

/** The numbers in a row that is rejected, as far as they can be read. */
function numbersOf({ destination, country, cells }: RawRow): string[] {
	const number = checkDestination(destination, country);
	if (number.ok) return [number.value.person];
	const region = regionOf(textOf(country));
	return [destination, ...(cells?.() ?? [])].flatMap((cell) => numbersIn(cell, region));
}

function isEmpty(variables: PromptVariables): boolean {
	for (const _name in variables) return false;
	return true;
}

const LONGEST_SHOWN = 100;

/** The API document names no bound; no ID of a CRM is longer. */
const LONGEST_ID = 500;

const longId = (length: number): Problem => ({
	message: `the option External Call ID has ${length} characters, and at most ${LONGEST_ID} are sent`,
	remedy: 'Use one field that tells requests apart, such as an ID.',
});

/** A value of the user's as an output shows it. */
function shown(value: unknown): string {
	if (value === null || value === undefined) return '';
	const text = textIfAny(value) ?? '';
	return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

const E164_REMEDY =
	'Write the number with a leading + and the country code, digits only, like +14155550123.';

function checkDestination(
	value: unknown,
	country: unknown,
): Checked<PhoneNumber & { lacksPlus?: true }> {
	if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) {
		const what = typeof value === 'boolean' ? quoted(value) : 'a list or an object';
		return problem(
			`the destination is ${what}, not a phone number`,
			'Pick the field that holds the number.',
		);
	}
	const number = readPhoneNumber(value, regionOf(textOf(country)));
	if (number.ok) return number;
	if (textOf(value) === '') {
		return problem(
			'the destination is empty',
			'Drag the column with the phone number into Destination, and check that the row has one.',
		);
	}
	return fail(
		number.error.kind === 'noCountry' && isGiven(country)
			? unknownCountry(country)
			: noNumber(value, number.error),
	);
}

/** Whether a number may be among what the cell holds: two of them, or one with words or an extension. */
const holdsMore = (value: unknown): boolean => {
	const text = textOf(value).slice(0, LONGEST_SHOWN);
	return /(?:\D*\d){6}/.test(text) && /\p{L}{2}|[/,;]|x\s*\d/iu.test(text);
};

const PLAIN_TEXT =
	'set the column to plain text in your sheet and enter the number again, with + and its country code.';
const WRONG_COLUMN = 'Check that Destination takes the column with the phone numbers';

/** What a cell looks like, and the remedy. */
const OTHERWISE = {
	date: ['looks like a date', `${WRONG_COLUMN}. If it does, ${PLAIN_TEXT}`],
	amount: ['is written as an amount', capitalized(PLAIN_TEXT)],
	words: ['has no digits', `${WRONG_COLUMN}.`],
} as const;

function noNumber(value: unknown, why: NoNumber): Problem {
	const destination = `the destination ${quoted(value)}`;
	switch (why.kind) {
		case 'noPhoneNumber':
		case 'tooFewDigits': {
			const otherwise = looksLike(value);
			if (otherwise)
				return {
					message: `${destination} is not a phone number: it ${OTHERWISE[otherwise][0]}`,
					remedy: OTHERWISE[otherwise][1],
				};
			if (why.kind === 'tooFewDigits')
				return {
					message: `${destination} is not a phone number: it has too few digits`,
					remedy: E164_REMEDY,
				};
			return {
				message: `${destination} is not a phone number`,
				remedy: holdsMore(value)
					? 'Leave one phone number in the cell, and nothing else.'
					: E164_REMEDY,
			};
		}
		case 'noCountry':
			return {
				message: `${destination} has no country code`,
				remedy:
					'Choose the country under “Country of Numbers Without +”, or write the number with + and its country code.',
			};
		case 'notValid':
			return {
				message: `${destination} is not a valid number ${why.callingCode === undefined ? 'of any country' : `with the country code +${why.callingCode}`}`,
				remedy:
					'Correct it. If it is newer than the numbering plans, write it with + and digits only, like +14155550123.',
			};
		case 'impossible':
			return {
				message: `${destination} ${whyImpossible(why)}`,
				remedy: 'Correct it. Emergency numbers and short numbers are never called.',
			};
		case 'ambiguous':
			return {
				message: `${destination} may be ${why.numbers.join(' or ')}`,
				remedy: 'Write the one that is meant, with its +.',
			};
	}
}

function whyImpossible({ impossible, callingCode, country }: Impossible): string {
	if (impossible === 'noCallingCode') return 'has the country code of no country';
	const where = `a number with the country code +${callingCode}${country === undefined ? '' : ` (${countryName(country)})`}`;
	switch (impossible) {
		case 'tooShort':
			return `is too short for ${where}`;
		case 'tooLong':
			return `is too long for ${where}`;
		case 'wrongLength':
			return `has more or fewer digits than ${where}`;
		case 'notANumber':
			return `is not ${where}`;
	}
}

const isGiven = (country: unknown): boolean =>
	country !== null &&
	country !== undefined &&
	!(typeof country === 'string' && country.trim() === '');

function unknownCountry(country: unknown): Problem {
	const iso = isoOf(textOf(country));
	return {
		message: `“Country of Numbers Without +” is ${quoted(country)}, which is not a country code`,
		remedy:
			iso === undefined
				? 'Use a code such as DE, or a calling code such as 49.'
				: `Use its code, ${iso}.`,
		field: true,
	};
}

function checkAgentNumber(value: unknown): Checked<string> {
	const text = cleanOwnNumber(textOf(value));
	if (isAgentNumber(text) && text.length <= LONGEST_SHOWN) return ok(text);
	const field = true;
	return fail(
		text === ''
			? {
					message: 'Agent Number is empty',
					remedy: 'Enter the agent’s phone number or its SIP ID in Agent Number.',
					field,
				}
			: {
					message: `Agent Number holds ${quoted(text)}, which is neither a phone number nor a SIP ID`,
					remedy:
						'Enter the agent’s phone number, like +14155550100, or its SIP ID, which starts with the letter t.',
					field,
				},
	);
}

function checkCallerNumber(value: unknown, agentNumber: string): Checked<string> {
	const text = textOf(value);
	const field = true;
	if (text === '') {
		if (!isSipId(agentNumber)) return ok('');
		return fail({
			message: `Caller Number is empty, and the agent ${quoted(agentNumber)} is a SIP ID, which needs one`,
			remedy: 'Enter a number registered on your account in Caller Number, like +14155550199.',
			field,
		});
	}
	const number = cleanOwnNumber(text);
	return isE164(number)
		? ok(number)
		: fail({
				message: `Caller Number holds ${quoted(text)}, which is not a phone number with its country code`,
				remedy:
					'Write Caller Number with a leading + and the country code, like +14155550199. Country of Numbers Without + is for destinations only.',
				field,
			});
}

/** A typed value; a number from a cell counts as its digits. */
function textOf(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	return '';
}
