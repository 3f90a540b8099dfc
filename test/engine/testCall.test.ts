import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import {
	AGENT_WITH_PROMPT,
	assignments,
	bulk,
	contacts,
	phone,
	place,
	shown,
} from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const OWN = '+447400123456';
const statuses = ({ json }: Finished): unknown[] => json.map(({ status }) => status);
const firstLine = ({ hints }: Finished): string => hints[0]!.message.split('<br>')[0]!;
const continues = { onError: 'continueRegularOutput' } as const;

describe.each([
	['Bulk Call', bulk, 'bulk'],
	['Place Call', place, 'call'],
] as const)('Test: Call My Own Phone Once, with %s', (name, operation, route) => {
	const test = (more: INodeParameters = {}): INodeParameters =>
		operation({ mode: 'test', testNumber: OWN, calledBefore: 'skip', ...more });

	it('one row is spoken to the own phone; the others come out as in a dry run', async () => {
		const promptVariables = assignments({
			name: '={{ $json.name }}',
			amount: '={{ $json.amount }}',
		});
		const run = await bench.run(
			test({ agentNumber: AGENT_WITH_PROMPT, promptVariables }),
			contacts(3),
		);
		expect(bench.sandbox.journal).toMatchObject([
			{ phone: OWN, variables: { name: 'Person 0', amount: '0.5' } },
		]);
		expect(
			run.json.map(({ status, called, destination }) => [status, called, destination]),
		).toEqual([
			['test_call', 'no', phone(0)],
			['dry_run', 'no', phone(1)],
			['dry_run', 'no', phone(2)],
		]);
		expect(run.json[0]).toMatchObject({
			reason: expect.stringMatching(/^Your own phone was called/) as string,
			success: true,
			prompt_variables: { name: 'Person 0', amount: '0.5' },
			...(name === 'Bulk Call'
				? { batch_id: expect.any(String) as string }
				: { call_id: expect.anything() as unknown }),
		});
		expect(run.json[1]).not.toHaveProperty('success');
		expect(firstLine(run)).toMatch(/^3 of 3 rows would be called\. Your own phone was called/);
		expect(store.size).toBe(0);
	});

	it('it is the first row that would be called, or else the first that could be sent', async () => {
		const rows = [{ phone: 'Ada' }, { phone: phone(1) }, { phone: phone(2) }];
		const one = await bench.run(test({ rules: { doNotCall: phone(1) } }), rows);
		expect(statuses(one)).toEqual(['invalid', 'do_not_call', 'test_call']);
		const none = await bench.run(test({ rules: { doNotCall: `${phone(1)},${phone(2)}` } }), rows);
		expect(statuses(none)).toEqual(['invalid', 'test_call', 'do_not_call']);
		expect(firstLine(none)).toMatch(/^0 of 3 rows would be called/);
		expect(bench.dialed).toEqual([OWN, OWN]);
	});

	it('hours, lists and limits do not apply to the own phone', async () => {
		const window = [{ days: ['mon'], from: '00:00', to: '00:01' }];
		const parameters = test({
			callingHours: 'custom',
			callingWindows: { window } as unknown as INodeParameters,
			rules: { doNotCall: OWN, maxCalls: 0 },
		});
		await bench.run(parameters, contacts(1));
		await bench.run(parameters, contacts(1));
		expect(bench.dialed).toEqual([OWN, OWN]);
	});

	it('it rings once in all rounds of a loop, and once in an execution with two such nodes', async () => {
		const { rounds } = await bench.run(test(), contacts(3), { batchSize: 1 });
		expect(rounds.map(([row]) => row?.status)).toEqual(['test_call', 'dry_run', 'dry_run']);
		expect(bench.dialed).toEqual([OWN]);
		const second = await bench.run(test(), contacts(2), {
			nodeBefore: test({ options: { includeInputFields: true } }),
		});
		expect(statuses(second)).toEqual(['dry_run', 'dry_run']);
		expect(firstLine(second)).toMatch(/called earlier in this execution/);
		expect(bench.dialed).toEqual([OWN, OWN]);
	});

	it('G3 it rings once, whatever Retry On Fail and the Retry button do, if it may have rung', async () => {
		const lost = { kind: 'resetAfter', route, times: 1 } as const;
		bench.sandbox.fault(lost);
		const retriedAtOnce = await bench.run(test(), contacts(2), { retry: { tries: 2, waitMs: 1 } });
		expect(retriedAtOnce.json[0]).toMatchObject({
			status: 'test_call',
			success: false,
			reason: expect.stringMatching(/^Your own phone may have been called: /) as string,
		});
		expect(bench.dialed).toEqual([OWN]);
		bench.sandbox.fault(lost);
		const stopped = await bench.run(test(), contacts(2));
		expect(shown(stopped).message).toMatch(/^Your own phone may have been called: /);
		await bench.run(test(), contacts(2), { retryOf: stopped });
		expect(bench.dialed).toEqual([OWN, OWN]);
	});

	it('a refusal says that the phone was not called, and it rings when that is tried again', async () => {
		const refusal = { kind: 'unauthorized', route, times: 1 } as const;
		bench.sandbox.fault(refusal);
		const refused = shown(await bench.run(test(), contacts(2)));
		expect(refused.message).toMatch(/^Your own phone was not called: /);
		expect(refused.description).toMatch(/Nobody else was called\.$/);
		bench.sandbox.fault(refusal);
		const run = await bench.run(test(), contacts(2), continues);
		expect(run.json).toMatchObject([
			{
				status: 'test_call',
				called: 'no',
				success: false,
				reason: expect.stringMatching(/^Your own phone was not called: /) as string,
			},
			{ status: 'dry_run' },
		]);
		expect(bench.dialed).toEqual([]);
		bench.sandbox.fault(refusal);
		await bench.run(test(), contacts(2), { retry: { tries: 2, waitMs: 1 } });
		expect(bench.dialed).toEqual([OWN]);
	});

	it.each(['trigger', 'webhook', 'integrated', 'evaluation'] as const)(
		'in an execution of the mode %s it is a dry run',
		async (mode) => {
			const run = await bench.run(test(), contacts(2), { mode });
			expect(statuses(run)).toEqual(['dry_run', 'dry_run']);
			expect(firstLine(run)).toMatch(
				mode === 'evaluation' ? /Evaluations call nobody/ : /starts by hand/,
			);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it.each<[string, string | null]>([
		['nothing', null],
		['an expression', '={{ $json.phone }}'],
		['a word', 'mine'],
		['an emergency number', '911'],
	])('G1 with %s as My Own Phone nobody is called', async (_, testNumber) => {
		const run = await bench.run(test({ testNumber }), contacts(2));
		expect(shown(run).message).toMatch(/^My Own Phone /);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

it('if the node waits, the row says what came of the call', async () => {
	Object.assign(bench.sandbox.settings, { dialAfterMs: 0, finishAfterMs: 0 });
	const waits = { waitUntil: 'finished', options: { pollInterval: 1 } };
	const { json } = await bench.run(bulk({ mode: 'test', testNumber: OWN, ...waits }), contacts(2));
	expect(json[0]).toMatchObject({
		status: 'test_call',
		called: 'no',
		reached: true,
		settled: true,
	});
	expect(json[1]).not.toHaveProperty('reached');
});

it('the row’s External Call ID is not sent, because its callback would be taken for the person’s', async () => {
	await bench.run(
		place({ mode: 'test', testNumber: OWN, options: { externalCallId: 'order-1' } }),
		contacts(1),
	);
	expect(JSON.stringify(bench.bodies())).not.toContain('order-1');
});
