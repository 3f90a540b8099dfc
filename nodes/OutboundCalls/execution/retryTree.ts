import type { IExecuteFunctions } from 'n8n-workflow';
import { hostOf } from './host';

/** What an execution of this node shares with all retries of one first execution. */
export interface RetryTree {
	/** The same in the first execution and in all retries of it or of one another; another one in each new run. */
	id: string;
	isRetry: boolean;
}

/**
 * n8n behaviour: each retry starts from the record of the execution that it stands on, and knows nothing of its
 * siblings. What they all keep is the record of the step that began the first execution, with its time.
 */
export function retryTree(context: IExecuteFunctions, nodeId: string): RetryTree {
	const { runExecutionData } = hostOf(context);
	const isRetry = context.getMode() === 'retry';
	// Newer hosts give each execution a token of its own, which its retries keep.
	if (runExecutionData?.resumeToken) return { id: `${nodeId} ${runExecutionData.resumeToken}`, isRetry };
	let first: { name: string; time: number } | undefined;
	for (const [name, runs] of Object.entries(runExecutionData?.resultData?.runData ?? {})) {
		const time = runs[0]?.startTime;
		if (time !== undefined && (!first || time < first.time)) first = { name, time };
	}
	return { id: `${nodeId} ${first ? `${first.time} ${first.name}` : context.getExecutionId()}`, isRetry };
}
