import type { IExecuteFunctions } from 'n8n-workflow';
import { isWorker } from '../execution/worker';
import { FORGOTTEN_AT_ONCE, KeyList, type Recorded } from './keyList';

/** A run's keys in the host's database. The list belongs to this node of this workflow, and outlives runs and processes. */
export interface ClaimStore {
	/** Enters keys, and resolves with those that nobody else had entered before. Rejects when the database cannot be used. */
	record(keys: readonly string[]): Promise<Set<string>>;
	/** Takes keys out that this run entered. Those that could not be taken out stay this run's, and are tried again with the next ones. Never rejects. */
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
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	/** What this run entered and did not take out. */
	const entered = new Set<string>();
	/** Those of them that were not yet seen in the list afterwards. */
	const unconfirmed = new Set<string>();
	/** What this run was to take out when the database could not be used. */
	const left = new Set<string>();
	const writes: Array<Recorded['write']> = [];

	const record = async (keys: readonly string[]): Promise<Set<string>> => {
		const again = [...unconfirmed];
		const ours = keys.filter((key) => left.delete(key));
		let recorded: Recorded | undefined;
		try {
			recorded = await KeyList.of(id).record(helpers, keys, again);
		} finally {
			if (!recorded) for (const key of ours) left.add(key);
		}
		const { fresh, swept, write } = recorded;
		if (writes.at(-1) !== write) writes.push(write);
		if (writes.length > REMEMBERED_WRITES) writes.shift();
		othersWrite ||= swept.size > 0;
		for (const key of again) if (!swept.has(key)) unconfirmed.delete(key);
		for (const key of ours) fresh.add(key);
		// It may have become known meanwhile that they could not be taken out.
		for (const key of keys) if (left.delete(key)) fresh.add(key);
		for (const key of fresh) {
			entered.add(key);
			unconfirmed.add(key);
		}
		return fresh;
	};
	const forget = async (keys: readonly string[]): Promise<void> => {
		const all = [...left, ...keys];
		left.clear();
		for (const key of all) {
			entered.delete(key);
			unconfirmed.delete(key);
		}
		const steps = Array.from({ length: Math.ceil(all.length / FORGOTTEN_AT_ONCE) }, (_, step) =>
			all.slice(step * FORGOTTEN_AT_ONCE, (step + 1) * FORGOTTEN_AT_ONCE),
		);
		const take = async (step: readonly string[]): Promise<void> => {
			try {
				await KeyList.of(id).forget(helpers, step);
			} catch {
				for (const key of step) left.add(key);
			}
		};
		await Promise.all(steps.map(take));
	};
	/** Enters again what is gone, as often as needed. */
	const confirm = async (): Promise<void> => {
		// What was seen once may have been swept away since, by a process that read the list before it was there.
		for (const key of entered) unconfirmed.add(key);
		for (let tries = 0; tries < CONFIRMATIONS && unconfirmed.size > 0; tries++) await record([]);
	};

	return {
		record,
		forget,
		get writesMs() {
			return writes.map(({ tookMs }) => tookMs);
		},
		count: async () => await helpers.getProcessedDataCount('node', { mode: 'entries' }),
		async close() {
			if (othersWrite || isWorker(context)) await confirm().catch(() => undefined);
			if (left.size === 0) return;
			await forget([]);
			KeyList.of(id).leave([...left]);
		},
	};
}
