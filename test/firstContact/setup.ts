import { isAgentNumber, isE164, isSipId } from '../../nodes/OutboundCalls/domain/api/apiLimits';
import { cleanOwnNumber, readPhoneNumber } from '../../nodes/OutboundCalls/domain/phone/phone';
import { promptVariables } from '../../nodes/OutboundCalls/domain/promptVariables';
import { checkBaseUrl, checkToken } from '../../nodes/OutboundCalls/http/credential';
import type { Checked } from '../../nodes/OutboundCalls/domain/values/problem';
import { isObject, parsed } from '../../nodes/OutboundCalls/domain/values/untrustedValues';

/** What the person gives, as text: the caller only for an agent with a SIP ID, and variables as JSON. */
type Given = Record<'baseUrl' | 'token' | 'agent' | 'caller' | 'phone' | 'variables', string>;

/** The same, checked as the node checks it. */
export interface Setup {
	baseUrl: string;
	token: string;
	agentNumber: string;
	callerNumber?: string;
	/** The only number that is ever dialed. */
	ownPhone: string;
	variables: Record<string, string>;
}

/** @throws Error with a sentence for the person at the terminal */
export function readSetup({ baseUrl, token, agent, caller, phone, variables }: Given): Setup {
	const agentNumber = cleanOwnNumber(agent.trim());
	if (!isAgentNumber(agentNumber))
		throw new Error('The agent number is neither a phone number nor a SIP ID (starting with t).');
	const callerNumber = cleanOwnNumber(caller.trim());
	if (isSipId(agentNumber) && !isE164(callerNumber))
		throw new Error('An agent with a SIP ID needs a caller number: + and digits.');
	const own = readPhoneNumber(phone.trim());
	if (!own.ok || !own.value.isValid || own.value.special)
		throw new Error(
			'The phone number is not that of an ordinary phone. Give your own one with + and its country code.',
		);
	return {
		baseUrl: valueOf(checkBaseUrl(baseUrl)),
		token: valueOf(checkToken(token)),
		agentNumber,
		...(isSipId(agentNumber) ? { callerNumber } : {}),
		ownPhone: own.value.number,
		variables: readVariables(variables),
	};
}

function readVariables(text: string): Record<string, string> {
	if (text.trim() === '') return {};
	const given = parsed(text);
	if (!isObject(given))
		throw new Error('The prompt variables are not JSON such as {"name": "Ada"}.');
	return valueOf(promptVariables(Object.entries(given))) ?? {};
}

function valueOf<T>(checked: Checked<T>): T {
	if (!checked.ok) throw new Error(`${checked.error.message}. ${checked.error.remedy}`);
	return checked.value;
}
