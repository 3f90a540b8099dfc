import { createHash } from 'node:crypto';
import { setImmediate as moment } from 'node:timers/promises';
import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
} from 'n8n-workflow';
import { HostTable, type Statement } from '../../unit/memory/hostTable';

const hash = (value: DeduplicationItemTypes): string =>
	createHash('md5').update(value.toString()).digest('base64');

/** What a dry run leaves in a list: the workflow's ID, then the setting. */
const isMark = (item: DeduplicationItemTypes): boolean =>
	/^\S+ mark (gap \d+ )?(skip$|callAgain$|once )/.test(String(item));

/** What the first call of any setting leaves in a workflow's list. */
const somebodyIn = (workflowId: string): string => hash(`${workflowId} somebody`);

/** The part of a host's database that the memory uses. It survives executions, and processes that are killed. */
export class DurableStore implements IDataDeduplicator {
	/** By a workflow's ID its list, and by those of the workflow and a node the node's turn. */
	readonly table = new HostTable();
	/** How often lists of workflows were written: claims are made per request, not per row. */
	writes = 0;
	/** Set to make the store answer with this text instead. A turn can be given back all the same, so that no test waits for a takeover. */
	outOfOrder?: string;
	/** Called after each write of a workflow's list, before the host hears of it. */
	written?: () => void;
	/** A dry run of each setting was made before the test begins. */
	isOpen = true;

	/** Entries of people, calls and settings: without the one that stays once a call was tried. */
	get size(): number {
		return [...this.table.rows].reduce(
			(sum, [name, list]) =>
				name.includes(' ') ? sum : sum + list.filter((item) => item !== somebodyIn(name)).length,
			0,
		);
	}

	/** As a database that is new, and works. */
	clear(): void {
		this.table.rows.clear();
		this.writes = 0;
		this.isOpen = true;
		delete this.outOfOrder;
		delete this.written;
	}

	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		scope,
		data,
	) => {
		const asked = items.filter((item) => !(this.isOpen && isMark(item)));
		const fresh = await this.list(scope, data).record(asked.map(hash));
		const isNew = (item: DeduplicationItemTypes): boolean => fresh.has(hash(item));
		return { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
	};

	removeProcessed: IDataDeduplicator['removeProcessed'] = async (items, scope, data) => {
		await this.list(scope, data).remove(items.map(hash));
	};

	clearAllProcessedItems: IDataDeduplicator['clearAllProcessedItems'] = async (scope, data) => {
		const list = this.list(scope, data);
		if (scope === 'workflow') await list.count();
		await list.clear();
		this.isOpen &&= scope === 'node';
	};

	getProcessedDataCount: IDataDeduplicator['getProcessedDataCount'] = async (scope, data) =>
		(await this.list(scope, data).count()) + (this.isOpen && scope === 'workflow' ? 3 : 0);

	private list(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData) {
		const name = scope === 'node' ? `${workflow.id} ${node?.id}` : workflow.id;
		const read: Statement = async (effect) => {
			await moment();
			if (this.outOfOrder !== undefined) throw new Error(this.outOfOrder);
			return effect();
		};
		const write: Statement = async (effect) => {
			await moment();
			const result = effect();
			if (scope === 'workflow') {
				this.writes++;
				this.written?.();
			}
			return result;
		};
		return this.table.list(name, name, read, write);
	}
}

const store = new DurableStore();
let initialized: Promise<void> | undefined;

/** Gives the engine a database that is empty as each test begins: the same one for all who ask in a test file. */
export function storeForEach(): DurableStore {
	beforeAll(async () => {
		await (initialized ??= DataDeduplicationService.init(store));
	});
	beforeEach(() => {
		store.clear();
	});
	return store;
}
