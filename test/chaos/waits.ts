import type { FaultKind, Sandbox } from '../sandbox';
import type { Chance } from './random';
import type { Shape } from './shape';

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

const { now: timeOfDay } = Date;
let passedMs = 0;
Date.now = () => timeOfDay() + passedMs;

/** The clock of a new campaign. */
export function today(): void {
	passedMs = 0;
}

/** Part of the hours between calls passes, or more than they last, or nothing. */
export function hoursPass(chance: Chance, { limits: { hoursBetween } }: Shape): void {
	if (hoursBetween !== undefined) passedMs += chance.of([0, 0.5, 1.3]) * hoursBetween * 3_600_000;
}

/** Whether somebody who reads this waits before the next execution. */
export const isToldToWait = (finished: unknown): boolean =>
	/Try again in |Wait until tomorrow/.test(JSON.stringify(finished));
