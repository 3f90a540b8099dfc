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
	const agent = knownAgent(settings.agents, agentNumber);
	if (isSipId(agentNumber) && !settings.callerNumbers.includes(callerNumber ?? '')) {
		throw new Refusal(invalid('caller_number is not registered on this account'));
	}
	checkVariables(
		agent,
		destinations.map(({ variables }) => variables),
	);
	if (settings.accountLocked) throw new Refusal(accountLocked);
	if (dialedSoFar + destinations.length > (settings.dailyLimit ?? Infinity)) {
		throw new Refusal(dailyLimitReached);
	}
	return agent;
}

/**
 * What is checked before the body's shape, where the numbers do not come first. A body of another shape passes.
 * @throws Refusal with 404 or 400
 */
export function admitBeforeNumbers({ agents, numbersChecked }: Settings, body: unknown): void {
	const { agent_number: agentNumber, prompt_variables: shared = {} } = (body ?? {}) as {
		agent_number?: unknown;
		prompt_variables?: object;
	};
	if (numbersChecked === 'first' || typeof agentNumber !== 'string') return;
	const agent = knownAgent(agents, agentNumber);
	if (numbersChecked === 'last') checkVariables(agent, [shared]);
}

function knownAgent(agents: Agent[], agentNumber: string): Agent {
	const agent = findAgent(agents, agentNumber);
	if (!agent) throw new Refusal(agentNotFound);
	return agent;
}

function checkVariables({ placeholders }: Agent, variables: object[]): void {
	const missing = placeholders.filter((name) =>
		variables.some((each) => !Object.hasOwn(each, name)),
	);
	if (missing.length > 0) throw new Refusal(missingVariables(missing));
}
