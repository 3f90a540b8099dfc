/** Agents and caller of the sandbox's account. */
export const AGENT = '+15550001000';
/** Its prompt has {{name}} and {{amount}}. */
export const AGENT_WITH_PROMPT = '+15550002000';
export const SIP_AGENT = 't-sales';
export const AGENT_WITH_SIP_ID = '+15550003000';
export const UNKNOWN_AGENT = '+15550004040';
export const CALLER = '+15550009999';
