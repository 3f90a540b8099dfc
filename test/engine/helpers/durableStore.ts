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

/** A workflow's list, or one of its node's: the node's turn. */
const nameOf = (
	scope: DeduplicationScope,
	{ workflow, node }: ICheckProcessedContextData,
): string => (scope === 'node' ? `${workflow.id} ${node?.id}` : workflow.id);
const isTurn = (name: string): boolean => name.includes(' ');

/** What a dry run leaves in a list: the workflow's ID, then the setting. */
const isMark = (item: DeduplicationItemTypes): boolean =>
	/^\S+ mark (gap \d+ )?(skip$|callAgain$|once )/.test(String(item));

/** What the first call of any setting leaves in a workflow's list. */
const somebodyIn = (workflowId: string): string => hash(`${workflowId} somebody`);

/** The part of a host's database that the memory uses. It survives executions, and processes that are killed. */
export class DurableStore implements IDataDeduplicator {
	private readonly lists = new Map<string, string>();

	/** How often lists of workflows were written: claims are made per request, not per row. */
	writes = 0;
	/** Set to make the store answer with this text instead. A turn can be given back all the same, so that no test waits for a takeover. */
	outOfOrder?: string;
	/** Another process has the turn, and keeps it. */
	isOthersTurn = false;
	/** Called after each write of a workflow's list, before the host hears of it. */
	written?: () => void;
	/** A dry run of each setting was made before the test begins. */
	isOpen = true;

	/** Entries of people, calls and settings: without the one that stays once a call was tried. */
	get size(): number {
		return [...this.lists].reduce(
			(sum, [name, list]) =>
				isTurn(name)
					? sum
					: sum + (JSON.parse(list) as string[]).filter((item) => item !== somebodyIn(name)).length,
			0,
		);
	}

	/** As a database that is new, and works. */
	clear(): void {
		this.lists.clear();
		this.writes = 0;
		this.isOpen = true;
		this.isOthersTurn = false;
		delete this.outOfOrder;
		delete this.written;
	}

	// As the host does it: a new list fails if somebody was faster; an old one is read, changed and written back whole.
	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		scope,
		data,
	) => {
		const name = nameOf(scope, data);
		const before = await this.read(name);
		const list = new Set(before);
		const isNew = items.map((item) => !list.has(hash(item)) && !(this.isOpen && isMark(item)));
		for (const item of items) if (!(this.isOpen && isMark(item))) list.add(hash(item));
		await this.write(name, list, before !== undefined);
		return {
			new: items.filter((_item, i) => isNew[i]),
			processed: items.filter((_item, i) => !isNew[i]),
		};
	};

	removeProcessed: IDataDeduplicator['removeProcessed'] = async (items, scope, data) => {
		const name = nameOf(scope, data);
		const before = await this.read(name);
		const list = new Set(before);
		for (const item of items) list.delete(hash(item));
		if (before) await this.write(name, list, true);
	};

	clearAllProcessedItems: IDataDeduplicator['clearAllProcessedItems'] = async (scope, data) => {
		const name = nameOf(scope, data);
		if (isTurn(name)) await moment();
		else await this.read(name);
		this.lists.delete(name);
		this.isOpen &&= isTurn(name);
	};

	getProcessedDataCount: IDataDeduplicator['getProcessedDataCount'] = async (scope, data) => {
		const name = nameOf(scope, data);
		const list = await this.read(name);
		return (list?.length ?? 0) + (this.isOpen && !isTurn(name) ? 3 : 0);
	};

	private async read(name: string): Promise<string[] | undefined> {
		await moment();
		if (this.outOfOrder !== undefined) throw new Error(this.outOfOrder);
		const list = isTurn(name) && this.isOthersTurn ? '["other"]' : this.lists.get(name);
		return list === undefined ? undefined : (JSON.parse(list) as string[]);
	}

	private async write(name: string, list: Set<string>, isOld: boolean): Promise<void> {
		await moment();
		if (this.lists.has(name) === isOld) this.lists.set(name, JSON.stringify([...list]));
		else if (!isOld) throw new Error('duplicate key value violates unique constraint');
		if (isTurn(name)) return;
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
