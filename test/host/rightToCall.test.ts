import type { INode, INodeParameters } from 'n8n-workflow';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { bulk, place } from '../engine/helpers/workflows';
import { node } from '../workflowNode';
import { CALLS, callWorkflow, ROWS, START } from './helpers/callWorkflow';
import type { Execution } from './helpers/client';
import { callsOf, hostBench, shown } from './helpers/hostBench';

/** `test/engine/rightToCall.test.ts` has the cases. Here the time of day is the machine's. */
const bench = hostBench();

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const MINUTE = 60_000;
const inUtc = (instant: number): string => new Date(instant).toISOString().slice(11, 16);

it('G11 a paced campaign stops calling at the end of the window, to the second', async () => {
	// The next full minute that leaves time to begin.
	const end = Math.ceil((Date.now() + 15_000) / MINUTE) * MINUTE;
	const to = inUtc(end) === '00:00' ? '24:00' : inUtc(end);
	const rows = Array.from({ length: 240 }, (_, n) => ({ phone: `+1555010${2_000 + n}` }));
	const dialedAt: number[] = [];
	const { journal } = bench.sandbox;
	const push = journal.push.bind(journal);
	journal.push = (...calls) => {
		dialedAt.push(...calls.map(() => Date.now()));
		return push(...calls);
	};
	const options = {
		callingHours: { window: [{ days: DAYS, from: '00:00', to }] },
		timeZone: 'UTC',
		callsPerMinute: 150,
		includeInputFields: false,
	};
	const execution = await bench.run({ rows, parameters: place({ calledBefore: 'skip', options }) });
	const calls = callsOf(execution);
	const held = calls.filter(({ status }) => status === 'outside_hours');
	expect(calls).toHaveLength(rows.length);
	expect(dialedAt.length).toBeGreaterThan(0);
	expect(held).toHaveLength(rows.length - dialedAt.length);
	expect(held.length).toBeGreaterThan(0);
	expect(held[0]).toMatchObject({
		success: false,
		time_zones: ['UTC'],
		callable_at: expect.stringMatching(/T00:00:00\+00:00$/),
	});
	// Requests that had left before are answered within the second.
	expect(Math.max(...dialedAt)).toBeLessThan(end + 1_000);
});

it('G11 people outside of their hours, on the list, or opted out are not called, and are called once when they may be', async () => {
	const rows = [
		{ phone: '+4917612340001', opted_out: '' },
		{ phone: '+4917612340002', opted_out: '' },
		{ phone: '+4917612340003', opted_out: 'yes' },
	];
	const never = [{ days: [DAYS[(new Date().getUTCDay() + 2) % 7]!], from: '10:00', to: '11:00' }];
	const always = [{ days: DAYS, from: '00:00', to: '24:00' }];
	const rules = {
		doNotCall: '+49 176 12340002',
		optedOut: '={{ $json.opted_out }}',
		includeInputFields: false,
	};
	const run = async (window: object[]) =>
		callsOf(
			await bench.run({
				rows,
				parameters: bulk({
					calledBefore: 'skip',
					options: { ...rules, callingHours: { window } } as never,
				}),
			}),
		);
	expect((await run(never)).map(({ status }) => status)).toEqual([
		'outside_hours',
		'do_not_call',
		'do_not_call',
	]);
	expect(bench.dialed).toEqual([]);
	expect((await run(always)).map(({ status }) => status)).toEqual([
		'initiated',
		'do_not_call',
		'do_not_call',
	]);
	expect(bench.dialed).toEqual(['+4917612340001']);
});

it('G11 Execute step of a node behind another one, which had said who opted out: they are not called', async () => {
	const { client, credential } = bench.stage;
	const rows = [
		{ phone: '+4917612340001', opted_out: 'yes' },
		{ phone: '+4917612340002', opted_out: 'no' },
		{ phone: '0176 12340003', opted_out: 'yes' },
		{ phone: '+4917612340004', opted_out: 'yes' },
		{ phone: '+33612345678', opted_out: 'yes' },
	];
	const asked = bulk({
		mode: 'dryRun',
		countries: ['DE'],
		options: { doNotCall: '+4917612340004', optedOut: '={{ $json.opted_out }}' },
	});
	const calling = (mode: string): INodeParameters =>
		bulk({ mode, destination: '={{ $json.destination }}', defaultCountry: 'DE' });
	const definition = callWorkflow({
		name: 'Execute step',
		credential,
		rows,
		between: [node('Who opted out', 'n8n-nodes-outbound-calls.outboundCalls', 1, asked)],
		parameters: calling('dryRun'),
	});
	const workflow = await client.createWorkflow(definition);
	const dry = await client.runAndWait(workflow, START);
	const statuses = (execution: Execution): unknown[] =>
		callsOf(execution).map(({ status }) => status);
	expect(statuses(dry)).toEqual([
		'do_not_call',
		'dry_run',
		'do_not_call',
		'do_not_call',
		'do_not_call',
	]);
	const nodes = workflow.nodes.map((each) =>
		each.name === CALLS ? { ...each, parameters: calling('live') } : each,
	);
	const live = await client.executeStep(
		await client.updateWorkflow({ ...workflow, nodes }),
		dry,
		CALLS,
	);
	expect(statuses(live)).toEqual([
		'do_not_call',
		'initiated',
		'do_not_call',
		'do_not_call',
		'do_not_call',
	]);
	expect(bench.dialed).toEqual(['+4917612340002']);

	bench.sandbox.fault({ kind: 'dailyLimit', times: 1 });
	const ended = await client.executeStep(workflow, dry, CALLS);
	expect(ended.status).toBe('error');
	const retried = await client.retryExecution(ended.id);
	expect(statuses(retried)).toEqual([
		'do_not_call',
		'initiated',
		'do_not_call',
		'do_not_call',
		'do_not_call',
	]);
	expect(bench.dialed).toEqual(['+4917612340002', '+4917612340002']);
});

describe('G11 a step that says who opted out could not work, and goes on (On Error = Continue)', () => {
	const numbers = ['+4917612340001', '+4917612340002', '+4917612340003'];
	const rows = numbers.map((phone) => ({ phone }));
	const onError = 'continueRegularOutput' as const;
	const statuses = async (between: INode[], parameters: INodeParameters) =>
		callsOf(await bench.run({ rows, between, parameters })).map(({ status, reason }) =>
			status === 'invalid' ? reason : status,
		);
	const notAsked = (step: string): unknown =>
		expect.stringMatching(new RegExp(`^The step "${step}" could not do its work for this row`));

	describe('n8n’s HTTP Request, whose server is down for one of three people', () => {
		let server: Server;
		let check: INode;
		beforeAll(async () => {
			const answers: Record<string, [number, string]> = {
				1: [200, '{"opted_out":"no"}'],
				2: [503, 'Down'],
				3: [200, '{"opted_out":"yes"}'],
			};
			server = createServer(({ url = '' }, response) => {
				const [status, body] = answers[url.slice(-1)]!;
				response.writeHead(status, { 'content-type': 'application/json' }).end(body);
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const url = `=http://127.0.0.1:${(server.address() as AddressInfo).port}/{{ $json.phone }}`;
			check = node('Check', 'n8n-nodes-base.httpRequest', 4.2, { url, options: {} }, { onError });
		});
		afterAll(() => server.close());

		const destination = `={{ $('${ROWS}').item.json.phone }}`;
		const asked = (leftValue: string, operator: object) => ({
			conditions: {
				options: { version: 2 },
				combinator: 'and',
				conditions: [{ id: '1', leftValue, rightValue: 'yes', operator }],
			},
			options: {},
		});

		it.each<[string, () => INode[], INodeParameters]>([
			[
				'stands before the node',
				() => [check],
				{ destination, options: { optedOut: '={{ $json.opted_out }}' } },
			],
			[
				'stands before it, and the node asks it by its name',
				() => [check],
				{ destination, options: { optedOut: "={{ $('Check').item.json.opted_out }}" } },
			],
			[
				'stands before an Edit Fields',
				() => [
					check,
					node('Edit', 'n8n-nodes-base.set', 3.4, {
						assignments: {
							assignments: [
								{ id: '1', name: 'phone', type: 'string', value: destination },
								{ id: '2', name: 'out', type: 'string', value: '={{ $json.opted_out }}' },
							],
						},
						options: {},
					}),
				],
				{ options: { optedOut: '={{ $json.out }}' } },
			],
		])('and %s: that person is not called', async (_, between, parameters) => {
			expect(await statuses(between(), bulk(parameters))).toEqual([
				'initiated',
				notAsked('Check'),
				'do_not_call',
			]);
			expect(bench.dialed).toEqual(numbers.slice(0, 1));
		});

		it('and stands before a Filter, which lets everybody through who has not said yes: that person is not called', async () => {
			const filter = node(
				'Filter',
				'n8n-nodes-base.filter',
				2.2,
				asked('={{ $json.opted_out }}', { type: 'string', operation: 'notEquals' }),
			);
			expect(await statuses([check, filter], bulk({ destination }))).toEqual([
				'initiated',
				notAsked('Check'),
			]);
			expect(bench.dialed).toEqual(numbers.slice(0, 1));
		});

		it('and Remember People By takes a part of the key from it: that person is not called', async () => {
			const options = { callOnceKey: '={{ $json.opted_out }} {{ $("Rows").item.json.phone }}' };
			expect(await statuses([check], bulk({ destination, options }))).toEqual([
				'initiated',
				notAsked('Check'),
				'initiated',
			]);
		});
	});

	it('n8n’s Data Table, which is gone: nobody is called', async () => {
		const table = await bench.stage.client.createDataTable('opt outs', [
			{ phone: numbers[2]!, opted_out: 'yes' },
		]);
		const read = node(
			'Table',
			'n8n-nodes-base.dataTable',
			1.1,
			{
				resource: 'row',
				operation: 'get',
				dataTableId: { __rl: true, mode: 'id', value: table.id },
				filters: {
					conditions: [{ keyName: 'phone', condition: 'eq', keyValue: '={{ $json.phone }}' }],
				},
				returnAll: true,
			},
			{ onError, alwaysOutputData: true },
		);
		const parameters = bulk({ options: { optedOut: '={{ $json.opted_out || "no" }}' } });
		expect(await statuses([read], parameters)).toEqual(['do_not_call']);
		await table.remove();
		const stopped = await bench.run({ rows, between: [read], parameters });
		expect(shown(stopped).message).toBe(
			'None of the 3 rows can be called. Row 1: the step "Table" could not do its work for this row',
		);
		expect(bench.dialed).toEqual([]);
	});
});

describe('G11 n8n’s Edit Fields makes the column of one that was renamed in the sheet', () => {
	const rows = [{ phone: '+4917612340001', 'Opt-out': 'yes' }];
	const item = "$json['Opted out']";
	const whole = { name: 'out', type: 'string' };
	const edits: Array<[string, number, object]> = [
		[
			'3.4',
			3.4,
			{
				assignments: { assignments: [{ id: '1', ...whole, value: `={{ ${item} }}` }] },
				includeOtherFields: true,
			},
		],
		[
			'3.4, from the step before',
			3.4,
			{
				assignments: {
					assignments: [{ id: '1', ...whole, value: `={{ $('${ROWS}').item.${item.slice(1)} }}` }],
				},
				includeOtherFields: true,
			},
		],
		[
			'3.4, as JSON',
			3.4,
			{ mode: 'raw', jsonOutput: `={ "out": "{{ ${item} }}" }`, includeOtherFields: true },
		],
		[
			'3.4, as an object',
			3.4,
			{ mode: 'raw', jsonOutput: `={{ { out: ${item} === 'yes' } }}`, includeOtherFields: true },
		],
		[
			'3.2',
			3.2,
			{
				fields: { values: [{ name: 'out', type: 'stringValue', stringValue: `={{ ${item} }}` }] },
				include: 'all',
			},
		],
		['2', 2, { values: { string: [{ name: 'out', value: `={{ ${item} }}` }] } }],
	];

	it.each(edits)(
		'version %s: nobody is called, and the message names the column',
		async (_, version, parameters) => {
			const between = [node('Edit', 'n8n-nodes-base.set', version, { ...parameters, options: {} })];
			const execution = await bench.run({
				rows,
				between,
				parameters: bulk({ options: { optedOut: '={{ $json.out }}' } }),
			});
			expect(shown(execution).message).toBe(
				`No item of the step "${ROWS}" has the column "Opted out", of which the step "Edit" makes Opted Out`,
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	const made = (value: string) => ({
		assignments: { assignments: [{ id: '1', ...whole, value }] },
		includeOtherFields: true,
		options: {},
	});
	/** Executes it, corrects the step, and the steps behind it, and presses Retry. */
	async function correctedBetween(
		before: INode[],
		after: INode[],
		corrected = "={{ $json['Opt-out'] }}",
	) {
		const { client, credential } = bench.stage;
		const by = (value: string, behind: INode[]) => {
			const between = [node('Edit', 'n8n-nodes-base.set', 3.4, made(value)), ...behind];
			return callWorkflow({
				name: 'Corrected',
				credential,
				rows,
				between,
				parameters: bulk({ options: { optedOut: '={{ $json.out }}' } }),
			});
		};
		const workflow = await bench.saved(by(`={{ ${item} }}`, before));
		const { id } = await client.runAndWait(workflow, START);
		await client.updateWorkflow({
			...workflow,
			nodes: by(corrected, after).nodes,
			connections: by(corrected, after).connections,
		});
		return await client.retryExecution(id, true);
	}

	it('and a Filter was put between before a Retry, which n8n does not ask any more: nobody is called', async () => {
		const conditions = {
			conditions: { options: { version: 2 }, combinator: 'and', conditions: [] },
			options: {},
		};
		const retried = await correctedBetween(
			[],
			[node('Filter', 'n8n-nodes-base.filter', 2.2, conditions)],
			`={{ ${item} }}`,
		);
		expect(shown(retried).message).toBe(
			'The workflow or the step "Edit" was changed since, and a Retry takes what it gave before',
		);
		expect(bench.dialed).toEqual([]);
	});

	it('and is corrected before a Retry, which takes what it gave before: nobody is called, and the message says what to press', async () => {
		const retried = await correctedBetween([], []);
		expect(shown(retried).message).toBe(
			'The step "Edit" was changed since, and a Retry takes what it gave before',
		);
		expect(shown(retried).description).toMatch(
			/^To go on as it began, choose Retry with original workflow/,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('and of one that it does not fit: that row is not called', async () => {
		const trimmed = {
			assignments: {
				assignments: [{ id: '1', ...whole, value: "={{ $json['Opt-out'].trim() }}" }],
			},
			includeOtherFields: true,
		};
		const between = [node('Edit', 'n8n-nodes-base.set', 3.4, { ...trimmed, options: {} })];
		const cells = [
			{ phone: '+4917612340001', 'Opt-out': true },
			{ phone: '+4917612340002', 'Opt-out': 'no' },
		];
		const calls = callsOf(
			await bench.run({
				rows: cells,
				between,
				parameters: bulk({ options: { optedOut: '={{ $json.out }}' } }),
			}),
		);
		expect(calls.map(({ status }) => status)).toEqual(['invalid', 'initiated']);
	});
});

describe('G4 Retry with the workflow as it is saved now', () => {
	/** Executes it while the account may make no more than `most` calls, wires it anew, and presses Retry. */
	async function rewired(
		between: INode[],
		[then, now]: [object, object],
		most: number,
		behind: INode[] = [],
	) {
		const { client, credential } = bench.stage;
		const rows = ['no', 'yes', 'no'].map((opted, n) => ({ phone: `+4917612340${n}01`, opted }));
		const built = callWorkflow({ name: 'Rewired', credential, rows, between, parameters: bulk() });
		const workflow = await bench.saved({
			...built,
			nodes: [...built.nodes, ...behind],
			connections: { ...built.connections, ...then },
		});
		bench.sandbox.settings.dailyLimit = most;
		const { id, status } = await client.runAndWait(workflow, START);
		delete bench.sandbox.settings.dailyLimit;
		expect(status).toBe('error');
		await client.updateWorkflow({ ...workflow, connections: { ...workflow.connections, ...now } });
		return await client.retryExecution(id, true);
	}
	const to = (...outputs: string[][]) => ({
		main: outputs.map((names) => names.map((name) => ({ node: name, type: 'main', index: 0 }))),
	});

	it('in which the node hangs on the other output of an If since: nobody is called', async () => {
		const isNo = {
			id: '1',
			leftValue: '={{ $json.opted }}',
			rightValue: 'yes',
			operator: { type: 'string', operation: 'equals' },
		};
		const conditions = {
			options: { version: 2, typeValidation: 'loose', caseSensitive: true, leftValue: '' },
			combinator: 'and',
			conditions: [isNo],
		};
		const either = node('If', 'n8n-nodes-base.if', 2.2, { conditions, options: {} });
		const retried = await rewired([either], [{ If: to([CALLS], []) }, { If: to([], [CALLS]) }], 0);
		expect(shown(retried).message).toBe(
			'The workflow or the step "If" was changed since, and a Retry takes what it gave before',
		);
		expect(bench.dialed).toEqual([]);
	});

	it('in which a step was put behind the node in a loop since: it goes on with the rows that are left', async () => {
		const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1, options: {} });
		const pause = node('Pause', 'n8n-nodes-base.noOp', 1, {});
		const before = { Loop: to([], [CALLS]), [CALLS]: to(['Loop'], [], []) };
		const retried = await rewired(
			[loop],
			[before, { ...before, [CALLS]: to(['Pause'], [], []), Pause: to(['Loop']) }],
			1,
			[pause],
		);
		expect(retried.status).toBe('success');
		expect(bench.dialed).toEqual(['+4917612340001', '+4917612340101', '+4917612340201']);
	});
});
