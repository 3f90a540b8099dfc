import { quoted } from './format';
import { isAgentNumber, isE164, isSipId } from './limits';
import { cleanNumber, mendingOptions } from './phone';
import { type Checked, fail, ok, problem, type Problem, type Result } from './problem';
import { promptVariables, type PromptVariables } from './promptVariables';

/** A row as the workflow gives it: nothing is checked yet. */
export interface RawRow {
	/** Index of the input item that the row came from. */
	itemIndex: number;
	destination: unknown;
	agentNumber: unknown;
	callerNumber: unknown;
	/** Also not ok when the row could not be read at all. */
	variables: Checked<Iterable<readonly [string, unknown]>>;
	/** The caller's own identifier (Place Call). */
	externalCallId?: unknown;
	/** What Call Once remembers the row by; undefined without Call Once. */
	callOnceKey?: unknown;
}

/** A row that may be sent. */
export interface Row {
	itemIndex: number;
	/** Position in the run's rows, from 0; users see it as "Row 1". */
	position: number;
	destination: string;
	/** The row's own text, if Clean Numbers changed it. */
	originalDestination?: string;
	agentNumber: string;
	/** Only for a SIP agent, or when the user gave one. */
	callerNumber?: string;
	variables?: PromptVariables;
	externalCallId?: string;
	/** What Call Once remembers the row by. */
	callOnceKey?: string;
}

/** A row that must not be sent, and why. */
export interface RejectedRow {
	itemIndex: number;
	position: number;
	problem: Problem;
}

/** Clean Numbers is on. */
export interface Cleaning {
	/** Digits, for national numbers. */
	defaultCountryCode?: string | undefined;
}

/** A row of the run: it may be sent, or not. */
export type CheckedRow = Result<Row, RejectedRow>;

/**
 * Checks one row against every rule that the API document gives, so that a row that the API would
 * reject is found before anything is dialed.
 */
export function checkRow(raw: RawRow, position: number, cleaning?: Cleaning): CheckedRow {
	const reject = (why: Problem): CheckedRow => fail({ itemIndex: raw.itemIndex, position, problem: why });

	if (!raw.variables.ok) return reject(raw.variables.error);
	const cleaned = cleaning && cleanNumber(raw.destination, cleaning.defaultCountryCode);
	const destination = checkDestination(cleaned ?? raw.destination, cleaning);
	if (!destination.ok) return reject(destination.error);
	const agentNumber = checkAgentNumber(raw.agentNumber);
	if (!agentNumber.ok) return reject(agentNumber.error);
	const callerNumber = checkCallerNumber(raw.callerNumber, agentNumber.value);
	if (!callerNumber.ok) return reject(callerNumber.error);
	const variables = promptVariables(raw.variables.value);
	if (!variables.ok) return reject(variables.error);

	const row: Row = {
		itemIndex: raw.itemIndex,
		position,
		destination: destination.value,
		agentNumber: agentNumber.value,
		variables: isEmpty(variables.value) ? undefined : variables.value,
	};
	if (cleaned !== undefined && cleaned !== raw.destination) row.originalDestination = String(raw.destination);
	if (callerNumber.value !== '') row.callerNumber = callerNumber.value;
	const externalCallId = textOf(raw.externalCallId);
	if (externalCallId !== '') row.externalCallId = externalCallId;
	if (raw.callOnceKey !== undefined) row.callOnceKey = callOnceKey(textOf(raw.callOnceKey), row);
	return ok(row);
}

/** Keys are often made from the phone column. In a key, too, two spellings of a number must count as one. */
function callOnceKey(key: string, { destination, originalDestination }: Row): string {
	return (originalDestination === undefined ? key : key.replaceAll(originalDestination.trim(), destination)) || destination;
}

function isEmpty(variables: PromptVariables): boolean {
	for (const _name in variables) return false;
	return true;
}

const E164_REMEDY = 'Write the number with a leading + and the country code, digits only, like +14155550123.';

function checkDestination(value: unknown, cleaning: Cleaning | undefined): Checked<string> {
	if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) {
		const what = typeof value === 'boolean' ? quoted(value) : 'a list or an object';
		return problem(`the destination is ${what}, not a phone number`, 'Pick the field that holds the number.');
	}
	// Sent exactly as it stands: "Numbers are not reformatted" (API document, "Phone number format").
	const text = typeof value === 'string' ? value : textOf(value);
	if (text.trim() === '') {
		return problem('the destination is empty', 'Drag the column with the phone number into Destination, and check that the row has one.');
	}
	if (text !== text.trim()) {
		return problem(
			`the destination ${quoted(text)} has a space or a line break around it`,
			`Remove it in the sheet, or turn on ${mendingOptions(value) ?? 'Clean Numbers'} in the options of this node.`,
		);
	}
	return isE164(text)
		? ok(text)
		: problem(`the destination ${quoted(text)} is not a phone number in international format`, destinationRemedy(value, cleaning));
}

function destinationRemedy(value: unknown, cleaning: Cleaning | undefined): string {
	const options = mendingOptions(value);
	if (options === undefined) return E164_REMEDY;
	return cleaning
		? `${E164_REMEDY} Or set the option Default Country Code, like 49, for numbers without one.`
		: `${E164_REMEDY} Or turn on ${options} in the options of this node.`;
}

function checkAgentNumber(value: unknown): Checked<string> {
	const text = textOf(value);
	if (text === '') {
		return problem('the agent number is empty', 'Enter the agent’s phone number or its SIP ID in Agent Number.');
	}
	return isAgentNumber(text)
		? ok(text)
		: problem(
				`the agent number ${quoted(text)} is neither a phone number nor a SIP ID`,
				'Enter the agent’s phone number, like +14155550100, or its SIP ID, which starts with the letter t.',
			);
}

function checkCallerNumber(value: unknown, agentNumber: string): Checked<string> {
	const text = textOf(value);
	if (text === '') {
		return isSipId(agentNumber)
			? problem(
					`the agent ${quoted(agentNumber)} is a SIP ID, which needs a caller number, and Caller Number is empty`,
					'Enter a number registered on your account in Caller Number, like +14155550199.',
				)
			: ok('');
	}
	return isE164(text) ? ok(text) : problem(`the caller number ${quoted(text)} is not in international format`, E164_REMEDY);
}

/** A typed value; a number from a cell counts as its digits. */
function textOf(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	return '';
}
