/**
 * The names of the keys by which calls are counted (`claims/counts.ts`).
 *
 * A count has a numbered place for each call, and three keys that say which period is counted: its number in digits of a small
 * base, the last two of them, and all before these together. So another period differs in few keys, and those that earlier ones
 * left can be named.
 */
import type { Counted } from './callLimits';

const BASE = 8;
/** Of the last digits, so many have a key of their own. */
const DIGITS = 2;
/** Of the first key, so many numbers before this one are taken out: five years of days. */
const EARLIER = 32;

/** A count's place, from 1. */
export const placeKey = (name: string, n: number): string => `count ${name} ${n}`;

/** Its places, both ends included. */
export const placesOf = ({ name }: Counted, from: number, to: number): string[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => placeKey(name, from + index));

const digitKey = (name: string, level: number, digit: number): string =>
	`count ${name} of ${level} ${digit}`;

/** The first one changes least. */
const digitsOf = (period: number): number[] =>
	Array.from({ length: DIGITS + 1 }, (_, level) => {
		const rest = Math.floor(period / BASE ** (DIGITS - level));
		return level === 0 ? rest : rest % BASE;
	});

/** Which period is counted; all of them are there while it lasts. */
export const periodKeys = ({ name, period }: Counted): string[] =>
	period === undefined ? [] : digitsOf(period).map((digit, level) => digitKey(name, level, digit));

/** What may be left of earlier periods, from one level on. */
export function staleKeys({ name, period }: Counted, from: number): string[] {
	if (period === undefined) return [];
	return digitsOf(period).flatMap((digit, level) => {
		if (level < from) return [];
		const others =
			level === 0
				? Array.from({ length: EARLIER }, (_, n) => digit - 1 - n)
				: Array.from({ length: BASE }, (_, n) => n);
		return others.filter((other) => other !== digit).map((other) => digitKey(name, level, other));
	});
}

/** What to ask a list for so that `madeBy` can tell. */
export const keysToAsk = (counted: Counted): string[] => [
	...periodKeys(counted),
	...placesOf(counted, 1, counted.most),
];

/** How many calls were made, at most as many as may be. `has`: whether a key is in the list. */
export function madeBy(counted: Counted, has: (key: string) => boolean): number {
	if (!periodKeys(counted).every(has)) return 0;
	const missing = placesOf(counted, 1, counted.most).findIndex((key) => !has(key));
	return missing < 0 ? counted.most : missing;
}
