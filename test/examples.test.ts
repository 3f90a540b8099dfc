import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Linter } from 'eslint';
import type { IConnections, INode } from 'n8n-workflow';
import { OutboundCalls } from '../nodes/OutboundCalls/OutboundCalls.node';
import { complaintsAbout } from './host/helpers/nodeDescriptions';

interface Example {
	name: string;
	nodes: INode[];
	connections: IConnections;
	pinData: object;
}

const root = path.join(__dirname, '..');
const ENDING = '.workflow.json';
const files = readdirSync(path.join(root, 'examples'))
	.filter((file) => file.endsWith(ENDING))
	.sort();
const { description } = new OutboundCalls();

const OURS = 'n8n-nodes-outbound-calls.outboundCalls';
const CALLING: unknown[] = ['bulkCall', 'placeCall'];
const textOf = ({ parameters }: INode): string => parameters.content as string;
const isNote = ({ type }: INode): boolean => type.endsWith('.stickyNote');
const isOurs = ({ type }: INode): boolean => type === OURS || type === `${OURS}Tool`;

/** It only checks: it cannot be set to Live by mistake. */
const isCheck = ({ parameters }: INode): boolean => parameters.mode === "={{ 'dryRun' }}";
/** What only the user can know is empty. */
const isEmpty = (value: unknown): boolean =>
	value === '' || (Array.isArray(value) && value.length === 0);

/** What the editor would complain about, but for what the user fills in. */
function complaints(node: INode): string[] {
	// The editor adds these two to a tool.
	const { descriptionType: _, toolDescription: __, ...parameters } = node.parameters;
	const mine = ['agentNumber', 'countries'].filter((name) => isEmpty(parameters[name]));
	return complaintsAbout({ ...node, parameters }, description).filter(
		(complaint) => !mine.some((name) => complaint.startsWith(`${node.name}.${name}: `)),
	);
}

/** What n8n gives to the code of a Code node. */
const given = { $: false, $input: false, $json: false } as const;
const linter = new Linter();
const lint = (code: string) =>
	linter.verify(`async () => {${code}\n}`, {
		languageOptions: { ecmaVersion: 2022, sourceType: 'module', globals: given },
		rules: { 'no-undef': 'error', 'no-unused-vars': 'error', 'prefer-const': 'error' },
	});

/** Names of nodes that a connection leads to. */
const targets = (connections: IConnections): string[] =>
	Object.values(connections).flatMap((kinds) =>
		Object.values(kinds).flatMap((outputs) =>
			outputs.flatMap((output) => (output ?? []).map(({ node }) => node)),
		),
	);

describe.each(files)('%s', (file) => {
	const text = readFileSync(path.join(root, 'examples', file), 'utf8');
	const { name, nodes, connections, pinData } = JSON.parse(text) as Example;
	const names = nodes.map((node) => node.name);
	const notes = nodes.filter(isNote);
	const calls = nodes.filter((node) => isOurs(node) && CALLING.includes(node.parameters.operation));

	it('is small: at most 20 nodes, each with a name of its own', () => {
		expect(name).toBeTruthy();
		expect(nodes.length).toBeLessThanOrEqual(20);
		expect(new Set(names).size).toBe(names.length);
	});

	it('connects nodes that exist, and leaves none unconnected', () => {
		const connected = new Set([...Object.keys(connections), ...targets(connections)]);
		expect([...connected].filter((each) => !names.includes(each))).toEqual([]);
		const rest = nodes.filter((node) => !isNote(node) && !connected.has(node.name));
		expect(rest).toEqual([]);
	});

	it('calls nobody as it is imported, and nobody at night', () => {
		const mode = file === `call-desk${ENDING}` ? '={{ $json.mode }}' : 'dryRun';
		for (const { parameters } of calls.filter((node) => !isCheck(node)))
			expect(parameters).toMatchObject({
				...{ mode, callingHours: 'weekdays', agentNumber: '', countries: [] },
			});
		expect(text).not.toMatch(/"mode": "live"/);
	});

	it('holds code that the linter accepts', () => {
		for (const { parameters } of nodes)
			if (typeof parameters.jsCode === 'string') expect(lint(parameters.jsCode)).toEqual([]);
	});

	it('holds only fields and values that the panel has, and uses one output', () => {
		expect(nodes.filter(isOurs).flatMap(complaints)).toEqual([]);
		for (const node of nodes.filter(isOurs))
			expect(connections[node.name]?.main?.length ?? 1).toBe(1);
	});

	it('holds no IDs of credentials, no secrets and no data', () => {
		const credentials = nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		// With null, the editor does not save the credential that is chosen in the node (n8n behavior).
		expect(credentials.filter(({ id }) => id !== '')).toEqual([]);
		expect(text).not.toMatch(/Bearer |\bsk-|password/i);
		expect(pinData).toEqual({});
	});

	it('has one or two notes that say what it is; green ones lie behind the nodes to open, and nothing lies on the others', () => {
		const isGreen = ({ parameters }: INode) => parameters.color === 4;
		expect([1, 2]).toContain(
			notes.filter((note) => /^## .*\n.*\d\. /s.test(textOf(note)) || !isGreen(note)).length,
		);
		const on = (note: INode) =>
			nodes.filter(
				({ position: [x, y] }) =>
					x >= note.position[0] &&
					x + 90 <= note.position[0] + Number(note.parameters.width) &&
					y >= note.position[1] &&
					y + 90 <= note.position[1] + Number(note.parameters.height),
			);
		const opened = notes
			.filter(isGreen)
			.flatMap((note) => on(note).filter((node) => !isNote(node)));
		for (const note of notes.filter((each) => !isGreen(each)))
			expect(on(note).map((node) => node.name)).toEqual([note.name]);
		// The only credential of a kind is chosen by n8n.
		const isOfTable = file.startsWith('database-campaign');
		const chosen = nodes.filter(
			(node) =>
				!isOfTable &&
				(isOurs(node) ? isEmpty(node.parameters.agentNumber) : node.credentials !== undefined),
		);
		expect(opened.map((node) => node.name)).toEqual(
			expect.arrayContaining(chosen.map((node) => node.name)),
		);
		const right = Math.max(...nodes.map((node) => node.position[0]));
		expect(right).toBeLessThanOrEqual(1_700);
	});
});

it('each table has the same columns in all examples, and a name that no other contains', () => {
	const tables = new Map<string, unknown>();
	for (const file of files) {
		const text = readFileSync(path.join(root, 'examples', file), 'utf8');
		for (const { parameters } of (JSON.parse(text) as Example).nodes) {
			if (parameters.operation !== 'create') continue;
			const name = parameters.tableName as string;
			const columns = tables.get(name) ?? parameters.columns;
			expect(parameters).toMatchObject({ columns, options: { createIfNotExists: true } });
			tables.set(name, columns);
		}
	}
	// n8n finds a table whose name contains what it looks for.
	const names = [...tables.keys()];
	expect(names).toHaveLength(4);
	for (const name of names) expect(names.filter((each) => each.includes(name))).toEqual([name]);
});
