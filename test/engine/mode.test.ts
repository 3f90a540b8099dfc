import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { AGENT, bulk, contacts, pairs, phone, place, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const hintsOf = ({ hints }: { hints: Array<{ message: string }> }): string[] =>
	hints.map(({ message }) => message);
const MODE_REMEDY = 'Choose it from the list, or correct its expression.';
const operations: Array<[string, string, (more: INodeParameters) => INodeParameters]> = [
	['Bulk Call', 'bulkCall', bulk],
	['Place Call', 'placeCall', place],
];

describe.each(operations)('%s', (_, name, operation) => {
	/** What the editor stores when somebody drags a node in and fills in what it asks for: fields left as they were are not stored. */
	const newNode: INodeParameters = {
		resource: 'call',
		operation: name,
		agentNumber: AGENT,
		destination: '={{ $json.phone }}',
	};

	it('a new node whose fields are filled in calls nobody, and shows what it would do', async () => {
		const ended = await bench.run(newNode, contacts(3));
		expect(ended.error).toBeUndefined();
		expect(bench.sandbox.requests).toEqual([]);
		expect(store.size).toBe(0);
		expect([ended.called, ended.errorItems]).toEqual([[], []]);
		expect(ended.notCalled.map(({ json }) => json)).toEqual(
			contacts(3).map((row, n) => ({
				status: 'dry_run',
				called: 'no',
				reason: null,
				destination: phone(n),
				...row,
				request: name === 'bulkCall' ? 1 : n + 1,
				agent_number: AGENT,
				caller_number: null,
				prompt_variables: {},
			})),
		);
		expect(pairs(ended.notCalled)).toEqual([0, 1, 2]);
		expect(hintsOf(ended)).toEqual([
			'Nobody was called: Mode is Dry Run. 3 rows: 3 would be called, 0 not. To call them, set Mode to Live. Countries: United States 3. None is chosen yet: choose those that you want to call in Countries That May Be Called before you set Mode to Live.',
		]);
	});

	it('with Mode set to Live a new node calls each person once, over all runs', async () => {
		const first = await bench.run({ ...newNode, mode: 'live', countries: ['any'] }, contacts(3));
		expect(first.called.map(({ json }) => [json.status, json.phone, json.name])).toEqual(
			contacts(3).map((row) => ['initiated', row.phone, row.name]),
		);
		expect(first.notCalled).toEqual([]);
		const second = await bench.run({ ...newNode, mode: 'live', countries: ['any'] }, contacts(4));
		expect(second.called.map(({ json }) => json.phone)).toEqual([phone(3)]);
		expect(second.notCalled.map(({ json }) => [json.status, json.phone])).toEqual(
			contacts(3).map((row) => ['already_called', row.phone]),
		);
		expect(bench.dialed.sort()).toEqual(contacts(4).map((row) => row.phone));
	});

	it('a dry run keeps nobody from being called afterwards', async () => {
		await bench.run(newNode, contacts(2));
		await bench.run({ ...newNode, mode: 'live', countries: ['any'] }, contacts(2));
		expect(bench.dialed.sort()).toEqual([phone(0), phone(1)]);
	});

	it('an expression decides row by row who is called', async () => {
		const rows = contacts(4).map((row, n) => ({ ...row, mode: n % 2 ? 'live' : 'dryRun' }));
		const { items, called, notCalled, hints } = await bench.run(
			operation({ mode: '={{ $json.mode }}' }),
			rows,
		);
		expect(bench.dialed.sort()).toEqual([phone(1), phone(3)]);
		expect(called.map(({ json }) => [json.status, json.destination, json.success])).toEqual([
			['initiated', phone(1), true],
			['initiated', phone(3), true],
		]);
		expect(notCalled.map(({ json }) => json)).toEqual(
			[0, 2].map((n) => ({
				status: 'dry_run',
				called: 'no',
				reason: null,
				destination: phone(n),
				request: name === 'bulkCall' || n === 0 ? 1 : 2,
				agent_number: AGENT,
				caller_number: null,
				prompt_variables: {},
			})),
		);
		expect(pairs(items)).toEqual([0, 1, 2, 3]);
		expect(hints.map(({ message }) => message)).toEqual([
			'4 rows: 2 called, 2 not called (2 in a dry run)',
		]);
	});

	it('a live row shares no call with a row of a dry run, and the other way round', async () => {
		const rows = ['dryRun', 'live', 'dryRun', 'live'].map((mode) => ({ phone: phone(0), mode }));
		const { json } = await bench.run(operation({ mode: '={{ $json.mode }}' }), rows);
		expect(bench.dialed).toEqual([phone(0)]);
		expect(json.map(({ status, reason }) => [status, reason])).toEqual([
			['dry_run', null],
			['initiated', null],
			['duplicate', 'Same number as row 1'],
			['duplicate', 'Same number as row 2'],
		]);
	});

	describe('G1 a typing slip in Mode', () => {
		const slips: unknown[] = ['Lve', 'live!', 'dry_run', 'true', true, '', null];

		it.each(slips)('G1 %j calls nobody for that row', async (slip) => {
			const rows = [
				{ phone: phone(0), mode: 'live' },
				{ phone: phone(1), mode: slip as string },
			];
			const { called, notCalled, error } = await bench.run(
				operation({ mode: '={{ $json.mode }}' }),
				rows,
			);
			expect(error).toBeUndefined();
			expect(bench.dialed).toEqual([phone(0)]);
			expect(called.map(({ json }) => json.destination)).toEqual([phone(0)]);
			const named = String(slip).trim();
			expect(notCalled).toEqual([
				{
					json: {
						status: 'invalid',
						called: 'no',
						reason: `Mode is "${named}", but it must be dryRun, test or live. ${MODE_REMEDY}`,
						destination: phone(1),
						success: false,
						...(name === 'bulkCall'
							? { consent_id: null, call_sid: null, batch_id: null }
							: { call_id: null }),
					},
					pairedItem: { item: 1 },
				},
			]);
		});

		it('G1 a column that does not exist calls nobody', async () => {
			const { notCalled } = await bench.run(operation({ mode: '={{ $json.mode }}' }), [
				{ phone: phone(0), mode: 'dryRun' },
				{ phone: phone(1) },
			]);
			expect(bench.sandbox.requests).toEqual([]);
			expect(notCalled.map(({ json }) => json.status)).toEqual(['dry_run', 'invalid']);
			expect(notCalled[1]?.json.reason).toBe(
				`Mode is "nothing", but it must be dryRun, test or live. ${MODE_REMEDY}`,
			);
		});

		it('G1 an expression that cannot be resolved calls nobody', async () => {
			const mode = '={{ $json.mode || $("Nowhere").first().json.mode }}';
			const { notCalled } = await bench.run(operation({ mode }), [
				{ phone: phone(0), mode: 'dryRun' },
				{ phone: phone(1) },
			]);
			expect(bench.sandbox.requests).toEqual([]);
			expect(notCalled.map(({ json }) => [json.status, json.success])).toEqual([
				['dry_run', undefined],
				['invalid', false],
			]);
			expect(notCalled[1]?.json.reason).toMatch(
				/^An expression in this node could not be resolved/,
			);
		});

		it.each<[string, string]>([
			['stored in the node', 'Lve'],
			['from an expression', '={{ "Lve" }}'],
		])(
			'G1 in all rows, it ends the run with a message that names the field: %s',
			async (__, mode) => {
				const { message, description } = shown(await bench.run(operation({ mode }), contacts(3)));
				expect(message).toBe('Mode is "Lve", but it must be dryRun, test or live');
				expect(description).toBe(`${MODE_REMEDY} Nobody was called.`);
				expect(bench.sandbox.requests).toEqual([]);
			},
		);

		it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
			'G5 in all rows, with %s each row comes out with the reason',
			async (onError) => {
				const ended = await bench.run(operation({ mode: 'Lve' }), contacts(3), { onError });
				expect([ended.called, ended.errorItems]).toEqual([[], []]);
				expect(
					ended.notCalled.map(({ json }) => [json.status, json.reason, json.destination]),
				).toEqual(
					contacts(3).map((row) => [
						'invalid',
						`Mode is "Lve", but it must be dryRun, test or live. ${MODE_REMEDY}`,
						row.phone,
					]),
				);
				expect(bench.sandbox.requests).toEqual([]);
				expect(hintsOf(ended)).toEqual(['3 rows: 0 called, 3 not called (3 invalid)']);
			},
		);
	});

	it('G5 live rows that are all invalid end the run with a message, unless another row would be called in a dry run', async () => {
		const rows = [
			{ phone: 'Ada', mode: 'live' },
			{ phone: 'Bob', mode: 'dryRun' },
		];
		expect(shown(await bench.run(operation({ mode: '={{ $json.mode }}' }), rows)).message).toBe(
			'None of the 2 rows can be called. Row 1: the destination "Ada" is not a phone number: it has no digits',
		);
		const { json, error } = await bench.run(operation({ mode: '={{ $json.mode }}' }), [
			...rows,
			{ phone: phone(0), mode: 'dryRun' },
		]);
		expect(error).toBeUndefined();
		expect(json.map(({ status, success }) => [status, success])).toEqual([
			['invalid', false],
			['invalid', undefined],
			['dry_run', undefined],
		]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('rows of a dry run come out although the credential keeps the live ones from being called', async () => {
		const api = { baseUrl: 'not an address', token: bench.sandbox.token };
		const rows = [
			{ phone: phone(0), mode: 'live' },
			{ phone: phone(1), mode: 'dryRun' },
		];
		const { notCalled, called } = await bench.run(operation({ mode: '={{ $json.mode }}' }), rows, {
			api,
			onError: 'continueRegularOutput',
		});
		expect(called).toEqual([]);
		expect(notCalled.map(({ json }) => json.status)).toEqual(['refused', 'dry_run']);
	});
});

it('the expression of docs/retry.md makes a dry run by hand, which opens Live; a Retry is not by hand', async () => {
	store.isOpen = false;
	const mode = "={{ $execution.mode === 'test' ? 'dryRun' : 'live' }}";
	const parameters = bulk({ calledBefore: 'skip', mode });
	const statusesOf = async (request: Parameters<typeof bench.run>[2]): Promise<unknown[]> =>
		(
			await bench.run(parameters, contacts(1), { ...request, onError: 'continueRegularOutput' })
		).json.map(({ status }) => status);
	expect(await statusesOf({ mode: 'webhook' })).toEqual(['refused']);
	expect(await statusesOf({})).toEqual(['dry_run']);
	expect(await statusesOf({ mode: 'webhook' })).toEqual(['initiated']);
	const stopped = await bench.run(
		bulk({ mode, options: { timeout: '={{ "soon" }}' } }),
		contacts(1),
	);
	const retried = await bench.run(bulk({ mode }), contacts(1), {
		retryOf: stopped,
		withSavedWorkflow: true,
	});
	expect(retried.json.map(({ status }) => status)).toEqual(['initiated']);
});
