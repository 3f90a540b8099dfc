import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { laterDays } from './helpers/laterDays';
import { workbench } from './helpers/workbench';
import { assignments, bulk, phone, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const pageOf = (name: string): string =>
	readFileSync(path.join(__dirname, `../../docs/${name}.md`), 'utf8');
const page = pageOf('retry');

/** The key that the page shows for this purpose. */
function documentedKey(purpose: string): string {
	const key = new RegExp(`^\\| ${purpose}[^|]*\\|[^|]*?\`([^\`]*\\$json\\.[^\`]*)\``, 'm').exec(
		page,
	)?.[1];
	if (key === undefined) throw new Error(`docs/retry.md shows no key for each ${purpose}.`);
	return `=${key}`;
}

const live = (options: INodeParameters, more: INodeParameters = {}): INodeParameters =>
	bulk({ calledBefore: 'skip', ...more, options });
const forget = (people: string): INodeParameters => ({
	resource: 'memory',
	operation: 'forget',
	people,
});
const statuses = async (parameters: INodeParameters, rows: IDataObject[]): Promise<unknown[]> =>
	(await bench.run(parameters, rows, { onError: 'continueRegularOutput' })).json.map(
		({ status }) => status,
	);

describe('the same people again, as the documentation says', () => {
	const later = laterDays();

	it('for each month: once in a month, and in the next one again without another dry run', async () => {
		store.isOpen = false;
		const monthly = live({ callOnceKey: documentedKey('month') });
		const rows = [{ phone: phone(0) }];
		await bench.run({ ...monthly, mode: 'dryRun' }, rows);
		expect(await statuses(monthly, rows)).toEqual(['initiated']);
		expect(await statuses(monthly, rows)).toEqual(['already_called']);
		later.by = 32;
		expect(await statuses(monthly, rows)).toEqual(['initiated']);
	});

	it('for each appointment: the reason of already_called quotes the key that frees it', async () => {
		const daily = live({ callOnceKey: documentedKey('appointment') }, { defaultCountry: 'DE' });
		const may = [{ phone: '0171 2345678', date: '2026-05-04' }];
		expect(await statuses(daily, may)).toEqual(['initiated']);
		expect(await statuses(daily, [{ phone: '0171 2345678', date: '2026-06-08' }])).toEqual([
			'initiated',
		]);
		const { json } = await bench.run({ ...daily, mode: 'dryRun' }, may);
		expect(json[0]!.status).toBe('already_called');
		const [, key] = /\("([^"]*)" in Remember People By\)/.exec(json[0]!.reason as string)!;
		expect(key).toBe('+491712345678 2026-05-04');
		expect((await bench.run(forget(key!))).json).toMatchObject([{ forgotten: 1 }]);
		expect(await statuses(daily, may)).toEqual(['initiated']);
	});

	it('a family with two appointments on a day needs Call Each Row, and a limit that allows both calls', async () => {
		const family = (calls: number): INodeParameters =>
			live({
				callOnceKey: `${documentedKey('appointment')} {{ $json.time }}`,
				duplicates: 'callEach',
				callsPerPerson: { limit: [{ calls, per: 'day' }] },
			});
		const rows = (n: number): IDataObject[] =>
			['09:00', '10:00'].map((time) => ({ phone: phone(n), date: '2026-05-04', time }));
		expect(await statuses(family(1), rows(0))).toEqual(['initiated', 'limit_reached']);
		expect(await statuses(family(2), rows(1))).toEqual(['initiated', 'initiated']);
	});
});

it('the range of days for appointments passes those from tomorrow to four days ahead', async () => {
	const range = /`(\{\{ \$json\.date > [^`]*)`/.exec(pageOf('campaigns'))![1];
	const { now } = Date;
	// At noon UTC on a Friday, which is that day in all time zones that a test may run in.
	const offset = Date.UTC(2026, 10, 27, 12) - now.call(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now.call(Date) + offset);
	const dates = [
		'2026-11-26',
		'2026-11-27',
		'2026-11-28',
		'2026-12-01',
		'2026-12-02',
		'28.11.2026',
		'',
	];
	const promptVariables = assignments({ passes: `=${range}` });
	const { json } = await bench.run(
		bulk({ mode: 'dryRun', promptVariables, options: { duplicates: 'callEach' } }),
		dates.map((date, n) => ({ phone: phone(n), date })),
	);
	jest.restoreAllMocks();
	expect(json.map((row) => (row.prompt_variables as IDataObject).passes)).toEqual([
		'false',
		'false',
		'true',
		'true',
		'false',
		'false',
		'false',
	]);
});

describe('a wrong number, as the documentation says', () => {
	const wrong = [{ phone: phone(0), invoice_id: 'A-1' }];
	const corrected = [{ phone: phone(1), invoice_id: 'A-1' }];

	it.each([
		['the number', {}],
		['a key with the number in it', { callOnceKey: documentedKey('campaign') }],
	])('where people are remembered by %s, the corrected one is called', async (_, options) => {
		await bench.run(live(options), wrong);
		expect(await statuses(live(options), corrected)).toEqual(['initiated']);
	});

	it('where they are remembered by another key, it is called once that is forgotten', async () => {
		const keyed = live({ callOnceKey: documentedKey('invoice') });
		await bench.run(keyed, wrong);
		expect(await statuses(keyed, corrected)).toEqual(['already_called']);
		await bench.run(forget('A-1'));
		expect(await statuses(keyed, corrected)).toEqual(['initiated']);
		expect(bench.dialed).toEqual([phone(0), phone(1)]);
	});
});

it('a row whose words were not spoken is called by Call Each Row once its number is forgotten, and not before', async () => {
	const words = { promptVariables: assignments({ note: '={{ $json.note }}' }) };
	const rows = ['a', 'b'].map((note) => ({ phone: phone(0), note }));
	expect(await statuses(live({}, words), rows)).toEqual(['initiated', 'same_number']);
	const each = live({ duplicates: 'callEach' }, words);
	expect(await statuses(each, rows)).toEqual(['already_called', 'already_called']);
	await bench.run(forget(phone(0)));
	expect(await statuses(each, rows.slice(1))).toEqual(['initiated']);
});

describe('one row at a time, with Stop Workflow', () => {
	it('an invalid one ends the run', async () => {
		expect(shown(await bench.run(live({}), [{ phone: 'none' }])).message).toContain(
			'Row 1: the destination "none" is not a phone number',
		);
	});

	it.each<[string, INodeParameters]>([
		['do_not_call', { doNotCall: phone(0) }],
		['limit_reached', { maxCalls: 0 }],
		[
			'outside_hours',
			{
				noCallDates: [0, 1]
					.map((day) => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10))
					.join(),
				timeZone: 'UTC',
			},
		],
	])('one that is held back comes out (%s)', async (status, options) => {
		const { error, json } = await bench.run(live(options), [{ phone: phone(0) }]);
		expect([error, json.map((row) => row.status)]).toEqual([undefined, [status]]);
	});

	it('one that was called before comes out', async () => {
		await bench.run(live({}), [{ phone: phone(0) }]);
		const { error, json } = await bench.run(live({}), [{ phone: phone(0) }]);
		expect([error, json.map((row) => row.status)]).toEqual([undefined, ['already_called']]);
	});
});

it.each([
	['stopWorkflow', 1],
	['continueRegularOutput', 3],
] as const)(
	'with %s, a request without a clear answer lets %s of three requests leave',
	async (onError, requests) => {
		bench.sandbox.fault({ kind: 'gateway', route: 'bulk' });
		const rows = Array.from({ length: 30 }, (_, n) => ({ phone: phone(n) }));
		await bench.run(bulk({ options: { parallelRequests: 1, maxRetryWait: 0 } }), rows, { onError });
		expect(bench.sandbox.requests).toHaveLength(requests);
	},
);
