import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contacts } from '../engine/helpers/workflows';
import { callsOf, hostBench, say } from './helpers/hostBench';
import { describedNodes } from './helpers/nodeDescriptions';
import { installPackage, packPackage } from './helpers/package';

const bench = hostBench();

const folder = () =>
	path.join(bench.stage.userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-outbound-calls');
const manifestFile = () => path.join(folder(), 'package.json');
const manifest = async () =>
	JSON.parse(await readFile(manifestFile(), 'utf8')) as { version: string };

/** A workflow as the first version stored it, without the fields that came later. */
const oldest = {
	resource: 'call',
	operation: 'bulkCall',
	mode: 'live',
	countries: ['any'],
	agentNumber: '+15550001000',
	destination: '={{ $json.phone }}',
};

it('n8n shows the node, its tool, the trigger and the credential under the names that workflows hold', async () => {
	const described = await describedNodes(bench.stage);
	const named = (name: string) =>
		described({ type: `n8n-nodes-outbound-calls.${name}`, typeVersion: 1 });
	expect(named('outboundCalls')).toMatchObject({
		displayName: 'Outbound Calls',
		credentials: [{ name: 'outboundCallsApi' }],
	});
	expect(named('outboundCallsTool')).toMatchObject({ displayName: 'Outbound Calls Tool' });
	expect(named('outboundCallsTrigger')).toMatchObject({ displayName: 'Outbound Calls Trigger' });
});

it('G4 an update of the package keeps a saved workflow working, and its failed executions safe to retry', async () => {
	const { client } = bench.stage;
	const { version } = await manifest();
	// The same code, published as an earlier version: the test is about what n8n and a workflow keep during an update.
	await writeFile(manifestFile(), JSON.stringify({ ...(await manifest()), version: '0.0.1' }));
	await bench.stage.n8n.stop();
	await bench.startAgain();

	const rows = contacts(150);
	const { workflow, start } = await bench.activeWorkflow({ rows, parameters: oldest });
	bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1, after: 2 });
	await start();
	const [failed] = await bench.ended(workflow, 1);
	expect(failed!.status).toBe('error');
	const before = bench.dialed.length;
	expect(before).toBeLessThan(150);

	await bench.stage.n8n.stop();
	const { tarball } = await packPackage();
	await installPackage(tarball, bench.stage.userFolder);
	await rm(path.dirname(tarball), { recursive: true });
	expect((await manifest()).version).toBe(version);
	await bench.startAgain();

	const retried = await client.retryExecution(failed!.id);
	expect(retried.status).toBe('success');
	expect(bench.sandbox.doubleDialed()).toEqual([]);
	expect(bench.dialed).toHaveLength(150);
	expect(callsOf(retried).map(({ destination }) => destination)).toEqual(
		rows.map(({ phone }) => phone),
	);

	bench.sandbox.reset();
	await start();
	const [again] = (await bench.ended(workflow, 3)).slice(-1);
	expect(callsOf(again!).map(({ status }) => status)).toEqual(rows.map(() => 'already_called'));
	expect(bench.dialed).toEqual([]);
	say(`0.0.1 → ${version}: ${before} dialed before the update, ${150 - before} by Retry after it`);
});
