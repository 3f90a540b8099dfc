import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { withRequestsSeen } from './helpers/requestsSeen';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, place, shown } from './helpers/workflows';

/** What n8n does with a node that its own settings or features ask for, and what comes in without end. */
const bench = workbench();
const store = storeForEach();

const operations = [
	['Bulk Call', bulk],
	['Place Call', place],
] as const;

it.each(operations)(
	'G5 %s with Execute Once says that only the first row was read',
	async (_, operation) => {
		const live = await bench.run(operation(), contacts(3), { executeOnce: true });
		expect(bench.dialed).toEqual([phone(0)]);
		expect(live.hints.map(({ message }) => message)).toEqual([
			'1 row: 1 called, 0 not called. Execute Once is on in the settings of this node, so only the first row was read.',
		]);
		const dry = await bench.run(operation({ mode: 'dryRun' }), contacts(3), { executeOnce: true });
		expect(dry.hints[0]?.message).toMatch(
			/To call them, set Mode to Live\. Execute Once is on in the settings of this node/,
		);
	},
);

it.each(operations)(
	'%s in one of n8n’s Evaluations is a dry run, whatever Mode says',
	async (_, operation) => {
		for (const mode of ['live', '={{ $json.mode }}']) {
			const rows = contacts(2).map((row) => ({ ...row, mode: 'live' }));
			const { json, hints } = await bench.run(operation({ mode }), rows, { mode: 'evaluation' });
			expect(json.map(({ status }) => status)).toEqual(['dry_run', 'dry_run']);
			expect(hints.map(({ message }) => message)).toEqual([
				'Nobody was called: an evaluation of n8n is always a dry run. 2 rows: 2 would be called, 0 not. Countries: United States 2.',
			]);
		}
		expect(bench.sandbox.requests).toEqual([]);
	},
);

describe('a node that n8n runs by itself, without a workflow, as its Agents do with their tools', () => {
	const alone = { alone: true, asTool: true } as const;
	const once = { calls: 1, per: 'day' };

	it.each<[string, INodeParameters]>([
		['Skip', { calledBefore: 'skip' }],
		[
			'a limit over all runs',
			{ options: { callsPerPerson: { limit: [once] } as unknown as INodeParameters } },
		],
		['Skip in a dry run', { calledBefore: 'skip', mode: 'dryRun' }],
	])(
		'G8 calls nobody with %s, and the model reads what to build instead: nobody would be remembered',
		async (_, fields) => {
			for (const [, operation] of operations) {
				expect((await bench.run(operation(fields), contacts(1), alone)).json).toMatchObject([
					{
						status: 'refused',
						called: 'no',
						reason: expect.stringMatching(
							/^n8n’s own Agents cannot remember who was called\. .* give the agent that workflow as its tool\.$/,
						) as string,
					},
				]);
			}
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it('calls nobody with Max Calls, of which each use would begin anew', async () => {
		expect(
			(await bench.run(place({ options: { maxCalls: 3 } }), contacts(1), alone)).json,
		).toMatchObject([
			{
				status: 'refused',
				called: 'no',
				reason:
					'Max Calls cannot be kept here. Each use of this tool is an execution of its own. Build a workflow with an AI Agent node, or take the option out.',
			},
		]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('calls with Call Again, and shows in a dry run what it would do', async () => {
		expect(
			(await bench.run(place({ mode: 'dryRun' }), contacts(1), alone)).json.map(
				({ status }) => status,
			),
		).toEqual(['dry_run']);
		expect(bench.sandbox.requests).toEqual([]);
		expect((await bench.run(place(), contacts(1), alone)).json.map(({ called }) => called)).toEqual(
			['yes'],
		);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('G5 the model reads of each row what became of it, where a run in a workflow would end with a message', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
		const { json } = await bench.run(
			bulk({ options: { parallelRequests: 1 } }),
			contacts(20),
			alone,
		);
		expect(json.map(({ called }) => called)).toEqual([
			...Array<string>(10).fill('yes'),
			...Array<string>(10).fill('maybe'),
		]);
	});

	it('G7 Calls per Minute hold for all uses of a tool at once, which n8n makes anew for each', async () => {
		// 600 a minute are ten calls a second.
		const uses = contacts(6).map(
			(row, n) => async () =>
				await bench.run(place({ options: { callsPerMinute: 600 } }), [row], {
					...alone,
					nodeId: `${n}`,
				}),
		);
		const { sent } = await withRequestsSeen(
			async () => await Promise.all(uses.map(async (use) => await use())),
		);
		expect(sent).toHaveLength(6);
		expect(sent[5]! - sent[0]!).toBeGreaterThanOrEqual(250);
	});

	it('Get Call reads a call', async () => {
		const [placed] = (await bench.run(place(), contacts(1), alone)).json;
		const getCall = {
			operation: 'getCall',
			batchId: placed!.batch_id as string,
			callRecordId: `${placed!.consent_id as number}`,
		};
		expect((await bench.run(getCall, [{}], alone)).json).toMatchObject([{ phone: phone(0) }]);
	});

	it('forgets nobody of any workflow', async () => {
		await bench.run(bulk({ calledBefore: 'skip' }), contacts(1));
		const entries = store.size;
		const forget = { resource: 'memory', operation: 'forget', forgetWhat: 'everybody' };
		expect((await bench.run(forget, [{}], alone)).json).toMatchObject([
			{ error: expect.stringContaining('there is no workflow that it belongs to') as string },
		]);
		expect(store.size).toBe(entries);
	});
});

describe('what says whom, when and how often to call is not for an AI model to fill in', () => {
	const byModel = (name: string): string =>
		`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`\`, 'string') }}`;

	it.each<[string, INodeParameters]>([
		['Mode', { mode: byModel('Mode') }],
		['People Called Before', { calledBefore: byModel('Before') }],
		[
			'Remember People By',
			{ calledBefore: 'skip', options: { callOnceKey: `${byModel('Key')} {{ $json.phone }}` } },
		],
		[
			'Calling Hours',
			{
				options: {
					callingHours: { window: [{ days: ['mon'], from: '00:00', to: byModel('To') }] },
				},
			},
		],
		['Time Zone', { options: { timeZone: byModel('Time_Zone') } }],
		['No-Call Dates', { options: { noCallDates: byModel('Dates') } }],
		['Do Not Call', { options: { doNotCall: byModel('Do_Not_Call') } }],
		['Opted Out', { options: { optedOut: byModel('Opted_Out') } }],
		[
			'Calls per Person',
			{ options: { callsPerPerson: { limit: [{ calls: byModel('Calls'), per: 'day' }] } } },
		],
		['Stop When Reached', { options: { stopWhenReached: byModel('Stop') } }],
		['Max Calls', { options: { maxCalls: byModel('Max_Calls') } }],
		['Max Calls per Day', { options: { maxCallsPerDay: byModel('Per_Day') } }],
	])('G12 %s that is left to the model calls nobody', async (label, parameters) => {
		const run = await bench.run(place(parameters), contacts(1), { asTool: true });
		expect(shown(run).message).toBe(`${label} is left to the AI model`);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

const MCP_TRIGGER = '@n8n/n8n-nodes-langchain.mcpTrigger';

describe('a tool of n8n’s MCP Server Trigger, which runs it anew for each use', () => {
	const mcp = { asTool: true, mode: 'webhook', toolOf: [MCP_TRIGGER] } as const;

	it.each(operations)(
		'%s calls nobody with Max Calls, of which each use would begin anew',
		async (_, operation) => {
			for (const toolOf of [[MCP_TRIGGER], ['@n8n/n8n-nodes-langchain.agentTool', MCP_TRIGGER]]) {
				expect(
					shown(
						await bench.run(operation({ options: { maxCalls: 3 } }), contacts(1), {
							...mcp,
							toolOf,
						}),
					),
				).toMatchObject({
					message: 'Max Calls cannot be kept here',
					description: expect.stringMatching(
						/^Each use of this tool is an execution of its own\. .* Nobody was called\.$/,
					) as string,
				});
			}
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it('calls nobody twice with Skip, and an agent’s tool keeps Max Calls', async () => {
		const statuses = async () =>
			(await bench.run(place({ calledBefore: 'skip' }), contacts(1), mcp)).json.map(
				({ called }) => called,
			);
		expect([await statuses(), await statuses()]).toEqual([['yes'], ['no']]);
		const agent = { ...mcp, toolOf: ['@n8n/n8n-nodes-langchain.agent'] };
		const { json } = await bench.run(place({ options: { maxCalls: 1 } }), contacts(2), agent);
		expect(json.map(({ called }) => called)).toEqual(['yes', 'no']);
	});
});

describe('an execution that began with n8n’s Evaluation Trigger is a dry run', () => {
	const began = { startType: 'n8n-nodes-base.evaluationTrigger' };

	it.each(operations)(
		'%s, also started by hand, and leaves no mark that opens Live',
		async (_, operation) => {
			store.isOpen = false;
			const { json, hints } = await bench.run(
				operation({ calledBefore: 'skip' }),
				contacts(2),
				began,
			);
			expect(json.map(({ status }) => status)).toEqual(['dry_run', 'dry_run']);
			expect(hints[0]?.message).toMatch(
				/^Nobody was called: an evaluation of n8n is always a dry run\./,
			);
			expect(
				shown(await bench.run(operation({ calledBefore: 'skip' }), contacts(1))).message,
			).toMatch(/no dry run or test was made/);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it.each(operations)(
		'%s by the Retry button, of which n8n tells no more than that it is a Retry',
		async (_, operation) => {
			const broken = await bench.run(operation({ countries: ['XX'] }), contacts(2), {
				...began,
				mode: 'evaluation',
			});
			expect(shown(broken).message).toMatch(/^Countries That May Be Called holds "XX"/);
			const { json } = await bench.run(operation(), contacts(2), {
				...began,
				retryOf: broken,
				withSavedWorkflow: true,
			});
			expect(json.map(({ status }) => status)).toEqual(['dry_run', 'dry_run']);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);
});

describe('G9 nothing grows with what comes in', () => {
	it.each<[string, INodeParameters]>([
		['JSON', { destinationSource: 'json', destinationsJson: '={{ $json.people }}' }],
		[
			'JSON of what no field is named for',
			{ destinationSource: 'json', destinationsJson: '={{ Object.values($json)[1] }}' },
		],
	])('the field that %s came from stands in none of its rows', async (_, source) => {
		const people = [0, 1, 2].map(phone);
		const { json } = await bench.run(bulk({ ...source, options: { includeInputFields: true } }), [
			{ campaign: 'spring', people },
		]);
		expect(
			json.map(({ campaign, people: list, destination }) => [campaign, list, destination]),
		).toEqual(people.map((each) => ['spring', undefined, each]));
	});

	it('the columns that a list in the panel names stand in its rows', async () => {
		const destinationList = {
			destination: [{ phone: '={{ $json.home }}' }, { phone: '={{ $json.work }}' }],
		};
		const columns = { home: phone(0), work: phone(1) };
		const { json } = await bench.run(
			bulk({ destinationSource: 'list', destinationList, options: { includeInputFields: true } }),
			[columns],
		);
		expect(json.map(({ destination, home, work }) => [destination, { home, work }])).toEqual([
			[phone(0), columns],
			[phone(1), columns],
		]);
	});

	it('an answer without end comes out with bounded fields', async () => {
		const body = {
			success: true,
			call_id: 'c'.repeat(100_000),
			more: { list: Array(50_000).fill('x') },
			eta: 5,
		};
		bench.sandbox.fault({ kind: 'respond', status: 201, body });
		const { json } = await bench.run(place(), contacts(1));
		expect(json).toMatchObject([
			{
				status: 'placed',
				call_id: expect.stringMatching(/^c{1900,2000}…$/),
				more: expect.stringMatching(/^\{"list":.*…$/),
				eta: 5,
			},
		]);
		expect(JSON.stringify(json).length).toBeLessThan(10_000);
	});

	it('an agent number or an External Call ID without end is not sent', async () => {
		const long = '1'.repeat(2_000);
		const rows = [
			{ phone: phone(0), id: long },
			{ phone: phone(1), id: '7' },
		];
		const { json } = await bench.run(
			place({ options: { externalCallId: '={{ $json.id }}' } }),
			rows,
		);
		expect(json.map(({ status }) => status)).toEqual(['invalid', 'initiated']);
		expect(json[0]?.reason).toBe(
			'The option External Call ID has 2000 characters, and at most 500 are sent. Use one field that tells requests apart, such as an ID.',
		);
		const agents = await bench.run(bulk({ agentNumber: '={{ $json.agent }}', mode: 'dryRun' }), [
			{ phone: phone(0), agent: long },
		]);
		expect(agents.json.map(({ status }) => status)).toEqual(['invalid']);
	});
});
