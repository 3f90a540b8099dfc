import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultRule, OwnAnswer } from '../sandbox';
import { withClock, type ClockBench } from './helpers/clockBench';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { bulk, contacts, pairs, phone, place, shown } from './helpers/workflows';

/** Waits until the calls are ready, and reads as often as the node can. Each round takes 100 ms of the sandbox's time. */
const patient = { pollInterval: 1, waitTimeout: 60 };
const waits = (
	waitUntil: 'dialed' | 'finished',
	{ options, ...more }: INodeParameters = {},
): INodeParameters =>
	bulk({
		...patient,
		waitUntil,
		...more,
		options: { parallelRequests: 1, maxRetryWait: 0, ...(options as INodeParameters | undefined) },
	});

const goals = ['dialed', 'finished'] as const;
const settings = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const LONG = 3_600_000;

const moment = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
const readBatches = ({ sandbox }: ClockBench): string[] =>
	sandbox.requests
		.filter(({ route }) => route === 'batch')
		.map(({ path }) => path.replace(/^.*\/batches\//, ''));
const placements = ({ sandbox }: ClockBench): number =>
	sandbox.requests.filter(({ method }) => method === 'POST').length;
const jsonOf = (items: Finished['items']): IDataObject[] => items.map(({ json }) => json);
const ends = (rows: IDataObject[]): unknown[] =>
	rows.map(({ status, reached, settled }) => [status, reached, settled]);

/** How a row's call ended, as the node says it. */
const REACHED = {
	reached: true,
	conversation_id: expect.any(Number),
	auto_call_error: null,
	record_status: 'called',
	updated_at: expect.any(String),
	settled: true,
};
const NOTHING = {
	reached: null,
	conversation_id: null,
	auto_call_error: null,
	record_status: null,
	updated_at: null,
	settled: true,
};
const UNREAD = { ...NOTHING, settled: false };
const OPEN = { ...UNREAD, record_status: 'pending', updated_at: expect.any(String) };

/** A row whose call was started, with the record that the journal has of it. */
const started = ({ sandbox }: ClockBench, n: number): IDataObject => {
	const dial = sandbox.journal.find((each) => each.phone === phone(n))!;
	return {
		status: 'initiated',
		called: 'yes',
		reason: null,
		destination: phone(n),
		success: true,
		consent_id: dial.consentId,
		call_sid: null,
		batch_id: dial.batchId,
	};
};

/** The API's own cancelling, without the node. */
const cancelled = async ({ sandbox }: ClockBench, n: number): Promise<void> => {
	const { consentId } = sandbox.journal.find((dial) => dial.phone === phone(n))!;
	await fetch(`${sandbox.baseUrl}/consents/${consentId}/cancel`, {
		method: 'POST',
		headers: { authorization: `Bearer ${sandbox.token}` },
	});
};

/** Something that happens when the calls have been placed, before the node knows of them. */
const ifPlaced =
	(happens: () => Promise<void>) =>
	async ({ path }: OwnAnswer): Promise<void> => {
		if (path === '/calls/bulk') await happens();
	};

/** A run that was stopped, as by the Stop button, when its first batch had been read. */
async function stoppedWhileWaiting(
	bench: ClockBench,
	parameters: INodeParameters,
	rows: IDataObject[],
	more: object = {},
): Promise<Finished> {
	let stop = (): void => undefined;
	const run = bench.run(parameters, rows, { onStarted: (it) => (stop = it), ...more });
	while (readBatches(bench).length === 0 || bench.sandbox.inFlight > 0) await moment(2);
	stop();
	return await run;
}

describe('Bulk Call that waits for its calls', () => {
	it.concurrent.each(goals)('until each is %s: the rows say who was reached', async (waitUntil) => {
		await withClock(async (bench) => {
			// In the first round each call is one step short of what the node waits for. In the second round it is there.
			Object.assign(
				bench.sandbox.settings,
				waitUntil === 'dialed'
					? { dialAfterMs: 150, finishAfterMs: 100 }
					: { dialAfterMs: 50, finishAfterMs: 100 },
			);
			const { called, notCalled, error } = await bench.run(waits(waitUntil), contacts(3));
			expect(error).toBeUndefined();
			expect(jsonOf(called)).toEqual(
				[0, 1, 2].map((n) => ({
					...started(bench, n),
					...(waitUntil === 'finished'
						? REACHED
						: { ...NOTHING, record_status: 'called', updated_at: expect.any(String) }),
				})),
			);
			expect(Object.keys(called[0]!.json)).toEqual([
				'status',
				'called',
				'reached',
				'reason',
				'destination',
				'success',
				'consent_id',
				'call_sid',
				'batch_id',
				'conversation_id',
				'auto_call_error',
				'record_status',
				'updated_at',
				'settled',
			]);
			expect(pairs(called)).toEqual([0, 1, 2]);
			expect(notCalled).toEqual([]);
			const { batchId } = bench.sandbox.journal[0]!;
			expect(readBatches(bench)).toEqual([batchId, batchId]);
			expect(placements(bench)).toBe(1);
		});
	});

	it.concurrent(
		'does not wait where each call is there already, and reads each batch once',
		async () => {
			await withClock(async (bench) => {
				const { json } = await bench.run(waits('finished'), contacts(25));
				expect(ends(json)).toEqual(Array(25).fill(['initiated', true, true]));
				expect(readBatches(bench)).toEqual([
					...new Set(bench.sandbox.journal.map(({ batchId }) => batchId)),
				]);
				// Each row has the conversation of its own call.
				const conversations = json.map(
					({ conversation_id, consent_id }) => Number(conversation_id) - Number(consent_id),
				);
				expect(new Set(conversations).size).toBe(1);
			});
		},
	);

	it.concurrent('reads only those batches again whose calls are still open', async () => {
		await withClock(async (bench) => {
			// The first batch that is read is not visible yet.
			bench.sandbox.fault({
				kind: 'respond',
				route: 'batch',
				times: 1,
				status: 404,
				body: { success: false, error: 'Batch not found' },
			});
			const { json } = await bench.run(waits('finished'), contacts(25));
			const batches = [...new Set(bench.sandbox.journal.map(({ batchId }) => batchId))];
			expect(batches).toHaveLength(3);
			expect(readBatches(bench)).toEqual([...batches, batches[0]]);
			expect(ends(json)).toEqual(Array(25).fill(['initiated', true, true]));
		});
	});

	it.concurrent(
		'without Wait Until nothing is read, and the rows say nothing of what nobody looked at',
		async () => {
			await withClock(async (bench) => {
				const { json } = await bench.run(bulk({ ...patient }), contacts(2));
				expect(json).toEqual(
					[0, 1].map((n) => ({ ...started(bench, n), call_sid: expect.any(String) })),
				);
				expect(readBatches(bench)).toEqual([]);
			});
		},
	);

	it.concurrent('in a dry run nothing is read either', async () => {
		await withClock(async (bench) => {
			const { notCalled } = await bench.run({ ...waits('finished'), mode: 'dryRun' }, contacts(1));
			expect(Object.keys(notCalled[0]!.json)).toEqual([
				'status',
				'called',
				'reason',
				'destination',
				'request',
				'agent_number',
				'caller_number',
				'prompt_variables',
			]);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});

	it.concurrent('keeps the input’s fields, and those with a name of ours as input_…', async () => {
		await withClock(async (bench) => {
			const rows = [
				{
					phone: phone(0),
					name: 'Ada',
					reached: 'yesterday',
					settled: 'no',
					conversation_id: 'x',
					auto_call_error: 'y',
				},
			];
			const { json } = await bench.run(
				waits('finished', { options: { includeInputFields: true } }),
				rows,
			);
			expect(json).toEqual([
				{
					...started(bench, 0),
					call_sid: expect.any(String),
					phone: phone(0),
					name: 'Ada',
					input_reached: 'yesterday',
					input_settled: 'no',
					input_conversation_id: 'x',
					input_auto_call_error: 'y',
					...REACHED,
				},
			]);
		});
	});
});

describe('rows that there is nothing to wait for', () => {
	it.concurrent(
		'come out at once with the others: not called, sharing a call, or without a clear answer',
		async () => {
			await withClock(async (bench) => {
				bench.sandbox.destinationOutcome.set(phone(1), { status: 'skipped', error: 'Listed' });
				bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
				const rows = [...contacts(12), { phone: '12' }, contacts(1)[0]!];
				const { json, called, notCalled, hints } = await bench.run(waits('finished'), rows, {
					onError: 'continueRegularOutput',
				});
				expect(ends(json)).toEqual([
					['initiated', true, true],
					['skipped', null, true],
					...Array<unknown>(8).fill(['initiated', true, true]),
					['unknown', null, true],
					['unknown', null, true],
					['invalid', null, true],
					['duplicate', true, true],
				]);
				expect(json[13]).toEqual({
					...json[0],
					status: 'duplicate',
					reason: 'Same number as row 1',
				});
				expect(pairs(called)).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13]);
				expect(pairs(notCalled)).toEqual([1, 12]);
				expect(readBatches(bench)).toEqual([json[0]?.batch_id]);
				expect(hints.map(({ message }) => message)).toEqual([
					'14 rows: 9 people called (10 rows), 2 may have been called, 2 not called (1 skipped, 1 invalid); of 9 called: 9 reached, 0 not',
				]);
			});
		},
	);

	it.concurrent('also a row that shares the call of one that could not be dialed', async () => {
		await withClock(async (bench) => {
			bench.sandbox.destinationOutcome.set(phone(0), { status: 'failed', error: 'No route' });
			const { called, notCalled } = await bench.run(waits('finished'), [
				...contacts(1),
				...contacts(1),
			]);
			expect(called).toEqual([]);
			expect(jsonOf(notCalled)).toMatchObject([
				{ status: 'failed', ...NOTHING },
				{ status: 'duplicate', ...NOTHING },
			]);
			expect(readBatches(bench)).toEqual([]);
		});
	});

	it.concurrent('alone, nothing is read', async () => {
		await withClock(async (bench) => {
			bench.sandbox.destinationOutcome.set(phone(0), { status: 'skipped', error: 'Listed' });
			const { json } = await bench.run(waits('finished'), contacts(1));
			expect(json).toMatchObject([{ status: 'skipped', ...NOTHING }]);
			expect(readBatches(bench)).toEqual([]);
		});
	});
});

describe('the totals of a run that waited', () => {
	it.concurrent(
		'say how many were reached, how many not, and of how many nothing is known',
		async () => {
			await withClock(async (bench) => {
				bench.sandbox.settings.dialAfterMs = LONG;
				bench.meanwhile = () => {
					const { batchId } = bench.sandbox.journal[0]!;
					const [one, two, three, four, five] = bench.sandbox.journal.map(
						({ consentId: id, phone: number }) => ({ id, phone: number }),
					);
					const consents = [
						{ ...one, status: 'called', conversation_id: 71 },
						{ ...two, status: 'called', conversation_id: 72 },
						{ ...three, status: 'called', auto_call_error: 'No answer' },
						{ ...four, status: 'cancelled' },
						{ ...five, status: 'pending' },
					];
					bench.sandbox.fault({
						kind: 'respond',
						route: 'batch',
						status: 200,
						body: { success: true, batch_id: batchId, consents },
					});
				};
				const { json, hints } = await bench.run(
					waits('finished', { waitTimeout: 0.03 }),
					contacts(6),
				);
				expect(
					json.map(({ reached, conversation_id, auto_call_error, settled }) => [
						reached,
						conversation_id,
						auto_call_error,
						settled,
					]),
				).toEqual([
					[true, 71, null, true],
					[true, 72, null, true],
					[false, null, 'No answer', true],
					[false, null, null, true],
					[null, null, null, false],
					[null, null, null, false],
				]);
				expect(hints.map(({ message }) => message)).toEqual([
					'6 rows: 6 called, 0 not called; of 6 called: 2 reached, 2 not, 2 not known yet',
				]);
			});
		},
	);

	it.concurrent('count people: rows that share a call are one', async () => {
		await withClock(async (bench) => {
			const { hints } = await bench.run(waits('finished'), [...contacts(2), ...contacts(2)]);
			expect(hints.map(({ message }) => message)).toEqual([
				'4 rows: 2 people called (4 rows), 0 not called; of 2 called: 2 reached, 0 not',
			]);
		});
	});
});

describe('when the time is up', () => {
	it.concurrent.each(settings)(
		'with %s a row whose call is still open comes out with settled false',
		async (onError) => {
			await withClock(async (bench) => {
				bench.sandbox.settings.dialAfterMs = LONG;
				bench.meanwhile = ifPlaced(() => cancelled(bench, 1));
				const { called, notCalled, errorItems, error } = await bench.run(
					waits('dialed', { waitTimeout: 0.03 }),
					contacts(3),
					{ onError },
				);
				expect(error).toBeUndefined();
				expect(jsonOf(called)).toEqual([
					{ ...started(bench, 0), ...OPEN },
					{
						...started(bench, 1),
						...OPEN,
						reached: false,
						record_status: 'cancelled',
						settled: true,
					},
					{ ...started(bench, 2), ...OPEN },
				]);
				expect([...notCalled, ...errorItems]).toEqual([]);
				// At once, and when the time is up; in between as often as the Poll Interval allows (`unit/batches/poll` counts).
				expect(readBatches(bench).length).toBeGreaterThanOrEqual(2);
			});
		},
	);

	it.concurrent('with Wait Timeout 0 each batch is read once', async () => {
		await withClock(async (bench) => {
			bench.sandbox.settings.dialAfterMs = LONG;
			const { json } = await bench.run(waits('dialed', { waitTimeout: 0 }), contacts(12));
			expect(ends(json)).toEqual(Array(12).fill(['initiated', null, false]));
			expect(new Set(readBatches(bench)).size).toBe(2);
			expect(readBatches(bench)).toHaveLength(2);
		});
	});

	it.concurrent('a limit that asks for a longer wait does not hold the rows', async () => {
		await withClock(async (bench) => {
			bench.sandbox.fault({ kind: 'rateLimited', route: 'batch', retryAfter: 200 });
			const { json, error } = await bench.run(
				waits('dialed', { waitTimeout: 0.02, options: { maxRetryWait: 300 } }),
				contacts(2),
			);
			expect(error).toBeUndefined();
			expect(ends(json)).toEqual(Array(2).fill(['initiated', null, false]));
			// The test's own time limit is far below the wait that is asked for.
			expect(readBatches(bench).length).toBeGreaterThan(0);
		});
	});
});

describe('G5 what cannot be read while waiting never loses a row', () => {
	const later: Array<[string, FaultRule]> = [
		['a gateway’s page', { kind: 'gateway' }],
		['a reset', { kind: 'resetBefore' }],
		['429', { kind: 'rateLimited' }],
		['500', { kind: 'respond', status: 500, body: { success: false, error: 'Internal error' } }],
		['503', { kind: 'unavailable' }],
		['half an answer', { kind: 'truncated' }],
		[
			'404, because the batch is not visible yet',
			{ kind: 'respond', status: 404, body: { success: false, error: 'Batch not found' } },
		],
		[
			'a batch without the record, because that is not visible yet',
			{ kind: 'respond', status: 200, body: { success: true, consents: [] } },
		],
	];

	it.concurrent.each(later)('G5 after %s the calls are looked at again', async (_, fault) => {
		await withClock(async (bench) => {
			bench.sandbox.fault({ ...fault, route: 'batch', times: 1 });
			const { called, error } = await bench.run(waits('finished'), contacts(2));
			expect(error).toBeUndefined();
			expect(jsonOf(called)).toEqual(
				[0, 1].map((n) => ({ ...started(bench, n), call_sid: expect.any(String), ...REACHED })),
			);
			expect(readBatches(bench)).toHaveLength(2);
			expect(placements(bench)).toBe(1);
		});
	});

	const always: Array<[string, FaultRule]> = [
		...later,
		['401', { kind: 'unauthorized' }],
		['403', { kind: 'forbidden' }],
		['a redirect', { kind: 'redirect' }],
		['JSON that is no batch', { kind: 'respond', status: 200, body: { success: true } }],
		['a web page with status 200', { kind: 'respond', status: 200, body: '<html>Sign in</html>' }],
		[
			'records that are none',
			{ kind: 'respond', status: 200, body: { success: true, consents: [null, 7, 'x', [], {}] } },
		],
		['nothing', { kind: 'empty', status: 200 }],
	];

	it.concurrent.each(
		always.flatMap(([name, fault]) => settings.map((onError) => [name, onError, fault] as const)),
	)(
		'G5 %s again and again, with %s: every row comes out, still open',
		async (_name, onError, fault) => {
			await withClock(async (bench) => {
				bench.sandbox.settings.dialAfterMs = LONG;
				bench.sandbox.fault({ ...fault, route: 'batch' });
				const { called, notCalled, errorItems, error } = await bench.run(
					waits('finished', { waitTimeout: 0.002 }),
					contacts(12),
					{ onError },
				);
				expect(error).toBeUndefined();
				expect(jsonOf(called)).toEqual(
					contacts(12).map((_row, n) => ({ ...started(bench, n), ...UNREAD })),
				);
				expect(pairs(called)).toEqual(contacts(12).map((_row, n) => n));
				expect([...notCalled, ...errorItems]).toEqual([]);
				expect(placements(bench)).toBe(2);
			});
		},
	);

	it.concurrent('G5 what was read before stands, when later reads fail', async () => {
		await withClock(async (bench) => {
			bench.sandbox.settings.dialAfterMs = LONG;
			bench.sandbox.fault({ kind: 'gateway', route: 'batch', after: 1 });
			bench.meanwhile = ifPlaced(() => cancelled(bench, 0));
			expect(
				ends((await bench.run(waits('finished', { waitTimeout: 0.03 }), contacts(2))).json),
			).toEqual([
				['initiated', false, true],
				['initiated', null, false],
			]);
		});
	});
});

describe('G10 Stop during the wait', () => {
	it.concurrent.each([1, 3_600])(
		'G10 ends at once, also with a Poll Interval of %d seconds, and reads no more',
		async (pollInterval) => {
			await withClock(async (bench) => {
				bench.sandbox.settings.dialAfterMs = LONG;
				const stopped = await stoppedWhileWaiting(
					bench,
					waits('finished', { pollInterval, waitTimeout: 600 }),
					contacts(3),
				);
				const reads = readBatches(bench).length;
				await moment(1_300);
				expect(readBatches(bench)).toHaveLength(reads);
				expect([reads, placements(bench), stopped.outputStands]).toEqual([1, 1, true]);
			});
		},
	);

	it.concurrent.each(settings)(
		'G10 with %s nothing is thrown, and every row comes out with what is known',
		async (onError) => {
			await withClock(async (bench) => {
				bench.sandbox.settings.dialAfterMs = LONG;
				const stopped = await stoppedWhileWaiting(
					bench,
					waits('finished', { pollInterval: 3_600, waitTimeout: 600 }),
					contacts(3),
					{ onError },
				);
				expect(jsonOf(stopped.called)).toMatchObject(
					[0, 1, 2].map((n) => ({ ...started(bench, n), reached: null, settled: false })),
				);
				expect([...stopped.notCalled, ...stopped.errorItems]).toEqual([]);
				expect(readBatches(bench)).toHaveLength(1);
			});
		},
	);
});

describe('what waits with a memory', () => {
	storeForEach();

	it('G4 a Retry after a limit calls the rest and waits for all, also for those of the first try', async () => {
		await withClock(async (bench) => {
			Object.assign(bench.sandbox.settings, { dailyLimit: 10, dialAfterMs: 150 });
			const stopped = await bench.run(waits('finished'), contacts(15));
			expect(shown(stopped).message).toMatch(
				/^15 rows: 10 called, 5 not called \(5 refused\)\. Rows 11 to 15 were not called: /,
			);
			expect(readBatches(bench)).toEqual([]);
			delete bench.sandbox.settings.dailyLimit;
			const retried = await bench.run(waits('finished'), contacts(15), { retryOf: stopped });
			expect(jsonOf(retried.called)).toEqual(
				contacts(15).map((_, n) => ({ ...started(bench, n), ...REACHED })),
			);
			expect(bench.dialed).toEqual(contacts(15).map((row) => row.phone));
		});
	});

	/** The process is gone: the next run knows nothing of this one but what the database knows. */
	const remembers = (more: INodeParameters = {}): INodeParameters => {
		const { calledBefore: _, ...parameters } = waits('finished', more);
		return parameters;
	};

	it.each(settings)(
		'G8 with %s a new run dials nobody twice, and calls those who came in addition',
		async (onError) => {
			await withClock(async (bench) => {
				bench.sandbox.settings.dialAfterMs = LONG;
				await stoppedWhileWaiting(bench, remembers(), contacts(12), { onError });
				expect(placements(bench)).toBe(2);
				bench.sandbox.settings.dialAfterMs = 0;
				const next = await bench.run(remembers(), contacts(14), { onError });
				expect(jsonOf(next.notCalled)).toEqual(
					contacts(12).map(({ phone: destination }) => ({
						status: 'already_called',
						called: 'no',
						reason:
							'An earlier run of this workflow called this number, or may have. If this node has a purpose of its own, see its option Share Memory With.',
						destination,
						success: false,
						consent_id: null,
						call_sid: null,
						batch_id: null,
						...NOTHING,
					})),
				);
				expect(ends(jsonOf(next.called))).toEqual(Array(2).fill(['initiated', true, true]));
				expect(bench.dialed).toEqual(contacts(14).map((row) => row.phone));
				expect(next.hints.map(({ message }) => message)).toEqual([
					'14 rows: 2 called, 12 not called (12 called before); of 2 called: 2 reached, 0 not',
				]);
			});
		},
	);

	it('G8 killed while the calls were being started: nobody is dialed twice either', async () => {
		await withClock(async (bench) => {
			let stop = (): void => undefined;
			bench.meanwhile = () => {
				if (bench.sandbox.requests.length === 2) stop();
			};
			await bench.run(remembers({ options: { parallelRequests: 1 } }), contacts(30), {
				onStarted: (it) => (stop = it),
			});
			bench.meanwhile = undefined;
			const next = await bench.run(remembers(), contacts(30));
			expect(ends(next.json)).toEqual([
				...Array<unknown>(20).fill(['already_called', null, true]),
				...Array<unknown>(10).fill(['initiated', true, true]),
			]);
			expect(bench.dialed).toEqual(contacts(30).map((row) => row.phone));
		});
	});

	describe('G8 what was shown of a call once, and is not shown later', () => {
		const BATCH = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';
		const record = (n: number, more: object) => ({
			id: n + 1,
			phone: phone(n),
			status: 'called',
			auto_call_sid: `CA${n}`,
			...more,
		});
		/** An API whose looks at the batch show one after the other of these, the last one again and again. */
		const shows = ({ sandbox }: ClockBench, of: object, ...looks: object[][]): void => {
			const results = [0, 1].map((n) => ({
				destination: phone(n),
				success: true,
				status: 'initiated',
				consent_id: n + 1,
				call_sid: null,
				...of,
			}));
			sandbox.fault({
				kind: 'respond',
				route: 'bulk',
				status: 201,
				body: { success: true, batch_id: BATCH, results },
				times: 1,
			});
			looks.forEach((consents, look) => {
				const body = { success: true, batch_id: BATCH, consents };
				sandbox.fault({
					kind: 'respond',
					route: 'batch',
					status: 200,
					body,
					...(look < looks.length - 1 ? { times: 1 } : {}),
				});
			});
		};

		it('in the answer: who was dialed is not called again, though the record says cancelled and nothing of the call', async () => {
			await withClock(async (bench) => {
				const parameters = waits('finished', { calledBefore: 'skip', waitTimeout: 0.02 });
				shows(
					bench,
					{ call_sid: 'CA' },
					[0, 1].map((n) => record(n, { status: 'cancelled', auto_call_sid: null })),
				);
				await bench.run(parameters, contacts(2));
				bench.sandbox.clearFaults();
				expect((await bench.run(parameters, contacts(2))).json.map(({ status }) => status)).toEqual(
					['already_called', 'already_called'],
				);
			});
		});

		it('in an earlier look: who was dialed is not called again', async () => {
			await withClock(async (bench) => {
				const parameters = waits('finished', { calledBefore: 'skip', waitTimeout: 0.05 });
				const both = (more: object) => [0, 1].map((n) => record(n, more));
				shows(bench, {}, both({}), both({ status: 'cancelled', auto_call_sid: null }));
				await bench.run(parameters, contacts(2));
				bench.sandbox.clearFaults();
				expect((await bench.run(parameters, contacts(2))).json.map(({ status }) => status)).toEqual(
					['already_called', 'already_called'],
				);
			});
		});

		it('in an earlier look: who was reached comes out so, and is not called again', async () => {
			await withClock(async (bench) => {
				const parameters = waits('finished', {
					waitTimeout: 0.05,
					options: { stopWhenReached: true },
				});
				shows(
					bench,
					{},
					[record(0, { conversation_id: 5 }), record(1, {})],
					[record(0, {}), record(1, { auto_call_error: 'Busy' })],
				);
				const { json } = await bench.run(parameters, contacts(2));
				expect(json.map(({ reached, conversation_id: id }) => [reached, id])).toEqual([
					[true, 5],
					[false, null],
				]);
				bench.sandbox.clearFaults();
				expect((await bench.run(parameters, contacts(1))).json[0]!.status).toBe('limit_reached');
			});
		});
	});
});

const NOT_FOLLOWED =
	'The API’s answer does not name its call record, so this call cannot be followed. Your dashboard shows how it ended.';

describe('Place Call', () => {
	it('waits for its calls, too, where its answers hold the IDs', async () => {
		await withClock(async (bench) => {
			Object.assign(bench.sandbox.settings, { dialAfterMs: 50, finishAfterMs: 100 });
			const { json } = await bench.run(place({ ...patient, waitUntil: 'finished' }), contacts(2));
			expect(json).toMatchObject(
				[0, 1].map(() => ({ status: 'initiated', called: 'yes', ...REACHED })),
			);
			expect(Object.keys(json[0]!).slice(0, 4)).toEqual(['status', 'called', 'reached', 'reason']);
		});
	});

	it('has nothing to wait for where they do not', async () => {
		await withClock(async (bench) => {
			bench.sandbox.fault({ kind: 'respond', status: 201, body: { success: true, call_id: 'c' } });
			const { json } = await bench.run(place({ ...patient, waitUntil: 'finished' }), contacts(1));
			expect(json).toMatchObject([
				{ status: 'placed', called: 'yes', reason: NOT_FOLLOWED, call_id: 'c', ...NOTHING },
			]);
			expect(readBatches(bench)).toEqual([]);
		});
	});

	it('says so beside what the API says, and once for a call that rows share', async () => {
		await withClock(async (bench) => {
			bench.sandbox.fault({
				kind: 'respond',
				status: 201,
				body: { call_id: 'c', reason: 'Queued' },
			});
			const [row] = contacts(1);
			const { json } = await bench.run(place({ ...patient, waitUntil: 'finished' }), [row!, row!]);
			expect(json).toMatchObject([
				{ status: 'placed', reason: `Queued. ${NOT_FOLLOWED}` },
				{ status: 'duplicate', reason: 'Same number as row 1', ...NOTHING },
			]);
		});
	});
});

it.each<[string, object, string | null]>([
	['without a batch ID', { batch_id: null }, NOT_FOLLOWED],
	['with a batch ID that is none', { batch_id: 'b-1' }, NOT_FOLLOWED],
	['with the one that it has', {}, null],
])('a call of Bulk Call cannot be followed, and says so: %s', async (_, more, reason) => {
	await withClock(async (bench) => {
		const result = {
			destination: phone(0),
			success: true,
			status: 'initiated',
			consent_id: 1,
			call_sid: 'CA1',
			error: null,
		};
		const failed = {
			...result,
			destination: phone(1),
			success: false,
			status: 'failed',
			call_sid: null,
			error: 'Busy',
		};
		const body = {
			success: true,
			batch_id: '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e',
			results: [result, failed],
			...more,
		};
		bench.sandbox.fault({ kind: 'respond', route: 'bulk', status: 201, body });
		const { json } = await bench.run(waits('finished', { waitTimeout: 0.02 }), contacts(2));
		expect(json).toMatchObject([
			{ status: 'initiated', reached: null, reason },
			{ status: 'failed', reached: null, reason: 'Busy' },
		]);
	});
});

it('what the record of somebody else says is not told of a row', async () => {
	await withClock(async (bench) => {
		bench.sandbox.settings.dialAfterMs = LONG;
		const run = bench.run(waits('finished', { waitTimeout: 0.02 }), contacts(1));
		while (bench.sandbox.journal.length < 1) await moment(1);
		const { consentId: id, batchId } = bench.sandbox.journal[0]!;
		const consents = [{ id, phone: phone(7), status: 'called', conversation_id: 71 }];
		bench.sandbox.fault({
			kind: 'respond',
			route: 'batch',
			status: 200,
			body: { success: true, batch_id: batchId, consents },
		});
		expect((await run).json).toMatchObject([{ status: 'initiated', ...UNREAD }]);
	});
});
