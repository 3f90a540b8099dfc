import type { IDataObject } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, shown, text } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const OWN = '+447400123456';
const goesOn = { onError: 'continueRegularOutput' } as const;
const routes = (): unknown[] => bench.sandbox.requests.map(({ route }) => route);
const statuses = (rows: IDataObject[]): unknown[] => rows.map(({ status }) => status);
/** What each number's call is known by. */
const ids = (): unknown[] =>
	bench.sandbox.journal.map(({ phone: number, consentId, batchId }) => [
		number,
		consentId,
		batchId,
	]);
const idsOf = (rows: IDataObject[]): unknown[] =>
	rows.map((row) => [row.destination, row.consent_id, row.batch_id]);
const leaveOut = (mode: 'missing' | 'allMissing' = 'missing', times?: number): void =>
	bench.sandbox.fault({
		kind: 'results',
		route: 'bulk',
		mode,
		...(times === undefined ? {} : { times }),
	});
const dialLater = (): void => {
	Object.assign(bench.sandbox.settings, { dialAfterMs: 3_600_000 });
};

describe('G5 a row that an answer leaves out is looked up in its batch', () => {
	it.each(['missing', 'allMissing'] as const)(
		'and comes out as placed, with its own record, for one listing (%s)',
		async (mode) => {
			leaveOut(mode);
			const { json, error } = await bench.run(bulk(), contacts(10));
			expect(error).toBeUndefined();
			expect(
				json.map(({ status, called, success, reason }) => [status, called, success, reason]),
			).toEqual(json.map(() => ['initiated', 'yes', true, null]));
			expect(idsOf(json)).toEqual(ids());
			expect(json.map(({ call_sid: sid }) => sid)).toEqual(
				bench.sandbox.journal.map(({ callSid }) => callSid),
			);
			expect(routes()).toEqual(['bulk', 'batch']);
		},
	);

	it('also where it is not dialed yet, because the answer counts no failure but those that it tells', async () => {
		dialLater();
		leaveOut();
		const { json } = await bench.run(bulk(), contacts(3));
		expect(json.map(({ status, call_sid: sid }) => [status, sid])).toEqual(
			json.map(() => ['initiated', null]),
		);
		expect(idsOf(json)).toEqual(ids());
	});

	it('and stays unknown, with its record, where the answer counts a failure that it does not tell', async () => {
		dialLater();
		leaveOut();
		bench.sandbox.destinationOutcome.set(phone(2), { status: 'skipped', error: 'Skipped' });
		const { json, hints } = await bench.run(bulk(), contacts(3), goesOn);
		expect(json.map(({ status, called }) => [status, called])).toEqual([
			['initiated', 'yes'],
			['initiated', 'yes'],
			['unknown', 'maybe'],
		]);
		expect(json[2]).toMatchObject({ consent_id: expect.any(Number), batch_id: expect.any(String) });
		expect(json[2]!.reason).toMatch(/left this row out, and its call record does not say whether/);
		expect(hints[0]!.message).toContain(
			', the API counted 1 not started, your table has 0. Compare ',
		);
	});

	it.each([
		[
			'the batch does not exist',
			{ kind: 'respond', status: 404, body: { success: false, error: 'Batch not found' } },
		],
		['the server has a page for it', { kind: 'gateway', status: 502 }],
		['the API asks to come back in an hour', { kind: 'rateLimited', retryAfter: 3_600 }],
		['the connection breaks', { kind: 'resetAfter' }],
		['it holds no records', { kind: 'pages', mode: 'none' }],
		['it holds records of nobody', { kind: 'pages', mode: 'strangers' }],
		['the answer is no batch', { kind: 'respond', body: { success: true, consents: 7 } }],
	] as const)('G3 a read that tells nothing changes nothing: %s', async (_, fault) => {
		leaveOut();
		bench.sandbox.fault({ ...fault, route: 'batch' });
		const { json } = await bench.run(bulk({ options: { maxRetryWait: 0 } }), contacts(3), {
			...goesOn,
			retry: { tries: 3, waitMs: 1 },
		});
		expect(statuses(json)).toEqual(['initiated', 'initiated', 'unknown']);
		expect(bench.dialed).toHaveLength(3);
		expect(routes()).toEqual(['bulk', 'batch']);
	});

	it('G3 an answer without the batch’s ID is looked up nowhere', async () => {
		const results = [
			{
				destination: phone(0),
				success: true,
				consent_id: 1,
				call_sid: 'CA1',
				status: 'initiated',
				error: null,
			},
		];
		bench.sandbox.fault({
			kind: 'respond',
			route: 'bulk',
			status: 201,
			body: { success: true, batch_id: '../consents/1', results },
			place: true,
		});
		const { json } = await bench.run(bulk(), contacts(2), goesOn);
		expect(statuses(json)).toEqual(['initiated', 'unknown']);
		expect(routes()).toEqual(['bulk']);
	});

	it('G7 a pause of the reads is waited for, as with any read', async () => {
		leaveOut();
		bench.sandbox.fault({ kind: 'rateLimited', route: 'batch', times: 1, retryAfter: 1 });
		const { json } = await bench.run(bulk(), contacts(3));
		expect(statuses(json)).toEqual(['initiated', 'initiated', 'initiated']);
		const [, first, second] = bench.sandbox.requests.map(({ at }) => at) as [
			number,
			number,
			number,
		];
		expect(second - first).toBeGreaterThanOrEqual(1_000);
	});

	it('and is waited for with the others', async () => {
		leaveOut();
		const { json } = await bench.run(bulk({ waitUntil: 'finished', pollInterval: 1 }), contacts(3));
		expect(json.map(({ status, reached, settled }) => [status, reached, settled])).toEqual(
			json.map(() => ['initiated', true, true]),
		);
	});

	it('whose call was cancelled meanwhile: a run that waits says so, and the person may be called again', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 3_600_000 });
		leaveOut('missing', 1);
		const parameters = bulk({
			calledBefore: 'skip',
			waitUntil: 'finished',
			pollInterval: 1,
			waitTimeout: 0,
		});
		bench.meanwhile = async ({ method, path }) => {
			if (method !== 'POST' || !path.endsWith('/bulk')) return;
			bench.meanwhile = undefined;
			const { consentId } = bench.sandbox.journal.at(-1)!;
			const headers = { authorization: `Bearer ${bench.sandbox.token}` };
			await fetch(`${bench.sandbox.baseUrl}/consents/${consentId}/cancel`, {
				method: 'POST',
				headers,
			});
		};
		const { json } = await bench.run(parameters, contacts(2));
		expect(
			json.map(({ status, reached, record_status: record }) => [status, reached, record]),
		).toEqual([
			['initiated', null, 'pending'],
			['initiated', false, 'cancelled'],
		]);
		const again = await bench.run(parameters, contacts(2));
		expect(statuses(again.json)).toEqual(['already_called', 'initiated']);
	});

	it('G8 is remembered as called; one that stays unknown keeps its place, too', async () => {
		const parameters = bulk({
			calledBefore: 'skip',
			options: { maxRetryWait: 0, callsPerPerson: { limit: [{ calls: 1, per: 'ever' }] } },
		});
		leaveOut();
		await bench.run(parameters, contacts(3));
		expect(statuses((await bench.run(parameters, contacts(3))).json)).toEqual(
			Array(3).fill('already_called'),
		);
		const others = contacts(6).slice(3);
		bench.sandbox.fault({ kind: 'gateway', route: 'batch' });
		expect(statuses((await bench.run(parameters, others, goesOn)).json)).toEqual([
			'initiated',
			'initiated',
			'unknown',
		]);
		expect(
			statuses((await bench.run({ ...parameters, calledBefore: 'callAgain' }, others)).json),
		).toEqual(Array(3).fill('limit_reached'));
		expect(store.size).toBeGreaterThan(0);
	});

	it('G4 a Retry keeps what was looked up, and calls the rest', async () => {
		leaveOut('missing', 1);
		bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
		const stopped = await bench.run(bulk({ options: { parallelRequests: 1 } }), contacts(20));
		expect(shown(stopped).message).toMatch(/^20 rows: 10 called, 10 not called/);
		const retried = await bench.run(bulk(), contacts(20), { retryOf: stopped });
		expect(idsOf(retried.json)).toEqual(ids());
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(routes().filter((route) => route === 'batch')).toHaveLength(1);
	});

	it('G4 a Retry keeps the record of one that stayed unknown', async () => {
		dialLater();
		leaveOut();
		bench.sandbox.destinationOutcome.set(phone(2), { status: 'locked', error: 'Locked' });
		const stopped = await bench.run(bulk(), contacts(3));
		expect(shown(stopped).message).toMatch(/^3 rows: 2 called, 1 may have been called/);
		const retried = await bench.run(bulk(), contacts(3), { retryOf: stopped });
		expect(retried.json[2]).toMatchObject({
			status: 'unknown',
			called: 'maybe',
			consent_id: expect.any(Number),
			success: false,
		});
		expect(bench.sandbox.requests.filter(({ route }) => route === 'bulk')).toHaveLength(1);
	});

	it('G10 Stop ends the look-up at once, and what it did not tell is unknown', async () => {
		leaveOut();
		bench.sandbox.fault({ kind: 'hangAfter', route: 'batch' });
		let stop = (): void => undefined;
		const run = bench.run(bulk(), contacts(3), { ...goesOn, onStarted: (it) => (stop = it) });
		while (!routes().includes('batch')) await new Promise((resolve) => setTimeout(resolve, 2));
		stop();
		const { json } = await run;
		expect(statuses(json)).toEqual(['initiated', 'initiated', 'unknown']);
		expect(routes()).toEqual(['bulk', 'batch']);
	});

	it('with the rows that share its call', async () => {
		leaveOut('allMissing');
		const { json } = await bench.run(bulk(), [...contacts(2), ...contacts(1)]);
		expect(statuses(json)).toEqual(['initiated', 'initiated', 'duplicate']);
		expect(json[2]!.consent_id).toBe(json[0]!.consent_id);
	});

	it('where each row is called, each has the record of its own call', async () => {
		leaveOut('allMissing');
		const rows = [...contacts(2), ...contacts(2)];
		const { json } = await bench.run(bulk({ options: { duplicates: 'callEach' } }), rows);
		expect(statuses(json)).toEqual(rows.map(() => 'initiated'));
		expect(new Set(json.map(({ consent_id: id }) => id)).size).toBe(4);
		expect(idsOf(json).sort()).toEqual(ids().sort());
	});

	it('the row of a test, too', async () => {
		leaveOut();
		const { json } = await bench.run(bulk({ mode: 'test', testNumber: OWN }), contacts(2));
		expect(json[0]).toMatchObject({ status: 'test_call', tested_at_number: OWN, success: true });
		expect(bench.dialed).toEqual([OWN]);
	});

	it('a dry run looks up nothing', async () => {
		leaveOut();
		await bench.run(bulk({ mode: 'dryRun' }), contacts(2));
		expect(routes()).toEqual([]);
	});
});

describe('the API’s own counts', () => {
	const difference = ({ hints }: { hints: Array<{ message: string }> }): string[] =>
		hints
			.map(({ message }) => message)
			.join(' ')
			.match(/the API counted/g) ?? [];

	it('that differ from the rows are told once for the run, with the batches and what to do', async () => {
		bench.sandbox.fault({ kind: 'results', route: 'bulk', mode: 'miscounted' });
		const run = await bench.run(bulk(), contacts(20));
		expect(difference(run)).toHaveLength(1);
		expect(statuses(run.json)).toEqual(run.json.map(() => 'initiated'));
		const [first, second] = [...new Set(bench.sandbox.journal.map(({ batchId }) => batchId))];
		expect(text(run.hints[0]!.message)).toBe(
			`20 rows: 20 called, 0 not called. In 2 requests (batches ${first} and ${second}), the API counted 22 calls, your table has 20; 22 started, your table has 20. Compare them with Get Batch, or on the outbound calls page of your dashboard, before you call these people again.`,
		);
	});

	it('that agree, or are not there, are not spoken of', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'No' });
		expect(difference(await bench.run(bulk(), contacts(3)))).toEqual([]);
		const results = [
			{
				destination: phone(0),
				success: true,
				consent_id: 1,
				call_sid: 'CA1',
				status: 'initiated',
				error: null,
			},
		];
		const counts = { total: '9', succeeded: -1, failed: null };
		bench.sandbox.fault({
			kind: 'respond',
			route: 'bulk',
			status: 201,
			body: { success: true, ...counts, results },
			place: true,
		});
		expect(difference(await bench.run(bulk(), contacts(1)))).toEqual([]);
	});
});

describe('G9 what the API adds to a refusal', () => {
	it('is in the reason of each row: masked, on one line and not endless', async () => {
		const more = {
			error_type: `kind\n${bench.sandbox.token}`,
			detail: `Go\tto\u202e ${bench.sandbox.token} <b>${'x'.repeat(5_000)}`,
		};
		bench.sandbox.fault({
			kind: 'respond',
			route: 'bulk',
			status: 422,
			body: { success: false, error: 'No', ...more },
		});
		const { json } = await bench.run(bulk(), contacts(20), goesOn);
		const reasons = [...new Set(json.map(({ reason }) => text(reason)))];
		expect(reasons).toEqual([
			expect.stringMatching(/\(No, category "kind \*\*\*"\).*The API adds: Go to \*\*\* <b>x+…\.$/),
		]);
		expect(reasons[0]!.length).toBeLessThan(700);
		// Only a limit has a category: it holds for the account.
		expect(routes()).toEqual(['bulk']);
	});

	it('is told also where the wait is too long', async () => {
		bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', retryAfter: 3_600 });
		const { json } = await bench.run(bulk(), contacts(1), goesOn);
		expect(json[0]!.reason).toMatch(
			/Wait 60 minutes first: .* The API adds: Request a higher daily limit on the outbound page of the dashboard\.$/,
		);
	});
});
