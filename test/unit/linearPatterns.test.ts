import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');

/** Every regular expression that is written in the node's sources. */
function patterns(): Array<[string, RegExp]> {
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => join(folder, file)),
	);
	return files.flatMap((file) => {
		const text = readFileSync(join(root, file), 'utf8');
		const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
		const found: Array<[string, RegExp]> = [];
		const walk = (node: ts.Node): void => {
			if (ts.isRegularExpressionLiteral(node)) {
				const end = node.text.lastIndexOf('/');
				const flags = node.text.slice(end + 1);
				found.push([
					`${file}: ${node.text.slice(0, 60)}`,
					new RegExp(node.text.slice(1, end), flags),
				]);
			}
			node.forEachChild(walk);
		};
		walk(source);
		return found;
	});
}

/** What texts repeat: each alone, and each two in turn. */
const PIECES = [
	...Array.from(' \t\n01aAz_.,-+/()[]{}"\'!#%&:=\\\u0000\u200b\u202eé٣'),
	...['{{', '😀', 'GMT', '1.', '(0)'],
];
/** Whatever a pattern asks for at the end, or at the beginning, is not there. */
const ends = (text: string): string[] => [text, `${text}§`, `§${text}`, `1${text}§`, `#${text}§`];

/** A quadratic pattern takes more than ten times as long as this limit; a linear one next to nothing. */
const MOST_MS = 50;

it.each(patterns())('G1 takes linear time: %s', (_, pattern) => {
	const check = (text: string): void => {
		const takes = (): number => {
			const began = performance.now();
			text.replace(pattern, '');
			return performance.now() - began;
		};
		// Another process may take the machine's time: a slow pattern is slow every time.
		const isLinear = [1, 2, 3, 4].some(() => takes() < MOST_MS);
		const sample = `${text.length} × ${JSON.stringify(text.slice(0, 8))}`;
		expect([sample, isLinear]).toEqual([sample, true]);
	};
	for (const [i, one] of PIECES.entries()) {
		for (const text of ends(one.repeat(30_000))) check(text);
		for (const other of PIECES.slice(i + 1)) check(`${(one + other).repeat(8_000)}§`);
	}
});
