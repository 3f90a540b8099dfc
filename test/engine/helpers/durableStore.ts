import { createHash } from 'node:crypto';
import { setImmediate as moment } from 'node:timers/promises';
import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
} from 'n8n-workflow';

const hash = (value: DeduplicationItemTypes): string =>
	createHash('md5').update(value.toString()).digest('base64');

/** A workflow's list, or one of its node's. */
const nameOf = (
	scope: DeduplicationScope,
	{ workflow, node }: ICheckProcessedContextData,
): string => (scope === 'node' ? `${workflow.id} ${node?.id}` : workflow.id);

/** What a dry run leaves in a list: the workflow's ID, then the setting. */
const isMark = (item: DeduplicationItemTypes): boolean =>
	/^\S+ mark (gap \d+ )?(skip$|callAgain$|once )/.test(String(item));

/** What the first call of any setting leaves in a workflow's list. */
const somebodyIn = (workflowId: string): string => hash(`${workflowId} somebody`);

/** The part of a host's database that the memory uses. It survives executions, and processes that are killed. */
export class DurableStore implements IDataDeduplicator {
	private readonly lists = new Map<string, string>();

	/** How often it was written: claims are made per request, not per row. */
	writes = 0;
	/** Set to make the store answer with this text instead. */
	outOfOrder?: string;
	/** Called after each write, before the host hears of it. */
	written?: () => void;
	/** A dry run of each setting was made before the test begins. */
	isOpen = true;

	/** Entries of people, calls and settings: without the one that stays once a call was tried. */
	get size(): number {
		return [...this.lists].reduce(
			(sum, [name, list]) =>
				sum + (JSON.parse(list) as string[]).filter((item) => item !== somebodyIn(name)).length,
			0,
		);
	}

	/** As a database that is new, and works. */
	clear(): void {
		this.lists.clear();
		this.writes = 0;
		this.isOpen = true;
		delete this.outOfOrder;
		delete this.written;
	}

	// As the host does it: read the whole list, change it and write it back, without a lock.
	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		scope,
		data,
	) => {
		const list = new Set(await this.read(nameOf(scope, data)));
		const isNew = items.map((item) => !list.has(hash(item)) && !(this.isOpen && isMark(item)));
		for (const item of items) if (!(this.isOpen && isMark(item))) list.add(hash(item));
		await this.write(nameOf(scope, data), list);
		return {
			new: items.filter((_item, i) => isNew[i]),
			processed: items.filter((_item, i) => !isNew[i]),
		};
	};

	removeProcessed: IDataDeduplicator['removeProcessed'] = async (items, scope, data) => {
		const list = new Set(await this.read(nameOf(scope, data)));
		for (const item of items) list.delete(hash(item));
		await this.write(nameOf(scope, data), list);
	};

	clearAllProcessedItems: IDataDeduplicator['clearAllProcessedItems'] = async (scope, data) => {
		await this.read(nameOf(scope, data));
		this.lists.delete(nameOf(scope, data));
		this.isOpen = false;
	};

	getProcessedDataCount: IDataDeduplicator['getProcessedDataCount'] = async (scope, data) =>
		(await this.read(nameOf(scope, data))).length + (this.isOpen ? 3 : 0);

	private async read(context: string): Promise<string[]> {
		await moment();
		if (this.outOfOrder !== undefined) throw new Error(this.outOfOrder);
		return JSON.parse(this.lists.get(context) ?? '[]') as string[];
	}

	private async write(context: string, list: Set<string>): Promise<void> {
		await moment();
		this.lists.set(context, JSON.stringify([...list]));
		this.writes++;
		this.written?.();
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
