import type { IExecuteFunctions } from 'n8n-workflow';
import { hostOf } from './host';

/** What an execution of this node shares with all retries of one first execution. */
export interface RetryTree {
	/**
	 * By the node's name and by its ID. Each is the same in the first execution and in all retries of it or of one another; another one
	 * in each new run. Between two of them, the node may have been renamed, or deleted and added again under its name: whatever is
	 * known by one of the two is known.
	 */
	ids: readonly string[];
	isRetry: boolean;
}

/**
 * n8n behaviour: each retry starts from the record of the execution that it stands on, and knows nothing of its
 * siblings. What they all keep is the record of the step that began the first execution, with its time.
 */
export function retryTree(context: IExecuteFunctions): RetryTree {
	const { runExecutionData } = hostOf(context);
	const isRetry = context.getMode() === 'retry';
	let first: { name: string; time: number } | undefined;
	for (const [name, runs] of Object.entries(runExecutionData?.resultData?.runData ?? {})) {
		const time = runs[0]?.startTime;
		// A tool that an agent has asked for has none yet: 0.
		if (time && (!first || time < first.time)) first = { name, time };
	}
	// Newer hosts give each execution a token of its own, which its retries keep.
	const root =
		runExecutionData?.resumeToken ||
		(first ? `${first.time} ${first.name}` : context.getExecutionId());
	const { id, name } = context.getNode();
	return { ids: [`${id} ${root}`, `name ${name} ${root}`], isRetry };
}
