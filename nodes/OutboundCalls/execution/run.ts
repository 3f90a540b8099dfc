import type { IExecuteFunctions } from 'n8n-workflow';
import type { Send } from '../domain/exchange';
import { openApi } from '../http/client';
import { Throttle } from '../http/throttle';
import { perRun } from './parameters';

/** Options that all operations share, in the units of the code and within their bounds. */
export interface RunOptions {
	timeoutMs: number;
	maxWaitMs: number;
	concurrency: number;
}

export function runOptions(context: IExecuteFunctions): RunOptions {
	return {
		timeoutMs: clamp(perRun(context, 'options.timeout', 60), 1, 3_600) * 1_000,
		maxWaitMs: clamp(perRun(context, 'options.maxRetryWait', 300), 0, Infinity) * 1_000,
		concurrency: Math.floor(clamp(perRun(context, 'options.parallelRequests', 5), 1, 10)),
	};
}

/** A number of the user's, within bounds; `least` for what is none. */
export function clamp(value: unknown, least: number, most: number): number {
	const number = Number(value);
	return Number.isNaN(number) ? least : Math.min(Math.max(number, least), most);
}

/** Aborted when the execution is stopped. Undefined on older hosts, which have none. */
export const cancelSignal = (context: Partial<IExecuteFunctions>): AbortSignal | undefined => context.getExecutionCancelSignal?.();

/** What one run of an operation that places no call works with. */
export interface Run extends RunOptions {
	send: Send;
	throttle: Throttle;
	signal: AbortSignal | undefined;
}

export async function openRun(context: IExecuteFunctions): Promise<Run> {
	const options = runOptions(context);
	const signal = cancelSignal(context);
	return { ...options, signal, send: await openApi(context), throttle: new Throttle({ maxWaitMs: options.maxWaitMs, signal }) };
}
