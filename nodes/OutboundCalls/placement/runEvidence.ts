/**
 * What the answers of a run say about requests that were not sent yet: they would meet the same.
 * And why a run ends that has not met a refusal.
 */
import type { ApiProblem, Exchange } from '../domain/api/exchange';
import { formatDuration, thrownReason } from '../domain/values';
import { lacksAny } from '../domain/api/requests';
import type { Row } from '../domain/row';
import { isOwnAnswer } from '../domain/api/sendPolicy';
import type { NodeState } from '../execution/nodeState';
import { ADDRESS_REMEDY_OR_LATER, CHECK_DASHBOARD } from '../http/refusals';
import { GateClosed } from '../memory/liveGate';

/** Collects the evidence of one run. */
export class RunEvidence {
	/** Requests in a row without an answer of the API's own. */
	private lost = 0;
	private endedRun: ApiProblem | undefined;
	private readonly endedAgents = new Map<string, ApiProblem>();
	/** The prompt variables that an agent needs: rows without them would be refused. */
	private readonly needed = new Map<string, ApiProblem[]>();

	constructor(
		private readonly state: NodeState,
		/** This is a digest of the API's address. */
		private readonly address: string,
	) {}

	/**
	 * Whether the API itself answered before in this execution, in one of its tries, or in one that
	 * it retries.
	 */
	get apiAnswered() {
		return this.state.outboundCallsApi === this.address;
	}

	/** Why nothing more can be sent for this agent and caller (`agentOf`). */
	problemOf(agent: string) {
		return this.endedRun ?? this.endedAgents.get(agent);
	}

	/** Why the API would refuse this row. */
	lacking(row: Row, agent: string) {
		return this.needed
			.get(agent)
			?.find(({ missingVariables = [] }) => lacksAny(row, missingVariables));
	}

	/** Ends the run; returns the first reason, which counts. */
	endRun(why: ApiProblem) {
		return (this.endedRun ??= why);
	}

	/** Notes that the agent's prompt has placeholders which rows did not fill. */
	need(agent: string, why: ApiProblem) {
		this.needed.set(agent, [...(this.needed.get(agent) ?? []), why]);
	}

	/**
	 * Notes who answered. A connection that did not open is tried again, and counts in
	 * `noteRefusal`.
	 */
	noteAnswer(exchange: Exchange) {
		if (exchange.kind === 'notOpened') return;
		const isOwn = isOwnAnswer(exchange);
		if (isOwn) this.state.outboundCallsApi = this.address;
		this.lost = isOwn ? 0 : this.lost + 1;
		if (this.lost >= REQUESTS_WITHOUT_API) this.endRun(NO_API);
	}

	/** Notes that a request was refused for good, or that its connection did not open. */
	noteRefusal(agent: string, why: ApiProblem, exchange: Exchange) {
		if (exchange.kind === 'notOpened' || why.reach === 'run') this.endRun(why);
		else if (why.reach === 'agent') this.endedAgents.set(agent, why);
	}
}

/** So many requests in a row without an answer of the API's own end the run. */
const REQUESTS_WITHOUT_API = 3;

/** Why a run ends when the API does not answer. */
const NO_API: ApiProblem = {
	message: `${REQUESTS_WITHOUT_API} requests in a row got no answer from the API, so nothing more was sent`,
	remedy: ADDRESS_REMEDY_OR_LATER,
};

/** Why a row is unknown that an answer does not account for. */
export const UNREADABLE_ROW = {
	message: 'The API’s answer does not mention this row, so the call may have been placed',
	remedy: CHECK_DASHBOARD,
};

/** Why a run ends when the wait that the API asks for does not fit into Max Retry Wait (ms). */
export const comeBackLater = (
	why: ApiProblem,
	demandedMs: number | undefined,
	maxWaitMs: number,
): ApiProblem =>
	demandedMs
		? {
				...why,
				remedy: `Try again in ${formatDuration(demandedMs)}, as the API asks: that is longer than Max Retry Wait (${maxWaitMs > 0 ? formatDuration(maxWaitMs) : '0'}) allows.`,
			}
		: why;

/** Why a run ends when n8n's database does not answer, or says that nobody may be called. */
export const memoryProblem = (thrown: unknown): ApiProblem =>
	thrown instanceof GateClosed
		? thrown.problem
		: {
				message: `The call history in n8n’s database is not available${thrownReason(thrown)}`,
				remedy:
					'Press Retry in a moment; if this workflow is new, save it and execute again. If this continues, ask your n8n administrator to check the database.',
			};

/** Why rows are unknown after something was thrown that nobody expected. */
export const brokenOff = (thrown: unknown): ApiProblem => ({
	message: `The run stopped unexpectedly${thrownReason(thrown)}, so the calls may have been placed`,
	remedy: CHECK_DASHBOARD,
});
