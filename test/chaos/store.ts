import { DataDeduplicationService } from 'n8n-core';
import { DurableStore } from '../engine/helpers/durableStore';
import { meanwhile } from './waits';

/** A database of a process that can be killed: what it has not written by then, it never writes. */
export class KillableStore extends DurableStore {
	isDead = false;

	constructor() {
		super();
		this.checkProcessedAndRecord = this.ofLiving(this.checkProcessedAndRecord);
		this.removeProcessed = this.ofLiving(this.removeProcessed);
		this.clearAllProcessedItems = this.ofLiving(this.clearAllProcessedItems);
		this.getProcessedDataCount = this.ofLiving(this.getProcessedDataCount);
	}

	/** As a database that is new: nobody is remembered, and no dry run was made. */
	override clear(): void {
		super.clear();
		this.isOpen = false;
		this.isDead = false;
	}

	private ofLiving<A extends unknown[], T>(ask: (...asked: A) => Promise<T>) {
		return async (...asked: A): Promise<T> => {
			if (this.isDead) throw new Error('The process was killed');
			return await meanwhile(async () => await ask(...asked));
		};
	}
}

/** Gives the engine of this process such a database. */
export async function installStore(): Promise<KillableStore> {
	const store = new KillableStore();
	await DataDeduplicationService.init(store);
	return store;
}
