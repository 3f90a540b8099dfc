import type { Chance } from './random';

/** A campaign's waits for a busy server are this part of real ones, and so is what bounds them: as many tries fit in. */
const SCALE = 1 / 250;

/** Max Retry Wait, as somebody would set it, in seconds. */
export const maxRetryWait = (seconds: number): number => seconds * SCALE;

/** Backoff with the jitter of a seed of its own, so that the course does not depend on how often something waited. */
export function jitterOf(chance: Chance): () => number {
	return () => chance.next() * SCALE;
}
