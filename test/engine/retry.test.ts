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
storeForEach();

const oneLane = { options: { parallelRequests: 1, maxRetryWait: 0 } };
const statuses = (rows: Array<{ status?: unknown }>): unknown[] => rows.map(({ status }) => status);
const initiated = (count: number) => Array<string>(count).fill('initiated');
const ledgerOf = ({ data }: Finished): unknown =>
	(data.executionData?.contextData['node:Calls'] as { outboundCallsLedger?: unknown } | undefined)
		?.outboundCallsLedger;

/** An execution that the daily limit ends after so many calls. */
async function brokenOff(
	dailyLimit: number,
	parameters: INodeParameters,
	items: ReturnType<typeof contacts>,
): Promise<Finished> {
	bench.sandbox.settings.dailyLimit = dailyLimit;
	const stopped = await bench.run(parameters, items);
	delete bench.sandbox.settings.dailyLimit;
	expect(stopped.error).toBeDefined();
	return stopped;
}

describe('G4 Retry is safe', () => {
	it('G4 the Retry button calls only the rows that were not placed, and returns the outcome of the others', async () => {
		const items = contacts(1_000);
		const stopped = await brokenOff(230, bulk(), items);
		const { message, description } = shown(stopped);
		expect(message).toMatch(/daily call limit.*230 of 1,000 rows called/i);
		expect(description).toMatch(/press Retry/);
		expect(bench.dialed).toHaveLength(230);

		const retried = await bench.run(bulk(), items, { retryOf: stopped });
		expect(bench.dialed).toHaveLength(1_000);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		const records = new Map(bench.sandbox.journal.map((dial) => [dial.phone, dial.consentId]));
		expect(retried.json.map((row) => [row.destination, row.consent_id])).toEqual(
			items.map(({ phone: number }) => [number, records.get(number)]),
		);
	});

	it('G4 Retry On Fail does not stop again at a row without a clear answer, and calls nobody twice', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
		const run = await bench.run(bulk(oneLane), contacts(25), { retry: { tries: 3, waitMs: 1 } });
		expect(run.error).toBeUndefined();
		expect(statuses(run.json)).toEqual([
			...initiated(10),
			...Array<string>(10).fill('unknown'),
			...initiated(5),
		]);
		expect(run.json[10]?.reason).toMatch(/may have been placed/);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(3);
	});

	it('G4 Place Call returns the recorded answer of a placed call and places only the others', async () => {
		bench.sandbox.fault({ kind: 'hangAfter', route: 'call', after: 2, times: 1 });
		const parameters = place({ options: { parallelRequests: 1, timeout: 1 } });
		const stopped = await bench.run(parameters, contacts(5));
		expect(shown(stopped).message).toMatch(/^Row 3 .*without a clear answer.*2 of 5 rows called/);
		const retried = await bench.run(parameters, contacts(5), { retryOf: stopped });
		expect(retried.json.map(({ status, call_id: id }) => [status, typeof id])).toEqual([
			['initiated', 'string'],
			['initiated', 'string'],
			['unknown', 'object'],
			['initiated', 'string'],
			['initiated', 'string'],
		]);
		expect(bench.dialed).toEqual(contacts(5).map((row) => row.phone));
	});

	it('G4 whoever certainly was not called is called by Retry, whatever the API said of them', async () => {
		for (const [n, status] of (['failed', 'locked', 'skipped', 'rate_limited'] as const).entries())
			bench.sandbox.destinationOutcome.set(phone(n), { status, error: 'Not now', times: 1 });
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1, times: 1 });
		const stopped = await bench.run(bulk(oneLane), contacts(12));
		expect(bench.dialed).toHaveLength(6);
		const retried = await bench.run(bulk(oneLane), contacts(12), { retryOf: stopped });
		expect(statuses(retried.json)).toEqual(initiated(12));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G4 each person’s call is found again when the rows were changed before the Retry', async () => {
		const named = (name: string) => bulk({ promptVariables: assignments({ name }), ...oneLane });
		const stopped = await brokenOff(10, named('={{ $json.name }}'), contacts(15));
		const [next] = stopped.data.executionData?.nodeExecutionStack ?? [];
		const changed = [...contacts(15).reverse(), { phone: phone(99) }];
		next!.data.main![0] = changed.map((json, item) => ({ json, pairedItem: { item } }));
		const retried = await bench.run(named('Anew'), [], {
			retryOf: stopped,
			withSavedWorkflow: true,
		});
		expect(retried.json.map(({ destination }) => destination)).toEqual(
			changed.map((row) => row.phone),
		);
		expect(statuses(retried.json)).toEqual(initiated(16));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(16);
	});

	it('G2 rows of one person share the call of an earlier try', async () => {
		const items = [...contacts(12), ...contacts(1)];
		const stopped = await brokenOff(10, bulk(oneLane), items);
		const retried = await bench.run(bulk(oneLane), items, { retryOf: stopped });
		expect(statuses(retried.json)).toEqual([...initiated(12), 'duplicate']);
		expect(retried.json[12]).toMatchObject({
			called: 'other_row',
			consent_id: retried.json[0]!.consent_id,
		});
		expect(bench.dialed).toHaveLength(12);
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'G4 a row that is refused alone does not make n8n run the node again: %s and Retry On Fail',
		async (onError) => {
			const parameters = bulk({
				agentNumber: AGENT_WITH_PROMPT,
				variablesFrom: 'json',
				promptVariablesJson:
					'={{ $itemIndex === 0 ? { name: "Ada" } : { name: "Ada", amount: 1 } }}',
				...oneLane,
			});
			const run = await bench.run(parameters, contacts(4), {
				onError,
				retry: { tries: 3, waitMs: 1 },
			});
			expect(run.error).toBeUndefined();
			expect(statuses(run.json)).toEqual(['refused', ...initiated(3)]);
			expect(run.json[0]?.reason).toMatch(/amount/);
			expect(bench.sandbox.requests.map(({ status }) => status)).toEqual([400, 201]);
			expect(ledgerOf(run)).toBeUndefined();
		},
	);

	it('G4 a loop’s next round is no retry: the same numbers are called again', async () => {
		const run = await bench.run(bulk(), contacts(3), { rounds: 2 });
		expect(run.rounds.map((rows) => statuses(rows))).toEqual([initiated(3), initiated(3)]);
		expect(bench.dialed).toHaveLength(6);
	});

	it('G4 a retry in a loop’s second round calls the rest of the second, and nobody of the first', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 3, times: 1 });
		const stopped = await bench.run(bulk(oneLane), contacts(15), { rounds: 2 });
		expect(shown(stopped).message).toMatch(/^Rows 11 to 15 were not called.*10 of 15 rows called/);
		const retried = await bench.run(bulk(oneLane), contacts(15), { rounds: 2, retryOf: stopped });
		expect(retried.error).toBeUndefined();
		const counts = new Map<string, number>();
		for (const number of bench.dialed) counts.set(number, (counts.get(number) ?? 0) + 1);
		expect([...counts.values()]).toEqual(Array(15).fill(2));
		expect(retried.rounds.map((rows) => rows.length)).toEqual([15, 15]);
	});

	const phones = contacts(15).map((row) => row.phone);
	it.each<[string, INodeParameters]>([
		[
			'a list',
			{
				destinationSource: 'list',
				destinationList: {
					destination: phones.map((number) => ({ phone: number, promptVariables: {} })),
				},
			},
		],
		['JSON', { destinationSource: 'json', destinationsJson: JSON.stringify(phones) }],
	])('G4 destinations from %s are not called again either', async (_, fields) => {
		const parameters = bulk({ ...fields, ...oneLane });
		bench.sandbox.settings.dailyLimit = 10;
		const stopped = await bench.run(parameters);
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(parameters, [{}], { retryOf: stopped });
		expect(statuses(retried.json)).toEqual(initiated(15));
		expect(bench.dialed).toEqual(phones);
	});

	it('G4 the record of a called person takes at most 200 bytes, and is gone once the output stands', async () => {
		const stopped = await brokenOff(500, bulk(), contacts(1_000));
		expect(JSON.stringify(ledgerOf(stopped)).length / 500).toBeLessThan(200);
		const retried = await bench.run(bulk(), contacts(1_000), { retryOf: stopped });
		expect(ledgerOf(retried)).toBeUndefined();
	});
});
