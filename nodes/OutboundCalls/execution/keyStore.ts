import type { IExecuteFunctions } from 'n8n-workflow';

/** A list of keys that n8n's database keeps for this workflow. It outlives runs and processes. */
export interface KeyStore {
	/** The same for all executions that share the list. */
	readonly id: string;
	/**
	 * Enters keys; resolves with those that were new. Rejects if the database does: then they are
	 * entered or not.
	 */
	record(keys: readonly string[]): Promise<Set<string>>;
	/** Takes keys out. Rejects as `record` does. */
	remove(keys: readonly string[]): Promise<void>;
	count(): Promise<number>;
	clear(): Promise<void>;
}

const ENTRIES = { mode: 'entries' } as const;
const SCOPE = 'workflow';

/**
 * The list of this workflow. n8n reads, changes and writes the whole of it each time, without a
 * lock, and keeps hashes of the keys (n8n behavior). With the workflow's ID in front, those of one
 * number differ from workflow to workflow.
 */
export function keyStoreOf(context: IExecuteFunctions): KeyStore {
	const { helpers } = context;
	const { id } = context.getWorkflow();
	if (!id) return OF_NO_WORKFLOW;
	const front = `${id} `;
	const inList = (keys: readonly string[]): string[] => keys.map((key) => front + key);
	return {
		id,
		async record(keys) {
			const recorded = await helpers.checkProcessedAndRecord(inList(keys), SCOPE, ENTRIES);
			return new Set((recorded.new as string[]).map((key) => key.slice(front.length)));
		},
		remove: async (keys) => await helpers.removeProcessed(inList(keys), SCOPE, ENTRIES),
		count: async () => await helpers.getProcessedDataCount(SCOPE, ENTRIES),
		clear: async () => await helpers.clearAllProcessedItems(SCOPE, ENTRIES),
	};
}

const nobodysList = async (): Promise<never> =>
	await Promise.reject(new Error('there is no workflow that it belongs to'));

/**
 * n8n's Agents run a node without a workflow. n8n then counts the list of any workflow (n8n
 * behavior).
 */
const OF_NO_WORKFLOW: KeyStore = {
	id: '',
	record: nobodysList,
	remove: nobodysList,
	count: nobodysList,
	clear: nobodysList,
};
