/** What the answers of a run prove beyond their own rows: what one row met, others would meet. */
import type { Exchange } from '../domain/exchange';
import { lacksAny } from '../domain/isolateBadRows';
import type { Row } from '../domain/row';
import { isOwnAnswer } from '../domain/sendPolicy';
import type { Execution } from '../execution/execution';
import type { AnswersState } from '../execution/nodeState';
import type { ApiProblem } from '../http/apiErrors';
import { FOREIGN_ANSWERS, NOT_THE_API } from './runProblems';

export class Proofs {
	private readonly answers: AnswersState;
	private endedRun: ApiProblem | undefined;
	private readonly endedGroups = new Map<string, ApiProblem>();
	/** What the API said that an agent's prompt needs, by group: every row that lacks it would be refused. */
	private readonly needed = new Map<string, ApiProblem[]>();

	constructor({ state, id, round }: Pick<Execution, 'state' | 'id' | 'round'>, address: string) {
		const kept = state.outboundCallsAnswers;
		const answers =
			kept?.address === address ? kept : { execution: id, round, address, own: false, foreign: 0 };
		// Another try begins anew.
		if (answers.execution !== id || answers.round >= round) answers.foreign = 0;
		this.answers = state.outboundCallsAnswers = Object.assign(answers, { execution: id, round });
	}

	/** Whether the API itself has answered in this execution, be it in another round of a loop, or in one that it continues. */
	get apiAnswered(): boolean {
		return this.answers.own;
	}

	/** Why nothing more can be sent; undefined as long as something can. */
	get runProblem(): ApiProblem | undefined {
		return this.endedRun;
	}

	/** Why no row of an agent and caller can be sent any more. */
	problemOf(group: string): ApiProblem | undefined {
		return this.endedRun ?? this.endedGroups.get(group);
	}

	/** Why the API would refuse this row. */
	lacking(row: Row, group: string): ApiProblem | undefined {
		return this.needed
			.get(group)
			?.find(({ missingVariables = [] }) => lacksAny(row, missingVariables));
	}

	/** Whether rows of the group have to be asked one by one. */
	needs(group: string): boolean {
		return this.needed.has(group);
	}

	/** Nothing more can be sent. The first reason counts, and is returned. */
	endRun(why: ApiProblem): ApiProblem {
		return (this.endedRun ??= why);
	}

	/** The agent's prompt has placeholders that rows did not fill. */
	need(group: string, why: ApiProblem): void {
		this.needed.set(group, [...(this.needed.get(group) ?? []), why]);
	}

	/** Who answered. */
	noteAnswer(exchange: Exchange): void {
		if (exchange.kind !== 'answer') return;
		const isOwn = isOwnAnswer(exchange);
		this.answers.own ||= isOwn;
		this.answers.foreign = isOwn ? 0 : this.answers.foreign + 1;
		if (this.answers.foreign >= FOREIGN_ANSWERS) this.endRun(NOT_THE_API);
	}

	/** A request was refused for good, or its connection did not open. */
	noteRefusal(group: string, why: ApiProblem, exchange: Exchange): void {
		if (exchange.kind === 'notOpened' || why.ends === 'run') this.endRun(why);
		else if (why.ends === 'group') this.endedGroups.set(group, why);
	}
}
