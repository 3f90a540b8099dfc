import type { INodeParameters, IRunExecutionData } from 'n8n-workflow';
import { withClock } from './helpers/clockBench';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { closedPort } from './helpers/otherServers';
import { workbench } from './helpers/workbench';
import { AGENT_WITH_PROMPT, bulk, phone, place, UNKNOWN_AGENT } from './helpers/workflows';

/** What broke between two features that each held by itself. */
const moment = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
const bench = workbench();
const store = storeForEach();

const GOOD = '{"name": "Ada", "amount": "12.50"}';

describe('several rows of one number with keys of their own: one is called in a run', () => {
	const byInvoice = bulk({
		calledBefore: 'skip',
		options: { callOnceKey: '={{ $json.invoice }}' },
	});
	const sheet = ['1', '2', '3'].map((invoice) => ({ phone: phone(1), invoice }));

	const statuses = ({ json }: Finished): unknown[] => json.map(({ status }) => status);

	it('G2 and the next ones in the runs after it, each once', async () => {
		const runs = [];
		for (let n = 0; n < 4; n++) runs.push(statuses(await bench.run(byInvoice, sheet)));
		expect(runs).toEqual([
			['initiated', 'same_number', 'same_number'],
			['already_called', 'initiated', 'same_number'],
			['already_called', 'already_called', 'initiated'],
			['already_called', 'already_called', 'already_called'],
		]);
		expect(bench.dialed).toEqual(Array(3).fill(phone(1)));
	});

	it('G2 over the rounds of a loop, too: the others say why, and are called by later runs', async () => {
		const run = async (more: INodeParameters = {}) =>
			(
				await bench.run({ ...byInvoice, ...more }, [...sheet, sheet[0]!], { batchSize: 1 })
			).rounds.map(([row]) => row?.status);
		const first = await bench.run(byInvoice, [...sheet, sheet[0]!], { batchSize: 1 });
		expect(first.rounds.map(([row]) => row?.status)).toEqual([
			'initiated',
			'same_number',
			'same_number',
			'already_called',
		]);
		expect(first.rounds[1]![0]).toMatchObject({
			called: 'other_row',
			reason:
				'Same number as a row of an earlier round, with another value in Remember People By. To call for each row, set Duplicates to Call Each Row',
		});
		expect(first.notCalled).toHaveLength(1);
		expect(await run()).toEqual(['already_called', 'initiated', 'same_number', 'same_number']);
		expect(
			await run({ options: { ...(byInvoice.options as INodeParameters), duplicates: 'callEach' } }),
		).toEqual(['already_called', 'already_called', 'initiated', 'already_called']);
		expect(bench.dialed).toEqual(Array(3).fill(phone(1)));
	});

	it('a dry run in a loop says the same', async () => {
		const { rounds } = await bench.run({ ...byInvoice, mode: 'dryRun' }, sheet, { batchSize: 1 });
		expect(rounds.map(([row]) => [row?.status, row?.called])).toEqual([
			['dry_run', 'no'],
			['same_number', 'no'],
			['same_number', 'no'],
		]);
	});

	it('a call that was cancelled before it was dialed is none: the next round calls', async () => {
		await withClock(async (clock) => {
			clock.sandbox.settings.dialAfterMs = 60;
			clock.meanwhile = async ({ path }) => {
				const { length, 0: dial } = clock.sandbox.journal;
				if (path !== '/calls/bulk' || length > 1) return;
				const headers = { authorization: `Bearer ${clock.sandbox.token}` };
				await fetch(`${clock.sandbox.baseUrl}/consents/${dial!.consentId}/cancel`, {
					method: 'POST',
					headers,
				});
			};
			const waits = { ...byInvoice, waitUntil: 'finished', pollInterval: 1, waitTimeout: 60 };
			const { rounds } = await clock.run(waits, sheet.slice(0, 2), { batchSize: 1 });
			expect(rounds.map(([row]) => [row?.status, row?.record_status])).toEqual([
				['initiated', 'cancelled'],
				['initiated', 'called'],
			]);
		});
	});

	it('G4 a Retry of a later round knows whom the rounds before have called', async () => {
		bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
		const rows = [sheet[0]!, { phone: phone(2), invoice: '9' }, sheet[1]!];
		const stopped = await bench.run(byInvoice, rows, { batchSize: 1 });
		const retried = await bench.run(byInvoice, rows, { batchSize: 1, retryOf: stopped });
		expect(retried.rounds.map(([row]) => row?.status)).toEqual([
			'initiated',
			'initiated',
			'same_number',
		]);
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
	});

	it('G8 also when nobody knows whether it was placed: its own key stays', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		await bench.run(byInvoice, sheet);
		expect(statuses(await bench.run(byInvoice, sheet))).toEqual([
			'already_called',
			'initiated',
			'same_number',
		]);
	});

	it('G8 also when the first row has no key', async () => {
		const rows = [
			{ phone: phone(1), invoice: '' },
			{ phone: phone(1), invoice: 'A' },
		];
		expect(statuses(await bench.run(byInvoice, rows))).toEqual(['initiated', 'same_number']);
		expect(statuses(await bench.run(byInvoice, rows))).toEqual(['already_called', 'initiated']);
	});

	it('G8 a row without a key is called only if its number was not, by whatever key', async () => {
		const rows = [
			{ phone: phone(1), invoice: 'A' },
			{ phone: phone(1), invoice: '' },
		];
		expect(statuses(await bench.run(byInvoice, rows))).toEqual(['initiated', 'same_number']);
		expect(statuses(await bench.run({ ...byInvoice, mode: 'dryRun' }, rows))).toEqual([
			'already_called',
			'already_called',
		]);
		expect(statuses(await bench.run(byInvoice, rows))).toEqual([
			'already_called',
			'already_called',
		]);
		expect(bench.dialed).toEqual([phone(1)]);
	});

	it('a row whose call certainly was not placed gives all of their keys back', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'locked', error: 'Locked', times: 1 });
		await bench.run(byInvoice, sheet);
		expect(store.size).toBe(0);
		await bench.run(byInvoice, sheet);
		expect(bench.dialed).toEqual([phone(1)]);
	});
});

describe('rows that share a key, with numbers of their own', () => {
	it('G5 a row that was called in an earlier try comes out on Called with what became of it', async () => {
		const parameters = bulk({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson: '={{ $json.variables }}',
			calledBefore: 'skip',
			options: { callOnceKey: '={{ $json.person }}', parallelRequests: 1 },
		});
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 2, times: 1 });
		const rows = [
			{ phone: phone(1), person: 'Ada', variables: '{"name":"Ada"}' },
			{ phone: phone(9), person: 'Zoe', variables: GOOD },
			{ phone: phone(2), person: 'Ada', variables: GOOD },
		];
		const { called } = await bench.run(parameters, rows, { retry: { tries: 2, waitMs: 1 } });
		expect(bench.dialed).toEqual([phone(9), phone(2)]);
		expect(called.map(({ json }) => [json.destination, json.status])).toEqual([
			[phone(9), 'initiated'],
			[phone(2), 'unknown'],
		]);
	});

	it('nobody is told that an earlier run called them because a request of this one was under way, and then refused', async () => {
		bench.sandbox.settings.latencyMs = 30;
		// The first request goes alone; the next two are under way together.
		bench.sandbox.fault({ kind: 'dailyLimit', after: 1, times: 1 });
		const keyed = place({
			calledBefore: 'skip',
			options: { callOnceKey: '={{ $json.person }}', parallelRequests: 2 },
		});
		const { notCalled } = await bench.run(
			keyed,
			[
				{ phone: phone(3), person: 'Bob' },
				{ phone: phone(1), person: 'Ada' },
				{ phone: phone(1), person: 'Zoe' },
				{ phone: phone(2), person: 'Zoe' },
			],
			{ onError: 'continueRegularOutput' },
		);
		expect(notCalled.map(({ json }) => json.status)).toEqual(['refused', 'refused']);
		expect(bench.dialed).toEqual([phone(3), phone(2)]);
	});

	it('nor because their key went along with such a request', async () => {
		await bench.meet();
		bench.sandbox.settings.latencyMs = 30;
		bench.sandbox.fault({
			kind: 'respond',
			status: 422,
			body: { success: false, error: 'Odd' },
			times: 1,
		});
		const keyed = place({
			calledBefore: 'skip',
			options: { callOnceKey: '={{ $json.person }}', parallelRequests: 2 },
		});
		const { called } = await bench.run(
			keyed,
			[
				{ phone: phone(1), person: 'Ada' },
				{ phone: phone(2), person: 'Zoe' },
				{ phone: phone(1), person: 'Zoe' },
			],
			{ onError: 'continueRegularOutput' },
		);
		expect(called.map(({ json }) => [json.destination, json.status])).toEqual([
			[phone(2), 'initiated'],
		]);
	});

	it('a word of the API is not taken for one of the node’s', async () => {
		bench.sandbox.fault({
			kind: 'respond',
			status: 201,
			body: { success: true, call_id: 'c1', status: 'refused' },
			place: true,
			times: 1,
		});
		const { called, notCalled } = await bench.run(
			place({ calledBefore: 'skip', options: { callOnceKey: '={{ $json.person }}' } }),
			[
				{ phone: phone(1), person: 'Ada' },
				{ phone: phone(2), person: 'Ada' },
			],
		);
		expect([
			called.map(({ json }) => json.call_id),
			notCalled.map(({ json }) => json.status),
		]).toEqual([['c1'], ['already_called']]);
	});
});

it('G8 a row without a key that was called yesterday is not called again because another row of its number has a key', async () => {
	const each = bulk({
		calledBefore: 'skip',
		options: { callOnceKey: '={{ $json.invoice }}', duplicates: 'callEach', parallelRequests: 1 },
	});
	const today = [
		{ phone: phone(1), invoice: 'A' },
		{ phone: phone(1), invoice: '' },
	];
	await bench.run(each, [today[1]!]);
	bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
	const { json } = await bench.run(each, today, { retry: { tries: 2, waitMs: 1 } });
	expect(json.map(({ status }) => status)).toEqual(['unknown', 'already_called']);
	expect(bench.dialed).toEqual([phone(1), phone(1)]);
});

it('G4 a Retry that calls each number once knows the call of a number’s second row', async () => {
	const rows = [1, 1, 2].map((n) => ({ phone: phone(n) }));
	bench.sandbox.fault({
		kind: 'respond',
		status: 400,
		body: { success: false, error: 'Odd' },
		times: 1,
	});
	bench.sandbox.settings.dailyLimit = 1;
	const first = await bench.run(
		place({ options: { duplicates: 'callEach', parallelRequests: 1 } }),
		rows,
	);
	expect(first.error).toBeDefined();
	expect(bench.dialed).toEqual([phone(1)]);
	delete bench.sandbox.settings.dailyLimit;
	const { called } = await bench.run(place(), rows, { retryOf: first, withSavedWorkflow: true });
	expect(called.map(({ json }) => json.status)).toEqual(['initiated', 'duplicate', 'initiated']);
	expect(bench.dialed).toEqual([phone(1), phone(2)]);
});

describe('two Retries of one execution, with a call for each row', () => {
	const each = (more: INodeParameters): INodeParameters =>
		bulk({
			variablesFrom: 'json',
			promptVariablesJson: '={{ { order: $json.order } }}',
			options: { duplicates: 'callEach', parallelRequests: 1, maxRetryWait: 0 },
			...more,
		});
	const rows = [
		{ phone: '0171 1234567', order: 'a' },
		{ phone: '+491711234567', order: 'b' },
	];
	const orders = () => bench.sandbox.journal.map(({ variables }) => variables.order);

	/** The record of an execution, with the node's settings as they were changed afterwards. */
	const withSettings = (finished: Finished, parameters: INodeParameters): Finished => {
		const data = JSON.parse(JSON.stringify(finished.data)) as IRunExecutionData;
		for (const entry of data.executionData!.nodeExecutionStack) entry.node.parameters = parameters;
		return { ...finished, data };
	};

	it('G4 a row that could be read only after a setting was mended is called, and the other one is not called again', async () => {
		const nobody = { api: { baseUrl: await closedPort(), token: 'tk_nobody_listens' } };
		const first = await bench.run(each({ defaultCountry: '' }), rows, nobody);
		await bench.run(each({ defaultCountry: '' }), rows, { retryOf: first });
		const mended = each({ defaultCountry: 'DE' });
		await bench.run(mended, rows, { retryOf: withSettings(first, mended) });
		expect(orders()).toEqual(['b', 'a']);
	});

	it('G4 neither does another order of the rows, where the first execution made one call for all of a number', async () => {
		const list = (duplicates: string, ...names: string[]): INodeParameters =>
			bulk({
				destinationSource: 'json',
				destinationsJson: JSON.stringify(
					names.map((order) => ({ phone: phone(1), prompt_variables: { order } })),
				),
				options: { duplicates },
			});
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		const first = await bench.run(list('callOnce', 'a', 'b'));
		expect(first.error).toBeDefined();
		const again = { retryOf: first, withSavedWorkflow: true };
		await bench.run(list('callEach', 'a', 'b'), [{}], again);
		await bench.run(list('callEach', 'b', 'a'), [{}], again);
		expect(orders()).toHaveLength(2);
	});

	it('G4 changed prompt variables make no further calls to a number that has had as many as it has rows', async () => {
		const nobody = { api: { baseUrl: await closedPort(), token: 'tk_nobody_listens' } };
		const before = each({ defaultCountry: 'DE' });
		const first = await bench.run(before, rows, nobody);
		await bench.run(before, rows, { retryOf: first });
		const changed = each({
			defaultCountry: 'DE',
			promptVariablesJson: '={{ { order: $json.order + "!" } }}',
		});
		await bench.run(changed, rows, { retryOf: withSettings(first, changed) });
		expect(orders()).toEqual(['a', 'b']);
	});
});

describe('a Retry that cannot begin, with Continue', () => {
	it.each<[string, INodeParameters, object]>([
		[
			'its credential cannot be read',
			{},
			{ credentialProblem: 'The credential could not be decrypted' },
		],
		['an option cannot be used', { timeout: '={{ "" }}' }, {}],
	])(
		'G5 %s: whoever was called before it comes out on Called, the others on Not Called',
		async (_why, options, more) => {
			const rows = [1, 2, 3].map((n) => ({ phone: phone(n) }));
			bench.sandbox.settings.dailyLimit = 2;
			const first = await bench.run(place({ options: { parallelRequests: 1 } }), rows);
			expect(first.error).toBeDefined();
			const { called, notCalled } = await bench.run(place({ options }), rows, {
				retryOf: first,
				withSavedWorkflow: true,
				onError: 'continueRegularOutput',
				...more,
			});
			expect(called.map(({ json }) => [json.destination, json.status])).toEqual([
				[phone(1), 'initiated'],
				[phone(2), 'initiated'],
			]);
			expect(notCalled.map(({ json }) => [json.destination, json.status])).toEqual([
				[phone(3), 'refused'],
			]);
		},
	);
});

it('G8 a row whose claim could not be given back for a moment is called all the same, once', async () => {
	bench.sandbox.fault({
		kind: 'respond',
		status: 400,
		body: { success: false, error: 'Odd' },
		times: 1,
	});
	const { removeProcessed } = store;
	let busy = true;
	store.removeProcessed = async (...given) => {
		if (busy) {
			busy = false;
			throw new Error('SQLITE_BUSY');
		}
		await removeProcessed(...given);
	};
	try {
		const rows = [{ phone: phone(1) }, { phone: phone(2) }];
		await bench.run(bulk({ calledBefore: 'skip' }), rows);
		await bench.run(bulk({ calledBefore: 'skip' }), rows);
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
	} finally {
		store.removeProcessed = removeProcessed;
	}
});

describe('calls per minute', () => {
	it('G7 hold after a limit of the API: what waited for it does not leave together', async () => {
		bench.sandbox.fault({ kind: 'rateLimited', retryAfter: 1, times: 1 });
		let stop = (): void => undefined;
		// The second call would leave a minute later.
		const run = bench.run(
			place({ options: { callsPerMinute: 1 } }),
			[{ phone: phone(1) }, { phone: phone(2) }],
			{ onStarted: (it) => (stop = it) },
		);
		while (bench.dialed.length === 0 || bench.sandbox.inFlight > 0) await moment(5);
		await moment(300);
		expect(bench.dialed).toHaveLength(1);
		stop();
		await run;
	});

	it('count calls that are placed: a request that is split does not wait for the rows that it did not call', async () => {
		// At one call a minute, any row that counts in vain would outlast the test's own time limit.
		bench.sandbox.fault({
			kind: 'respond',
			route: 'call',
			status: 400,
			body: { success: false, error: 'Odd' },
			times: 4,
		});
		const rows = [1, 2, 3, 4, 5].map((n) => ({ phone: phone(n) }));
		const { json } = await bench.run(
			place({ options: { callsPerMinute: 1, parallelRequests: 1 } }),
			rows,
		);
		expect(json.map(({ status }) => status)).toEqual([
			'refused',
			'refused',
			'refused',
			'refused',
			'initiated',
		]);
	});
});

it('G6 an agent that the API does not know is not asked for again by rows that follow another one', async () => {
	const rows = [
		{ phone: phone(1), agent: AGENT_WITH_PROMPT, variables: '{"name": "Ada"}' },
		{ phone: phone(2), agent: UNKNOWN_AGENT, variables: GOOD },
		{ phone: phone(1), agent: UNKNOWN_AGENT, variables: GOOD },
	];
	const parameters = bulk({
		agentNumber: '={{ $json.agent }}',
		variablesFrom: 'json',
		promptVariablesJson: '={{ $json.variables }}',
		options: { parallelRequests: 1 },
	});
	const { notCalled } = await bench.run(parameters, rows, { onError: 'continueRegularOutput' });
	expect(notCalled.map(({ json }) => json.status)).toEqual(['refused', 'refused', 'refused']);
	expect(bench.sandbox.requests.map(({ status }) => status)).toEqual([400, 404]);
});

it('G8 a day of a database is one key, as a date and as text: newer steps of n8n give it as text', async () => {
	const call = bulk({
		calledBefore: 'skip',
		options: { callOnceKey: '={{ $json.phone }} {{ $json.date }}' },
	});
	await bench.run(call, [{ phone: phone(0), date: new Date(2026, 11, 1) }]);
	for (const date of ['2026-12-01', new Date(2026, 11, 1).toISOString()])
		expect(
			(await bench.run(call, [{ phone: phone(0), date }])).json.map(({ status }) => status),
		).toEqual(['already_called']);
	expect(
		(await bench.run(call, [{ phone: phone(0), date: '2026-12-02' }])).json.map(
			({ status }) => status,
		),
	).toEqual(['initiated']);
});
