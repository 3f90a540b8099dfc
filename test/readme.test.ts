import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { OutboundCalls } from '../nodes/OutboundCalls/OutboundCalls.node';
import { OutboundCallsTrigger } from '../nodes/OutboundCallsTrigger/OutboundCallsTrigger.node';
import { pageOf, type Page } from './docs/page';
import { ASSUMPTIONS } from './firstContact/assumptions';

const root = path.join(__dirname, '..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const markdownIn = (folder: string): string[] =>
	readdirSync(path.join(root, folder))
		.filter((file) => file.endsWith('.md'))
		.map((file) => path.join(folder, file));

const forUsers = ['README.md', ...markdownIn('docs')];
const forMaintainers = [
	...markdownIn('docs/maintainers'),
	...markdownIn('docs/maintainers/decisions'),
];
const others = ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

const read = new Map<string, Page>();
function page(file: string): Page {
	const known = read.get(file) ?? pageOf(path.join(root, file));
	read.set(file, known);
	return known;
}

const ON_GITHUB = 'https://github.com/outbound-calls/n8n-nodes-outbound-calls/blob/main/';

function isBroken(link: string, file: string): boolean {
	if (link.startsWith(ON_GITHUB)) return isBroken(link.slice(ON_GITHUB.length), '');
	if (/^(https?|mailto):/.test(link)) return false;
	const [target = '', anchor] = decodeURI(link).split('#') as [string?, string?];
	const linked = target === '' ? file : path.join(path.dirname(file), target);
	if (!existsSync(path.join(root, linked))) return true;
	return anchor !== undefined && !(linked.endsWith('.md') && page(linked).anchors.has(anchor));
}

it('the README leads to each page for users', () => {
	const linked = page('README.md').links.map((link) => link.split('#')[0]);
	expect(forUsers.slice(1).filter((file) => !linked.includes(file))).toEqual([]);
});

describe.each([...forUsers, ...forMaintainers, ...others])('%s', (file) => {
	it('links only to files and headings that exist', () => {
		expect(page(file).links.filter((link) => isBroken(link, file))).toEqual([]);
	});

	it('names only source files that exist', () => {
		const named = [...textOf(file).matchAll(/`([\w/]+\.ts)`/g)].map(([, name]) => name!);
		const isThere = (name: string) =>
			['', 'nodes/OutboundCalls'].some((folder) => existsSync(path.join(root, folder, name)));
		expect(named.filter((name) => !isThere(name))).toEqual([]);
	});

	it('names only npm scripts that exist', () => {
		const { scripts } = JSON.parse(textOf('package.json')) as { scripts: object };
		const named = [...textOf(file).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name!);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});
});

it('the panels and the issue forms link only to pages that exist', () => {
	const files = [
		'credentials/OutboundCallsApi.credentials.ts',
		'nodes/OutboundCalls/OutboundCalls.node.json',
		'nodes/OutboundCallsTrigger/OutboundCallsTrigger.node.json',
		'.github/ISSUE_TEMPLATE/bug.yml',
		'.github/ISSUE_TEMPLATE/config.yml',
	];
	const links = files.flatMap((file) => textOf(file).match(/https:[^\s)"']+/g) ?? []);
	const ours = links.filter((link) => link.startsWith(ON_GITHUB));
	expect(ours.length).toBeGreaterThanOrEqual(files.length);
	expect(ours.filter((link) => isBroken(link, ''))).toEqual([]);
});

it('every example is listed, and only examples that exist', () => {
	const listed = page('docs/campaigns.md').tables[0]!.links.flat();
	const examples = readdirSync(path.join(root, 'examples'))
		.filter((file) => file.endsWith('.workflow.json'))
		.map((file) => `../examples/${file}`);
	expect(listed.filter((link) => link.endsWith('.workflow.json')).sort()).toEqual(examples.sort());
});

it('docs/maintainers/api.md has each line of the report of a first contact', () => {
	const { tables } = page('docs/maintainers/api.md');
	const table = tables.find(({ header }) => header[0] === 'Line')!;
	expect(table.rows.map(([id]) => id)).toEqual(Object.keys(ASSUMPTIONS));
});

type Property = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** Labels of fields, with those inside of collections. */
const labelsIn = (properties: readonly Property[]): string[] =>
	properties.flatMap((property) => {
		if ('values' in property) return labelsIn(property.values);
		if (!('type' in property) || ['notice', 'hidden'].includes(property.type)) return [];
		return [property.displayName, ...labelsIn(property.options ?? [])];
	});

it('the manual names every field of both panels', () => {
	const manual = forUsers.map(textOf).join('\n');
	const labels = [new OutboundCalls(), new OutboundCallsTrigger()].flatMap(({ description }) =>
		labelsIn(description.properties),
	);
	expect([...new Set(labels)].filter((label) => !manual.includes(label))).toEqual([]);
});
