import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
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
const isNote = ({ type }: INode): boolean => type.endsWith('.stickyNote');
const isOurs = ({ type }: INode): boolean => type === OURS || type === `${OURS}Tool`;

/** What the editor would complain about, but for the agent and the countries, which the user fills in. */
function complaints(node: INode): string[] {
	// The editor adds these two to a tool.
	const { descriptionType: _, toolDescription: __, ...parameters } = node.parameters;
	const empty = ['agentNumber', 'countries'].filter(
		(field) => (parameters[field] as string | unknown[] | undefined)?.length === 0,
	);
	return complaintsAbout({ ...node, parameters }, description).filter(
		(complaint) => !empty.some((field) => complaint.startsWith(`${node.name}.${field}: `)),
	);
}

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
		const desk = file === `call-desk${ENDING}`;
		// Beside the node that calls, one that cannot be set to Live by mistake.
		const modes = desk ? ['={{ $json.mode }}'] : ['dryRun', "={{ 'dryRun' }}"];
		for (const { parameters } of calls)
			expect(parameters).toMatchObject({
				mode: modes.find((mode) => mode === parameters.mode) ?? modes[0],
				callingHours: 'weekdays',
			});
		expect(text).not.toMatch(/"mode": "live"/);
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

	it('has one or two notes, above the nodes', () => {
		expect([1, 2]).toContain(notes.length);
		const top = Math.min(...nodes.filter((node) => !isNote(node)).map((node) => node.position[1]));
		for (const { parameters, position } of notes)
			expect(position[1] + Number(parameters.height)).toBeLessThan(top);
		const right = Math.max(...nodes.map((node) => node.position[0]));
		expect(right).toBeLessThanOrEqual(1_700);
	});
});

it('each table has the same columns in all examples, and a name that no other contains', () => {
	const tables = new Map<string, unknown>();
	for (const file of files) {
		const text = readFileSync(path.join(root, 'examples', file), 'utf8');
		for (const { parameters } of (JSON.parse(text) as Example).nodes) {
			if (parameters.resource !== 'table') continue;
			const name = parameters.tableName as string;
			const columns = tables.get(name) ?? parameters.columns;
			expect(parameters).toMatchObject({ columns, options: { createIfNotExists: true } });
			tables.set(name, columns);
		}
	}
	// n8n finds a table whose name contains what it looks for.
	const names = [...tables.keys()];
	expect(names).toHaveLength(3);
	for (const name of names) expect(names.filter((each) => each.includes(name))).toEqual([name]);
});
