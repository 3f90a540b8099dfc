import { readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcessGroups } from './processGroup';
import { step, type Progress } from './progress';

/** Who holds a lock touches it this often. */
const BEAT_MS = 1_000;
/** A lock that was not touched for so many beats was left by a dead process. */
const BEATS = 10;

export interface Installation {
	/** What is installed, for the line that says who waits for it. */
	name: string;
	folder: string;
	isInstalled: () => Promise<boolean>;
	/** Fills an empty folder, which then becomes `folder`. */
	install: (staging: string) => Promise<void>;
}

async function makes(folder: string): Promise<boolean> {
	try {
		await mkdir(folder);
		return true;
	} catch (complaint) {
		if ((complaint as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw complaint;
	}
}

/** How many processes took this lock over from a dead one: each left an entry. Undefined when nobody holds it. */
function heirsOf(lock: string): number | undefined {
	try {
		return readdirSync(lock).length;
	} catch {
		return undefined;
	}
}

/**
 * Waits until a lock is gone (undefined) or its holder is dead (the number of its heirs). It looks for beats and
 * compares no clocks, so that a laptop that slept takes nobody for dead.
 */
async function untilLeft(lock: string, beatMs: number): Promise<number | undefined> {
	let seen = '';
	for (let still = 0; still < BEATS; still++) {
		const heirs = heirsOf(lock);
		if (heirs === undefined) return undefined;
		const look = `${heirs} ${statSync(lock, { throwIfNoEntry: false })?.mtimeMs}`;
		if (look !== seen) [seen, still] = [look, 0];
		await sleep(beatMs);
	}
	return Number.parseInt(seen);
}

/** Keeps a lock until the function that comes back gives it away. */
function hold(lock: string, heirs: number, beatMs: number): () => void {
	const touch = () => utimes(lock, new Date(), new Date()).catch(() => undefined);
	const beat = setInterval(() => void touch(), beatMs);
	return () => {
		clearInterval(beat);
		// It has an heir if this process stood still for long.
		if (heirsOf(lock) === heirs) rmSync(lock, { recursive: true, force: true });
	};
}

/** Of those who see that a lock's holder is dead, one makes the heir's entry, and the others go on waiting. */
async function waitFor(lock: string, beatMs: number): Promise<() => void> {
	for (;;) {
		if (await makes(lock)) return hold(lock, 0, beatMs);
		const heirs = await untilLeft(lock, beatMs);
		if (heirs === undefined) continue;
		const next = heirs + 1;
		const isHeir = await makes(path.join(lock, String(next))).catch(() => false);
		if (isHeir) return hold(lock, next, beatMs);
	}
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ctrl-C would end the process without its exit handlers. Whoever else listens ends it in their own way. */
const endBySignal = (signal: NodeJS.Signals): void => {
	if (process.listenerCount(signal) > 0) return;
	void endProcessGroups().finally(() => process.exit(130));
};

/** Calls `undo` if the process ends, until the function that comes back is called. */
function ifCutShort(undo: () => void): () => void {
	process.once('exit', undo);
	for (const signal of SIGNALS) process.once(signal, endBySignal);
	return () => {
		process.off('exit', undo);
		for (const signal of SIGNALS) process.off(signal, endBySignal);
	};
}

const whole = { recursive: true, force: true, maxRetries: 3 };

async function removeUnfinished(folder: string): Promise<void> {
	const parent = path.dirname(folder);
	for (const name of await readdir(parent)) {
		if (name.startsWith(`${path.basename(folder)}.unfinished`))
			await rm(path.join(parent, name), whole);
	}
}

/**
 * Installs something once per machine. Of several starts one installs and the others wait; one that was cut short
 * leaves nothing that hurts the next, which takes over. `folder` is complete as soon as it is there.
 */
export async function installOnce(
	{ name, folder, isInstalled, install }: Installation,
	progress: Progress,
	beatMs = BEAT_MS,
): Promise<void> {
	if (await isInstalled()) return;
	await mkdir(path.dirname(folder), { recursive: true });
	const lock = `${folder}.lock`;
	const release = (await makes(lock))
		? hold(lock, 0, beatMs)
		: await step(progress, `Another start is installing ${name}; waiting for it`, () =>
				waitFor(lock, beatMs),
			);
	let staging: string | undefined;
	const ended = ifCutShort(() => {
		if (staging !== undefined) rmSync(staging, whole);
		release();
	});
	try {
		if (await isInstalled()) return;
		await removeUnfinished(folder);
		staging = await mkdtemp(`${folder}.unfinished-`);
		await install(staging);
		await rm(folder, whole);
		await rename(staging, folder);
	} finally {
		if (staging !== undefined) await rm(staging, whole);
		ended();
		release();
	}
}
