import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { builtTexts, canSay, fixedWords } from './docs/builtTexts';
import { pageOf, type Page, type Table } from './docs/page';

const root = path.join(__dirname, '..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

const markdownIn = (folder: string): string[] =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => path.join(folder, file));

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...markdownIn('docs'), ...markdownIn('.github')];

const read = new Map<string, Page>();

function page(file: string): Page {
	const known = read.get(file) ?? pageOf(path.join(root, file));
	read.set(file, known);
	return known;
}

const readme = page('README.md');

/** Commands of npm itself. */
const ofNpm = ['audit', 'ci', 'install', 'help', 'login', 'pack', 'publish', 'trust', 'version'];

describe.each(pages)('%s', (file) => {
	it('names only commands that there are', () => {
		const named = page(file).code.flatMap((code) => [...code.matchAll(/\bnpm (?:(run) )?([\w:-]+)/g)].map(([, run, name]) => ({ run, name: name! })));
		expect(named.filter(({ run, name }) => !(name in scripts) && (run !== undefined || !ofNpm.includes(name)))).toEqual([]);
	});

	it('links only to files and headings that there are', () => {
		const broken = page(file).links.filter((link) => {
			if (/^(https?|mailto):/.test(link)) return false;
			const [target = '', anchor] = decodeURI(link).split('#') as [string?, string?];
			const linked = target === '' ? file : path.join(path.dirname(file), target);
			if (!existsSync(path.join(root, linked))) return true;
			return anchor !== undefined && !(linked.endsWith('.md') && page(linked).anchors.has(anchor));
		});
		expect(broken).toEqual([]);
	});
});

it('each command that people can run is described', () => {
	const described = ['README.md', 'CONTRIBUTING.md'].map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
	// npm runs these two by itself.
	const commands = Object.keys(scripts).filter((name) => !['preversion', 'version'].includes(name));
	expect(commands.filter((name) => !new RegExp(`npm (run )?${name}(?![\\w:])`).test(described))).toEqual([]);
});

type Property = INodeProperties | INodePropertyOptions | INodePropertyCollection;

const isField = (property: Property): property is INodeProperties => 'type' in property;

/** Fields with those inside of their collections. */
const withInner = (fields: readonly Property[]): INodeProperties[] =>
	fields.flatMap((field) =>
		'values' in field ? withInner(field.values) : isField(field) ? [field, ...withInner((field.options ?? []) as Property[])] : [],
	);

const choiceNames = (fields: INodeProperties[]): string[] =>
	fields.flatMap(({ options = [] }) => (options as Property[]).flatMap((option) => ('value' in option ? option.name : [])));

const tableOf = (section: string, firstColumn: string): Table => {
	const table = readme.tables.find((candidate) => candidate.section === section && candidate.header[0] === firstColumn);
	if (!table) throw new Error(`The README has no table of a ${firstColumn} under ${section}.`);
	return table;
};

/** The README shows one country in the place of all. */
const isCountry = ({ name }: INodeProperties, choice: string): boolean => name === 'defaultCountry' && / \([A-Z]{2}, \+\d+\)$/.test(choice);

/** "Return All, Limit" are two labels. */
const labelsOf = ({ rows }: Table): string[] => rows.flatMap(([label]) => label!.split(', '));

const column = ({ header, rows }: Table, name: string): string[] => rows.map((row) => row[header.indexOf(name)]!);

let node: INodeTypeDescription;
let trigger: INodeTypeDescription;
let credential: INodeProperties[];

beforeAll(async () => {
	const loader = new PackageDirectoryLoader(root);
	await loader.loadAll();
	node = loader.getNode('outboundCalls').type.description as INodeTypeDescription;
	trigger = loader.getNode('outboundCallsTrigger').type.description as INodeTypeDescription;
	credential = loader.getCredential('outboundCallsApi').type.properties;
});

const nameOf = (property: Property): string => ('displayName' in property ? property.displayName : property.name);

/** Operations as the panel shows them: "Call", "Bulk Call", and the value that fields refer to. */
function operations(): Array<{ resource: string; name: string; value: string }> {
	const resources = node.properties.find(({ name }) => name === 'resource')!.options as INodePropertyOptions[];
	return node.properties
		.filter(({ name }) => name === 'operation')
		.flatMap((field) => {
			const resource = resources.find(({ value }) => field.displayOptions?.show?.resource?.includes(value))!;
			return (field.options as INodePropertyOptions[]).map(({ name, value }) => ({ resource: resource.name, name, value: String(value) }));
		});
}

/** Names of the operations whose panel has this field, or an option with this label. */
const operationsWith = (label: string): string[] =>
	operations()
		.filter(({ value }) =>
			withInner(node.properties.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(value))).some(
				(field) => nameOf(field) === label,
			),
		)
		.map(({ name }) => name)
		.sort();

describe('the README and the panel', () => {
	it('have the same operations', () => {
		expect(
			tableOf('Operations', 'Resource')
				.rows.map(([resource, operation]) => `${resource}: ${operation}`)
				.sort(),
		).toEqual(
			operations()
				.map(({ resource, name }) => `${resource}: ${name}`)
				.sort(),
		);
	});

	it('have the same fields of the credential', () => {
		expect(labelsOf(tableOf('Credential', 'Field'))).toEqual(credential.map(nameOf));
	});

	it('have the same fields of the trigger', () => {
		expect(labelsOf(tableOf('Outbound Calls Trigger', 'Field'))).toEqual(trigger.properties.filter(({ type }) => type !== 'notice').map(nameOf));
	});

	it('have the same options', () => {
		const options = node.properties.filter(({ name }) => name === 'options').flatMap((field) => (field.options ?? []) as Property[]);
		expect(labelsOf(tableOf('Options', 'Option'))).toEqual([...new Set(options.map(nameOf))].sort((a, b) => a.localeCompare(b)));
	});

	it('have the same outputs', () => {
		const expression = typeof node.outputs === 'string' ? node.outputs : '';
		const outputs = [...expression.matchAll(/displayName: "([^"]+)"/g)].map(([, name]) => name!);
		expect(outputs).toEqual(['Called', 'Not Called']);
		const calling = operations().filter(({ value }) => expression.includes(`"${value}"`));
		const described = tableOf('Operations', 'Resource').rows.filter((row) => row[3]!.endsWith(`on ${outputs.join(' or ')}`));
		expect(described.map(([, operation]) => operation)).toEqual(calling.map(({ name }) => name));
		const statuses = readme.tables.find(({ section, header }) => section === 'Bulk Call' && header.includes('Output'))!;
		expect([...new Set(column(statuses, 'Output'))].sort()).toEqual([...outputs, 'That of the first row'].sort());
	});

	it('have the same fields, for the same operations', () => {
		const table = tableOf('Fields', 'Field');
		const described = table.rows.flatMap(([labels, of]) => labels!.split(', ').map((label) => [label, of!.split(', ').sort()]));
		expect(described).toEqual(described.map(([label]) => [label, operationsWith(String(label))]));
	});

	it('have no label that the README keeps quiet about', () => {
		const named = new Set([...readme.marked, ...readme.tables.flatMap((table) => [...table.header, ...labelsOf(table)])]);
		// The collection of options has a section of its own.
		const shown = withInner([...node.properties, ...trigger.properties]).filter(({ type }) => type !== 'notice' && type !== 'collection');
		expect([...new Set(shown.map(nameOf))].filter((label) => !named.has(label))).toEqual([]);
	});

	it('have the same choices', () => {
		const fields = withInner([...node.properties, ...trigger.properties]).filter(({ name }) => name !== 'resource' && name !== 'operation');
		const choices = choiceNames(fields);
		const required = fields.flatMap((field) => choiceNames([field]).filter((choice) => !isCountry(field, choice)));
		const tables = [tableOf('Fields', 'Field'), tableOf('Options', 'Option'), tableOf('Outbound Calls Trigger', 'Field')];
		const named = tables.flatMap(({ emphasized }) => emphasized.flat(2));
		expect(named.filter((name) => !choices.includes(name))).toEqual([]);
		const defaults = tables.flatMap((table) => (table.header.includes('Default') ? column(table, 'Default') : []));
		expect(required.filter((choice) => ![...named, ...defaults].includes(choice))).toEqual([]);
	});

	it('begin with the same values', () => {
		/** Described in words: what happens without the option. */
		const inWords = ['Remember People By', 'Calls per Minute'];
		/** On also before somebody adds it. */
		const isOn = ['Include Input Fields'];
		const fields = withInner([...node.properties, ...trigger.properties]);
		const spoken = (field: INodeProperties): string => {
			const { default: preset, options = [] } = field;
			if (preset === false) return 'off';
			// Options are not there until somebody adds them.
			if (preset === true) return isOn.includes(nameOf(field)) ? 'on' : 'off, on when added';
			if (preset === '') return 'none';
			const choice = (options as INodePropertyOptions[]).find(({ value }) => value === preset);
			return choice?.name ?? (typeof preset === 'string' ? preset : JSON.stringify(preset));
		};
		for (const table of [tableOf('Options', 'Option'), tableOf('Outbound Calls Trigger', 'Field')]) {
			const described = table.rows.filter(([label]) => !inWords.includes(label!)).map(([label, preset]) => [label, preset]);
			expect(described).toEqual(described.map(([label]) => [label, spoken(fields.find((field) => nameOf(field) === label)!)]));
		}
	});

	it('begin with the same choices', () => {
		const fields = withInner(node.properties);
		const described = tableOf('Fields', 'Field').rows.flatMap(([label, , meaning]) => {
			const field = fields.find((candidate) => nameOf(candidate) === label);
			return field?.type === 'options' ? [[label, /^(.*?) \(default\)/.exec(meaning!)?.[1], field] as const] : [];
		});
		const choices = described.map(([label, , { default: preset, options }]) => [
			label,
			(options as INodePropertyOptions[]).find(({ value }) => value === preset)?.name,
		]);
		expect(choices.map(([label]) => label)).toEqual(
			expect.arrayContaining(['Mode', 'Country of Numbers Without +', 'People Called Before', 'Wait Until']),
		);
		expect(described.map(([label, choice]) => [label, choice])).toEqual(choices);
	});
});

describe('messages in the README', () => {
	const texts = builtTexts(path.join(root, 'dist'));
	const messages = readme.tables
		.filter(({ header }) => header[0] === 'You read')
		.flatMap((table) => column(table, 'You read'))
		// These are codes of Node.js.
		.filter((message) => !message.startsWith('A short code'));

	it.each(messages)('are messages of the package: %s', (message) => {
		expect(fixedWords(message)).not.toEqual([]);
		expect(fixedWords(message).filter((words) => !canSay(texts, words))).toEqual([]);
	});

	it('are not found once they have been worded otherwise', () => {
		expect(canSay(['Row ', ' is not a phone number in international format'], 'is no phone number in international format')).toBe(false);
		expect(
			canSay(['The API did not answer within ', ' seconds', ', ', 'so the calls may have been placed'], 'seconds, so the call may have been placed'),
		).toBe(false);
		expect(
			canSay(['The API did not answer within ', ' seconds', ', ', 'so the calls may have been placed'], 'seconds, so the calls may have been placed'),
		).toBe(true);
		expect(fixedWords('… the prompt variable "name" has 512 characters (or words), and so on')).toEqual([
			'the prompt variable',
			'has',
			'characters, and so on',
			'words',
		]);
	});
});
