import { sleep } from 'n8n-workflow';

/** A global of Node's, which the compiler is not told of. */
declare const performance: { now(): number };

/** Time and chance, so that tests need not wait for minutes. */
export interface Clock {
	/** Milliseconds from a moment that never changes: a machine's clock can be set back. */
	now(): number;
	/** Epoch milliseconds: for what outlives the process, never for a wait by itself. */
	timeOfDay(): number;
	/** In [0, 1). */
	random(): number;
	/** Ends early, without throwing, when `signal` is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Node's timers fire at once for longer delays than this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
	now: () => performance.now(),
	timeOfDay: () => Date.now(),
	random: () => Math.random(),
	async sleep(ms, signal) {
		if (signal?.aborted) return;
		let wake: () => void = () => undefined;
		const aborted = new Promise<void>((resolve) => (wake = resolve));
		signal?.addEventListener('abort', wake);
		// Older hosts know no second argument: their timer then runs on, but nobody waits for it.
		const slept = sleep(Math.min(ms, LONGEST_TIMER_MS), signal);
		await Promise.race([slept.catch(() => undefined), aborted]);
		signal?.removeEventListener('abort', wake);
	},
};
