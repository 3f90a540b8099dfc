import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');

/**
 * Puts measured text between `<!-- NAME -->` and `<!-- /NAME -->` in a page of the documentation, so that nobody copies
 * figures by hand. Throws when the page has no such place.
 */
export function fillPage(page: string, name: string, text: string): void {
	const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
	const file = path.join(root, page);
	const content = readFileSync(file, 'utf8');
	const from = content.indexOf(start);
	const to = content.indexOf(end);
	if (from < 0 || to < from) throw new Error(`${page} has no place for ${name}.`);
	writeFileSync(
		file,
		`${content.slice(0, from + start.length)}\n${text.trim()}\n${content.slice(to)}`,
	);
}
