import {
	accountLocked,
	agentNotFound,
	dailyLimitReached,
	invalid,
	missingVariables,
	Refusal,
} from './refusals';
import type { Agent, Settings } from './types';

export interface Destination {
	phone: string;
	variables: Record<string, string>;
}

/** One placement request whose body has the right shape; destinations are unique. */
export interface Placement {
	agentNumber: string;
	callerNumber?: string;
	destinations: Destination[];
	externalCallId?: string;
}

const isSipId = (agentNumber: string) => agentNumber.startsWith('t');

/** "Identifying the agent": by number, its leading + optional, or by SIP ID. */
export function findAgent(agents: Agent[], agentNumber: string): Agent | undefined {
	if (isSipId(agentNumber)) return agents.find(({ sipId }) => sipId === agentNumber);
	const digits = (number: string) => number.replace(/^\+/, '');
	return agents.find(({ number }) => digits(number) === digits(agentNumber));
}

/**
 * Every rule that needs to know the account, for the whole request, before anything is dialed.
 * @throws Refusal with 404, 400 or 422 (POST /calls/bulk, rule 1; Errors)
 */
export function admit(placement: Placement, settings: Settings, dialedSoFar: number): Agent {
	const { agentNumber, callerNumber, destinations } = placement;
	const agent = findAgent(settings.agents, agentNumber);
	if (!agent) throw new Refusal(agentNotFound);
	if (isSipId(agentNumber) && !settings.callerNumbers.includes(callerNumber ?? ''))
		throw new Refusal(invalid('caller_number is not registered on this account'));
	const missing = agent.placeholders.filter((name) =>
		destinations.some(({ variables }) => !Object.hasOwn(variables, name)),
	);
	if (missing.length > 0) throw new Refusal(missingVariables(missing));
	if (settings.accountLocked) throw new Refusal(accountLocked);
	if (dialedSoFar + destinations.length > (settings.dailyLimit ?? Infinity))
		throw new Refusal(dailyLimitReached);
	return agent;
}
