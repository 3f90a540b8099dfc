/**
 * The API's own facts, each said once. Source: API document, "Limits", "Phone number format",
 * "Personalizing the prompt" and "Identifying the agent".
 */
export const DESTINATIONS_PER_REQUEST = 10;
export const PROMPT_VARIABLES_PER_CALL = 25;
export const PROMPT_VARIABLE_LENGTH = 500;
export const RECORDS_PER_PAGE = 20;
export const RESERVED_PREFIXES = ['system__', 'secret__'] as const;

const E164 = /^\+\d+$/;
const AGENT_NUMBER = /^\+?\d+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const RECORD_ID = /^[1-9]\d{0,18}$/;

export const isE164 = (text: string): boolean => E164.test(text);

/** No number has more digits, its country code included. The API document does not say so. */
export const E164_DIGITS = 15;

/** A SIP ID is "a value starting with the letter t". */
export const isSipId = (agentNumber: string): boolean => agentNumber.startsWith('t');

export const isAgentNumber = (text: string): boolean => isSipId(text) || AGENT_NUMBER.test(text);

export const isBatchId = (text: string): boolean => UUID.test(text);

export const isCallRecordId = (text: string): boolean => RECORD_ID.test(text);
