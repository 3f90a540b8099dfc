import type { Chance } from './random';
import type { Row } from './rows';

/** Characters that set a direction, as phone books copy them along with a number. */
const DIRECTIONS = [
	'\u200e',
	'\u200f',
	'\u061c',
	'\u202a',
	'\u202c',
	'\u202d',
	'\u202e',
	'\u2066',
	'\u2068',
	'\u2069',
];
const CONTROLS = ['\u0000', '\u0007', '\b', '\u001b', '\u007f', '\u009b'];

/** What no message, reason or column of the node's own may hold. */
export const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const inserted = (chance: Chance, text: string, characters: readonly string[]): string => {
	const at = chance.int(0, text.length);
	return text.slice(0, at) + chance.of(characters) + text.slice(at);
};

const directed = (chance: Chance, text: string): string =>
	inserted(chance, inserted(chance, text, DIRECTIONS), DIRECTIONS);

/** A text of a server or a sheet that turns what stands around it, clears a terminal and breaks the line. */
export const strange = (chance: Chance, text: string): string =>
	inserted(chance, inserted(chance, directed(chance, text), CONTROLS), [
		'\r\n',
		'\n',
		'\u2028',
		'\t',
	]);

/** The answers in the sheet to whether somebody opted out: nobody sees a direction there, either. */
export function disguiseAnswers(chance: Chance, rows: readonly Row[]): void {
	for (const { item } of rows)
		if (typeof item.opted_out === 'string' && chance.is(0.3))
			item.opted_out = directed(chance, item.opted_out);
}

/**
 * Puts such characters into cells. Nobody sees a direction: number and key are still the same. With a control character a cell is no
 * phone number. The first row of each batch stays callable.
 */
export function disguise(
	chance: Chance,
	rows: readonly Row[],
	isFirst: (position: number) => boolean,
): void {
	for (const [position, row] of rows.entries()) {
		const { item } = row;
		if (chance.is(0.3))
			item.name = row.name = inserted(chance, directed(chance, row.name), CONTROLS);
		if (typeof item.key === 'string' && chance.is(0.3)) item.key = directed(chance, item.key);
		if (typeof item.phone !== 'string' || row.number === undefined || !chance.is(0.4)) continue;
		item.phone = directed(chance, item.phone);
		if (isFirst(position) || !chance.is(0.2)) continue;
		item.phone = inserted(chance, item.phone, CONTROLS);
		row.number = undefined;
	}
}
