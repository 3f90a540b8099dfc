import type { IExecuteFunctions } from 'n8n-workflow';

type Helpers = IExecuteFunctions['helpers'];

interface Waiting {
	helpers: Helpers;
	kind: 'record' | 'forget';
	keys: readonly string[];
	/** Keys that whoever asks entered before: whether they are still there. */
	again: readonly string[];
	resolve: (recorded: Recorded) => void;
	reject: (thrown: unknown) => void;
}

/** What one of those who asked for a write learns of it. */
export interface Recorded {
	/** Keys that nobody had entered before. */
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

	private waiting: Waiting[] = [];
	private isWriting = false;
	/** Keys that were to be taken out when the database could not be used. They may be gone, and whoever entered them holds them until that is known. */
	private readonly doubtful = new Set<string>();

	private constructor(private readonly id: string) {}

	/** The list that all executions of this process share; it is given up while nobody asks anything of it. `id`: its node and workflow. */
	static of(id: string): KeyList {
		const list = KeyList.lists.get(id) ?? new KeyList(id);
		KeyList.lists.set(id, list);
		return list;
	}

	/** Rejects when the database cannot be used. */
	async record(helpers: Helpers, keys: readonly string[], again: readonly string[]): Promise<Recorded> {
		return await this.ask({ helpers, kind: 'record', keys, again });
	}

	/** Takes out at most FORGOTTEN_AT_ONCE keys of whoever asks. Rejects when they may still be there; then nobody else is given them until they are forgotten or left. */
	async forget(helpers: Helpers, keys: readonly string[]): Promise<void> {
		await this.ask({ helpers, kind: 'forget', keys, again: [] });
	}

	/** Nobody holds these any more, of those that could not be forgotten. */
	leave(keys: readonly string[]): void {
		for (const key of keys) this.doubtful.delete(key);
		this.giveUp();
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
		this.giveUp();
	}

	private giveUp(): void {
		if (!this.isWriting && this.doubtful.size === 0) KeyList.lists.delete(this.id);
	}

	/** How many of those that wait longest go together. */
	private alike(kind: Waiting['kind']): number {
		let keys = 0;
		const others = this.waiting.findIndex((each, index) => {
			keys += each.keys.length;
			return each.kind !== kind || (kind === 'forget' && index > 0 && keys > FORGOTTEN_AT_ONCE);
		});
		return others === -1 ? this.waiting.length : others;
	}

	/** A key that two ask for belongs to the one who asked first. */
	private async recordAll(together: readonly Waiting[]): Promise<Array<Omit<Recorded, 'write'>>> {
		const doubtful = [...this.doubtful];
		const keys = new Set([...doubtful, ...together.flatMap(({ again, keys: asked }) => [...again, ...asked])]);
		const { helpers } = together[0]!;
		const enter = async () => await helpers.checkProcessedAndRecord([...keys], 'node', { mode: 'entries' });
		const answer = await enter().catch(async (thrown: unknown) => await (isNowMade(thrown) ? enter() : Promise.reject(thrown as Error)));
		const fresh = new Set(answer.new as string[]);
		const take = (wanted: readonly string[]): Set<string> => new Set(wanted.filter((key) => fresh.delete(key)));
		// Whoever entered a key holds it, also when it was taken out or swept away.
		take(doubtful);
		const swept = together.map(({ again }) => take(again));
		return together.map(({ keys: asked }, index) => ({ fresh: take(asked), swept: swept[index]! }));
	}

	private async forgetAll(together: readonly Waiting[]): Promise<Array<Omit<Recorded, 'write'>>> {
		const keys = together.flatMap(({ keys: asked }) => asked);
		for (const key of keys) this.doubtful.add(key);
		await together[0]!.helpers.removeProcessed(keys, 'node', { mode: 'entries' });
		for (const key of keys) this.doubtful.delete(key);
		return together.map(() => ({ fresh: new Set(), swept: new Set() }));
	}
}

/** Whether the list was new, and another process made it at the same moment: then nothing was entered (the database's own message). */
const isNowMade = (thrown: unknown): boolean => thrown instanceof Error && /unique|duplicate/i.test(thrown.message);
