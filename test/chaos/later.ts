const now = performance.now.bind(performance);
let laterMs = 0;
performance.now = () => now() + laterMs;

/** Longer than an account pauses for those who did not hear why. */
const LATER_MS = 3_700_000;

/** Time passes for this process at once, without anybody waiting. Timers do not notice. */
export function later(): void {
	laterMs += LATER_MS;
}

/** Whether somebody who reads this waits before the next execution. */
export const isToldToWait = (finished: unknown): boolean =>
	/first: the API asks for that|Try again in |Wait until tomorrow/.test(JSON.stringify(finished));
