import type { IExecuteFunctions } from 'n8n-workflow';
import { isWorker } from '../execution/worker';

/** A run's keys in the host's database. The list belongs to this node of this workflow, and outlives runs and processes. */
export interface ClaimStore {
	/** Enters keys, and resolves with those that nobody had entered before. Rejects when the database cannot be used. */
	record(keys: readonly string[]): Promise<Set<string>>;
	/** Takes keys out that this run entered, and resolves with those that are still there, because the database could not be used. */
	forget(keys: readonly string[]): Promise<string[]>;
	/** How long the last writes took that this run took part in, in milliseconds. */
	readonly writesMs: readonly number[];
	/** How many keys there are, of all runs. Rejects when the database cannot be used. */
	count(): Promise<number>;
	/** At the end of a run: enters again what another process swept away, as often as needed. Never rejects. */
	confirm(): Promise<void>;
}

interface Waiting {
	helpers: IExecuteFunctions['helpers'];
	kind: 'record' | 'forget';
	keys: readonly string[];
	/** Keys that this run entered before: whether they are still there. */
	again: readonly string[];
	resolve: (written: Written & { write: Write }) => void;
	reject: (thrown: unknown) => void;
}

interface Written {
	fresh: Set<string>;
	/** Those of `again` that were gone, and are entered again. */
	swept: Set<string>;
}

/** What was asked for together shares it. */
interface Write {
	tookMs: number;
}

/** Keys that are swept away every time are given up after so many writes at the end of a run. */
const CONFIRMATIONS = 3;

const REMEMBERED_WRITES = 3;

/** The host searches its whole list for each key that it takes out, and answers nobody meanwhile: with so many, about as long as it writes. */
const FORGOTTEN_AT_ONCE = 100;

/** Another process was seen to write a list, too. */
let othersWrite = false;

/**
 * The host reads, changes and writes a whole list without a lock (n8n behaviour). So this process writes a list once at a time,
 * and what waits meanwhile, of all executions, goes in one write.
 */
class List {
	private waiting: Waiting[] = [];
	private isWriting = false;

	constructor(private readonly idle: () => void) {}

	async ask(wish: Omit<Waiting, 'resolve' | 'reject'>): Promise<Written & { write: Write }> {
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
				const written = await (kind === 'record' ? recordAll(together) : forgetAll(together));
				const write = { tookMs: performance.now() - begun };
				together.forEach(({ resolve }, index) => resolve({ ...written[index]!, write }));
			} catch (thrown) {
				for (const { reject } of together) reject(thrown);
			}
		}
		this.isWriting = false;
		this.idle();
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
}

/** A key that two ask for belongs to the one who asked first. */
async function recordAll(together: readonly Waiting[]): Promise<Written[]> {
	const keys = new Set(together.flatMap(({ again, keys: asked }) => [...again, ...asked]));
	const { helpers } = together[0]!;
	const enter = async () => await helpers.checkProcessedAndRecord([...keys], 'node', { mode: 'entries' });
	const answer = await enter().catch(async (thrown: unknown) => await (isNowMade(thrown) ? enter() : Promise.reject(thrown as Error)));
	const fresh = new Set(answer.new as string[]);
	const take = (wanted: readonly string[]): Set<string> => new Set(wanted.filter((key) => fresh.delete(key)));
	// Whoever entered a key holds it, also when it was swept away.
	const swept = together.map(({ again }) => take(again));
	return together.map(({ keys: asked }, index) => ({ fresh: take(asked), swept: swept[index]! }));
}

/** Whether the list was new, and another process made it at the same moment: then nothing was entered (the database's own message). */
const isNowMade = (thrown: unknown): boolean => thrown instanceof Error && /unique|duplicate/i.test(thrown.message);

async function forgetAll(together: readonly Waiting[]): Promise<Written[]> {
	const keys = together.flatMap(({ keys: asked }) => asked);
	await together[0]!.helpers.removeProcessed(keys, 'node', { mode: 'entries' });
	return together.map(() => ({ fresh: new Set(), swept: new Set() }));
}

const lists = new Map<string, List>();

function listOf(id: string): List {
	const list = lists.get(id) ?? new List(() => lists.delete(id));
	lists.set(id, list);
	return list;
}

/**
 * Each record names the keys of the one before once more: what another process, which read the list before this one wrote it,
 * swept away is found missing and entered again.
 */
export function openClaimStore(context: IExecuteFunctions): ClaimStore {
	const { helpers } = context;
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	/** What this run entered and did not take out. */
	const entered = new Set<string>();
	/** Those of them that were not yet seen in the list afterwards. */
	const unconfirmed = new Set<string>();
	const writes: Write[] = [];

	const record = async (keys: readonly string[]): Promise<Set<string>> => {
		const again = [...unconfirmed];
		const { fresh, swept, write } = await listOf(id).ask({ helpers, kind: 'record', keys, again });
		if (writes.at(-1) !== write) writes.push(write);
		if (writes.length > REMEMBERED_WRITES) writes.shift();
		othersWrite ||= swept.size > 0;
		for (const key of again) if (!swept.has(key)) unconfirmed.delete(key);
		for (const key of fresh) {
			entered.add(key);
			unconfirmed.add(key);
		}
		return fresh;
	};
	return {
		record,
		get writesMs() {
			return writes.map(({ tookMs }) => tookMs);
		},
		async forget(keys) {
			for (const key of keys) {
				entered.delete(key);
				unconfirmed.delete(key);
			}
			const parts = Array.from({ length: Math.ceil(keys.length / FORGOTTEN_AT_ONCE) }, (_, part) =>
				keys.slice(part * FORGOTTEN_AT_ONCE, (part + 1) * FORGOTTEN_AT_ONCE),
			);
			const left = await Promise.all(
				parts.map(
					async (part) =>
						await listOf(id)
							.ask({ helpers, kind: 'forget', keys: part, again: [] })
							.then(
								() => [],
								() => part,
							),
				),
			);
			return left.flat();
		},
		count: async () => await helpers.getProcessedDataCount('node', { mode: 'entries' }),
		async confirm() {
			if (!othersWrite && !isWorker(context)) return;
			// What was seen once may have been swept away since, by a process that read the list before it was there.
			for (const key of entered) unconfirmed.add(key);
			for (let tries = 0; tries < CONFIRMATIONS && unconfirmed.size > 0; tries++) {
				try {
					await record([]);
				} catch {
					return;
				}
			}
		},
	};
}
