import type { IExecuteFunctions } from 'n8n-workflow';

type Helpers = IExecuteFunctions['helpers'];

/** Whoever enters keys and takes them out: a run. */
export type Owner = object;

interface Waiting {
	helpers: Helpers;
	owner: Owner;
	kind: 'record' | 'forget';
	keys: readonly string[];
	/** Keys that whoever asks entered before: whether they are still there. */
	again: readonly string[];
	resolve: (recorded: Recorded) => void;
	reject: (thrown: unknown) => void;
}

/** What one of those who asked for a write learns of it. */
export interface Recorded {
	/** Keys that nobody else had entered before. */
	fresh: Set<string>;
	/** Those of `again` that were gone, and are entered again. */
	swept: Set<string>;
	/** The same object for all that was asked for together. */
	write: { tookMs: number };
}

/** The host searches its whole list for each key that it takes out, and answers nobody meanwhile: with so many, about as long as it writes. */
export const FORGOTTEN_AT_ONCE = 100;

/**
 * The list of one node of one workflow in the host's database. The host reads, changes and writes the whole of it without a lock
 * (n8n behaviour). So this process writes it once at a time, and what waits meanwhile, of all executions, goes in one write.
 */
export class KeyList {
	private static readonly lists = new Map<string, KeyList>();

	private readonly owners = new Set<Owner>();
	private waiting: Waiting[] = [];
	private isWriting = false;
	/** Keys that were to be taken out when the database could not be used, and may be gone or not. They belong to whoever entered them. */
	private readonly left = new Map<string, Owner>();
	/** Keys with which some go on who heard nothing from the database. Nobody takes them out, and nobody else is given them. */
	private readonly kept = new Map<string, Set<Owner>>();

	private constructor(private readonly id: string) {}

	/** The list of a node and its workflow, the same for all executions of this process, until its last owner has closed it. */
	static open(id: string, owner: Owner): KeyList {
		const list = KeyList.lists.get(id) ?? new KeyList(id);
		KeyList.lists.set(id, list);
		list.owners.add(owner);
		return list;
	}

	/** What the owner could not take out, stays. */
	close(owner: Owner): void {
		for (const key of this.leftBy(owner)) this.left.delete(key);
		this.owners.delete(owner);
		if (this.owners.size === 0 && KeyList.lists.get(this.id) === this) KeyList.lists.delete(this.id);
	}

	/** Rejects when the database cannot be used. */
	async record(helpers: Helpers, owner: Owner, keys: readonly string[], again: readonly string[]): Promise<Recorded> {
		return await this.ask({ helpers, owner, kind: 'record', keys, again });
	}

	/** Takes out keys that the owner entered, and those that it left, at most FORGOTTEN_AT_ONCE. Rejects when the database cannot be used; then they are left. */
	async forget(helpers: Helpers, owner: Owner, keys: readonly string[]): Promise<void> {
		await this.ask({ helpers, owner, kind: 'forget', keys, again: [] });
	}

	/** Keys that the owner could not take out. */
	leftBy(owner: Owner): string[] {
		return [...this.left].filter(([, each]) => each === owner).map(([key]) => key);
	}

	/** Keys that the owner has to take out. */
	leave(owner: Owner, keys: readonly string[]): void {
		for (const key of keys) this.left.set(key, owner);
	}

	/** The owner goes on with these keys without having heard from the database. */
	keep(owner: Owner, keys: readonly string[]): void {
		for (const key of keys) {
			if (this.left.get(key) === owner) this.left.delete(key);
			this.kept.set(key, (this.kept.get(key) ?? new Set()).add(owner));
		}
	}

	/** The owner lets go of them. */
	keepNoMore(owner: Owner, keys: readonly string[]): void {
		for (const key of keys) {
			const owners = this.kept.get(key);
			owners?.delete(owner);
			if (owners?.size === 0) this.kept.delete(key);
		}
	}

	private async ask(wish: Omit<Waiting, 'resolve' | 'reject'>): Promise<Recorded> {
		return await new Promise((resolve, reject) => {
			this.waiting.push({ ...wish, resolve, reject });
			if (!this.isWriting) void this.write();
		});
	}

	private async write(): Promise<void> {
		this.isWriting = true;
		// What is asked for in the same moment goes together.
		await Promise.resolve();
		while (this.waiting.length > 0) {
			const [{ kind }] = this.waiting as [Waiting];
			const together = this.waiting.splice(0, this.alike(kind));
			const begun = performance.now();
			try {
				const written = await (kind === 'record' ? this.recordAll(together) : this.forgetAll(together));
				const write = { tookMs: performance.now() - begun };
				together.forEach(({ resolve }, index) => resolve({ ...written[index]!, write }));
			} catch (thrown) {
				for (const { reject } of together) reject(thrown);
			}
		}
		this.isWriting = false;
	}

	/** How many of those that wait longest go together. */
	private alike(kind: Waiting['kind']): number {
		let keys = 0;
		const others = this.waiting.findIndex((each, index) => {
			// Without keys, what was left is tried again: as many as one write takes.
			keys += each.keys.length || FORGOTTEN_AT_ONCE;
			return each.kind !== kind || (kind === 'forget' && index > 0 && keys > FORGOTTEN_AT_ONCE);
		});
		return others === -1 ? this.waiting.length : others;
	}

	/** A key that two ask for belongs to the one who asked first. */
	private async recordAll(together: readonly Waiting[]): Promise<Array<Omit<Recorded, 'write'>>> {
		const left = [...this.left.keys()];
		const keys = new Set([...left, ...together.flatMap(({ again, keys: asked }) => [...again, ...asked])]);
		const { helpers } = together[0]!;
		const enter = async () => await helpers.checkProcessedAndRecord([...keys], 'node', { mode: 'entries' });
		const answer = await enter().catch(async (thrown: unknown) => await (isNowMade(thrown) ? enter() : Promise.reject(thrown as Error)));
		const fresh = new Set(answer.new as string[]);
		const take = (wanted: readonly string[]): Set<string> => new Set(wanted.filter((key) => fresh.delete(key)));
		// Whoever entered a key holds it, also when it was taken out or swept away.
		take(left);
		const swept = together.map(({ again }) => take(again));
		return together.map(({ owner, keys: asked }, index) => {
			const own = asked.filter((key) => this.left.get(key) === owner);
			for (const key of own) this.left.delete(key);
			const free = asked.filter((key) => this.kept.get(key)?.has(owner) ?? true);
			return { fresh: new Set([...take(free), ...own]), swept: swept[index]! };
		});
	}

	private async forgetAll(together: readonly Waiting[]): Promise<Array<Omit<Recorded, 'write'>>> {
		const owners = new Map<string, Owner>();
		for (const { owner, keys } of together) for (const key of keys) owners.set(key, owner);
		// Only now: while this waited, what was left may have been taken out, or given back.
		for (const { owner } of together) for (const key of this.leftBy(owner)) if (owners.size < FORGOTTEN_AT_ONCE) owners.set(key, owner);
		for (const key of this.kept.keys()) owners.delete(key);
		let isDone = owners.size === 0;
		try {
			if (!isDone) await together[0]!.helpers.removeProcessed([...owners.keys()], 'node', { mode: 'entries' });
			isDone = true;
		} finally {
			for (const [key, owner] of owners) {
				if (isDone) this.left.delete(key);
				else if (!this.kept.has(key)) this.left.set(key, owner);
			}
		}
		return together.map(() => ({ fresh: new Set(), swept: new Set() }));
	}
}

/** Whether the list was new, and another process made it at the same moment: then nothing was entered (the database's own message). */
const isNowMade = (thrown: unknown): boolean => thrown instanceof Error && /unique|duplicate/i.test(thrown.message);
