import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** n8n loads each node when it starts, for its panel alone: what only a run needs comes later. */
it('what runs is loaded by the first execution with items, and the numbering plans by none without numbers', () => {
	const built = join(__dirname, '../dist/nodes/OutboundCalls');
	const script = `
		const { basename, join } = require('node:path');
		const built = ${JSON.stringify(built)};
		const loaded = () => Object.keys(require.cache)
			.filter((file) => file.startsWith(built))
			.map((file) => basename(file));
		const node = new (require(join(built, 'OutboundCalls.node.js')).OutboundCalls)();
		const states = [loaded()];
		void (async () => {
			await node.execute.call({ getInputData: () => [] });
			states.push(loaded());
			await node.execute.call({ getInputData: () => [{ json: {} }] }).catch(() => undefined);
			process.stdout.write(JSON.stringify([...states, loaded()]));
		})();
	`;
	const states: unknown = JSON.parse(
		execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }),
	);
	const panel = ['OutboundCalls.node.js'];
	expect(states).toEqual([panel, panel, [...panel, 'execute.js']]);
});
