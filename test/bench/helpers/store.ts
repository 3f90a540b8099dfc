import type { IDataDeduplicator } from 'n8n-workflow';
import { setImmediate as moment } from 'node:timers/promises';

/** Whom the node has called, without what n8n's database costs: sections/memory and sections/campaign measure that. */
export class Store implements IDataDeduplicator {
	private known = new Set<unknown>();

	/** Knows these keys, and no others. */
	fill(keys: readonly string[]): void {
		this.known = new Set(keys);
	}

	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (items) => {
		await moment();
		const fresh = items.filter((item) => !this.known.has(item));
		for (const item of fresh) this.known.add(item);
		return {
			new: fresh,
			processed: items.length === fresh.length ? [] : items.filter((item) => !fresh.includes(item)),
		};
	};

	removeProcessed: IDataDeduplicator['removeProcessed'] = async (items) => {
		await moment();
		for (const item of items) this.known.delete(item);
	};

	clearAllProcessedItems: IDataDeduplicator['clearAllProcessedItems'] = async () => {
		await moment();
		this.known.clear();
	};

	getProcessedDataCount: IDataDeduplicator['getProcessedDataCount'] = async () => {
		await moment();
		return this.known.size;
	};
}
