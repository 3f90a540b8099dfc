/**
 * The names of the keys that this package enters in n8n's list (those of counts are in `countKeys.ts`). Each purpose has a word of its own in front, so that a key that
 * somebody chose is never taken for a number. The store puts the workflow's ID before them.
 *
 * By the setting of Remember People By, a call enters
 * - without one: `person`, which decides;
 * - with one: `key`, which decides (`person` and `any`, where the row's key is empty), and along with it `under` that setting and `any`
 *   setting. So a dry run can tell who was called under another setting: `person` or `any` is there, `under` is not.
 */
import { createHash } from 'node:crypto';
import { withPlainDigits } from './phone/writtenNumber';
import type { Row } from './row';

/** Who shares a list of keys: all nodes of the workflow, or this one alone. */
export type MemoryScope = 'workflow' | 'node';

export const otherScope = (scope: MemoryScope): MemoryScope =>
	scope === 'workflow' ? 'node' : 'workflow';

/** How people are remembered: a hash of the setting of Remember People By, as it is stored in the workflow. */
export type MemorySetting = string & { readonly isHash: unique symbol };

/** Undefined for none: people are remembered by their numbers. */
export function memorySetting(stored: unknown): MemorySetting | undefined {
	const text = typeof stored === 'string' || typeof stored === 'number' ? String(stored) : '';
	return text.trim() === ''
		? undefined
		: (createHash('sha256').update(text).digest('base64').slice(0, 16) as MemorySetting);
}

/**
 * A key that somebody chose, as it is compared: without what nobody sees, such as the direction marks that phone books copy along, with one kind of digits, letters
 * and accents, and one blank for several, and none beside signs: a cell may have one at its end, until somebody tidies the sheet up.
 * A date is as n8n stores it, and capitals in an e-mail address do not count.
 */
export const plainKey = (text: string): string =>
	storedDates(
		composed(text)
			.replace(/\p{Cf}|\p{DI}/gu, '')
			.replace(/\s+/gu, ' ')
			.trim(),
	)
		.replace(/ ?([^\p{L}\p{M}\p{N} ]) ?/gu, '$1')
		.split(' ')
		.map((word) => (word.includes('@') ? word.toLowerCase() : word))
		.join(' ');

/**
 * In a text, a date that a database gives is "Tue Dec 01 2026 09:00:00 GMT+0100 (…)", and 2026-12-01T08:00:00.000Z once n8n has stored the row: for
 * Retry, for Execute step, pinned, behind Wait or Edit Fields (n8n behaviour). The first one has no milliseconds. Anything may stand before it. A day without a time
 * is midnight on n8n's clock, and 2026-12-01 alone from newer steps of n8n.
 */
const DATE = /\w{3} \w{3} \d\d \d{4} [\d:]{8} GMT[+-]\d{4}(?: \([^()]*\))?/g;
const STORED = /\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}(?:Z|[+-]\d\d:\d\d)/g;
const MILLISECONDS = /(T[\d:]{8}\.)\d{3}Z/g;

/**
 * A text with a day is midnight in UTC, wherever n8n runs: its clock may be set to another time zone, and differ between workers. What n8n has made a date of is written
 * in the time zone of the workflow, which somebody may change.
 */
function dayIfMidnight(stored: string): string {
	const [day, time] = stored.split('T');
	if (time!.startsWith('00:00:00.000')) return day!;
	const date = new Date(stored);
	if (Number.isNaN(date.getTime())) return stored;
	if (!(date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0))
		return date.toISOString();
	return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

function storedDates(key: string): string {
	const stored = key
		.replace(DATE, (date) => {
			const time = Date.parse(date);
			return time ? new Date(time).toISOString() : date;
		})
		.replace(STORED, dayIfMidnight);
	// A time alone tells more rows apart with them.
	return stored.length > '2026-12-01T08:00:00.000Z'.length
		? stored.replace(MILLISECONDS, '$1000Z')
		: stored;
}

/** Composing takes time that grows with the square of the length. */
const LONGEST_COMPOSED = 500;
const composed = (text: string): string =>
	text.length > LONGEST_COMPOSED ? text : withPlainDigits(text);

/** What a person is known by. */
export const personOf = ({ person }: Row): string => person;

export const personKey = (person: string): string => `person ${person}`;
export const chosenKey = (key: string): string => `key ${key}`;
export const anyKey = (person: string): string => `any ${person}`;
export const underKey = (setting: MemorySetting, person: string): string =>
	underNth(numberOf(setting), person);

/**
 * Settings have few numbers, so that all keys of a person can be named, and taken out at little cost. Two may have the same one: then a dry run does not tell who was
 * called under the other, except the first dry run, before which nobody was called under its own.
 */
const SETTINGS = 32;
const numberOf = (setting: MemorySetting): number => byteOf(setting) % SETTINGS;
const byteOf = (setting: MemorySetting): number => Buffer.from(setting, 'base64')[0]!;
const underNth = (setting: number, person: string): string => `under ${setting} ${person}`;

/** All that calls to a person may be remembered by, whatever the setting, other than keys that somebody chose. */
export const everyPersonKey = (person: string): string[] => [
	personKey(person),
	anyKey(person),
	...Array.from({ length: SETTINGS }, (_, setting) => underNth(setting, person)),
];

/** The keys that decide: a row may be called if none of them is in the list. A row whose key is empty goes by its number, whatever that was called by. */
export function memoryKeys(row: Row, setting: MemorySetting | undefined): string[] {
	if (row.callOnceKey !== undefined) return [chosenKey(row.callOnceKey)];
	const person = personOf(row);
	return [personKey(person), ...(setting === undefined ? [] : [anyKey(person)])];
}

/** What else is remembered of a row's call. */
export const alongKeys = (row: Row, setting: MemorySetting | undefined): string[] =>
	setting === undefined ? [] : [underKey(setting, personOf(row)), anyKey(personOf(row))];

/** Whether the row's person was called under another setting. `has`: whether a key is in the list. */
export const wasCalledOtherwise = (
	row: Row,
	setting: MemorySetting | undefined,
	has: (key: string) => boolean,
): boolean => {
	const person = personOf(row);
	const isUnder = setting !== undefined && has(markOf(setting)) && has(underKey(setting, person));
	return (has(personKey(person)) || has(anyKey(person))) && !isUnder;
};

/** What a dry run asks about a row. */
export const askedKeys = (row: Row, setting: MemorySetting | undefined): string[] => [
	...memoryKeys(row, setting),
	personKey(personOf(row)),
	anyKey(personOf(row)),
	...(setting === undefined ? [] : [markOf(setting), underKey(setting, personOf(row))]),
];

/** A row and a call to a number among the retries of one execution; `scope`: what these retries share. */
export const retryRow = (scope: string, row: string): string => `retry row ${scope} ${row}`;
export const retryCall = (scope: string, person: string, call: number): string =>
	`retry call ${scope} ${person} ${call}`;
/** A place of Max Calls among them. */
export const limitPlace = (scope: string, place: number): string => `limit ${scope} ${place}`;

/** The first entry of a list: whatever trims the list from outside takes this one first. */
export const OPENED = 'opened';
/** A dry run or a test was made with the setting. */
export const markOf = (setting: MemorySetting | undefined): string => `${MARK} ${setting ?? ''}`;
const MARK = 'mark';
/** Whether it is the mark of a setting: of a write in doubt none may stay, because it opens the gate. */
export const isMark = (key: string): boolean => key.startsWith(`${MARK} `);

/** With which setting a node made its last dry run or test. Of 256 settings, two may be one here. */
export const usedKey = (node: string, setting: MemorySetting | undefined): string =>
	usedNth(node, setting === undefined ? 'none' : byteOf(setting));
/** In the list that a node shared before it shared its memory with somebody else. */
export const usedElsewhere = (node: string): string => usedNth(node, 'elsewhere');
const usedNth = (node: string, setting: number | 'none' | 'elsewhere'): string =>
	`used ${node} ${setting}`;

/** All such keys of a node but the given one. */
export const otherUsedKeys = (node: string, used: string): string[] =>
	[
		usedNth(node, 'none'),
		usedElsewhere(node),
		...Array.from({ length: 256 }, (_, byte) => usedNth(node, byte)),
	].filter((key) => key !== used);
/** Workers of a cluster write the list. */
export const WORKERS = 'workers';
