import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import {
	AGENT,
	AGENT_WITH_PROMPT,
	assignments,
	bulk,
	contacts,
	phone,
	place,
	shown,
	UNKNOWN_AGENT,
} from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const OWN = '+447400123456';
const operations: Array<[string, (more: INodeParameters) => INodeParameters]> = [
	['Bulk Call', bulk],
	['Place Call', place],
];

describe.each(operations)('Test: Call My Own Phone Once, with %s', (name, operation) => {
	const test = (more: INodeParameters = {}): INodeParameters =>
		operation({ mode: 'test', testNumber: OWN, calledBefore: 'skip', ...more });

	it('a live row beside it that cannot be read asks for no dry run, and the own phone rings', async () => {
		const rows = [
			{ phone: phone(0), mode: 'test' },
			{ phone: 'none', mode: 'live' },
		];
		const run = await bench.run(test({ mode: '={{ $json.mode }}' }), rows);
		expect(run.error && shown(run).message).toBeUndefined();
		expect(run.json.map(({ status }) => status)).toEqual(['test_call', 'invalid']);
		expect(bench.dialed).toEqual([OWN]);
	});

	it('one row is called at the own phone with its prompt variables; the others come out as in a dry run, and nothing is remembered', async () => {
		const variables = {
			promptVariables: assignments({ name: '={{ $json.name }}', amount: '={{ $json.amount }}' }),
		};
		const { called, notCalled, json, hints } = await bench.run(
			test({ agentNumber: AGENT_WITH_PROMPT, ...variables }),
			contacts(3),
		);
		expect(bench.sandbox.journal).toMatchObject([
			{ phone: OWN, variables: { name: 'Person 0', amount: '0.5' } },
		]);
		expect(called).toEqual([]);
		expect(notCalled).toHaveLength(3);
		expect(json.map(({ status, called: was, destination }) => [status, was, destination])).toEqual([
			['test_call', 'no', phone(0)],
			['dry_run', 'no', phone(1)],
			['dry_run', 'no', phone(2)],
		]);
		expect(json[0]).toMatchObject({
			reason: 'Your own phone was called, with the words of this row',
			tested_at_number: OWN,
			success: true,
			agent_number: AGENT_WITH_PROMPT,
			prompt_variables: { name: 'Person 0', amount: '0.5' },
			...(name === 'Bulk Call'
				? { batch_id: expect.any(String), consent_id: expect.anything() }
				: { call_id: expect.anything() }),
		});
		expect(json[1]).not.toHaveProperty('tested_at_number');
		expect(hints[0]?.message).toBe(
			'Only your own phone was called, with the words of row 1: Mode is Test. 3 rows: 3 would be called, 0 not. To call them, set Mode to Live. Countries: United States 3. Sent as prompt variables: "name" and "amount".',
		);
		expect(store.size).toBe(0);
	});

	it('the first row that would be called is the one; if none would be, the first that could be sent', async () => {
		const rows = [{ phone: 'Ada' }, { phone: phone(1) }, { phone: phone(2) }];
		const one = await bench.run(test({ options: { doNotCall: phone(1) } }), rows);
		expect(one.json.map(({ status }) => status)).toEqual(['invalid', 'do_not_call', 'test_call']);
		const none = await bench.run(test({ options: { doNotCall: `${phone(1)},${phone(2)}` } }), rows);
		expect(none.json.map(({ status }) => status)).toEqual(['invalid', 'test_call', 'do_not_call']);
		expect(none.hints[0]?.message).toContain(
			'3 rows: 0 would be called, 3 not (2 not to be called, 1 invalid).',
		);
		expect(bench.dialed).toEqual([OWN, OWN]);
	});

	it('hours, lists and limits do not hold for the own phone', async () => {
		const options = {
			callingHours: { window: [{ days: ['mon'], from: '00:00', to: '00:01' }] },
			doNotCall: OWN,
			maxCalls: 0,
		};
		await bench.run(test({ options }), contacts(1));
		expect(bench.dialed).toEqual([OWN]);
	});

	it('it rings once in all rounds of a loop', async () => {
		const { rounds } = await bench.run(test(), contacts(4), { batchSize: 1 });
		expect(bench.dialed).toEqual([OWN]);
		expect(rounds.map(([row]) => row?.status)).toEqual([
			'test_call',
			'dry_run',
			'dry_run',
			'dry_run',
		]);
	});

	it('it rings once in an execution with two such nodes', async () => {
		const run = await bench.run(test(), contacts(2), {
			nodeBefore: test({ options: { includeInputFields: true } }),
		});
		expect(bench.dialed).toEqual([OWN]);
		expect(run.json.map(({ status }) => status)).toEqual(['dry_run', 'dry_run']);
		expect(run.hints[0]?.message).toContain(
			'Mode is Test, and your own phone was called earlier in this execution. To hear it again, execute again.',
		);
	});

	it('it rings once, whatever Retry On Fail and the Retry button do: nobody knows what became of the call', async () => {
		bench.sandbox.fault({
			kind: 'resetAfter',
			route: name === 'Bulk Call' ? 'bulk' : 'call',
			times: 1,
		});
		const failed = await bench.run(test(), contacts(2), { retry: { tries: 2, waitMs: 1 } });
		expect(bench.dialed).toEqual([OWN]);
		// The second try has its outcome to show.
		expect(failed.error).toBeUndefined();
		expect(failed.json[0]).toMatchObject({
			status: 'test_call',
			success: false,
			reason: expect.stringMatching(/^Your own phone may have been called: /),
		});
		bench.reset();
		bench.sandbox.fault({
			kind: 'resetAfter',
			route: name === 'Bulk Call' ? 'bulk' : 'call',
			times: 1,
		});
		const stopped = await bench.run(test(), contacts(2));
		expect(shown(stopped).message).toMatch(/^Nobody knows whether your own phone was called: /);
		const retried = await bench.run(test(), contacts(2), { retryOf: stopped });
		expect(retried.json.map(({ status }) => status)).toEqual(['test_call', 'dry_run']);
		expect(bench.dialed).toEqual([OWN]);
	});

	it('a refusal that certainly placed nothing ends the run with its remedy, and it rings when that is tried again', async () => {
		bench.sandbox.fault({
			kind: 'unauthorized',
			route: name === 'Bulk Call' ? 'bulk' : 'call',
			times: 1,
		});
		const refused = shown(await bench.run(test(), contacts(2)));
		expect(refused.message).toMatch(/^Your own phone was not called: /);
		expect(refused.description).toMatch(/Nobody else was called\.$/);
		expect(bench.dialed).toEqual([]);
		bench.sandbox.fault({
			kind: 'unauthorized',
			route: name === 'Bulk Call' ? 'bulk' : 'call',
			times: 1,
		});
		const { json } = await bench.run(test(), contacts(2), { retry: { tries: 2, waitMs: 1 } });
		expect(json.map(({ status }) => status)).toEqual(['test_call', 'dry_run']);
		expect(bench.dialed).toEqual([OWN]);
		bench.sandbox.fault({
			kind: 'unauthorized',
			route: name === 'Bulk Call' ? 'bulk' : 'call',
			times: 1,
		});
		const continued = await bench.run(test(), contacts(2), { onError: 'continueRegularOutput' });
		expect(continued.json).toMatchObject([
			{
				status: 'test_call',
				called: 'no',
				success: false,
				reason: expect.stringMatching(/^Your own phone was not called: /),
			},
			{ status: 'dry_run' },
		]);
		expect(continued.hints[0]?.message).toMatch(
			/^Nobody was called: Mode is Test, and your own phone was not called, see row 1\. /,
		);
	});

	it.each(['trigger', 'webhook', 'integrated', 'retry'] as const)(
		'in an execution of the mode %s it is a dry run',
		async (mode) => {
			const { json, hints } = await bench.run(test(), contacts(2), { mode });
			expect(json.map(({ status }) => status)).toEqual(['dry_run', 'dry_run']);
			expect(hints[0]?.message).toMatch(
				/^Nobody was called: Mode is Test, but your own phone rings only in an execution that somebody starts by hand\. /,
			);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it.each<[string, string | undefined, RegExp]>([
		['none', undefined, /^My Own Phone is empty$/],
		// Newer hosts give it as text, older ones resolve it.
		[
			'an expression',
			'={{ $json.phone }}',
			/^My Own Phone holds (no valid phone number|an expression)$/,
		],
		['a word', 'mine', /^My Own Phone holds no valid phone number$/],
	])('G1 with %s as My Own Phone nobody is called', async (_, testNumber, message) => {
		const run = await bench.run(test({ testNumber: testNumber ?? null }), contacts(2));
		expect(shown(run).message).toMatch(message);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('where no row can be sent, nobody is called, and the totals say that Mode is Test', async () => {
		const { json, hints } = await bench.run(test(), [{ phone: 'Ada' }, { phone: '' }]);
		expect(json.map(({ status }) => status)).toEqual(['invalid', 'invalid']);
		expect(hints[0]?.message).toMatch(/^Nobody was called: Mode is Test\. /);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each([' test', 'Test ', 'TEST'])(
		'spaces around the mode and capitals do not matter: %j',
		async (mode) => {
			const { json } = await bench.run(test({ mode }), contacts(2));
			expect(json.map(({ status }) => status)).toEqual(['test_call', 'dry_run']);
			expect(bench.dialed).toEqual([OWN]);
		},
	);

	it('without + it is of the country that those of the rows are of', async () => {
		await bench.run(test({ countries: ['GB'], testNumber: '07400 123456' }), contacts(1));
		expect(bench.dialed).toEqual([OWN]);
	});

	it('where the mode differs by row, live rows are called, and only the first of a test rings', async () => {
		const rows = ['live', ' Test', 'dryRun', 'TEST'].map((mode, n) => ({ phone: phone(n), mode }));
		const { json } = await bench.run(test({ mode: '={{ $json.mode }}' }), rows);
		expect(json.map(({ status }) => status)).toEqual([
			'initiated',
			'test_call',
			'dry_run',
			'dry_run',
		]);
		expect(bench.dialed).toEqual([phone(0), OWN]);
	});
});

it('where live rows were called beside it, a call to the own phone that is refused takes nobody’s outcome away', async () => {
	const rows = [
		{ phone: phone(0), mode: 'live', agent: AGENT },
		{ phone: phone(1), mode: 'test', agent: UNKNOWN_AGENT },
	];
	const { json, error } = await bench.run(
		bulk({ mode: '={{ $json.mode }}', agentNumber: '={{ $json.agent }}', testNumber: OWN }),
		rows,
	);
	expect(bench.dialed).toEqual([phone(0)]);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([
		{ status: 'initiated', called: 'yes' },
		{
			status: 'test_call',
			called: 'no',
			reason: expect.stringMatching(/^Your own phone was not called: /),
		},
	]);
});

it('what came of the own call is told when the run waits', async () => {
	Object.assign(bench.sandbox.settings, { dialAfterMs: 5, finishAfterMs: 10 });
	const { json, hints } = await bench.run(
		bulk({ mode: 'test', testNumber: OWN, waitUntil: 'finished', pollInterval: 1 }),
		contacts(2),
	);
	expect(json[0]).toMatchObject({
		status: 'test_call',
		called: 'no',
		reached: true,
		settled: true,
		conversation_id: expect.anything(),
	});
	expect(json[1]).not.toHaveProperty('reached');
	expect(hints[0]?.message).not.toContain('reached');
});

it('the own ID of a row does not go along: its callback would be taken for the person’s', async () => {
	await bench.run(
		place({ mode: 'test', testNumber: OWN, options: { externalCallId: 'order-1' } }),
		contacts(1),
	);
	expect(JSON.stringify(bench.bodies())).not.toContain('order-1');
});
