import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';
import { PackageDirectoryLoader } from 'n8n-core';
import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { COUNTRIES } from '../nodes/OutboundCalls/domain/phone/countries';
import { builtTexts, canSay, fixedWords } from './docs/builtTexts';
import { pageOf, type Page, type Table } from './docs/page';

const root = path.join(__dirname, '..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};

const markdownIn = (folder: string): string[] =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => path.join(folder, file));

const pages = [
	'README.md',
	'CONTRIBUTING.md',
	'SECURITY.md',
	'CHANGELOG.md',
	...markdownIn('docs'),
	...markdownIn('.github'),
];

const read = new Map<string, Page>();

function page(file: string): Page {
	const known = read.get(file) ?? pageOf(path.join(root, file));
	read.set(file, known);
	return known;
}

const readme = page('README.md');
const REFERENCE = 'docs/reference.md';
const RIGHT_TO_CALL = 'docs/right-to-call.md';
const TRIGGER = 'docs/trigger.md';

/** What people read who build workflows: the README and the pages that it lists. */
const forUsers = [
	'README.md',
	...readdirSync(path.join(root, 'docs')).flatMap((file) =>
		file.endsWith('.md') ? [path.join('docs', file)] : [],
	),
];

/** Commands of npm itself. */
const ofNpm = [
	'audit',
	'ci',
	'install',
	'help',
	'login',
	'pack',
	'publish',
	'trust',
	'version',
	'view',
];

describe.each(pages)('%s', (file) => {
	it('names only commands that there are', () => {
		const named = page(file).code.flatMap((code) =>
			[...code.matchAll(/\bnpm (?:(run) )?([\w:-]+)/g)].map(([, run, name]) => ({
				run,
				name: name!,
			})),
		);
		expect(
			named.filter(
				({ run, name }) => !(name in scripts) && (run !== undefined || !ofNpm.includes(name)),
			),
		).toEqual([]);
	});

	it('links only to files and headings that there are', () => {
		expect(page(file).links.filter((link) => isBroken(link, file))).toEqual([]);
	});
});

/** Addresses of files of this repository: as GitHub shows them, and as they are, for npm's page of this package. */
const ON_GITHUB = 'https://github.com/outbound-calls/n8n-nodes-outbound-calls/blob/main/';
const AS_THEY_ARE =
	'https://raw.githubusercontent.com/outbound-calls/n8n-nodes-outbound-calls/main/';

function isBroken(link: string, file: string): boolean {
	const place = [ON_GITHUB, AS_THEY_ARE].find((address) => link.startsWith(address));
	if (place) return isBroken(link.slice(place.length), '');
	if (/^(https?|mailto):/.test(link)) return false;
	const [target = '', anchor] = decodeURI(link).split('#') as [string?, string?];
	const linked = target === '' ? file : path.join(path.dirname(file), target);
	if (!existsSync(path.join(root, linked))) return true;
	return anchor !== undefined && !(linked.endsWith('.md') && page(linked).anchors.has(anchor));
}

it('each picture of the editor is there for light and for dark screens, all pictures together in less than 1 MB', () => {
	const folder = path.join(root, 'docs/pictures');
	const files = readdirSync(folder);
	const shown = new Set(
		pages.flatMap((file) => page(file).links.map((link) => path.basename(link))),
	);
	expect(files.filter((file) => !shown.has(file))).toEqual([]);
	for (const file of files.filter((name) => name.endsWith('-dark.png')))
		expect(files).toContain(file.replace('-dark', ''));
	expect(
		files.reduce((bytes, file) => bytes + statSync(path.join(folder, file)).size, 0),
	).toBeLessThan(1_000_000);
});

it('the README is a front page: at most 12 kB, and it leads to every other page for users', () => {
	expect(Buffer.byteLength(readFileSync(path.join(root, 'README.md')))).toBeLessThanOrEqual(12_000);
	expect(
		forUsers.filter(
			(file) => file !== 'README.md' && !readme.links.some((link) => link.split('#')[0] === file),
		),
	).toEqual([]);
});

it('the forms for issues link only to pages that there are', () => {
	const forms = readdirSync(path.join(root, '.github/ISSUE_TEMPLATE')).map((file) =>
		readFileSync(path.join(root, '.github/ISSUE_TEMPLATE', file), 'utf8'),
	);
	const links = forms
		.flatMap((form) => form.match(/https:[^\s)]+/g) ?? [])
		.filter((link) => link.startsWith(ON_GITHUB));
	expect(links).not.toEqual([]);
	expect(links.filter((link) => isBroken(link, ''))).toEqual([]);
});

it('the guarantees name only tests that there are', () => {
	const { rows } = tableOf('docs/how-it-keeps-the-promise.md', 'The guarantees', '');
	const named = rows.flatMap(([, , tests]) => tests!.split(', '));
	expect(rows.map(([name]) => name)).toEqual(rows.map((_row, index) => `G${index + 1}`));
	expect(named.filter((name) => !existsSync(path.join(root, 'test', `${name}.test.ts`)))).toEqual(
		[],
	);
});

it('the documentation lists every example, and only examples that there are', () => {
	const listed = tableOf('docs/examples.md', 'All of them', 'Example')
		.links.flat()
		.filter((link) => link.startsWith('../examples/'))
		.map((link) => path.basename(link));
	expect(listed.sort()).toEqual(
		readdirSync(path.join(root, 'examples'))
			.filter((file) => file.endsWith('.workflow.json'))
			.sort(),
	);
});

it.each(forUsers)('no sentence in %s alarms', (file) => {
	// n8n's own labels.
	const own = page(file).prose.replaceAll('On Error', '').replaceAll('error output', '');
	expect(own.match(/.*\b(errors?|problems?|failures?|mistakes?)\b.*/gi) ?? []).toEqual([]);
});

it('each command that people can run is described', () => {
	const described = ['README.md', 'CONTRIBUTING.md']
		.map((file) => readFileSync(path.join(root, file), 'utf8'))
		.join('\n');
	// npm runs these two by itself.
	const commands = Object.keys(scripts).filter((name) => !['preversion', 'version'].includes(name));
	expect(
		commands.filter((name) => !new RegExp(`npm (run )?${name}(?![\\w:])`).test(described)),
	).toEqual([]);
});

type Property = INodeProperties | INodePropertyOptions | INodePropertyCollection;

const isField = (property: Property): property is INodeProperties => 'type' in property;

/** Fields with those inside of their collections. */
const withInner = (fields: readonly Property[]): INodeProperties[] =>
	fields.flatMap((field) =>
		'values' in field
			? withInner(field.values)
			: isField(field)
				? [field, ...withInner((field.options ?? []) as Property[])]
				: [],
	);

const choiceNames = (fields: INodeProperties[]): string[] =>
	fields.flatMap(({ options = [] }) =>
		(options as Property[]).flatMap((option) => ('value' in option ? option.name : [])),
	);

function tableOf(file: string, section: string, firstColumn: string): Table {
	const table = page(file).tables.find(
		(candidate) => candidate.section === section && candidate.header[0] === firstColumn,
	);
	if (!table) throw new Error(`${file} has no table of a ${firstColumn} under ${section}.`);
	return table;
}

/** The reference shows one country in the place of all. */
const isCountry = ({ name }: INodeProperties, choice: string): boolean =>
	['countries', 'defaultCountry'].includes(name) &&
	/ \([A-Z]{2}(?:, \+\d+)?\)(?:, with .+)?$/.test(choice);

/** "Return All, Limit" are two labels. */
const labelsOf = ({ rows }: Table): string[] => rows.flatMap(([label]) => label!.split(', '));

const column = ({ header, rows }: Table, name: string): string[] =>
	rows.map((row) => row[header.indexOf(name)]!);

let node: INodeTypeDescription;
let trigger: INodeTypeDescription;
let credential: INodeProperties[];
let credentialDocumentation: string;

beforeAll(async () => {
	const loader = new PackageDirectoryLoader(root);
	await loader.loadAll();
	node = loader.getNode('outboundCalls').type.description as INodeTypeDescription;
	trigger = loader.getNode('outboundCallsTrigger').type.description as INodeTypeDescription;
	const { type } = loader.getCredential('outboundCallsApi');
	credential = type.properties;
	credentialDocumentation = type.documentationUrl ?? '';
});

const nameOf = (property: Property): string =>
	'displayName' in property ? property.displayName : property.name;

/** Operations as the panel shows them: "Call", "Bulk Call", and the value that fields refer to. */
function operations(): Array<{ resource: string; name: string; value: string }> {
	const resources = node.properties.find(({ name }) => name === 'resource')!
		.options as INodePropertyOptions[];
	return node.properties
		.filter(({ name }) => name === 'operation')
		.flatMap((field) => {
			const resource = resources.find(({ value }) =>
				field.displayOptions?.show?.resource?.includes(value),
			)!;
			return (field.options as INodePropertyOptions[]).map(({ name, value }) => ({
				resource: resource.name,
				name,
				value: String(value),
			}));
		});
}

/** Names of the operations whose panel has this field, or an option with this label. */
const operationsWith = (label: string): string[] =>
	operations()
		.filter(({ value }) =>
			withInner(
				node.properties.filter(({ displayOptions }) =>
					displayOptions?.show?.operation?.includes(value),
				),
			).some((field) => nameOf(field) === label),
		)
		.map(({ name }) => name)
		.sort();

describe('the documentation and the panel', () => {
	it('have the same operations', () => {
		expect(
			tableOf(REFERENCE, 'Operations', 'Resource')
				.rows.map(([resource, operation]) => `${resource}: ${operation}`)
				.sort(),
		).toEqual(
			operations()
				.map(({ resource, name }) => `${resource}: ${name}`)
				.sort(),
		);
	});

	it('have the same fields of the credential', () => {
		expect(labelsOf(tableOf('README.md', 'Credential', 'Field'))).toEqual(credential.map(nameOf));
	});

	it('have the same fields of the trigger', () => {
		expect(labelsOf(tableOf(TRIGGER, 'Fields', 'Field'))).toEqual(
			trigger.properties.filter(({ type }) => type !== 'notice').map(nameOf),
		);
	});

	it('have the same options', () => {
		const options = node.properties
			.filter(({ name }) => name === 'options')
			.flatMap((field) => (field.options ?? []) as Property[]);
		expect(labelsOf(tableOf(REFERENCE, 'Options', 'Option'))).toEqual(
			[...new Set(options.map(nameOf))].sort((a, b) => a.localeCompare(b)),
		);
	});

	it('have the same outputs', () => {
		const expression = typeof node.outputs === 'string' ? node.outputs : '';
		const outputs = [...expression.matchAll(/displayName: "([^"]+)"/g)].map(([, name]) => name!);
		expect(outputs).toEqual(['All Rows', 'Called', 'Not Called']);
		const [all, ...either] = outputs;
		const calling = operations().filter(({ value }) => expression.includes(`"${value}"`));
		const described = tableOf(REFERENCE, 'Operations', 'Resource').rows.filter((row) =>
			row[3]!.endsWith(`on ${all}, and on ${either.join(' or ')}`),
		);
		expect(described.map(([, operation]) => operation)).toEqual(calling.map(({ name }) => name));
		const statuses = tableOf(REFERENCE, 'Statuses', 'status');
		expect([...new Set(column(statuses, 'Output'))].sort()).toEqual(
			[...either, 'That of the first row'].sort(),
		);
	});

	it('have the same fields, for the same operations', () => {
		const table = tableOf(REFERENCE, 'Fields', 'Field');
		const described = table.rows.flatMap(([labels, of]) =>
			labels!.split(', ').map((label) => [label, of!.split(', ').sort()]),
		);
		expect(described).toEqual(described.map(([label]) => [label, operationsWith(String(label))]));
	});

	it('have no label that the documentation keeps quiet about', () => {
		const described = [REFERENCE, RIGHT_TO_CALL, TRIGGER].map(page);
		const named = new Set(
			described.flatMap(({ marked, tables }) => [
				...marked,
				...tables.flatMap((table) => [...table.header, ...labelsOf(table)]),
			]),
		);
		// The collection of options has a section of its own.
		const shown = withInner([...node.properties, ...trigger.properties]).filter(
			({ type }) => type !== 'notice' && type !== 'collection',
		);
		expect([...new Set(shown.map(nameOf))].filter((label) => !named.has(label))).toEqual([]);
	});

	it('have the same choices', () => {
		const fields = withInner([...node.properties, ...trigger.properties]).filter(
			({ name }) => name !== 'resource' && name !== 'operation',
		);
		const choices = choiceNames(fields);
		const required = fields.flatMap((field) =>
			choiceNames([field]).filter((choice) => !isCountry(field, choice)),
		);
		const tables = [
			tableOf(REFERENCE, 'Fields', 'Field'),
			tableOf(REFERENCE, 'Options', 'Option'),
			tableOf(RIGHT_TO_CALL, 'Calling hours', 'Field of a window'),
			tableOf(RIGHT_TO_CALL, 'Calls per person', 'Field of a limit'),
			tableOf(TRIGGER, 'Fields', 'Field'),
		];
		const named = tables.flatMap(({ emphasized }) => emphasized.flat(2));
		expect(named.filter((name) => !choices.includes(name))).toEqual([]);
		const defaults = tables.flatMap((table) =>
			table.header.includes('Default') ? column(table, 'Default') : [],
		);
		expect(required.filter((choice) => ![...named, ...defaults].includes(choice))).toEqual([]);
	});

	it('begin with the same values', () => {
		/** Described in words: what happens without the option, and with what it begins. */
		const inWords: Record<string, string> = {
			// It has no window until somebody adds one.
			'Calling Hours': '',
			'Calls per Minute': '(60 when you add the option)',
			// It has no limit until somebody adds one.
			'Calls per Person': '',
			'Max Calls': '(100 when you add the option)',
			'Max Calls per Day': '(100 when you add the option)',
			'Remember People By': '',
		};
		/** On also before somebody adds it. */
		const isOn = ['Include Input Fields'];
		const fields = withInner([...node.properties, ...trigger.properties]);
		const spoken = (field: INodeProperties): string => {
			const { default: preset, options = [] } = field;
			if (preset === false) return 'off';
			// Options are not there until somebody adds them; fields of the trigger are.
			if (preset === true)
				return isOn.includes(nameOf(field)) || trigger.properties.includes(field)
					? 'on'
					: 'off, on when added';
			if (preset === '') return 'none';
			const names = (values: unknown[]) =>
				(options as INodePropertyOptions[]).flatMap(({ name, value }) =>
					values.includes(value) ? [name] : [],
				);
			if (Array.isArray(preset)) return `${names(preset).at(0)} to ${names(preset).at(-1)}`;
			const [choice] = names([preset]);
			return choice ?? (typeof preset === 'string' ? preset : JSON.stringify(preset));
		};
		for (const table of [
			tableOf(REFERENCE, 'Options', 'Option'),
			tableOf(RIGHT_TO_CALL, 'Calling hours', 'Field of a window'),
			tableOf(RIGHT_TO_CALL, 'Calls per person', 'Field of a limit'),
			tableOf(TRIGGER, 'Fields', 'Field'),
		]) {
			const described = table.rows
				.filter(([label]) => !(label! in inWords))
				.map(([label, preset]) => [label, preset]);
			expect(described).toEqual(
				described.map(([label]) => [
					label,
					spoken(fields.find((field) => nameOf(field) === label)!),
				]),
			);
			for (const [label, , meaning] of table.rows) expect(meaning).toContain(inWords[label!] ?? '');
		}
		const added = Object.keys(inWords).map(
			(label) => fields.find((field) => nameOf(field) === label)?.default,
		);
		expect(added).toEqual([{}, 60, {}, 100, 100, '']);
	});

	it('begin with the same choices', () => {
		const fields = withInner(node.properties);
		const described = tableOf(REFERENCE, 'Fields', 'Field').rows.flatMap(([label, , meaning]) => {
			const field = fields.find((candidate) => nameOf(candidate) === label);
			return field?.type === 'options'
				? [[label, /^(.*?) \(default\)/.exec(meaning!)?.[1], field] as const]
				: [];
		});
		const choices = described.map(([label, , { default: preset, options }]) => [
			label,
			(options as INodePropertyOptions[]).find(({ value }) => value === preset)?.name,
		]);
		expect(choices.map(([label]) => label)).toEqual(
			expect.arrayContaining([
				'Mode',
				'Country of Numbers Without +',
				'People Called Before',
				'Wait Until',
			]),
		);
		expect(described.map(([label, choice]) => [label, choice])).toEqual(choices);
	});
});

describe('what comes out, as the documentation has it', () => {
	it('has every status that a row may have, and no other', () => {
		const { components } = parse(
			readFileSync(path.join(root, 'docs/api.openapi.yaml'), 'utf8'),
		) as {
			components: { schemas: Record<string, { properties?: Record<string, { enum?: string[] }> }> };
		};
		const ofApi = components.schemas.BulkResult?.properties?.status?.enum ?? [];
		const ofNode = statusesOf('nodes/OutboundCalls/domain/callOutcome.ts', 'NodeStatus');
		expect([ofApi.length, ofNode.length]).toEqual([6, 13]);
		const table = tableOf(REFERENCE, 'Statuses', 'status');
		const described = table.rows.map(([status, from]) => `${from}: ${status}`).sort();
		expect(described).toEqual(
			[
				...ofApi.map((status) => `API: ${status}`),
				...ofNode.map((status) => `Node: ${status}`),
			].sort(),
		);
	});

	it('has every field of the previews', () => {
		const named = new Set(page(REFERENCE).code.flatMap((code) => code.match(/\w+/g) ?? []));
		const shown = page(REFERENCE).tables.flatMap(({ header }) => header);
		const fields = operations().flatMap(({ resource, value }) => {
			const file = path.join(
				root,
				'nodes/OutboundCalls/__schema__/v1.0.0',
				resource.toLowerCase(),
				`${value}.json`,
			);
			return Object.keys(
				(JSON.parse(readFileSync(file, 'utf8')) as { properties: object }).properties,
			);
		});
		expect(fields.filter((field) => !named.has(field) && !shown.includes(field))).toEqual([]);
	});
});

/** The texts that a type of a module stands for. */
function statusesOf(file: string, type: string): string[] {
	const source = ts.createSourceFile(
		file,
		readFileSync(path.join(root, file), 'utf8'),
		ts.ScriptTarget.Latest,
	);
	const declared = source.statements.find(
		(each): each is ts.TypeAliasDeclaration =>
			ts.isTypeAliasDeclaration(each) && each.name.text === type,
	);
	if (!declared || !ts.isUnionTypeNode(declared.type))
		throw new Error(`${file} has no union ${type}.`);
	return declared.type.types.flatMap((each) =>
		ts.isLiteralTypeNode(each) && ts.isStringLiteral(each.literal) ? [each.literal.text] : [],
	);
}

it('each panel leads to its own page', () => {
	const linked = ({ codex }: INodeTypeDescription) =>
		[
			...(codex?.resources?.primaryDocumentation ?? []),
			...(codex?.resources?.credentialDocumentation ?? []),
		].map(({ url }) => url);
	const urls = [...linked(node), ...linked(trigger), credentialDocumentation];
	expect(urls).toEqual(
		[
			REFERENCE,
			'README.md#credential',
			TRIGGER,
			'README.md#credential',
			'README.md#credential',
		].map((target) => `${ON_GITHUB}${target}`),
	);
	expect(urls.filter((url) => isBroken(url, ''))).toEqual([]);
});

describe('messages in the documentation', () => {
	/** Names of countries are values in a message. */
	const texts = [
		...builtTexts(path.join(root, 'dist')),
		...COUNTRIES.map(({ name }) => name.toLowerCase()),
	];
	const messages = forUsers
		.flatMap((file) => page(file).tables)
		.filter(({ header }) => header[0] === 'You read')
		.flatMap((table) => column(table, 'You read'))
		// These are codes of Node.js.
		.filter((message) => !message.startsWith('A short code'));

	it.each(messages)('are messages of the package: %s', (message) => {
		expect(fixedWords(message)).not.toEqual([]);
		expect(fixedWords(message).filter((words) => !canSay(texts, words))).toEqual([]);
	});

	it('are not found once they have been worded otherwise', () => {
		expect(
			canSay(
				['Row ', ' is not a phone number in international format'],
				'is no phone number in international format',
			),
		).toBe(false);
		expect(
			canSay(
				['The API did not answer within ', ' seconds', ', ', 'so the calls may have been placed'],
				'seconds, so the call may have been placed',
			),
		).toBe(false);
		expect(
			canSay(
				['The API did not answer within ', ' seconds', ', ', 'so the calls may have been placed'],
				'seconds, so the calls may have been placed',
			),
		).toBe(true);
		expect(
			fixedWords('… the prompt variable "name" has 512 characters (or words), and so on'),
		).toEqual(['the prompt variable', 'has', 'characters, and so on', 'words']);
	});
});
