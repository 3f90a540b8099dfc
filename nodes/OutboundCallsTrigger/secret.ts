import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in a time that tells nothing about the secret; an empty secret lets nobody in. */
export const isSecret = (given: unknown, secret: string): boolean =>
	typeof given === 'string' && hasText(secret) && timingSafeEqual(digest(given), digest(secret));

/** Whether a secret was entered: blanks are none. */
export const hasText = (secret: string | undefined): boolean => (secret ?? '').trim() !== '';
