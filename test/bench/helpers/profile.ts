import { Session, type Profiler } from 'node:inspector/promises';
import { readFile, realpath } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ground, Profile } from './messages';

const SAMPLE_EVERY_US = 500;

type Node = Profiler.ProfileNode;

const LEDGER = 'placement/ledger.ts';
export const THIS_NODE = 'this node';
export const EXPRESSIONS = 'n8n: expressions';

/** First match counts. Paths are the host's. */
const GROUPS: Array<[RegExp, string]> = [
	[
		/n8n-workflow\/.*\/(expression|extensions|workflow-data-proxy|augment-object)|@n8n\/(expression-runtime|tournament)|isolated-vm|node_modules\/(esprima-next|recast|ast-types|luxon)\//,
		EXPRESSIONS,
	],
	[
		/node_modules\/(axios|follow-redirects|form-data|proxy-from-env|qs|agent-base|https?-proxy-agent)\//,
		'n8n: HTTP client',
	],
	[/deduplication/, 'n8n: memory of people called'],
	[/node_modules\/(@n8n\/typeorm|typeorm|sqlite3|@n8n\/db)\//, 'n8n: database'],
	[/node_modules\/flatted\//, 'n8n: storing the execution'],
	[/^node:/, 'Node.js: network, JSON'],
	[/\/test\/bench\//, 'benchmark'],
	[/node_modules\//, 'n8n: engine'],
];

/** Runs `work` with V8's sampling profiler. */
export async function profiled(ground: Ground, work: () => Promise<void>): Promise<Profile> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
	await session.post('Profiler.start');
	await work();
	const { profile } = await session.post('Profiler.stop');
	session.disconnect();
	const built = path.join(
		await realpath(ground.package),
		'dist',
		'nodes',
		'OutboundCalls',
		'execute.js',
	);
	return await sharesOf(profile, built);
}

/** `built`: what this node runs, as the profiled process loaded it; its source map is of the last build. */
export async function sharesOf(profile: Profiler.Profile, built: string): Promise<Profile> {
	const file = path.join(__dirname, '../../../.cache/sourceMaps', `${path.basename(built)}.map`);
	return shares(
		profile,
		built,
		new SourceMap(JSON.parse(await readFile(file, 'utf8')) as SourceMapPayload),
	);
}

/**
 * Time by source. A function without a file of its own (JSON.parse, Array.map) counts for the file that
 * called it; garbage collection is a group of its own, and waiting counts for nothing.
 */
function shares(
	{ nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
	built: string,
	map: SourceMap,
): Profile {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const parents = new Map<number, Node>();
	for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);

	const ours = ({ url, lineNumber, columnNumber }: Node['callFrame']): string | undefined =>
		pathOf(url) === built ? sourceAt(map, lineNumber, columnNumber) : undefined;
	const groups: Record<string, number> = {};
	const files: Record<string, number> = {};
	let ledgerMs = 0;
	let totalMs = 0;
	samples.forEach((id, i) => {
		const node = byId.get(id)!;
		const ms = (timeDeltas[i] ?? 0) / 1_000;
		const { functionName } = node.callFrame;
		if (functionName === '(idle)') return;
		totalMs += ms;
		const frames = [...upwards(node, parents)]
			.map(({ callFrame }) => callFrame)
			.filter(({ url }) => url !== '');
		const source = frames[0] ? pathOf(frames[0].url) : '';
		const own = frames[0] && ours(frames[0]);
		const group =
			functionName === '(garbage collector)'
				? 'garbage collection'
				: own !== undefined
					? THIS_NODE
					: (GROUPS.find(([pattern]) => pattern.test(source))?.[1] ?? 'Node.js: network, JSON');
		groups[group] = (groups[group] ?? 0) + ms;
		if (own !== undefined && group === THIS_NODE) files[own] = (files[own] ?? 0) + ms;
		if (frames.some((frame) => ours(frame) === LEDGER)) ledgerMs += ms;
	});
	return { groups, files, ledgerMs, totalMs };
}

/** The source file of a function of the bundle, as `claims/memory.ts`. Lines and columns count from 0. */
function sourceAt(map: SourceMap, line: number, column: number): string {
	const entry = map.findEntry(line, column);
	return 'originalSource' in entry
		? (/nodes\/OutboundCalls\/(.+)$/.exec(entry.originalSource)?.[1] ?? '')
		: '';
}

function* upwards(node: Node, parents: ReadonlyMap<number, Node>): Generator<Node> {
	for (let at: Node | undefined = node; at; at = parents.get(at.id)) yield at;
}

const pathOf = (url: string): string => (url.startsWith('file:') ? fileURLToPath(url) : url);
