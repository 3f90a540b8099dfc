import { isAgentNumber, isE164, isSipId } from './api/apiLimits';
import { type NoCallDates, readNoCallDates } from './hours/noCallDates';
import { readTimeZone } from './hours/timeZones';
import { readOnceForEach } from './onceForEach';
import { readOptedOut } from './optOuts';
import { regionOf } from './phone/countries';
import { checkDestination } from './phone/destination';
import { numbersIn } from './phone/numbersIn';
import { cleanOwnNumber } from './phone/phone';
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
	/** Whether the person asked not to be called, in a sheet's words. */
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
	const checked = readable(raw, position);
	if (checked.ok) return checked;
	const { itemIndex, rowNumber } = raw;
	const row: RejectedRow = {
		itemIndex,
		rowNumber,
		position,
		destination: shown(raw.destination),
		problem: checked.error,
	};
	const optedOut = readOptedOut(raw.optedOut);
	if (!optedOut.ok || optedOut.value === 'optedOut') row.optedOut = numbersOf(raw);
	return fail(row);
}

/** What no check has foreseen makes its own row invalid, and no other. */
function readable(raw: RawRow, position: number): Checked<Row> {
	try {
		return readRow(raw, position);
	} catch (thrown) {
		return problem(
			`a value of this row cannot be read (${thrownText(thrown)})`,
			'Use columns that hold text, numbers or dates.',
		);
	}
}

function readRow(raw: RawRow, position: number): Checked<Row> {
	if (!raw.variables.ok) return raw.variables;
	const optedOut = readOptedOut(raw.optedOut);
	if (!optedOut.ok) return optedOut;
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
	const externalCallId = typedText(raw.externalCallId);
	if (externalCallId.length > MAX_ID_LENGTH) return fail(ID_TOO_LONG);
	const onceForEach = raw.onceForEach && readOnceForEach(raw.onceForEach.value);
	if (onceForEach?.ok === false) return onceForEach;

	const { number, person, country, special, lacksPlus } = destination.value;
	return ok({
		itemIndex: raw.itemIndex,
		rowNumber: raw.rowNumber,
		position,
		destination: number,
		person,
		country,
		special,
		lacksPlus,
		originalDestination: number === raw.destination ? undefined : shown(raw.destination),
		agentNumber: agentNumber.value,
		callerNumber: callerNumber.value || undefined,
		variables: variables.value,
		externalCallId: externalCallId || undefined,
		onceForEach: onceForEach?.value,
		timeZones: timeZones.value.length > 0 ? timeZones.value : undefined,
		noCallDates: noCallDates.value || undefined,
		optedOut: optedOut.value === 'optedOut',
	});
}

/** The numbers in a row that is rejected, as far as they can be read. */
function numbersOf({ destination, country }: RawRow): string[] {
	const number = checkDestination(destination, country);
	if (number.ok) return [number.value.person];
	return numbersIn(destination, regionOf(typedText(country)));
}

const MAX_SHOWN_LENGTH = 100;

/** The API document names no bound; no ID of a CRM is longer. */
const MAX_ID_LENGTH = 500;

const ID_TOO_LONG: Problem = {
	message: `External Call ID has more than ${MAX_ID_LENGTH} characters`,
	remedy: 'Use a shorter value, such as an ID.',
};

/** A value of the user's as an output shows it. */
function shown(value: unknown): string {
	const text = anyText(value, MAX_SHOWN_LENGTH) ?? '';
	return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

function checkAgentNumber(value: unknown): Checked<string> {
	const text = cleanOwnNumber(typedText(value));
	if (isAgentNumber(text) && text.length <= MAX_SHOWN_LENGTH) return ok(text);
	return text === ''
		? fieldRefused(
				'Agent Number is empty',
				'Enter the agent’s phone number or its SIP ID in Agent Number.',
			)
		: fieldRefused(
				`Agent Number holds ${quoted(text)}, which is neither a phone number nor a SIP ID`,
				'Enter the agent’s phone number, like +14155550100, or its SIP ID, which starts with the letter t.',
			);
}

function checkCallerNumber(value: unknown, agentNumber: string): Checked<string> {
	const text = typedText(value);
	if (text === '') {
		if (!isSipId(agentNumber)) return ok('');
		return fieldRefused(
			`Caller Number is empty, and the agent ${quoted(agentNumber)} is a SIP ID, which needs one`,
			'Enter a number registered on your account in Caller Number, like +14155550199.',
		);
	}
	const number = cleanOwnNumber(text);
	return isE164(number) && number.length <= MAX_SHOWN_LENGTH
		? ok(number)
		: fieldRefused(
				`Caller Number holds ${quoted(text)}, which is not a phone number with its country code`,
				'Write Caller Number with a leading + and the country code, like +14155550199. Country of Numbers Without + is for destinations only.',
			);
}
