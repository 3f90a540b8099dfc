import type { DeduplicationScope, IDataDeduplicator } from 'n8n-workflow';
import { setImmediate as moment } from 'node:timers/promises';

/** Whom the node has called, without what n8n's database costs: sections/memory and sections/campaign measure that. */
export class Store implements IDataDeduplicator {
	private readonly lists: Record<DeduplicationScope, Set<unknown>> = {
		workflow: new Set(),
		node: new Set(),
	};

	/** Knows these keys, and no others. */
	fill(keys: readonly string[]): void {
		this.lists.workflow = new Set(keys);
	}

	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (items, scope) => {
		await moment();
		const known = this.lists[scope];
		const fresh = items.filter((item) => !known.has(item));
		for (const item of fresh) known.add(item);
		return {
			new: fresh,
			processed: items.length === fresh.length ? [] : items.filter((item) => !fresh.includes(item)),
		};
	};

	removeProcessed: IDataDeduplicator['removeProcessed'] = async (items, scope) => {
		await moment();
		for (const item of items) this.lists[scope].delete(item);
	};

	clearAllProcessedItems: IDataDeduplicator['clearAllProcessedItems'] = async (scope) => {
		await moment();
		this.lists[scope].clear();
	};

	getProcessedDataCount: IDataDeduplicator['getProcessedDataCount'] = async (scope) => {
		await moment();
		return this.lists[scope].size;
	};
}
