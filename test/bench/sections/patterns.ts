import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { Bench } from '../helpers/bench';
import { atMost, type Section, show } from '../helpers/figures';

const { count, millis } = show;

const ROOT = path.join(__dirname, '../../..');
const REPEATS = 30_000;
const REPEATS_OF_TWO = 8_000;
/** A quadratic pattern takes more than ten times as long; a linear one next to nothing. */
const MOST_MS = 50;
const SHOWN = 5;

/** What texts repeat: each alone, and each two in turn. */
const PIECES = [
	...Array.from(' \t\n01aAz_.,-+/()[]{}"\'!#%&:=\\\u0000\u200b\u202eé٣'),
	...['{{', '😀', 'GMT', '1.', '(0)'],
];
/** Whatever a pattern asks for at the end, or at the beginning, is not there. */
const ends = (text: string): string[] => [text, `${text}§`, `§${text}`, `1${text}§`, `#${text}§`];

const TEXTS = PIECES.flatMap((one, i) => [
	...ends(one.repeat(REPEATS)),
	...PIECES.slice(i + 1).map((other) => `${(one + other).repeat(REPEATS_OF_TWO)}§`),
]);

/** Every regular expression that is written in the sources takes time that grows with the length of a text, and not faster. */
export async function patterns({ runs, progress }: Bench): Promise<Section> {
	const found = ['nodes', 'credentials'].flatMap(patternsIn);
	progress(`${found.length} patterns on ${count(TEXTS.length)} texts each`);
	const slowest = found
		.map(({ file, pattern }) => ({ file, pattern, ...slowestText(pattern, runs) }))
		.sort((a, b) => b.ms - a.ms)
		.slice(0, SHOWN);
	return await Promise.resolve({
		title: 'Patterns',
		figures: [
			atMost(`Slowest of ${found.length} regular expressions`, slowest[0]!.ms, MOST_MS, millis),
		],
		table: slowest.map(({ file, pattern, text, ms }) => ({
			Pattern: pattern.source.slice(0, 40),
			File: path.basename(file),
			Text: `${count(text.length)} × ${JSON.stringify(text.slice(0, 8))}`,
			Time: millis(ms),
		})),
	});
}

function patternsIn(folder: string): Array<{ file: string; pattern: RegExp }> {
	const found: Array<{ file: string; pattern: RegExp }> = [];
	const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
	for (const file of files.filter((name) => name.endsWith('.ts'))) {
		const text = readFileSync(path.join(ROOT, folder, file), 'utf8');
		const walk = (node: ts.Node): void => {
			if (ts.isRegularExpressionLiteral(node)) {
				const end = node.text.lastIndexOf('/');
				const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
				found.push({ file, pattern });
			}
			node.forEachChild(walk);
		};
		walk(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
	}
	return found;
}

/** The least of some runs: whatever else the machine does only adds to it. */
function slowestText(pattern: RegExp, runs: number): { text: string; ms: number } {
	const takes = (text: string): number => {
		const began = performance.now();
		text.replace(pattern, '');
		return performance.now() - began;
	};
	let slowest = { text: '', ms: 0 };
	for (const text of TEXTS) {
		let ms = takes(text);
		for (let run = 1; run < runs && ms > slowest.ms; run++) ms = Math.min(ms, takes(text));
		if (ms > slowest.ms) slowest = { text, ms };
	}
	return slowest;
}
