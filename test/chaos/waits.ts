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
