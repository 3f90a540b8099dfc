import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, place, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const live = (more: INodeParameters = {}): INodeParameters =>
	bulk({ calledBefore: 'skip', ...more });
const dry = (more: INodeParameters = {}): INodeParameters => ({ ...live(more), mode: 'dryRun' });
const each = (onceForEach: string): INodeParameters => ({
	calledBefore: 'onceForEach',
	onceForEach,
});
const limited: INodeParameters = { calledBefore: 'callAgain', rules: { maxCallsPerDay: 50 } };
const statuses = ({ json }: Finished): unknown[] => json.map(({ status }) => status);
const all = (count: number, status: string): string[] => Array<string>(count).fill(status);
const lines = ({ hints }: Finished): string[] => hints[0]!.message.split('<br>');
const rows = contacts(3);

const DRY_RUN_FIRST = /^Make a dry run in this workflow first\. A copy .* again\./;

beforeEach(() => {
	store.isOpen = false;
});

/** Live calls nobody, for the want of a dry run. */
const refuses = async (parameters: INodeParameters, more: object = {}): Promise<void> => {
	const [dialed, { size }] = [bench.dialed.length, store];
	const run = await bench.run(parameters, rows, { ...more, onError: 'continueRegularOutput' });
	expect(statuses(run)).toEqual(all(3, 'refused'));
	for (const { reason } of run.json) expect(reason).toMatch(DRY_RUN_FIRST);
	expect([bench.dialed.length, store.size]).toEqual([dialed, size]);
};
const calls = async (parameters: INodeParameters, more: object = {}): Promise<void> => {
	expect(statuses(await bench.run(parameters, rows, more))).toEqual(all(3, 'initiated'));
};

describe('G8 Live needs a dry run first', () => {
	it.each([
		['Bulk Call', live()],
		['Place Call', place({ calledBefore: 'skip' })],
		['Once for Each', live(each('reminder'))],
		['Call Again with a limit', live(limited)],
	])('G8 %s calls nobody until there was one, and says so first', async (_, parameters) => {
		const stopped = await bench.run(parameters, rows);
		expect(shown(stopped).message).toMatch(/^Make a dry run in this workflow first/);
		await refuses(parameters);
		expect(bench.sandbox.requests).toEqual([]);
		await bench.run({ ...parameters, mode: 'dryRun' }, rows);
		await calls(parameters);
	});

	it('G8 Call Again without limits needs none', async () => {
		await calls(bulk());
		expect(store.writes).toBe(0);
	});

	it('G8 a copied workflow calls nobody until it had its own', async () => {
		const copy = { workflowId: 'copy' };
		await bench.run(dry(), rows);
		await calls(live());
		const stopped = await bench.run(live(), rows, copy);
		expect(shown(stopped).message).toMatch(/^Make a dry run in this workflow first/);
		await refuses(live(), copy);
		await bench.run(dry(), rows, copy);
		await calls(live(), copy);
	});

	it('G8 a schedule needs none of its own', async () => {
		await bench.run(dry(), rows);
		await calls(live(), { mode: 'trigger', nodeId: 'other' });
	});

	const test: INodeParameters = { mode: 'test', testNumber: '+447400123456' };
	const closed = { callingHours: 'custom', callingWindows: closedWindow() };

	it.each<[string, INodeParameters]>([
		['a dry run', dry()],
		['a test', live(test)],
		['a dry run outside Calling Hours', dry(closed)],
		['a dry run beyond Max Calls', dry({ rules: { maxCalls: 0 } })],
	])('G8 %s by hand leaves the mark', async (_, parameters) => {
		await bench.run(parameters, rows);
		await calls(live());
	});

	it.each<[string, INodeParameters, object]>([
		['that a schedule starts', dry(), { mode: 'trigger' }],
		['that a webhook starts', dry(), { mode: 'webhook' }],
		['of a sub-workflow', dry(), { mode: 'integrated' }],
		['of n8n’s Evaluations', live(), { mode: 'evaluation' }],
		['in the form of a test that a schedule starts', live(test), { mode: 'trigger' }],
		['in which no row can be sent', dry({ destination: 'nobody' }), {}],
		['with a setting that cannot be used', dry({ options: { timeout: 'soon' } }), {}],
		['with Call Again, which remembers nobody', dry({ calledBefore: 'callAgain' }), {}],
	])('G8 a dry run %s leaves none', async (_, parameters, more) => {
		await bench.run(parameters, rows, { onError: 'continueRegularOutput', ...more });
		expect(store.size).toBe(0);
		await refuses(live());
	});

	it.each<[string, INodeParameters, INodeParameters]>([
		['Skip and Once for Each', {}, each('reminder')],
		['Once for Each and Skip', each('reminder'), {}],
		['Skip and Call Again with a limit', {}, limited],
		['two words of Once for Each', each('reminder'), each('survey')],
		['two columns of Once for Each', each('={{ $json.name }}'), each('={{ $json.amount }}')],
	])('G8 each setting needs one of its own, and keeps it: %s', async (_, first, second) => {
		await bench.run(dry(first), rows);
		await refuses(live(second));
		await bench.run(dry(second), rows);
		const before = bench.dialed.length;
		expect(statuses(await bench.run(live(first), rows))).toEqual(all(3, 'initiated'));
		expect((await bench.run(live(second), rows)).error).toBeUndefined();
		expect((await bench.run(live(first), rows)).error).toBeUndefined();
		expect(bench.dialed.length).toBeGreaterThan(before);
	});

	it('G8 Forget Everybody takes the marks out, Forget People leaves them', async () => {
		const forget = (more: INodeParameters): INodeParameters => ({
			resource: 'memory',
			operation: 'forget',
			...more,
		});
		await bench.run(dry(), rows);
		await calls(live());
		await bench.run(forget({ people: rows.map((row) => row.phone).join() }));
		await calls(live());
		await bench.run(forget({ forgetWhat: 'everybody' }));
		await refuses(live());
	});

	it('G8 a history that something else empties between runs or during one calls nobody', async () => {
		await bench.run(dry(), rows);
		await calls(live());
		store.trim('workflow', 0);
		await refuses(live());
		await bench.run(dry(), rows);
		store.written = () => {
			if (bench.dialed.length === 13) store.trim('workflow', 0);
		};
		const run = await bench.run(
			live({ options: { parallelRequests: 1 } }),
			contacts(40).map((row, n) => ({ ...row, phone: phone(100 + n) })),
			{ onError: 'continueRegularOutput' },
		);
		delete store.written;
		expect(run.json.at(-1)).toMatchObject({
			status: 'refused',
			reason: expect.stringMatching(/emptied during this run.*dry run/) as string,
		});
		expect(bench.dialed.length).toBeLessThan(43);
	});

	it('G4 G8 Retry goes on after a dry run', async () => {
		const stopped = await bench.run(live(), rows);
		await bench.run(dry(), rows);
		await calls(live(), { retryOf: stopped });
	});
});

/** One minute a week, not today. */
function closedWindow(): INodeParameters {
	const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
	const day = days[(new Date().getUTCDay() + 3) % 7]!;
	return { window: [{ days: [day], from: '12:00', to: '12:01' }] };
}

describe('G8 a dry run consults the memory', () => {
	it('G8 it says who was called before, and leaves nobody in it', async () => {
		await bench.run(dry(), rows);
		await bench.run(live(), rows.slice(0, 1));
		const { size } = store;
		const look = await bench.run(dry(), rows);
		expect(statuses(look)).toEqual(['already_called', 'dry_run', 'dry_run']);
		expect(look.json[0]!.reason).toMatch(/before.*Once for Each/);
		expect(lines(look).join()).toMatch(/Called before: 1 row\b/);
		expect(store.size).toBe(size);
		expect(statuses(await bench.run(live(), rows))).toEqual([
			'already_called',
			'initiated',
			'initiated',
		]);
	});

	it('G8 until somebody was called, it says that this workflow remembers nobody', async () => {
		const NOBODY = /^This workflow remembers nobody yet.*copy/;
		for (let run = 0; run < 2; run++)
			expect(lines(await bench.run(dry(), rows))[1]).toMatch(NOBODY);
		await bench.run(live(), rows);
		expect(lines(await bench.run(dry(), contacts(4)))[1]).not.toMatch(NOBODY);
	});

	it.each<[string, INodeParameters, INodeParameters]>([
		['Skip, then Once for Each', {}, each('reminder')],
		['Once for Each, then another word', each('reminder'), each('survey')],
		['Once for Each, then Call Again with a limit', each('reminder'), limited],
	])(
		'G8 its second line and the rows say who would be called again: %s',
		async (_, first, second) => {
			await bench.run(dry(first), rows);
			await bench.run(live(first), rows.slice(1));
			const look = await bench.run(dry(second), rows);
			expect(statuses(look)).toEqual(all(3, 'dry_run'));
			expect(lines(look)[1]).toMatch(/^Careful: 2 .*called before .*rows 2 and 3.*again/);
			expect(
				look.json.map(({ reason }) => /again.*called .*before/.test(reason as string)),
			).toEqual([false, true, true]);
		},
	);

	it('G8 dry runs during live ones neither keep anybody from being called nor call anybody twice', async () => {
		await bench.run(dry(), rows);
		const list = contacts(60);
		await Promise.all(
			Array.from(
				{ length: 30 },
				async (_, n) => await bench.run(n % 5 === 0 ? live() : dry(), list),
			),
		);
		expect([...bench.dialed].sort()).toEqual(list.map((row) => row.phone));
	});

	it('G8 if the list is too long, it says that it did not ask', async () => {
		await bench.run(dry(), rows);
		await bench.run(live(), rows);
		jest.spyOn(store, 'getProcessedDataCount').mockResolvedValue(5_000_000);
		const { writes } = store;
		const look = await bench.run(dry(), rows);
		jest.restoreAllMocks();
		expect(statuses(look)).toEqual(all(3, 'dry_run'));
		expect(lines(look)[1]).toMatch(/^Careful: .*not checked/);
		// The mark.
		expect(store.writes).toBe(writes + 1);
	});

	it('G8 if the database does not answer, it says so, and Live needs another one', async () => {
		store.outOfOrder = 'database is locked';
		const look = await bench.run(dry(), rows);
		expect(statuses(look)).toEqual(all(3, 'dry_run'));
		expect(lines(look)[1]).toMatch(/^Careful: .*not checked .*database is locked/);
		delete store.outOfOrder;
		await refuses(live());
	});

	it('G8 it knows the values of Once for Each', async () => {
		const visits = each('={{ $json.visit }}');
		const visit = (n: number, value: string) => ({ phone: phone(n), visit: value });
		await bench.run(dry(visits), [visit(0, 'A-1')]);
		await bench.run(live(visits), [visit(0, 'A-1')]);
		expect(statuses(await bench.run(dry(visits), [visit(0, 'a-1 '), visit(1, 'A-1')]))).toEqual([
			'already_called',
			'dry_run',
		]);
	});
});
