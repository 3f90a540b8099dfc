/** What the answers of a run say about requests that were not sent yet: they would meet the same. */
import type { Exchange } from '../domain/exchange';
import { lacksAny } from '../domain/isolateBadRows';
import type { Row } from '../domain/row';
import { isOwnAnswer } from '../domain/sendPolicy';
import type { NodeState } from '../execution/nodeState';
import type { ApiProblem } from '../http/apiErrors';
import { NO_API, REQUESTS_WITHOUT_API } from './runProblems';

/** The evidence of one run. */
export class RunEvidence {
	/** Requests in a row without an answer of the API's own. */
	private lost = 0;
	private endedRun: ApiProblem | undefined;
	private readonly endedGroups = new Map<string, ApiProblem>();
	/** The prompt variables that an agent needs, by group: rows without them would be refused. */
	private readonly needed = new Map<string, ApiProblem[]>();

	constructor(
		private readonly state: Pick<NodeState, 'outboundCallsApi'>,
		/** Of the API, as a digest. */
		private readonly address: string,
	) {}

	/** Whether the API itself answered before in this execution, in one of its tries, or in one that it retries. */
	get apiAnswered(): boolean {
		return this.state.outboundCallsApi === this.address;
	}

	/** Why nothing more can be sent. */
	get runProblem(): ApiProblem | undefined {
		return this.endedRun;
	}

	/** Why no more rows of an agent and caller can be sent. */
	problemOf(group: string): ApiProblem | undefined {
		return this.endedRun ?? this.endedGroups.get(group);
	}

	/** Why the API would refuse this row. */
	lacking(row: Row, group: string): ApiProblem | undefined {
		return this.needed
			.get(group)
			?.find(({ missingVariables = [] }) => lacksAny(row, missingVariables));
	}

	/** Whether rows of the group may lack a prompt variable. */
	needs(group: string): boolean {
		return this.needed.has(group);
	}

	/** Ends the run; returns the first reason, which counts. */
	endRun(why: ApiProblem): ApiProblem {
		return (this.endedRun ??= why);
	}

	/** Notes that the prompt of the group's agent has placeholders which rows did not fill. */
	need(group: string, why: ApiProblem): void {
		this.needed.set(group, [...(this.needed.get(group) ?? []), why]);
	}

	/** Notes who answered. A connection that did not open is tried again, and counts in `noteRefusal`. */
	noteAnswer(exchange: Exchange): void {
		if (exchange.kind === 'notOpened') return;
		const isOwn = isOwnAnswer(exchange);
		if (isOwn) this.state.outboundCallsApi = this.address;
		this.lost = isOwn ? 0 : this.lost + 1;
		if (this.lost >= REQUESTS_WITHOUT_API) this.endRun(NO_API);
	}

	/** Notes that a request was refused for good, or that its connection did not open. */
	noteRefusal(group: string, why: ApiProblem, exchange: Exchange): void {
		if (exchange.kind === 'notOpened' || why.ends === 'run') this.endRun(why);
		else if (why.ends === 'group') this.endedGroups.set(group, why);
	}
}
