import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Typographic apostrophes and quotes, and capital letters, do not make a message different. */
const plain = (text: string): string =>
	text.toLowerCase().replaceAll('’', "'").replace(/[“”]/g, '"');

/** The texts of the built package: strings, and the fixed parts of templates. */
export function builtTexts(folder: string): string[] {
	const texts = new Set<string>();
	const visit = (node: ts.Node): void => {
		if (
			ts.isStringLiteralLike(node) ||
			ts.isTemplateHead(node) ||
			ts.isTemplateMiddle(node) ||
			ts.isTemplateTail(node)
		)
			texts.add(plain(node.text));
		ts.forEachChild(node, visit);
	};
	for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.js'),
	)) {
		visit(
			ts.createSourceFile(
				name,
				readFileSync(path.join(folder, name), 'utf8'),
				ts.ScriptTarget.ES2022,
			),
		);
	}
	texts.delete('');
	return [...texts];
}

/**
 * Whether the built texts can produce these words: as a part of one text, or of several in a row, as templates
 * put them together. Only the first text may be cut at its start, and only the last one at its end. So words
 * that were changed anywhere are not found.
 */
export function canSay(texts: readonly string[], words: string): boolean {
	const wanted = plain(words);
	if (texts.some((text) => text.includes(wanted))) return true;
	const reached = new Set<number>();
	for (let length = 1; length < wanted.length; length++) {
		if (texts.some((text) => text.endsWith(wanted.slice(0, length)))) reached.add(length);
	}
	// Iterating over a set also returns what is added meanwhile.
	for (const position of reached) {
		const rest = wanted.slice(position);
		if (texts.some((text) => text.startsWith(rest))) return true;
		for (const text of texts) if (rest.startsWith(text)) reached.add(position + text.length);
	}
	return false;
}

/**
 * The fixed words of the messages that a row of `docs/messages.md` shows: between two messages (a semicolon, then a capital), and
 * between the places of values ("…" in quotes, numbers, a …). What stands in parentheses as "(or this, or that)" are words that can
 * replace others.
 */
export function fixedWords(message: string): string[] {
	const others: string[] = [];
	const one = message.replace(/ ?\(or ([^)]*)\)/g, (_match, list: string) => {
		others.push(...list.split(', or '));
		return '';
	});
	return [...one.split(/"[^"]*"|; (?=\p{Lu})|;? ?…|\d[\d,]*/u), ...others]
		.map((words) => words.trim())
		.filter((words) => /\p{L}/u.test(words));
}
