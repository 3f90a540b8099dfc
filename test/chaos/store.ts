import { DataDeduplicationService } from 'n8n-core';
import { DurableStore } from '../engine/helpers/durableStore';
import { meanwhile } from './waits';

/** A database of a process that can be killed: what it has not written by then, it never writes. */
export class KillableStore extends DurableStore {
	isDead = false;

	constructor() {
		super();
		const { checkProcessedAndRecord: record, removeProcessed: remove } = this;
		this.checkProcessedAndRecord = async (...asked) => {
			this.live();
			return await meanwhile(async () => await record(...asked));
		};
		this.removeProcessed = async (...asked) => {
			this.live();
			await meanwhile(async () => await remove(...asked));
		};
	}

	/** As a database that is new: nobody is remembered, and no dry run was made. */
	override clear(): void {
		super.clear();
		this.isOpen = false;
		this.isDead = false;
	}

	private live(): void {
		if (this.isDead) throw new Error('The process was killed');
	}
}

/** Gives the engine of this process such a database. */
export async function installStore(): Promise<KillableStore> {
	const store = new KillableStore();
	await DataDeduplicationService.init(store);
	return store;
}
