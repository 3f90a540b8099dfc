import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** n8n loads each node as it starts, for its panel alone: nothing that only a run needs may come along. */

const root = join(__dirname, '..');
const built = join(root, 'dist/nodes/OutboundCalls');
const FOLDER = 'nodes/OutboundCalls/';

/** Source files whose code is in what is built from the entry. */
async function sourcesIn(entry: string): Promise<string[]> {
	const { metafile } = await build({
		absWorkingDir: root,
		entryPoints: [`${FOLDER}${entry}.ts`],
		bundle: true,
		metafile: true,
		write: false,
		platform: 'node',
		external: ['n8n-workflow', './execute', './numberingPlans'],
		supported: { 'dynamic-import': false },
		outdir: 'dist',
	});
	const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
	return inputs.flatMap(([file, { bytesInOutput }]) =>
		bytesInOutput > 0 ? [file.replace(FOLDER, '')] : [],
	);
}

const PANEL =
	/^(OutboundCalls\.node\.ts$|fields\/|operations\/(?!.*execute)|domain\/phone\/(chosenCountries|countries)\.ts$)/;
const NAMES = ['execution/connection.ts', 'http/credential.ts'];

describe('the file that n8n loads as it starts', () => {
	it('holds the panel, and nothing of what a run needs', async () => {
		const sources = await sourcesIn('OutboundCalls.node');
		expect(sources.filter((file) => file.startsWith('fields/')).length).toBeGreaterThan(5);
		expect(sources.filter((file) => !PANEL.test(file) && !NAMES.includes(file))).toEqual([]);
		expect(statSync(join(built, 'OutboundCalls.node.js')).size).toBeLessThan(45_000);
	});

	it('leaves the panel out of what a run loads', async () => {
		const sources = await sourcesIn('execute');
		expect(sources).toContain('placement/placement.ts');
		expect(sources.filter((file) => /^(OutboundCalls\.node\.ts$|fields\/)/.test(file))).toEqual([]);
	});

	it('loads the rest when it is executed with items, and nothing before', () => {
		const script = `
			require('n8n-workflow');
			const loaded = () => Object.keys(require.cache).filter((file) => file.startsWith(${JSON.stringify(built)})).map((file) => require('node:path').basename(file));
			const { OutboundCalls } = require(${JSON.stringify(join(built, 'OutboundCalls.node.js'))});
			const node = new OutboundCalls();
			const states = [loaded()];
			void (async () => {
				await node.execute.call({ getInputData: () => [] });
				states.push(loaded());
				await node.execute.call({ getInputData: () => [{ json: {} }] }).catch(() => undefined);
				states.push(loaded());
				process.stdout.write(JSON.stringify(states));
			})();
		`;
		const states: unknown = JSON.parse(
			execFileSync(process.execPath, ['-e', script], { cwd: __dirname, encoding: 'utf8' }),
		);
		const panel = ['OutboundCalls.node.js', 'countries.js'];
		expect(states).toEqual([panel, panel, [...panel, 'execute.js']]);
	});
});
