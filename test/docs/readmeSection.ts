import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const readme = path.join(__dirname, '../../README.md');

/**
 * Puts measured text between `<!-- NAME -->` and `<!-- /NAME -->` in the README, so that nobody copies figures
 * by hand. Throws when the README has no such place.
 */
export function fillReadme(name: string, text: string): void {
	const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
	const page = readFileSync(readme, 'utf8');
	const from = page.indexOf(start);
	const to = page.indexOf(end);
	if (from < 0 || to < from) throw new Error(`The README has no place for ${name}.`);
	writeFileSync(readme, `${page.slice(0, from + start.length)}\n${text.trim()}\n${page.slice(to)}`);
}
