import { readFileSync } from 'node:fs';
import MarkdownIt, { type Token } from 'markdown-it';

export interface Table {
	/** The heading that the table stands under. */
	section: string;
	header: string[];
	/** Cells as plain text. */
	rows: string[][];
	/** What is set in italics, by row and column. */
	emphasized: string[][][];
	/** Targets of links, by row. */
	links: string[][];
}

/** What the tests ask about a page of documentation. */
export interface Page {
	/** Targets of links and pictures. */
	links: string[];
	/** The names by which headings are linked to, as GitHub makes them. */
	anchors: Set<string>;
	/** What is set as code, in a line or in a block of its own. */
	code: string[];
	/** What is set in bold or italics. */
	marked: string[];
	/** All text but code, a line for each paragraph, heading and cell. */
	prose: string;
	tables: Table[];
}

const parser = new MarkdownIt({ html: true });

/** Reads a Markdown file. */
export function pageOf(file: string): Page {
	const tokens = parser.parse(readFileSync(file, 'utf8'), {});
	const page: Page = { links: [], anchors: new Set(), code: [], marked: [], prose: '', tables: [] };
	let section = '';
	let column = 0;
	tokens.forEach((token, i) => {
		const table = page.tables.at(-1);
		const content = tokens[i + 1];
		switch (token.type) {
			case 'heading_open':
				section = plainText(content!);
				page.anchors.add(anchorOf(section, page.anchors));
				break;
			case 'table_open':
				page.tables.push({ section, header: [], rows: [], emphasized: [], links: [] });
				break;
			case 'th_open':
				table!.header.push(plainText(content!));
				break;
			case 'tr_open':
				column = 0;
				if (tokens[i + 1]?.type !== 'td_open') break;
				table!.rows.push([]);
				table!.emphasized.push([]);
				table!.links.push([]);
				break;
			case 'td_open':
				table!.rows.at(-1)!.push(plainText(content!));
				table!.emphasized.at(-1)![column++] = marked(content!, 'em');
				table!.links.at(-1)!.push(...targets(content!));
				break;
			case 'fence':
				page.code.push(token.content);
				break;
			case 'html_block':
				page.links.push(...picturesIn(token.content));
				break;
			case 'inline':
				page.links.push(...targets(token));
				for (const { type, content: text } of token.children ?? []) {
					if (type === 'code_inline') page.code.push(text);
					else page.prose += type === 'softbreak' ? ' ' : text;
				}
				page.prose += '\n';
				page.marked.push(...marked(token, 'em'), ...marked(token, 'strong'));
				break;
		}
	});
	return page;
}

const targets = ({ children }: Token): string[] =>
	(children ?? []).flatMap((child) => {
		const target = child.attrGet(child.type === 'image' ? 'src' : 'href');
		return target === null ? [] : [String(target)];
	});

/** Addresses in HTML: a page shows one picture on a light screen and another on a dark one. */
const picturesIn = (html: string): string[] =>
	[...html.matchAll(/\b(?:src|srcset)="([^"]+)"/g)].map(([, address]) => address!);

const plainText = ({ children }: Token): string =>
	(children ?? []).map(({ content }) => content).join('');

/** The texts between an opening mark of this kind and its closing one. */
function marked({ children }: Token, mark: 'em' | 'strong'): string[] {
	const texts: string[] = [];
	let inside = false;
	for (const { type, content } of children ?? []) {
		if (type === `${mark}_open`) texts.push('');
		inside = type === `${mark}_open` || (inside && type !== `${mark}_close`);
		if (inside) texts.push((texts.pop() ?? '') + content);
	}
	return texts;
}

/** GitHub keeps letters, digits, hyphens and underscores of a heading, and numbers a repeated one. */
function anchorOf(heading: string, taken: ReadonlySet<string>): string {
	const name = heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.replace(/\s/g, '-');
	let anchor = name;
	for (let n = 1; taken.has(anchor); n++) anchor = `${name}-${n}`;
	return anchor;
}
