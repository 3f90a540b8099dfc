import { isAgentNumber, isE164, isSipId } from './api/apiLimits';
import { type NoCallDates, readNoCallDates } from './hours/noCallDates';
import { readTimeZone } from './hours/timeZones';
import { readOnceForEach } from './onceForEach';
import { readOptedOut } from './optOuts';
import { regionOf } from './phone/countries';
import { checkDestination, cleanOwnNumber } from './phone/phone';
import { numbersIn } from './phone/numbersIn';
import type { SpecialKind } from './phone/specialNumbers';
import {
	anyText,
	type Checked,
	fail,
	fieldRefused,
	ok,
	type Problem,
	problem,
	quoted,
	type Result,
	thrownText,
	typedText,
} from './values';
import { promptVariables, type PromptVariables } from './promptVariables';

/** A cell that could not be read. */
export const UNREAD = Symbol('unread');

/** A row as the workflow gives it: nothing is checked yet. */
export interface RawRow {
	/** Index of the input item that the row came from. */
	itemIndex: number;
	/** Rows are numbered as in the sheet, or from 1. */
	rowNumber: number;
	destination: unknown;
	agentNumber: unknown;
	callerNumber: unknown;
	/** ISO or calling code, for numbers without +; empty: such rows are not called. */
	country: unknown;
	/** Not ok also if the row could not be read at all. */
	variables: Checked<Iterable<readonly [string, unknown]>>;
	/** The caller's own identifier (Place Call). */
	externalCallId: unknown;
	/**
	 * The appointment, invoice or purpose; undefined unless People Called Before is Once for Each.
	 */
	onceForEach?: { value: unknown };
	/** IANA name of the zone of the person called; empty: by the number. */
	timeZone: unknown;
	/** ISO dates on which the person is not called; null: none. */
	noCallDates: unknown;
	/**
	 * Whether the person asked not to be called, in a sheet's words. As a field that protects people,
	 * it is also in `input/protectingFields.ts` and in `asks` of `input/settings.ts`.
	 */
	optedOut: unknown;
}

/** What is said of a call beside its number: a request holds all of it. */
export interface CallContent {
	agentNumber: string;
	/** Only for a SIP agent, or if the user gave one. */
	callerNumber?: string;
	variables?: PromptVariables;
	externalCallId?: string;
}

/** A row that may be sent. */
export interface Row extends CallContent {
	itemIndex: number;
	rowNumber: number;
	/** Positions in the run's rows count from 0. */
	position: number;
	/** This is what is sent, in E.164. */
	destination: string;
	/** E.164, the same for all spellings of a number: who is called. */
	person: string;
	/** ISO code of the number's country; undefined: of no country. */
	country?: string;
	/** It is undefined for an ordinary number. */
	special?: SpecialKind;
	/** The number had no +: it was read as one of `country`. */
	lacksPlus?: true;
	/** What stood in the row before the number was cleaned. */
	originalDestination?: string;
	/** The value of Once for Each, normalized. */
	onceForEach?: string;
	/** IANA names; undefined: by the number. */
	timeZones?: readonly string[];
	noCallDates?: NoCallDates;
	/** The row says that its person asked not to be called. */
	optedOut?: boolean;
}

/** A row that must not be sent, and why. */
export interface RejectedRow {
	itemIndex: number;
	rowNumber: number;
	position: number;
	/** This is what the row held, bounded. */
	destination: string;
	problem: Problem;
	/**
	 * Numbers in the row, if it says that its person asked not to be called, or something that
	 * cannot be read.
	 */
	optedOut?: readonly string[];
}

/** A row of the run: it may be sent, or not. */
export type CheckedRow = Result<Row, RejectedRow>;

/**
 * Checks one row against everything that the API document says, so that no request contains a row
 * that the API would reject.
 */
export function checkRow(raw: RawRow, position: number): CheckedRow {
	const { itemIndex, rowNumber } = raw;
	const place = { itemIndex, rowNumber, position };
	const checked = readable(raw);
	if (checked.ok) return ok({ ...place, ...checked.value });
	const row: RejectedRow = {
		...place,
		destination: shown(raw.destination),
		problem: checked.error,
	};
	const optedOut = readOptedOut(raw.optedOut);
	if (!optedOut.ok || optedOut.value) row.optedOut = numbersOf(raw);
	return fail(row);
}

/** What no check has foreseen makes its own row invalid, and no other. */
function readable(raw: RawRow): Checked<Details> {
	try {
		return ok(readRow(raw));
	} catch (thrown) {
		return thrown instanceof Unusable
			? fail(thrown.problem)
			: problem(
					`a value of this row cannot be read (${thrownText(thrown)})`,
					'Use columns that hold text, numbers or dates.',
				);
	}
}

/** The first value of a row that cannot be used ends its reading. */
class Unusable extends Error {
	constructor(readonly problem: Problem) {
		super();
	}
}

function usable<T>(checked: Checked<T>) {
	if (checked.ok) return checked.value;
	throw new Unusable(checked.error);
}

type Details = Omit<Row, 'itemIndex' | 'rowNumber' | 'position'>;

function readRow(raw: RawRow): Details {
	const variables = usable(raw.variables);
	const optedOut = usable(readOptedOut(raw.optedOut));
	const agent = usable(checkAgent(raw));
	const { number, person, country, special, lacksPlus } = usable(
		checkDestination(raw.destination, raw.country),
	);
	return {
		...agent,
		destination: number,
		person,
		country,
		special,
		lacksPlus,
		originalDestination: number === raw.destination ? undefined : shown(raw.destination),
		variables: usable(promptVariables(variables)),
		timeZones: usable(readTimeZone(raw.timeZone)),
		noCallDates: usable(readNoCallDates(raw.noCallDates)),
		externalCallId: usable(checkId(raw.externalCallId)),
		onceForEach: raw.onceForEach && usable(readOnceForEach(raw.onceForEach.value)),
		optedOut,
	};
}

/** The numbers in a row that is rejected, as far as they can be read. */
function numbersOf({ destination, country }: RawRow) {
	const number = checkDestination(destination, country);
	if (number.ok) return [number.value.person];
	return numbersIn(destination, regionOf(typedText(country)));
}

const MAX_SHOWN_LENGTH = 100;

/** The API document names no bound; no ID of a CRM is longer. */
const MAX_ID_LENGTH = 500;

function checkId(value: unknown) {
	const id = typedText(value);
	return id.length > MAX_ID_LENGTH
		? problem(
				`External Call ID has more than the ${MAX_ID_LENGTH} characters that are sent`,
				'Use one field that tells requests apart, such as an ID.',
			)
		: ok(id || undefined);
}

/** A value of the user's as an output shows it. */
function shown(value: unknown) {
	const text = anyText(value, MAX_SHOWN_LENGTH) ?? '';
	return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

/** Agent Number, and Caller Number, without which a SIP agent cannot call. */
function checkAgent(raw: RawRow) {
	const agentNumber = cleanOwnNumber(typedText(raw.agentNumber));
	if (agentNumber === '')
		return fieldRefused(
			'Agent Number is empty',
			'Enter the agent’s phone number or its SIP ID in Agent Number.',
		);
	if (!isAgentNumber(agentNumber) || agentNumber.length > MAX_SHOWN_LENGTH)
		return fieldRefused(
			`Agent Number holds ${quoted(agentNumber)}, which is neither a phone number nor a SIP ID`,
			'Enter the agent’s phone number, like +14155550100, or its SIP ID, which starts with the letter t.',
		);
	const caller = typedText(raw.callerNumber);
	if (caller === '')
		return isSipId(agentNumber)
			? fieldRefused(
					`Caller Number is empty, and the agent ${quoted(agentNumber)} is a SIP ID, which needs one`,
					'Enter a number registered on your account in Caller Number, like +14155550199.',
				)
			: ok({ agentNumber });
	const callerNumber = cleanOwnNumber(caller);
	return isE164(callerNumber) && callerNumber.length <= MAX_SHOWN_LENGTH
		? ok({ agentNumber, callerNumber })
		: fieldRefused(
				`Caller Number holds ${quoted(caller)}, which is not a phone number with its country code`,
				'Write Caller Number with a leading + and the country code, like +14155550199. Country of Numbers Without + is for destinations only.',
			);
}
