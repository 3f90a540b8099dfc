import { nameOf, valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { codesOf } from '../domain/expression/tree';
import type { Column } from '../domain/expression/values';
import { quoted } from '../domain/format';
import { meansNo, meansYes, readOptedOut, sameWord } from '../domain/optedOut';
import type { Execution } from '../execution/execution';
import type { MadeColumn } from '../execution/madeColumns';
import { misread, type PerItem } from '../execution/parameters';
import { madeOf } from './readings';
import { OPTED_OUT } from './stored';

/** `$json.status === 'yes'`, `$json.status == true`; not `!==`. */
const TO_WORD = /(\$(?:json\b|\()[^=!&|?:;,]*?)\s*={2,3}\s*(?:(['"`])([^'"`]*)\2|(true)\b)/g;
/** `'yes' === $json.status` */
const OF_WORD = /(['"`])([^'"`]*)\1\s*={2,3}\s*(\$(?:json\b|\()[^=!&|?:;,]*)/g;
/** `['yes', 'x'].includes($json.status)` */
const AMONG = /\[([^[\]]*)\]\s*\.includes\(\s*(\$(?:json\b|\()[^=!&|?:;,]*?)\s*\)/g;
const QUOTED = /(['"`])([^'"`]*)\1/g;

/** `!$json.consent`, `$json.consent ? 'no' : 'yes'`: any text counts as true. */
const AS_TRUTH = /(?<!!)!\s*\$|\$json[^\s?()$]*\s*\?(?![.?])/;

/** What is compared as it stands to words that mean yes, as it is written. */
function comparisonsIn(code: string): Array<{ of: string; words: Array<string | true> }> {
	const found: Array<{ of: string; words: Array<string | true> }> = [];
	for (const [, of, , word, isTrue] of code.matchAll(TO_WORD)) found.push({ of: of!, words: [isTrue ? true : word!] });
	for (const [, , word, of] of code.matchAll(OF_WORD)) found.push({ of: of!, words: [word!] });
	for (const [, list, of] of code.matchAll(AMONG)) found.push({ of: of!, words: [...list!.matchAll(QUOTED)].map(([, , word]) => word!) });
	return found.filter(({ words }) => words.some(meansYes));
}

/** What it takes; a bracket may be left of what stands around it. */
function columnsOf(written: string): readonly Column[] {
	const ends = [...written.matchAll(/[()]/g)].reduce((open, [bracket]) => open + (bracket === '(' ? 1 : -1), 0);
	return readingOf(`={{ ${ends < 0 ? written.split(')').slice(0, ends).join(')') : written} }}`).columns;
}

interface Compared {
	column: Column;
	/** Empty: it counts as true or not. */
	words: Array<string | true>;
}

/** What an expression compares as it stands; what is done to a cell before may spell it otherwise. */
function comparedIn({ stored, inside, step }: Pick<MadeColumn, 'stored' | 'inside'> & { step?: string }): Compared[] {
	if (typeof stored !== 'string' || /\.(?!includes\b)\w+\(/.test(stored)) return [];
	const taken = readingOf(stored, inside).columns.filter(({ takes }) => takes === 'ofRow');
	const found = new Map<string, Compared>();
	const compared = (column: Column, words: Array<string | true>): void => {
		const known = found.get(nameOf(column.path));
		if (known) known.words.push(...words);
		else found.set(nameOf(column.path), { column: { ...column, step: column.step ?? step }, words });
	};
	for (const { of, words } of codesOf(stored).flatMap(comparisonsIn)) {
		const names = columnsOf(of).map(({ path }) => nameOf(path));
		for (const column of taken) if (names.includes(nameOf(column.path))) compared(column, [...words]);
	}
	const isAlone = taken.length === 1 && stored.match(/\$json\b|\$\(/g)?.length === 1 && !/[=!]=|\.includes\b/.test(stored);
	if (isAlone && AS_TRUTH.test(stored)) compared(taken[0]!, []);
	return [...found.values()];
}

/**
 * `read`, of Opted Out, that throws where its expression, or that of an Edit Fields, comes to no, though a cell says yes in another spelling of a word that it is compared to
 * ("Yes", or true, is not === 'yes' or 'true'), or says no and counts as true.
 */
export function asWritten({ parameters, steps, input }: Execution, read: PerItem<unknown>): PerItem<unknown> {
	const stored = parameters.raw(OPTED_OUT);
	const made = readingOf(stored).columns.flatMap((column) => madeOf(steps, column) ?? []);
	const checks = [{ stored, inside: [] }, ...made].flatMap(comparedIn);
	if (checks.length === 0) return read;
	return (row) => {
		const value = read(row);
		const said = readOptedOut(value);
		if (!said.ok || said.value === 'optedOut') return value;
		for (const { column, words } of checks) {
			const { step, path } = column;
			const [cell] = valuesAt(step === undefined ? input[row] : steps.itemOf(step, row), path);
			const isOther = !words.some((word) => word === cell) && words.some((word) => meansYes(word) && sameWord(word, cell));
			if (isOther) throw misread(nameOf(path), `it compares a cell to a word that the cell, ${quoted(cell)}, spells otherwise`);
			if (words.length === 0 && meansNo(cell)) throw misread(nameOf(path), `${quoted(cell)} in a cell is text, which counts as true`);
		}
		return value;
	};
}
