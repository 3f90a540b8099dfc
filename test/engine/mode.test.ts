import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { AGENT, bulk, contacts, phone, place, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const operations = [
	['Bulk Call', 'bulkCall', bulk],
	['Place Call', 'placeCall', place],
] as const;
const statuses = ({ json }: { json: Array<{ status?: unknown }> }) => json.map((row) => row.status);

describe.each(operations)('%s', (_, operationName, operation) => {
	/** What the editor stores when somebody drags a node in and fills in what it asks for: fields left as they were are not stored. */
	const newNode: INodeParameters = {
		resource: 'call',
		operation: operationName,
		agentNumber: AGENT,
		destination: '={{ $json.phone }}',
		countries: ['US'],
	};

	it('a new node calls nobody, and shows what it would do', async () => {
		const run = await bench.run(newNode, contacts(3));
		expect(run.error).toBeUndefined();
		expect(bench.sandbox.requests).toEqual([]);
		expect(run.json).toHaveLength(3);
		for (const { called } of run.json) expect(called).toBe('no');
		expect(store.size).toBe(0);
		expect(run.hints[0]!.message).toMatch(/of 3 rows would be called/);
	});

	it('G8 a new node set to Live calls each person once, over all runs', async () => {
		const live = { ...newNode, mode: 'live', callingHours: 'any', countries: ['any'] };
		expect(statuses(await bench.run(live, contacts(3)))).toEqual(Array(3).fill('initiated'));
		expect(statuses(await bench.run(live, contacts(4)))).toEqual([
			...Array<string>(3).fill('already_called'),
			'initiated',
		]);
		expect(bench.dialed.sort()).toEqual(contacts(4).map((row) => row.phone));
	});

	it('G8 a dry run keeps nobody from being called afterwards, and opens Live', async () => {
		store.isOpen = false;
		const parameters = operation({ calledBefore: 'skip' });
		expect(shown(await bench.run(parameters, contacts(2))).message).toMatch(/^Make a dry run/);
		await bench.run({ ...parameters, mode: 'dryRun' }, contacts(2));
		await bench.run(parameters, contacts(2));
		expect(bench.dialed.sort()).toEqual([phone(0), phone(1)]);
	});

	it('an expression may decide for the run', async () => {
		const mode = '={{ $json.name === "Person 0" ? "live" : "live" }}';
		expect(statuses(await bench.run(operation({ mode }), contacts(2)))).toEqual(
			Array(2).fill('initiated'),
		);
	});

	describe.each(['Lve', 'live!', 'dry_run', 'Live', true, '', null])('G1 Mode %j', (slip) => {
		it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
			'calls nobody, and the field is named (%s)',
			async (onError) => {
				const rows = contacts(2).map((row) => ({ ...row, mode: slip }));
				const run = await bench.run(operation({ mode: '={{ $json.mode }}' }), rows, { onError });
				expect(bench.sandbox.requests).toEqual([]);
				if (onError === 'stopWorkflow') {
					expect(shown(run).message).toMatch(/^Mode is /);
					expect(shown(run).description).toMatch(/dryRun.*Nobody was called/);
					return;
				}
				expect(run.errorItems).toEqual([]);
				for (const row of run.json)
					expect(row).toMatchObject({
						status: 'refused',
						called: 'no',
						reason: expect.stringMatching(/^Mode is .*dryRun.*test.*live/),
					});
				expect(run.json).toHaveLength(2);
			},
		);
	});

	it.each<[string, INodeParameters]>([
		['that differs by row', { mode: '={{ $json.name === "Person 0" ? "live" : "dryRun" }}' }],
		['of a column that does not exist', { mode: '={{ $json.mode }}' }],
		['that cannot be evaluated', { mode: '={{ $("Nowhere").first().json.mode }}' }],
	])('G1 an expression %s calls nobody', async (__, parameters) => {
		expect(shown(await bench.run(operation(parameters), contacts(2))).message).toMatch(/^Mode /);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

it('G8 only a dry run by hand opens Live, and Retry with the saved workflow goes on live', async () => {
	store.isOpen = false;
	const mode = "={{ $execution.mode === 'test' ? 'dryRun' : 'live' }}";
	const parameters = bulk({ calledBefore: 'skip', mode });
	const runAs = async (request: Parameters<typeof bench.run>[2]): Promise<unknown[]> =>
		statuses(
			await bench.run(parameters, contacts(1), { ...request, onError: 'continueRegularOutput' }),
		);
	expect(await runAs({ mode: 'webhook' })).toEqual(['refused']);
	await bench.run({ ...parameters, mode: 'dryRun' }, contacts(1), { mode: 'webhook' });
	expect(await runAs({ mode: 'webhook' })).toEqual(['refused']);
	expect(await runAs({})).toEqual(['dry_run']);
	expect(await runAs({ mode: 'webhook' })).toEqual(['initiated']);
	const broken = bulk({ mode, options: { timeout: '={{ "soon" }}' } });
	const retried = await bench.run(bulk({ mode }), contacts(1), {
		retryOf: await bench.run(broken, contacts(1)),
		withSavedWorkflow: true,
	});
	expect(statuses(retried)).toEqual(['initiated']);
});
