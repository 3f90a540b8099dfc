import { type Checked, ok, problem, quoted, typedText } from '../values';
/**
 * The API's own facts, each said once. Source: API document, "Limits", "Phone number format",
 * "Personalizing the prompt" and "Identifying the agent".
 */
export const DESTINATIONS_PER_REQUEST = 10;
export const PROMPT_VARIABLES_PER_CALL = 25;
export const PROMPT_VARIABLE_LENGTH = 500;
export const RECORDS_PER_PAGE = 20;
export const RESERVED_PREFIXES = ['system__', 'secret__'] as const;

export const isE164 = (text: string) => /^\+\d+$/.test(text);

/** No number has more digits, its country code included. The API document does not say so. */
export const E164_DIGITS = 15;

/** A SIP ID is "a value starting with the letter t". */
export const isSipId = (agentNumber: string) => agentNumber.startsWith('t');

export const isAgentNumber = (text: string) => isSipId(text) || /^\+?\d+$/.test(text);

export const isBatchId = (text: string) =>
	/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

export const isCallRecordId = (text: string) => /^[1-9]\d{0,18}$/.test(text);

/** A batch's ID as a cell gives it. */
export function checkBatchId(value: unknown): Checked<string> {
	const id = typedText(value);
	return isBatchId(id)
		? ok(id)
		: problem(
				id === ''
					? 'the batch ID is empty'
					: `the batch ID ${quoted(id)} is not one of the API’s IDs`,
				'Drag in the column batch_id from Bulk Call, which looks like 8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e. Rows that were not called have none: filter them out first.',
			);
}

/** One key for a batch, however its ID is spelled. */
export const batchKey = (batchId: string) => batchId.toLowerCase();

/** A call record's ID as a cell gives it. */
export function checkCallRecordId(value: unknown): Checked<string> {
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return problem(
			`the call record ID ${quoted(value)} is a number that may have lost its last digits`,
			'Give it as text, as the API wrote it.',
		);
	}
	const id = typedText(value);
	return isCallRecordId(id)
		? ok(id)
		: problem(
				id === ''
					? 'the call record ID is empty'
					: `the call record ID ${quoted(id)} is not a whole number`,
				'Drag in the column consent_id from Bulk Call, or id from Get Batch. Rows that were not called have none: filter them out first.',
			);
}

/** The ID of a record as the API sent it, as text; empty when it has none. */
export const idOf = ({ id }: { id?: unknown }) => typedText(id);
