import type { FaultKind, Sandbox } from '../sandbox';
import type { Chance } from './random';

/** A campaign's waits for a busy server are this part of real ones, and so is what bounds them: as many tries fit in. */
const SCALE = 1 / 250;

/** Max Retry Wait, as somebody would set it, in seconds. */
export const maxRetryWait = (seconds: number): number => seconds * SCALE;

/** Faults that keep a request waiting until its client gives up. */
const HANGING: readonly FaultKind[] = ['hangBefore', 'hangAfter', 'drip'];

export const mayHang = ({ faults }: Sandbox): boolean =>
	faults.some(({ kind }) => HANGING.includes(kind));

/** The option Timeout, in seconds. What hangs costs as much; where nothing does, it is longer than any machine needs for an answer. */
export const timeoutFor = (sandbox: Sandbox): number => (mayHang(sandbox) ? 5 : 60);

/** Backoff with the jitter of a seed of its own, so that the course does not depend on how often something waited. */
export function jitterOf(chance: Chance): () => number {
	return () => chance.next() * SCALE;
}

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
	/Try again in |Wait until tomorrow/.test(JSON.stringify(finished));
