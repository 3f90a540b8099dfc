import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { laterDays } from './helpers/laterDays';
import { workbench } from './helpers/workbench';
import { assignments, bulk, contacts, pairs, phone, place, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();
const later = laterDays();

const oneLane = { parallelRequests: 1, maxRetryWait: 0 };
const skip = (more: INodeParameters = {}): INodeParameters =>
	bulk({ calledBefore: 'skip', options: oneLane, ...more });
/** Once for each value, such as `={{ $json.visit }}`. */
const each = (onceForEach: unknown, more: INodeParameters = {}): INodeParameters =>
	bulk({
		calledBefore: 'onceForEach',
		onceForEach: onceForEach as string,
		options: oneLane,
		...more,
	});
const statuses = ({ json }: Finished): unknown[] => json.map(({ status }) => status);
const all = (count: number, status: string): string[] => Array<string>(count).fill(status);

describe('G8 Skip calls each person once, over all runs', () => {
	it('G8 executing twice calls only the people who are new', async () => {
		expect(statuses(await bench.run(skip(), contacts(12)))).toEqual(all(12, 'initiated'));
		const second = await bench.run(skip(), contacts(14));
		expect(statuses(second)).toEqual([...all(12, 'already_called'), ...all(2, 'initiated')]);
		expect(second.json[0]).toEqual({
			status: 'already_called',
			called: 'no',
			reason: expect.stringMatching(/before.*Once for Each/) as string,
			destination: phone(0),
			success: false,
			consent_id: null,
			call_sid: null,
			batch_id: null,
		});
		expect(pairs(second.items)).toEqual(contacts(14).map((_, n) => n));
		expect(bench.dialed).toEqual(contacts(14).map((row) => row.phone));
	});

	it('G8 Place Call and another node of the workflow know them, too', async () => {
		const parameters = place({ calledBefore: 'skip' });
		await bench.run(parameters, contacts(3));
		expect(statuses(await bench.run(parameters, contacts(3)))).toEqual(all(3, 'already_called'));
		expect(statuses(await bench.run(skip(), contacts(3), { nodeId: 'copy' }))).toEqual(
			all(3, 'already_called'),
		);
		expect(bench.dialed).toHaveLength(3);
	});

	it('G8 every row of somebody who was called before is left out', async () => {
		await bench.run(skip(), contacts(1));
		const { json } = await bench.run(skip(), [...contacts(2), ...contacts(2)]);
		expect(json.map(({ status, called }) => [status, called])).toEqual([
			['already_called', 'no'],
			['initiated', 'yes'],
			['already_called', 'no'],
			['duplicate', 'other_row'],
		]);
		expect(bench.dialed).toEqual([phone(0), phone(1)]);
	});

	it('G8 a second round of a loop calls nobody whom the first one called', async () => {
		const { rounds } = await bench.run(skip(), contacts(3), { rounds: 2 });
		expect(rounds.map((rows) => rows.map(({ status }) => status))).toEqual([
			all(3, 'initiated'),
			all(3, 'already_called'),
		]);
	});

	it('G8 25 executions at once with one number make one call', async () => {
		const runs = await Promise.all(
			Array.from({ length: 25 }, async () => await bench.run(skip(), contacts(1))),
		);
		expect(runs.flatMap(statuses).sort()).toEqual([...all(24, 'already_called'), 'initiated']);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('G8 executions at once with the same rows call each person once', async () => {
		const parameters = skip({ options: { ...oneLane, parallelRequests: 5 } });
		await Promise.all([1, 2, 3].map(async () => await bench.run(parameters, contacts(60))));
		expect([...bench.dialed].sort()).toEqual(contacts(60).map((row) => row.phone));
	});

	it('G8 people are entered a request at a time, not one by one', async () => {
		await bench.run(skip(), contacts(100));
		expect(store.writes).toBeLessThan(15);
	});

	it('G8 whoever certainly was not called is called by the next run', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', times: 1 });
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'locked', error: 'Locked', times: 1 });
		await bench.run(skip(), contacts(3));
		expect(store.size).toBe(0);
		expect(statuses(await bench.run(skip(), contacts(3)))).toEqual([
			'initiated',
			'locked',
			'initiated',
		]);
		expect(statuses(await bench.run(skip(), contacts(3)))).toEqual([
			'already_called',
			'initiated',
			'already_called',
		]);
	});

	it('G8 whoever may have been called is not called again', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		const unclear = await bench.run(skip(), contacts(3), { onError: 'continueRegularOutput' });
		expect(statuses(unclear)).toEqual(all(3, 'unknown'));
		expect(statuses(await bench.run(skip(), contacts(3)))).toEqual(all(3, 'already_called'));
		expect(bench.dialed).toHaveLength(3);
	});

	it('G10 stopped between two requests: the next run calls the rest', async () => {
		const watch: { stop?: () => void } = {};
		bench.meanwhile = () => {
			if (bench.dialed.length === 20) watch.stop!();
		};
		await bench.run(skip(), contacts(30), { onStarted: (stop) => (watch.stop = stop) });
		bench.meanwhile = undefined;
		await bench.run(skip(), contacts(30));
		expect(bench.dialed).toEqual(contacts(30).map((row) => row.phone));
	});

	it('G10 stopped while people are being entered: the next run calls them', async () => {
		const watch: { stop?: () => void } = {};
		store.written = () => watch.stop!();
		await bench.run(skip(), contacts(5), { onStarted: (stop) => (watch.stop = stop) });
		delete store.written;
		expect([bench.sandbox.requests.length, store.size]).toEqual([0, 0]);
		expect(statuses(await bench.run(skip(), contacts(5)))).toEqual(all(5, 'initiated'));
	});

	it('G4 G8 Retry keeps what was placed and calls the rest', async () => {
		bench.sandbox.settings.dailyLimit = 10;
		const stopped = await bench.run(skip(), contacts(15));
		expect(shown(stopped).message).toMatch(/^Rows 11 to 15 .*10 of 15 rows called, 5 not called/);
		expect(shown(stopped).description).toMatch(/press Retry/);
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(skip(), contacts(15), { retryOf: stopped });
		expect(statuses(retried)).toEqual(all(15, 'initiated'));
		expect(bench.dialed).toEqual(contacts(15).map((row) => row.phone));
	});
});

it('G8 Call Again without limits calls everybody in each run and never asks the database', async () => {
	store.outOfOrder = 'database is locked';
	for (let run = 0; run < 2; run++)
		expect(statuses(await bench.run(bulk(), contacts(3)))).toEqual(all(3, 'initiated'));
	expect(bench.dialed).toHaveLength(6);
});

describe('G8 Once for Each', () => {
	const visits = each('={{ $json.visit }}');
	const visit = (value: unknown, n = 0): IDataObject =>
		({ phone: phone(n), visit: value }) as IDataObject;

	it.each<[string, unknown, unknown, 'initiated' | 'already_called']>([
		['another appointment', 'A-1', 'A-2', 'initiated'],
		['the same one', 'A-1', 'A-1', 'already_called'],
		['the same one with capitals and blanks', 'A-1', ' a-1\n', 'already_called'],
		['the same one with invisible characters', 'A-1', '\u202aA\u200b-1\ufeff', 'already_called'],
		['the same number as text', 17, '17', 'already_called'],
	])('G8 %s: %j, then %j', async (_, first, second, status) => {
		await bench.run(visits, [visit(first)]);
		const { json } = await bench.run(visits, [visit(second)]);
		expect(json[0]).toMatchObject({ status, reason: expect.any(String) as string });
	});

	it('G8 one value is free for each person', async () => {
		await bench.run(visits, [visit('A-1')]);
		expect(statuses(await bench.run(visits, [visit('A-1', 1)]))).toEqual(['initiated']);
	});

	it('G8 a fixed word is a purpose of its own', async () => {
		const purposes = [each('reminder'), each('Survey'), skip()];
		for (const parameters of purposes.slice(0, 2))
			expect(statuses(await bench.run(parameters, contacts(2)))).toEqual(all(2, 'initiated'));
		for (const parameters of purposes)
			expect(statuses(await bench.run(parameters, contacts(2)))).toEqual(all(2, 'already_called'));
	});

	it.each<[string, string, unknown]>([
		['as text with an offset', '={{ $json.visit }}', '2026-12-01T09:30:00.000+01:00'],
		['as the date of a database', '={{ $json.visit }}', new Date('2026-12-01T08:30:00Z')],
		['as a date of n8n', '={{ DateTime.fromISO($json.visit) }}', '2026-12-01T03:30:00-05:00'],
		['within a text', '=Visit {{ $json.visit }}', new Date('2026-12-01T08:30:00Z')],
	])('G8 a date is one value, however it is handed over: %s', async (_, onceForEach, value) => {
		const isText = onceForEach.startsWith('=Visit');
		const utc = `${isText ? 'visit ' : ''}2026-12-01T08:30:00.000Z`;
		await bench.run(visits, [visit(utc)]);
		expect(statuses(await bench.run(each(onceForEach), [visit(value)]))).toEqual([
			'already_called',
		]);
	});

	it('G4 G8 a date is one value after a Retry, too, which has it as text', async () => {
		const rows = [0, 1].map((n) => visit(new Date(Date.UTC(2026, 11, 1, 9, 30, n, 250)), n));
		bench.sandbox.fault({ kind: 'dailyLimit', times: 1 });
		const stopped = await bench.run(visits, rows);
		const retried = await bench.run(visits, [], { retryOf: stopped });
		expect(statuses(retried)).toEqual(all(2, 'initiated'));
		expect(statuses(await bench.run(visits, rows))).toEqual(all(2, 'already_called'));
	});

	it('G8 for each month: again in the next one, without another dry run', async () => {
		store.isOpen = false;
		const monthly = each("={{ $now.toFormat('yyyy-MM') }}");
		await bench.run({ ...monthly, mode: 'dryRun' }, contacts(1));
		expect(statuses(await bench.run(monthly, contacts(1)))).toEqual(['initiated']);
		expect(statuses(await bench.run(monthly, contacts(1)))).toEqual(['already_called']);
		later.by = 32;
		expect(statuses(await bench.run(monthly, contacts(1)))).toEqual(['initiated']);
	});

	it.each<[string, unknown, RegExp]>([
		['a misspelled column', '={{ $json.vsiit }}', /^Once for Each /],
		['blanks in all rows', '={{ $json.blanks }}', /^Once for Each /],
		['an empty column', '={{ $json.empty }}', /Once for Each is empty/],
		['nothing', '', /Once for Each is empty/],
		['the time of the run', '={{ $now }}', /^Once for Each changes/],
		['a random value', '={{ $json.name + Math.random() }}', /^Once for Each changes/],
		['the ID of the execution', '={{ $execution.id }}', /^Once for Each .*execution/],
		['the row number', '={{ $json.row_number }}', /^Once for Each .*row number/],
	])('G8 %s calls nobody, live or dry: %s', async (_, onceForEach, message) => {
		const rows = contacts(2).map((row, n) => ({
			...row,
			row_number: n + 2,
			blanks: '  ',
			empty: '',
		}));
		const parameters = each(onceForEach);
		expect(shown(await bench.run(parameters, rows)).message).toMatch(message);
		const dry = await bench.run({ ...parameters, mode: 'dryRun' }, rows, {
			onError: 'continueRegularOutput',
		});
		expect(dry.json.map(({ status }) => status)).not.toContain('dry_run');
		expect([bench.dialed, store.size]).toEqual([[], 0]);
	});

	it('a column that equals the row number in some rows is a value', async () => {
		const rows = [2, 7].map((id, n) => ({ phone: phone(n), id, row_number: n + 2 }));
		expect(statuses(await bench.run(each('={{ $json.id }}'), rows))).toEqual(all(2, 'initiated'));
	});

	it('G2 G8 a person with two values gets one call per run; the next run makes the other one', async () => {
		const rows = [visit('A-1'), visit('A-2')];
		const { json } = await bench.run(visits, rows);
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'duplicate']);
		expect(json[1]!.reason).toMatch(/row 1.*next run/i);
		expect(statuses(await bench.run(visits, rows))).toEqual(['already_called', 'initiated']);
		expect(bench.dialed).toEqual([phone(0), phone(0)]);
	});

	it('G8 Skip knows whom Once for Each has called', async () => {
		await bench.run(visits, [visit('A-1')]);
		expect(statuses(await bench.run(skip(), contacts(2)))).toEqual(['already_called', 'initiated']);
	});

	it('G8 the first day with Skip, then Once for Each: the dry run says who would be called again', async () => {
		await bench.run(skip(), contacts(2));
		const { hints, json } = await bench.run({ ...visits, mode: 'dryRun' }, [
			visit('A-1', 0),
			visit('A-1', 1),
			visit('A-1', 2),
		]);
		expect(json.map(({ status }) => status)).toEqual(all(3, 'dry_run'));
		expect(hints[0]!.message.split('<br>')[1]).toMatch(/^Careful: 2 .*rows 1 and 2.*again/);
	});

	it('the value stays with its row where prompt variables differ', async () => {
		const parameters = each('={{ $json.visit }}', {
			promptVariables: assignments({ visit: '={{ $json.visit }}' }),
		});
		const rows = [visit('A-1'), visit('A-2')];
		for (let run = 0; run < 3; run++) await bench.run(parameters, rows);
		expect(bench.sandbox.journal.map(({ variables }) => variables.visit)).toEqual(['A-1', 'A-2']);
	});
});

describe('G8 when n8n’s database rejects a write', () => {
	const WHY = /call history in n8n’s database is not available \(database is locked\)/;

	it.each([
		['Bulk Call', skip()],
		['Place Call', place({ calledBefore: 'skip' })],
		['Once for Each', each('reminder')],
	])('G8 from the start, %s calls nobody and says so', async (_, parameters) => {
		store.outOfOrder = 'database is locked';
		const run = await bench.run(parameters, contacts(3));
		expect(shown(run).message).toMatch(WHY);
		expect(shown(run).description).toMatch(/save it and execute again.*Nobody was called/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'G5 with %s every row comes out as refused and says why',
		async (onError) => {
			store.outOfOrder = 'database is locked';
			const run = await bench.run(skip(), contacts(13), { onError });
			expect([run.error, run.called, run.errorItems]).toEqual([undefined, [], []]);
			expect(statuses(run)).toEqual(all(13, 'refused'));
			for (const { reason } of run.json) expect(reason).toMatch(WHY);
			expect(pairs(run.items)).toEqual(contacts(13).map((_, n) => n));
		},
	);

	const rows = contacts(50);
	const breaksOff = async (how: () => void): Promise<Finished> => {
		store.written = () => {
			if (bench.dialed.length >= 20) how();
		};
		const stopped = await bench.run(skip(), rows);
		delete store.written;
		delete store.outOfOrder;
		expect(shown(stopped).message).toMatch(WHY);
		return stopped;
	};

	it.each(['Retry', 'a new run'])(
		'G8 in the middle, the run ends, and %s calls everybody who was not entered',
		async (how) => {
			const stopped = await breaksOff(() => (store.outOfOrder = 'database is locked'));
			const called = bench.dialed.length;
			expect(called).toBeLessThan(50);
			await bench.run(skip(), rows, how === 'Retry' ? { retryOf: stopped } : {});
			expect(bench.sandbox.doubleDialed()).toEqual([]);
			expect(bench.dialed.slice(-10)).toEqual(rows.slice(-10).map((row) => row.phone));
		},
	);

	it('G8 people whose entry was made all the same stay entered until they are forgotten', async () => {
		await breaksOff(() => {
			throw new Error('database is locked');
		});
		const called = [...bench.dialed];
		await bench.run(skip(), rows);
		const left = rows.map((row) => row.phone).filter((each) => !bench.dialed.includes(each));
		expect(left.length).toBeGreaterThan(0);
		await bench.run({ resource: 'memory', operation: 'forget', people: left.join() });
		await bench.run(skip(), rows);
		expect(called.length).toBeGreaterThan(0);
		expect([...bench.dialed].sort()).toEqual(rows.map((row) => row.phone));
	});
});
