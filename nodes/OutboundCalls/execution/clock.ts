import { sleep } from 'n8n-workflow';

/** A global of Node's, whose types the published code does not load. */
declare const performance: { now(): number };

/** Time and chance, which tests replace. */
export interface Clock {
	/** Milliseconds from a fixed moment: the machine's clock can be set back. */
	now(): number;
	/** Returns milliseconds since 1970. */
	timeOfDay(): number;
	/** Returns a number in [0, 1). */
	random(): number;
	/** Ends early, without throwing, when `signal` is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Node's timers fire at once for longer delays than this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The clock and the random numbers of the machine. */
export const systemClock: Clock = {
	now: () => performance.now(),
	timeOfDay: () => Date.now(),
	random: () => Math.random(),
	async sleep(ms, signal) {
		// Older hosts ignore the signal: their timer runs on, but nobody waits for it.
		const slept = sleep(Math.min(ms, MAX_TIMER_MS), signal);
		await untilAborted(
			slept.catch(() => undefined),
			signal,
		);
	},
};

/** Waits until `moment` on the clock, or until `signal` is aborted. */
export async function waitUntil(clock: Clock, moment: number, signal?: AbortSignal) {
	for (let leftMs = 1; leftMs > 0 && !signal?.aborted;) {
		leftMs = moment - clock.now();
		if (leftMs > 0) await clock.sleep(leftMs, signal);
	}
}

/** The result of `work`, or undefined as soon as `signal` is aborted; the work goes on. */
export async function untilAborted<T>(
	work: Promise<T>,
	signal: AbortSignal | undefined,
): Promise<T | undefined> {
	if (!signal) return await work;
	if (signal.aborted) return undefined;
	let end: () => void = () => undefined;
	const aborted = new Promise<undefined>((resolve) => {
		end = () => {
			resolve(undefined);
		};
	});
	signal.addEventListener('abort', end);
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal.removeEventListener('abort', end);
	}
}
