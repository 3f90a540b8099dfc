import type { IExecuteFunctions } from 'n8n-workflow';
import { isWorker } from './worker';

/** The list of keys that the host's database keeps for this node of this workflow. It outlives runs and processes. */
export interface KeyStore {
	/** The same for all executions that share the list. */
	readonly id: string;
	/** Other processes may write the list, too. */
	readonly isShared: boolean;
	/** Enters keys; resolves with those that were not there before. Rejects when the database cannot be used: then they are entered or not. */
	record(keys: readonly string[]): Promise<Set<string>>;
	/** Takes keys out. Rejects as `record` does. */
	remove(keys: readonly string[]): Promise<void>;
	/** How many keys there are. */
	count(): Promise<number>;
}

const ENTRIES = { mode: 'entries' } as const;

/** The list of this node. n8n behaviour: the host reads, changes and writes the whole of it each time, without a lock. */
export function keyStoreOf(context: IExecuteFunctions, nodeId: string): KeyStore {
	const { helpers } = context;
	const enter = async (keys: readonly string[]) => await helpers.checkProcessedAndRecord([...keys], 'node', ENTRIES);
	return {
		id: `${context.getWorkflow().id} ${nodeId}`,
		isShared: isWorker(context),
		async record(keys) {
			const { new: fresh } = await enter(keys).catch(async (thrown: unknown) =>
				isNowMade(thrown) ? await enter(keys) : Promise.reject(thrown as Error),
			);
			return new Set(fresh as string[]);
		},
		remove: async (keys) => await helpers.removeProcessed([...keys], 'node', ENTRIES),
		count: async () => await helpers.getProcessedDataCount('node', ENTRIES),
	};
}

/** Whether the list was new, and another process made it at the same moment: then nothing was entered (the database's own message). */
const isNowMade = (thrown: unknown): boolean => thrown instanceof Error && /unique|duplicate/i.test(thrown.message);
