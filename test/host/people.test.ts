import type { INode, INodeParameters } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bulk, contacts, phone } from '../engine/helpers/workflows';
import { NEVER, SPECIAL } from '../unit/domain/phone/specialNumbers';
import { PAIRS } from '../unit/domain/phone/spellings';
import { node } from '../workflowNode';
import { BY_HAND, CALLS, callWorkflow, LIST, ROWS, START } from './helpers/callWorkflow';
import type { Execution, SavedWorkflow } from './helpers/client';
import { callsOf, hostBench, shown } from './helpers/hostBench';
import { runCommand } from './helpers/n8n';
import { trimMemory } from './helpers/trimmedMemory';

/** People, not strings, in the real n8n. `test/engine` looks at the same numbers and copies in all their variations. */
const bench = hostBench();

/** As a new node remembers people. */
const remembering = (options: INodeParameters = {}): INodeParameters =>
	bulk({ calledBefore: 'skip', options });

const plain = [...new Set(PAIRS.map((pair) => pair.plain))].sort();
const others = PAIRS.map(({ other }) => other);
const list = (numbers: readonly string[], more: object = {}): object[] =>
	numbers.map((number) => ({ phone: number, ...more }));
const statuses = (execution: Execution): unknown[] =>
	callsOf(execution).map(({ status }) => status);
const kinds = (execution: Execution): unknown[] => [...new Set(statuses(execution))].sort();
const times = (count: number, status: string): string[] => Array<string>(count).fill(status);
const dialed = (): string[] => [...bench.dialed].sort();

/** A workflow in the editor: what is saved of it is executed by hand. */
class Edited {
	constructor(private saved: SavedWorkflow) {}

	get workflow(): SavedWorkflow {
		return this.saved;
	}

	async save(change: Partial<SavedWorkflow>): Promise<void> {
		this.saved = await bench.stage.client.updateWorkflow({ ...this.saved, ...change });
	}

	/** What a person changes in the fields of a node. */
	async change(name: string, parameters: object): Promise<void> {
		await this.save({
			nodes: this.saved.nodes.map((each) =>
				each.name === name ? { ...each, parameters: { ...each.parameters, ...parameters } } : each,
			),
		});
	}

	/** Executes it, with other rows or with the same. */
	async run(numbers?: object[], trigger = START): Promise<Execution> {
		if (numbers) await this.change(LIST, { jsonOutput: JSON.stringify({ rows: numbers }) });
		return await bench.stage.client.runAndWait(this.saved, trigger);
	}

	/** Executed in Live, it calls nobody, and says why. */
	async refuses(why: string): Promise<void> {
		const before = bench.sandbox.requests.length;
		const execution = await this.run();
		expect([execution.status, shown(execution).message]).toEqual([
			'error',
			expect.stringContaining(why),
		]);
		expect(bench.sandbox.requests).toHaveLength(before);
	}

	/** Somebody executes a dry run, and sets Mode to Live again: what both say of the rows. */
	async looksFirst(): Promise<{ look: unknown[]; live: unknown[] }> {
		await this.change(CALLS, { mode: 'dryRun' });
		const look = statuses(await this.run());
		await this.change(CALLS, { mode: 'live' });
		return { look, live: statuses(await this.run()) };
	}
}

/** A workflow that calls, after its dry run. */
async function campaign(rows: object[], parameters: INodeParameters): Promise<Edited> {
	return new Edited(
		await bench.saved(
			callWorkflow({ name: 'People', credential: bench.stage.credential, rows, parameters }),
		),
	);
}

describe(`G2 however a number is written, in ${PAIRS.length} pairs of spellings of 60 countries, its person`, () => {
	it('is called once in a run, and not by the next one', async () => {
		const pairs = PAIRS.flatMap((pair) => list([pair.other, pair.plain]));
		const calls = await campaign(pairs, remembering());
		const once = await calls.run();
		expect(dialed()).toEqual(plain);
		expect([statuses(once).filter((status) => status === 'initiated').length, kinds(once)]).toEqual(
			[plain.length, ['duplicate', 'initiated']],
		);
		expect(kinds(await calls.run())).toEqual(['already_called', 'duplicate']);
		expect(bench.dialed).toHaveLength(plain.length);
	});

	it('G8 is called once over two runs, each with another spelling', async () => {
		const calls = await campaign(list(plain), remembering());
		expect(kinds(await calls.run())).toEqual(['initiated']);
		expect(kinds(await calls.run(list(others)))).toEqual(['already_called', 'duplicate']);
		expect(dialed()).toEqual(plain);
	});

	it('G11 is called once over two runs that remember nobody, with 1 call per person and day', async () => {
		const calls = await campaign(
			list(plain),
			bulk({ options: { callsPerPerson: { limit: [{ calls: 1, per: 'day' }] } } }),
		);
		expect(await calls.looksFirst()).toEqual({
			look: times(plain.length, 'dry_run'),
			live: times(plain.length, 'initiated'),
		});
		expect(kinds(await calls.run(list(others)))).toEqual(['duplicate', 'limit_reached']);
		expect(dialed()).toEqual(plain);
	});

	it('G11 is not called when Do Not Call has the number in another spelling', async () => {
		for (const [listed, written, other] of [
			[others, plain, phone(1)],
			[plain, others, phone(2)],
		] as const) {
			const calls = await campaign(
				list([...written, other]),
				remembering({ doNotCall: listed.join('\n') }),
			);
			expect(statuses(await calls.run())).toEqual([
				...times(written.length, 'do_not_call'),
				'initiated',
			]);
		}
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
	});

	it('G11 is not called who opted out in a row with another spelling', async () => {
		const rows = [
			...list(plain, { out: 'no' }),
			...list(others, { out: 'yes' }),
			...list([phone(1)], { out: 'no' }),
		];
		const calls = await campaign(rows, remembering({ optedOut: '={{ $json.out }}' }));
		expect(statuses(await calls.run())).toEqual([
			...times(rows.length - 1, 'do_not_call'),
			'initiated',
		]);
		expect(bench.dialed).toEqual([phone(1)]);
	});
});

describe('G12 special, emergency, short and impossible numbers of 80 countries, in every country that may be chosen', () => {
	const never = Object.values(NEVER).flat();
	const special = Object.values(SPECIAL).flat();

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'are not called from a sheet, whoever stands beside them (On Error: %s)',
		async (onError) => {
			const rows = list([...never, ...special, phone(1)]);
			const execution = await bench.run({ rows, parameters: remembering(), settings: { onError } });
			expect(statuses(execution)).toEqual([
				...times(never.length, 'invalid'),
				...times(special.length, 'not_allowed'),
				'initiated',
			]);
			expect(bench.dialed).toEqual([phone(1)]);
			expect(bench.sandbox.requests).toHaveLength(1);
		},
	);

	it('emergency, short and impossible ones are not called either when special numbers may be', async () => {
		const execution = await bench.run({
			rows: list([...never, phone(1)]),
			parameters: remembering({ specialNumbers: 'call' }),
		});
		expect(statuses(execution)).toEqual([...times(never.length, 'invalid'), 'initiated']);
		expect(bench.dialed).toEqual([phone(1)]);
	});
});

describe('25 requests of a CRM at once, each a record of its own with the same number in some spelling', () => {
	const mexican = PAIRS.filter(({ iso }) => iso === 'MX');
	const number = mexican[0]!.plain;
	const requests = Array.from({ length: 25 }, (_, n) => mexican[n % mexican.length]!.other);

	it('G11 lead to one call with 1 per day, and to none the next time', async () => {
		const { workflow, start } = await bench.activeWorkflow({
			rows: '={{ JSON.stringify({ rows: [$json.body ?? { phone: "+14155550100", record: "first" }] }) }}',
			parameters: remembering({
				callOnceKey: '={{ $json.record }}',
				callsPerPerson: { limit: [{ calls: 1, per: 'day' }] },
			}),
		});
		for (const next of [0, 1]) {
			await Promise.all(
				requests.map(async (each, n) => await start({ phone: each, record: `r-${next}-${n}` })),
			);
			const ended = (await bench.ended(workflow, 25 * (next + 1))).slice(25 * next);
			expect(ended.map(({ status, mode }) => `${status} ${mode}`)).toEqual(
				times(25, 'success webhook'),
			);
			const outcomes = ended.flatMap((execution) =>
				callsOf(execution).map(({ destination, status }) => JSON.stringify([status, destination])),
			);
			const called = next === 0 ? 1 : 0;
			const expected = [...times(called, 'initiated'), ...times(25 - called, 'limit_reached')];
			expect(outcomes.sort()).toEqual(expected.map((status) => JSON.stringify([status, number])));
		}
		expect(bench.dialed).toEqual([number]);
	});
});

const NEW = 'no dry run or test was made in this workflow yet';
const rows = contacts(12);
const all = (status: string): string[] => times(rows.length, status);
const ONE_LOOK_LATER = { look: all('dry_run'), live: all('initiated') };

/** As the editor gives a node that was pasted. */
const pasted = ({ nodes }: SavedWorkflow, name = CALLS): INode => ({
	...nodes.find((each) => each.name === CALLS)!,
	id: randomUUID(),
	name,
});
const leadsTo = (...names: string[]) => ({
	main: [names.map((name) => ({ node: name, type: 'main' as const, index: 0 }))],
});

describe('G8 copies of a node', () => {
	it('one that was duplicated beside the first: both have the same rows in one run, and each person is called once', async () => {
		const calls = await campaign(rows, remembering());
		const { workflow } = calls;
		await calls.save({
			nodes: [...workflow.nodes, pasted(workflow, 'Calls1')],
			connections: { ...workflow.connections, [ROWS]: leadsTo(CALLS, 'Calls1') },
		});
		const { runData } = (await calls.run()).data.resultData;
		const outcomes = [CALLS, 'Calls1'].map((name) =>
			runData[name]!.flatMap(({ data }) => data?.main?.[0] ?? []).map(({ json }) => json.status),
		);
		expect(outcomes.sort()).toEqual([all('already_called'), all('initiated')]);
		expect(dialed()).toEqual(rows.map((row) => row.phone));
	});

	it('one that was deleted, and added again when the workflow had been saved and executed without it, knows whom the first one called', async () => {
		const calls = await campaign(rows, remembering());
		await calls.run();
		const { nodes, connections } = calls.workflow;
		const added = pasted(calls.workflow);
		const { [CALLS]: _gone, ...without } = connections;
		await calls.save({
			nodes: nodes.filter(({ name }) => name !== CALLS),
			connections: { ...without, [ROWS]: leadsTo() },
		});
		await calls.run();
		await calls.save({ nodes: [...calls.workflow.nodes, added], connections });
		expect(statuses(await calls.run())).toEqual(all('already_called'));
		expect(bench.dialed).toHaveLength(rows.length);
	});

	it('one that was pasted into a new workflow calls nobody until somebody has looked', async () => {
		const original = await campaign(rows, remembering());
		await original.run();
		const { nodes, connections } = original.workflow;
		const around = nodes
			.filter(({ name }) => name !== CALLS)
			.map((each) => ({ ...each, id: randomUUID() }));
		const other = {
			name: 'Another',
			nodes: [...around, pasted(original.workflow)],
			connections,
			settings: { executionOrder: 'v1' },
		};
		const calls = new Edited(await bench.stage.client.createWorkflow(other));
		await calls.refuses(NEW);
		expect(await calls.looksFirst()).toEqual(ONE_LOOK_LATER);
		expect(bench.dialed).toHaveLength(2 * rows.length);
	});
});

describe('G8 a file that is imported three times, with the ID of its workflow but none of its nodes, and without any', () => {
	it('calls nobody who was called before, and nobody from a workflow of its own until somebody has looked', async () => {
		const { client, host, userFolder } = bench.stage;
		const original = await campaign(rows, remembering());
		await original.run();
		const { id, name, connections, settings, nodes } = original.workflow;
		const file = {
			nodes: nodes.map((each) => ({ ...each, id: undefined })),
			connections,
			settings,
			active: false,
		};
		const files = path.join(userFolder, 'files');
		await mkdir(files);
		await writeFile(path.join(files, 'itself.json'), JSON.stringify({ ...file, id, name }));
		const NAMELESS = 'Without any ID';
		await writeFile(path.join(files, 'another.json'), JSON.stringify({ ...file, name: NAMELESS }));
		const fetched = async (workflowId: string) =>
			new Edited(await client.send<SavedWorkflow>('GET', `/workflows/${workflowId}`));

		const nodeIds = new Set<string>();
		for (let time = 1; time <= 3; time++) {
			await runCommand(
				{ host, userFolder, logFile: path.join(userFolder, 'import.log') },
				'import:workflow',
				'--separate',
				`--input=${files}`,
			);
			const itself = await fetched(id);
			nodeIds.add(itself.workflow.nodes.find((each) => each.name === CALLS)!.id);
			expect(statuses(await itself.run())).toEqual(all('already_called'));
		}
		expect(nodeIds.size).toBe(3);
		const saved = await client.send<SavedWorkflow[]>('GET', '/workflows');
		const copies = await Promise.all(
			saved.filter((each) => each.name === NAMELESS).map(async (each) => await fetched(each.id)),
		);
		expect(copies).toHaveLength(3);
		for (const copy of copies) await copy.refuses(NEW);
		expect(bench.dialed).toHaveLength(rows.length);
		expect(await copies[0]!.looksFirst()).toEqual(ONE_LOOK_LATER);
		await copies[1]!.refuses(NEW);
	});
});

describe('G8 a memory that something else than the node has changed', () => {
	const OTHER = 'Remove Duplicates';

	/** n8n's own node in the workflow's scope, in the same workflow, executed by hand with one item. */
	async function removesDuplicates(
		calls: Edited,
		parameters: object,
		options: object = {},
	): Promise<Execution> {
		const { nodes, connections } = calls.workflow;
		const other = node(OTHER, 'n8n-nodes-base.removeDuplicates', 2, {
			...parameters,
			options: { scope: 'workflow', ...options },
		});
		await calls.save({
			nodes: [
				...nodes.filter((each) => ![OTHER, BY_HAND].includes(each.name)),
				node(BY_HAND, 'n8n-nodes-base.manualTrigger', 1, {}),
				other,
			],
			connections: { ...connections, [BY_HAND]: leadsTo(OTHER) },
		});
		return await calls.run(undefined, BY_HAND);
	}
	const clearing = { operation: 'clearDeduplicationHistory', mode: 'cleanDatabase' };
	const valueIsNew = (value: string) => ({
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsWithAlreadySeenKeyValues',
		dedupeValue: value,
	});
	const valueIsHigher = {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsUpToStoredIncrementalKey',
		incrementalDedupeValue: '5',
	};

	it('emptied by Remove Duplicates: nobody is called until somebody has looked, each time', async () => {
		const calls = await campaign(rows, remembering());
		await calls.run();
		for (const time of [2, 3]) {
			expect((await removesDuplicates(calls, clearing)).status).toBe('success');
			for (let again = 0; again < 2; again++) await calls.refuses(NEW);
			expect(await calls.looksFirst()).toEqual(ONE_LOOK_LATER);
			expect(bench.dialed).toHaveLength(time * rows.length);
		}
	});

	it('trimmed to its newest entries: nobody is called until somebody has looked, and then those alone who were forgotten', async () => {
		const calls = await campaign(rows, remembering());
		await calls.run();
		await trimMemory(bench.stage, calls.workflow.id, 5);
		await calls.refuses(NEW);
		const { look, live } = await calls.looksFirst();
		expect([...new Set(look)].sort()).toEqual(['already_called', 'dry_run']);
		expect(live).toEqual(look.map((status) => (status === 'dry_run' ? 'initiated' : status)));
		expect(bench.dialed).toHaveLength(
			rows.length + look.filter((status) => status === 'dry_run').length,
		);
		expect(statuses(await calls.run())).toEqual(all('already_called'));
	});

	it('shared with Remove Duplicates, which has seen a person’s number: the person is called, once, and the others are still known', async () => {
		const calls = await campaign(rows, remembering());
		await calls.run();
		expect((await removesDuplicates(calls, valueIsNew(phone(12)))).status).toBe('success');
		expect(statuses(await calls.run(contacts(13)))).toEqual([
			...all('already_called'),
			'initiated',
		]);
		// With a smaller History Size than there are entries, n8n ends that node, and trims nothing.
		const full = await removesDuplicates(calls, valueIsNew(phone(13)), { historySize: 5 });
		expect([full.status, shown(full).message]).toEqual([
			'error',
			expect.stringContaining('exceeds the maximum history size'),
		]);
		expect(statuses(await calls.run())).toEqual(times(13, 'already_called'));
		expect(bench.dialed).toHaveLength(13);
	});

	it('made by Remove Duplicates in a form of its own: nobody is called until it was emptied and somebody has looked', async () => {
		const { credential, client } = bench.stage;
		const calls = new Edited(
			await client.createWorkflow(
				callWorkflow({ name: 'People', credential, rows, parameters: remembering() }),
			),
		);
		expect((await removesDuplicates(calls, valueIsHigher)).status).toBe('success');
		await calls.refuses('not called');
		await calls.change(CALLS, { mode: 'dryRun' });
		await calls.run();
		await calls.change(CALLS, { mode: 'live' });
		await calls.refuses('not called');
		await removesDuplicates(calls, clearing);
		await calls.refuses(NEW);
		expect(await calls.looksFirst()).toEqual(ONE_LOOK_LATER);
		expect(bench.dialed).toHaveLength(rows.length);
	});
});
