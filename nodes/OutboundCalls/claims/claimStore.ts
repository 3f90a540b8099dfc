import type { IExecuteFunctions } from 'n8n-workflow';
import { isWorker } from '../execution/worker';
import { FORGOTTEN_AT_ONCE, KeyList, type Owner, type Recorded } from './keyList';

/** A run's keys in the host's database. The list belongs to this node of this workflow, and outlives runs and processes. */
export interface ClaimStore {
	/** Enters keys, and resolves with those that nobody else had entered before. Rejects when the database cannot be used: then none of them is this run's. */
	record(keys: readonly string[]): Promise<Set<string>>;
	/** The same for whoever goes on without a database: then all of them are this run's, and are entered as soon as there is one again. Never rejects. */
	hold(keys: readonly string[]): Promise<Set<string>>;
	/** Takes keys out, as far as this run entered them. Those that could not be taken out stay this run's, and are tried again with the next ones. Never rejects. */
	forget(keys: readonly string[]): Promise<void>;
	/** How long the last writes took that this run took part in, in milliseconds. */
	readonly writesMs: readonly number[];
	/** How many keys there are, of all runs. Rejects when the database cannot be used. */
	count(): Promise<number>;
	/** At the end of a run: enters again what another process swept away, and takes out what could not be taken out. Never rejects. */
	close(): Promise<void>;
}

/** Keys that are swept away every time are given up after so many writes at the end of a run. */
const CONFIRMATIONS = 3;

const REMEMBERED_WRITES = 3;

/** Another process was seen to write a list, too. */
let othersWrite = false;

/**
 * Each record names the keys of the one before once more: what another process, which read the list before this one wrote it,
 * swept away is found missing and entered again.
 */
export function openClaimStore(context: IExecuteFunctions): ClaimStore {
	const { helpers } = context;
	const owner: Owner = {};
	const list = KeyList.open(`${context.getWorkflow().id} ${context.getNode().id}`, owner);
	/** What this run entered and did not take out. */
	const entered = new Set<string>();
	/** Those of them that were not yet seen in the list afterwards. */
	const unconfirmed = new Set<string>();
	/** What this run holds without having heard from the database. */
	const unanswered = new Set<string>();
	const writes: Array<Recorded['write']> = [];

	const record = async (keys: readonly string[]): Promise<Set<string>> => {
		const open = [...unanswered];
		const seen = [...unconfirmed];
		const { fresh, swept, write } = await list.record(helpers, owner, keys, [...seen, ...open]);
		if (writes.at(-1) !== write) writes.push(write);
		if (writes.length > REMEMBERED_WRITES) writes.shift();
		othersWrite ||= seen.some((key) => swept.has(key));
		for (const key of seen) if (!swept.has(key)) unconfirmed.delete(key);
		const added = [...fresh];
		for (const key of open) {
			const isHeld = unanswered.delete(key);
			if (!swept.has(key)) continue;
			// It may have been let go meanwhile.
			if (isHeld) added.push(key);
			else list.leave(owner, [key]);
		}
		for (const key of added) {
			entered.add(key);
			unconfirmed.add(key);
		}
		return fresh;
	};
	const hold = async (keys: readonly string[]): Promise<Set<string>> => {
		try {
			return await record(keys);
		} catch {
			const left = new Set(list.leftBy(owner));
			for (const key of keys) {
				unanswered.add(key);
				if (left.has(key)) entered.add(key);
			}
			list.keep(owner, keys);
			return new Set(keys);
		}
	};
	const forget = async (keys: readonly string[]): Promise<void> => {
		const all = keys.filter((key) => entered.delete(key));
		for (const key of keys) {
			unconfirmed.delete(key);
			unanswered.delete(key);
		}
		list.keepNoMore(owner, keys);
		const steps = Array.from({ length: Math.ceil((all.length + list.leftBy(owner).length) / FORGOTTEN_AT_ONCE) }, (_, step) =>
			all.slice(step * FORGOTTEN_AT_ONCE, (step + 1) * FORGOTTEN_AT_ONCE),
		);
		await Promise.allSettled(steps.map(async (step) => await list.forget(helpers, owner, step)));
	};
	/** Enters again what is gone, as often as needed. */
	const confirm = async (): Promise<void> => {
		// What was seen once may have been swept away since, by a process that read the list before it was there.
		for (const key of entered) if (!unanswered.has(key)) unconfirmed.add(key);
		for (let tries = 0; tries < CONFIRMATIONS && unconfirmed.size + unanswered.size > 0; tries++) await record([]);
	};

	return {
		record,
		hold,
		forget,
		get writesMs() {
			return writes.map(({ tookMs }) => tookMs);
		},
		count: async () => await helpers.getProcessedDataCount('node', { mode: 'entries' }),
		async close() {
			if (othersWrite || isWorker(context) || unanswered.size > 0) await confirm().catch(() => undefined);
			await forget([]);
			list.close(owner);
		},
	};
}
