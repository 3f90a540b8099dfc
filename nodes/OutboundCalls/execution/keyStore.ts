import type { IExecuteFunctions } from 'n8n-workflow';

/** A list of keys in n8n's database. It outlives runs and processes. */
export interface StoredList {
	/** The same for all executions that share the list. */
	readonly id: string;
	/**
	 * Enters keys; resolves with those that were new. Rejects if the database does: then they are
	 * entered or not.
	 */
	record(keys: readonly string[]): Promise<Set<string>>;
	/** Takes keys out. Rejects as `record` does. */
	remove(keys: readonly string[]): Promise<void>;
	/** Only reads. */
	count(): Promise<number>;
	clear(): Promise<void>;
}

/** The list that the nodes of this workflow share. */
export interface KeyStore extends StoredList {
	/** The node's own list, which holds its turn. */
	readonly lock: StoredList;
}

const ENTRIES = { mode: 'entries' } as const;

/**
 * n8n reads, changes and writes a whole list each time, without a lock, and keeps hashes of the keys
 * (n8n behavior). With the workflow's ID in front, those of one number differ from workflow to
 * workflow.
 */
export function keyStoreOf(context: IExecuteFunctions): KeyStore {
	const { helpers } = context;
	const { id } = context.getWorkflow();
	const front = `${id} `;
	const inList = (keys: readonly string[]) => keys.map((key) => front + key);
	const list = (scope: 'workflow' | 'node'): StoredList => ({
		id: scope === 'node' ? front + context.getNode().id : front,
		async record(keys) {
			const recorded = await helpers.checkProcessedAndRecord(inList(keys), scope, ENTRIES);
			return new Set((recorded.new as string[]).map((key) => key.slice(front.length)));
		},
		remove: (keys) => helpers.removeProcessed(inList(keys), scope, ENTRIES),
		// n8n's Agents run a node without a workflow; n8n then counts the list of any workflow (n8n
		// behavior). Each turn begins with a count.
		count: async () =>
			id
				? await helpers.getProcessedDataCount(scope, ENTRIES)
				: await Promise.reject(new Error('there is no workflow that it belongs to')),
		clear: () => helpers.clearAllProcessedItems(scope, ENTRIES),
	});
	return { ...list('workflow'), lock: list('node') };
}
