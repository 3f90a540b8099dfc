import type { INodeParameters, IRunExecutionData } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { closedPort } from './helpers/otherServers';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const nobodyListens = async () => ({
	api: { baseUrl: await closedPort(), token: 'tk_nobody_listens' },
});
/** Ends where nobody listens, instead of trying again for a while. */
const impatient = { maxRetryWait: 0 };

/** The record of an execution in which a step before this node failed: nothing of this node is in it, and n8n offers Retry. */
async function failedBefore(): Promise<Finished> {
	const failed = await bench.run(bulk({ options: impatient }), rows, await nobodyListens());
	const data = JSON.parse(JSON.stringify(failed.data)) as IRunExecutionData;
	delete data.resultData.runData.Calls;
	delete data.resultData.error;
	data.executionData!.contextData = {};
	return { ...failed, data };
}

/** Nothing is remembered over runs, so retries have nothing but themselves. */
const rows = contacts(12);

describe('G4 Retry of one execution, more than once', () => {
	it('G4 a second Retry of an execution that failed before this node calls nobody again', async () => {
		const first = await failedBefore();
		const once = await bench.run(bulk(), rows, { retryOf: first });
		const twice = await bench.run(bulk(), rows, { retryOf: first });
		expect(once.called).toHaveLength(12);
		expect(bench.dialed).toHaveLength(12);
		expect(twice.notCalled.map(({ json }) => json.status)).toEqual(
			Array(12).fill('already_called'),
		);
	});

	it('G4 two Retries at the same moment dial each number once', async () => {
		const first = await failedBefore();
		await Promise.all([
			bench.run(bulk(), rows, { retryOf: first }),
			bench.run(bulk(), rows, { retryOf: first }),
		]);
		expect([...bench.dialed].sort()).toEqual(rows.map((row) => row.phone));
	});

	it('G4 a Retry of an execution that broke off, and one more, call only the rest', async () => {
		bench.sandbox.fault({ kind: 'gateway', route: 'bulk', after: 1 });
		const first = await bench.run(bulk({ options: { parallelRequests: 1 } }), contacts(30));
		expect(first.error).toBeDefined();
		bench.sandbox.clearFaults();
		await bench.run(bulk(), contacts(30), { retryOf: first });
		await bench.run(bulk(), contacts(30), { retryOf: first });
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G4 with a call for each row, retries of different executions know a row as the same', async () => {
		const each = bulk({ options: { duplicates: 'callEach', parallelRequests: 1, ...impatient } });
		const two = [
			{ phone: phone(1), name: 'Ada' },
			{ phone: phone(1), name: 'Bob' },
		];
		const first = await bench.run(each, two, await nobodyListens());
		const second = await bench.run(each, two, { retryOf: first, ...(await nobodyListens()) });
		await bench.run(each, two, { retryOf: second });
		await bench.run(each, two, { retryOf: first });
		await bench.run(bulk(), two, { retryOf: first });
		expect(bench.dialed).toEqual([phone(1), phone(1)]);
	});

	describe.each(['callAgain', 'skip'])(
		'with a call for each row: one is refused alone, the next called, and the run ends (People Called Before: %s)',
		(calledBefore) => {
			const orders = ['refused', 'called', 'not sent'].map((order) => ({ phone: phone(1), order }));
			const each = (more: INodeParameters = {}): INodeParameters =>
				bulk({
					calledBefore,
					variablesFrom: 'json',
					promptVariablesJson: '={{ ({ order: $json.order }) }}',
					options: { duplicates: 'callEach', parallelRequests: 1, maxRetryWait: 0 },
					...more,
				});
			const calledFor = (): unknown[] =>
				bench.sandbox.journal.map(({ variables }) => variables.order);
			/** A try in which the first row is refused, the second called, and the third meets the daily limit. */
			const broken = async (retryOf: Finished): Promise<Finished> => {
				bench.sandbox.fault({
					kind: 'respond',
					status: 400,
					body: { success: false, error: 'Odd' },
					times: 1,
				});
				bench.sandbox.settings.dailyLimit = 1;
				const ended = await bench.run(each(), orders, { retryOf });
				bench.sandbox.clearFaults();
				delete bench.sandbox.settings.dailyLimit;
				expect(ended.error).toBeDefined();
				expect(calledFor()).toEqual(['called']);
				return ended;
			};
			const first = async (): Promise<Finished> =>
				await bench.run(each(), orders, await nobodyListens());

			it('G4 the Retry of that Retry calls the rows that were not called, and shows the one that was', async () => {
				const retried = await bench.run(each(), orders, { retryOf: await broken(await first()) });
				expect(retried.json.map(({ status }) => status)).toEqual([
					'initiated',
					'initiated',
					'initiated',
				]);
				expect(calledFor()).toEqual(['called', 'refused', 'not sent']);
			});

			it('G4 another Retry of the first execution calls the rows that were not called, and no others', async () => {
				const root = await first();
				await broken(root);
				const sibling = await bench.run(each(), orders, { retryOf: root });
				expect(sibling.json.map(({ status }) => status)).toEqual(
					calledBefore === 'skip'
						? Array(3).fill('already_called')
						: ['initiated', 'already_called', 'initiated'],
				);
				// The memory knows the number, and not for which of its rows it was called.
				const called = calledBefore === 'skip' ? ['called'] : ['called', 'refused', 'not sent'];
				expect(calledFor()).toEqual(called);
				await bench.run(each(), orders, { retryOf: root });
				expect(calledFor()).toEqual(called);
			});

			it('G4 another Retry of the first execution calls them once the number was forgotten', async () => {
				const root = await first();
				await broken(root);
				await bench.run(
					{ resource: 'memory', operation: 'forget', forgetWhat: 'people', people: phone(1) },
					[{}],
				);
				await bench.run(each(), orders, { retryOf: root });
				expect(calledFor()).toEqual(['called', 'refused', 'not sent']);
			});

			it('G4 both at the same moment call each row once', async () => {
				const root = await first();
				const ended = await broken(root);
				await Promise.all(
					[root, ended, ended].map(async (retryOf) => await bench.run(each(), orders, { retryOf })),
				);
				expect([...new Set(calledFor())].length).toBe(calledFor().length);
			});
		},
	);

	it('G4 Retries of two executions that began in the same millisecond know nothing of each other', async () => {
		const one = await failedBefore();
		const other = { ...one, data: { ...one.data, resumeToken: 'other' } };
		one.data.resumeToken = 'one';
		await bench.run(bulk(), rows, { retryOf: one });
		await bench.run(bulk(), rows, { retryOf: other });
		await bench.run(bulk(), rows, { retryOf: one });
		expect(bench.dialed).toHaveLength(24);
	});

	it.each([
		['Bulk Call', bulk(), 12],
		['Bulk Call with Max Calls', bulk({ options: { maxCalls: 5 } }), 5],
	])(
		'G4 %s: a Retry that cannot reach the database calls nobody and says so; the next one calls',
		async (_, parameters, calls) => {
			const first = await failedBefore();
			const again = { retryOf: first, withSavedWorkflow: true };
			store.outOfOrder = 'database is locked';
			const refused = await bench.run(parameters, rows, {
				...again,
				onError: 'continueRegularOutput',
			});
			expect(bench.sandbox.requests).toEqual([]);
			expect(
				new Set(refused.json.map(({ status, reason }) => JSON.stringify([status, reason]))),
			).toEqual(
				new Set([
					JSON.stringify([
						'refused',
						'n8n’s memory of the people called could not be used (database is locked). A Retry asks it whom other retries of the same execution have called. Press Retry once more in a moment. If it stays so, ask whoever runs this n8n to look at its database.',
					]),
				]),
			);
			const stopped = await bench.run(parameters, rows, again);
			// Max Calls asks for all rows before the first request, the memory for those of the first.
			const asked =
				calls === 12 ? '10 refused, 2 not sent). Rows 1 to 10' : '12 refused). Rows 1 to 12';
			expect(shown(stopped).message).toBe(
				`12 rows: 0 called, 12 not called (${asked} were not called: n8n’s memory of the people called could not be used (database is locked)${calls === 12 ? '. Rows 11 and 12 were not sent' : ''}`,
			);
			expect(bench.sandbox.requests).toEqual([]);
			store.outOfOrder = undefined;
			await bench.run(parameters, rows, again);
			expect(bench.dialed).toHaveLength(calls);
		},
	);

	it.each([
		['Bulk Call', {}, 12],
		['Bulk Call with Max Calls', { maxCalls: 5 }, 5],
	])(
		'G4 %s: two Retries know of each other also when Share Memory With was changed in between',
		async (_, options, calls) => {
			const first = await failedBefore();
			const again = { retryOf: first, withSavedWorkflow: true };
			await bench.run(bulk({ options }), rows, again);
			await bench.run(bulk({ options: { ...options, memoryOf: 'node' } }), rows, again);
			expect(bench.dialed).toHaveLength(calls);
		},
	);

	describe.each([
		['deleted and added again under its name', { nodeId: 'added again' }],
		['renamed', { nodeName: 'Renamed' }],
		['not changed', {}],
	])('Retry with the saved workflow, in which the node was %s', (_, change) => {
		const many = contacts(30);
		const slow = { parallelRequests: 1, maxRetryWait: 0 };
		const saved = { ...change, withSavedWorkflow: true };
		const brokenOff = async (
			parameters: INodeParameters,
			more: Parameters<typeof bench.run>[2] = {},
		): Promise<Finished> => {
			bench.sandbox.fault({ kind: 'gateway', route: 'bulk', after: 1 });
			const ended = await bench.run(parameters, many, more);
			bench.sandbox.clearFaults();
			expect(ended.error).toBeDefined();
			return ended;
		};

		it('G4 calls nobody whom another Retry of the execution called', async () => {
			const first = await failedBefore();
			await brokenOff(bulk({ options: slow }), { retryOf: first });
			const called = bench.dialed.length;
			expect(called).toBeGreaterThanOrEqual(10);
			const { json } = await bench.run(bulk(), many, { retryOf: first, ...saved });
			expect(json.slice(0, 10).map(({ status }) => status)).toEqual(
				Array(10).fill('already_called'),
			);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
			// And the other way round.
			await bench.run(bulk(), many, { retryOf: first });
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});

		it.each(['skip', 'callAgain'])(
			'G4 Max Calls is that of the execution and its Retry (People Called Before: %s)',
			async (calledBefore) => {
				const parameters = bulk({ calledBefore, options: { ...slow, maxCalls: 12 } });
				const first = await brokenOff(parameters);
				await bench.run(parameters, many, { retryOf: first, ...saved });
				expect(bench.dialed.length).toBeLessThanOrEqual(12);
			},
		);

		it('G4 whom one Retry called within Max Calls comes out as called in another one, not as beyond the limit', async () => {
			const parameters = bulk({ options: { maxCalls: 7 } });
			const first = await failedBefore();
			await bench.run(parameters, many, { retryOf: first, ...saved });
			expect(bench.dialed).toHaveLength(7);
			const { json } = await bench.run(parameters, many, { retryOf: first, ...saved });
			const called = json
				.filter(({ status }) => status === 'already_called')
				.map(({ destination }) => destination);
			expect(called).toEqual(bench.dialed);
			expect(json.slice(7).map(({ status }) => status)).toEqual(
				json.slice(7).map(() => 'limit_reached'),
			);
		});

		it('G4 Max Calls is that of all Retries of the execution together', async () => {
			const parameters = bulk({ options: { ...slow, maxCalls: 12 } });
			const first = await failedBefore();
			await bench.run(parameters, many.slice(0, 7), { retryOf: first });
			await bench.run(parameters, many.slice(7), { retryOf: first, ...saved });
			expect(bench.dialed).toHaveLength(12);
		});
	});

	it('G4 a copy of the node in the same workflow is another node: a Retry calls by both', async () => {
		const first = await failedBefore();
		await bench.run(bulk(), rows, { retryOf: first });
		await bench.run(bulk({ options: { maxCalls: 12 } }), rows, {
			retryOf: first,
			nodeId: 'copy',
			nodeName: 'Copy',
			withSavedWorkflow: true,
		});
		expect(bench.dialed).toHaveLength(24);
	});

	it('G8 a Retry that learns that a call of an earlier try was cancelled before it was dialed frees nobody; Forget People does', async () => {
		const { sandbox } = bench;
		Object.assign(sandbox.settings, { dialAfterMs: 3_600_000, dailyLimit: 1 });
		const skipping = bulk({
			calledBefore: 'skip',
			options: { parallelRequests: 1, maxRetryWait: 0 },
		});
		const two = contacts(2);
		const stopped = await bench.run(
			{ ...skipping, operation: 'placeCall', destination: '={{ $json.phone }}' },
			two,
		);
		expect(stopped.error).toBeDefined();
		const { consentId } = sandbox.journal[0]!;
		await fetch(`${sandbox.baseUrl}/consents/${consentId}/cancel`, {
			method: 'POST',
			headers: { authorization: `Bearer ${sandbox.token}` },
		});
		Object.assign(sandbox.settings, { dialAfterMs: 0, dailyLimit: undefined });
		const waiting = {
			...skipping,
			operation: 'placeCall',
			destination: '={{ $json.phone }}',
			waitUntil: 'dialed',
			pollInterval: 1,
		};
		const retried = await bench.run(waiting, two, { retryOf: stopped, withSavedWorkflow: true });
		expect(retried.json.map(({ record_status }) => record_status)).toEqual(['cancelled', 'called']);
		expect((await bench.run(skipping, two)).json.map(({ status }) => status)).toEqual([
			'already_called',
			'already_called',
		]);
		await bench.run(
			{ resource: 'memory', operation: 'forget', forgetWhat: 'people', people: two[0]!.phone },
			[{}],
		);
		expect((await bench.run(skipping, two)).json.map(({ status }) => status)).toEqual([
			'initiated',
			'already_called',
		]);
	});

	it('a new run of the workflow is no retry: it calls everybody', async () => {
		await bench.run(bulk(), rows);
		const first = Date.now();
		while (Date.now() === first) await new Promise(setImmediate);
		await bench.run(bulk(), rows);
		expect(bench.dialed).toHaveLength(24);
	});
});

describe('G4 two Retries of an execution that failed before its loop, in which a person stands in another round by then', () => {
	/** The record of that execution, with the rows that the step before the loop has read by now. */
	async function failedBeforeLoop(): Promise<(now: INodeParameters[]) => Finished> {
		const failed = await bench.run(bulk({ options: impatient }), rows, {
			batchSize: 4,
			...(await nobodyListens()),
		});
		const { resultData, executionData } = failed.data;
		delete resultData.runData.Calls;
		delete resultData.runData.Loop;
		delete resultData.error;
		resultData.lastNodeExecuted = 'Start';
		executionData!.contextData = {};
		const { node } = executionData!.nodeExecutionStack[0]!;
		const loop = {
			...node,
			id: 'Loop',
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			parameters: { rounds: 1, batchSize: 4 },
		};
		return (now) => {
			const main = [now.map((json, item) => ({ json, pairedItem: { item } }))];
			executionData!.nodeExecutionStack = [
				{ node: loop, data: { main }, source: { main: [{ previousNode: 'Start' }] } },
			];
			return { ...failed, data: JSON.parse(JSON.stringify(failed.data)) as IRunExecutionData };
		};
	}
	const again = bulk({ options: impatient });

	it.each<[string, INodeParameters[], number]>([
		['nothing was changed', rows, 4],
		['a row was added on top', [{ phone: phone(90) }, ...rows], 4],
		['the rounds are smaller', rows, 3],
		['the loop was taken out', rows, rows.length],
	])('nobody is called again: %s', async (_, now, batchSize) => {
		const first = await failedBeforeLoop();
		bench.sandbox.settings.dailyLimit = 8;
		const once = await bench.run(again, rows, {
			batchSize: 4,
			retryOf: first(rows),
			withSavedWorkflow: true,
		});
		expect(once.error).toBeDefined();
		expect(bench.dialed).toHaveLength(8);
		delete bench.sandbox.settings.dailyLimit;
		await bench.run(again, now, { batchSize, retryOf: first(now), withSavedWorkflow: true });
		expect([...bench.dialed].sort()).toEqual(now.map((row) => row.phone).sort());
	});

	it('whoever stands in two rounds is called twice by both together', async () => {
		const first = await failedBeforeLoop();
		const two = [
			{ phone: phone(1), name: 'Ada' },
			{ phone: phone(2) },
			{ phone: phone(3) },
			{ phone: phone(1), name: 'Ada' },
		];
		bench.sandbox.settings.dailyLimit = 2;
		await bench.run(again, two, { batchSize: 2, retryOf: first(two), withSavedWorkflow: true });
		delete bench.sandbox.settings.dailyLimit;
		for (const batchSize of [2, 1])
			await bench.run(again, two, { batchSize, retryOf: first(two), withSavedWorkflow: true });
		expect([...bench.dialed].sort()).toEqual([phone(1), phone(1), phone(2), phone(3)]);
	});
});
