import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** n8n loads each node when it starts, for its panel alone: what only a run needs comes later. */

const built = join(__dirname, '../dist/nodes/OutboundCalls');
const n8nWorkflow = require.resolve('n8n-workflow');

/** What a new process prints as JSON, in which n8n-workflow is loaded already. */
function inNewProcess(script: string): unknown {
	const before = `
		require(${JSON.stringify(n8nWorkflow)});
		const loaded = () => Object.keys(require.cache)
			.filter((file) => file.startsWith(${JSON.stringify(built)}))
			.map((file) => require('node:path').basename(file));
		const load = (file) => require(${JSON.stringify(built)} + '/' + file);
		const print = (value) => process.stdout.write(JSON.stringify(value));
	`;
	return JSON.parse(execFileSync(process.execPath, ['-e', before + script], { encoding: 'utf8' }));
}

it('what runs is loaded by the first execution with items, and the numbering plans by none without numbers', () => {
	const states = inNewProcess(`
		const node = new (load('OutboundCalls.node.js').OutboundCalls)();
		const states = [loaded()];
		void (async () => {
			await node.execute.call({ getInputData: () => [] });
			states.push(loaded());
			await node.execute.call({ getInputData: () => [{ json: {} }] }).catch(() => undefined);
			print([...states, loaded()]);
		})();
	`);
	const panel = ['OutboundCalls.node.js'];
	expect(states).toEqual([panel, panel, [...panel, 'execute.js']]);
});

it('the node loads within 10 ms', () => {
	// The least of several, because a busy machine counts several times what a quiet one does. Each
	// has a source of its own, which V8 has not compiled before.
	const milliseconds = inNewProcess(`
		const Module = require('node:module');
		const file = ${JSON.stringify(join(built, 'OutboundCalls.node.js'))};
		const times = Array.from({ length: 20 }, (_, n) => {
			const before = process.cpuUsage();
			const loaded = Object.assign(new Module(file), {
				filename: file,
				paths: Module._nodeModulePaths(${JSON.stringify(built)}),
			});
			loaded._compile(require('node:fs').readFileSync(file, 'utf8') + '//' + n, file);
			new loaded.exports.OutboundCalls();
			const { user, system } = process.cpuUsage(before);
			return (user + system) / 1_000;
		});
		print(times);
	`) as number[];
	expect(Math.min(...milliseconds)).toBeLessThan(10);
});
