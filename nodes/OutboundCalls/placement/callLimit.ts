import type { IExecuteFunctions } from 'n8n-workflow';
import { formatCount } from '../domain/format';

interface Kept {
	/** Calls that were started, or may have been, or are about to be. */
	outboundCallsStarted?: number;
}

/** How many calls an execution may still start. The host keeps the count over rounds of a loop, retries and an agent's uses of the tool. */
export class CallLimit {
	private readonly kept: Kept;

	constructor(
		context: IExecuteFunctions,
		/** Undefined: there is no limit. */
		readonly most: number | undefined,
	) {
		this.kept = context.getContext('node');
	}

	/** Takes as many as are left, at most `calls`. What is under way at the same time cannot take the same ones. */
	take(calls: number): number {
		const started = this.kept.outboundCallsStarted ?? 0;
		const taken = this.most === undefined ? calls : Math.min(calls, Math.max(0, this.most - started));
		this.kept.outboundCallsStarted = started + taken;
		return taken;
	}

	/** Calls that were taken and certainly not started. */
	giveBack(calls: number): void {
		this.kept.outboundCallsStarted = (this.kept.outboundCallsStarted ?? 0) - calls;
	}
}

/** Why a row beyond the limit is not called. */
export const limitReached = (most: number): string => `Max Calls is ${formatCount(most)}, and so many were started`;
