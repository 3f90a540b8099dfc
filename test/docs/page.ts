import { readFileSync } from 'node:fs';
import MarkdownIt, { type Token } from 'markdown-it';

export interface Table {
	header: string[];
	/** Cells as plain text. */
	rows: string[][];
	/** Targets of links, by row. */
	links: string[][];
}

/** What the tests ask about a page of documentation. */
export interface Page {
	/** Targets of links and pictures. */
	links: string[];
	/** The names by which headings are linked to, as GitHub makes them. */
	anchors: Set<string>;
	tables: Table[];
}

const parser = new MarkdownIt({ html: true });

/** Reads a Markdown file. */
export function pageOf(file: string): Page {
	const tokens = parser.parse(readFileSync(file, 'utf8'), {});
	const page: Page = { links: [], anchors: new Set(), tables: [] };
	tokens.forEach((token, i) => {
		const table = page.tables.at(-1);
		const content = tokens[i + 1];
		switch (token.type) {
			case 'heading_open':
				page.anchors.add(anchorOf(plainText(content!), page.anchors));
				break;
			case 'table_open':
				page.tables.push({ header: [], rows: [], links: [] });
				break;
			case 'th_open':
				table!.header.push(plainText(content!));
				break;
			case 'tr_open':
				if (tokens[i + 1]?.type !== 'td_open') break;
				table!.rows.push([]);
				table!.links.push([]);
				break;
			case 'td_open':
				table!.rows.at(-1)!.push(plainText(content!));
				table!.links.at(-1)!.push(...targets(content!));
				break;
			case 'html_block':
				page.links.push(...picturesIn(token.content));
				break;
			case 'inline':
				page.links.push(...targets(token));
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
	(children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

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
