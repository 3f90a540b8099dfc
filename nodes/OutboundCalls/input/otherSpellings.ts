import { nameOf, valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import { quoted } from '../domain/format';
import { meansNo, meansYes, sameWord } from '../domain/optedOut';
import type { Execution } from '../execution/execution';
import type { MadeColumn } from '../execution/madeColumns';
import { misread, type PerItem } from '../execution/parameters';
import { madeOf } from './readings';
import { OPTED_OUT } from './stored';

/** `=== 'yes'`, `'yes' ===`, `=== true`; not `!==`. */
const COMPARED = [/(?<![!=])={2,3}\s*(?:(['"`])([^'"`]*)\1|(true)\b)/g, /(['"`])([^'"`]*)\1\s*={2,3}/g];
/** `['yes', 'x'].includes(` */
const AMONG = /\[([^\]]*)\]\s*\.includes\(/g;
const QUOTED = /(['"`])([^'"`]*)\1/g;

/** Words that mean yes, to which an expression compares something as it stands. */
function wordsIn(stored: string): Array<string | true> {
	const compared = COMPARED.flatMap((pattern) => [...stored.matchAll(pattern)]);
	const among = [...stored.matchAll(AMONG)].flatMap(([, list]) => [...list!.matchAll(QUOTED)]);
	return [...compared, ...among].map(([, , word, isTrue]) => (isTrue ? true : word!)).filter(meansYes);
}

/** `!$json.consent`, `$json.consent ? 'no' : 'yes'`: any text counts as true. */
const AS_TRUTH = /(?<!!)!(?![!=])\s*\$|\$json[^\s?()!=&|]*\s*\?(?![.?])/;

interface Compared {
	columns: Column[];
	words: Array<string | true>;
	isTruth: boolean;
}

/** What an expression compares as it stands; what is done to a cell before may spell it otherwise. */
function comparedIn({ stored, inside, step: given }: Pick<MadeColumn, 'stored' | 'inside'> & { step?: string }): Compared[] {
	if (typeof stored !== 'string' || /\.(?!includes\b)\w+\(/.test(stored)) return [];
	const words = wordsIn(stored);
	const columns = readingOf(stored, inside).columns.flatMap((column) =>
		column.takes === 'ofRow' ? [{ ...column, step: column.step ?? given }] : [],
	);
	const isTruth = columns.length === 1 && AS_TRUTH.test(stored);
	return columns.length > 0 && (words.length > 0 || isTruth) ? [{ columns, words, isTruth }] : [];
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
		if (value !== false && !meansNo(value)) return value;
		for (const { columns, words, isTruth } of checks)
			for (const { step, path } of columns) {
				const [cell] = valuesAt(step === undefined ? input[row] : steps.itemOf(step, row), path);
				const isOther = !words.some((word) => word === cell) && words.some((word) => sameWord(word, cell));
				if (isOther) throw misread(nameOf(path), `it compares a cell to a word that the cell, ${quoted(cell)}, spells otherwise`);
				if (isTruth && meansNo(cell)) throw misread(nameOf(path), `${quoted(cell)} in a cell is text, which counts as true`);
			}
		return value;
	};
}
