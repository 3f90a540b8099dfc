import { installStore, type DurableStore } from './durableStore';
import { workbench } from './workbench';
import { bulk, contacts, phone, place, shown } from './workflows';

const bench = workbench();
let store: DurableStore;

beforeAll(async () => {
	store = await installStore();
});

afterEach(() => {
	store.clear();
	store.outOfOrder = undefined;
	store.written = undefined;
});

const once = (more: object = {}) => bulk({ options: { callOnce: true, parallelRequests: 1, maxRetryWait: 0, ...more } as never });
const statuses = (rows: Array<{ status?: unknown }>): unknown[] => rows.map(({ status }) => status);

describe('G8 Call Once', () => {
	it('G8 a second run calls nobody again and says why and what to do', async () => {
		await bench.run(once(), contacts(12));
		const second = await bench.run(once(), contacts(14));
		expect(statuses(second.json)).toEqual([...Array<string>(12).fill('already_called'), 'initiated', 'initiated']);
		expect(second.json[0]).toMatchObject({ destination: phone(0), success: false, consent_id: null });
		expect(second.json[0]?.reason).toMatch(/earlier run.*Call Once Key/);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G8 claims are made per request, not per row', async () => {
		await bench.run(once(), contacts(100));
		expect(store.writes).toBe(10);
	});

	it('G8 parallel executions with the same rows dial each number once', async () => {
		const runs = await Promise.all([1, 2, 3].map(() => bench.run(once({ parallelRequests: 5 }), contacts(60))));
		expect(bench.dialed).toHaveLength(60);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		for (let row = 0; row < 60; row++) {
			expect(runs.map(({ json }) => json[row]?.status).sort()).toEqual(['already_called', 'already_called', 'initiated']);
		}
	});

	it('G8 a row that certainly was not placed may be called by the next run', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', times: 1 });
		bench.sandbox.destinationOutcome.set(phone(3), { status: 'locked', error: 'Locked', times: 1 });
		await bench.run(once(), contacts(5));
		expect(store.size).toBe(0);
		expect(statuses((await bench.run(once(), contacts(5))).json)).toEqual(['initiated', 'initiated', 'initiated', 'locked', 'initiated']);
		expect(statuses((await bench.run(once(), contacts(5))).json)).toEqual([
			'already_called',
			'already_called',
			'already_called',
			'initiated',
			'already_called',
		]);
	});

	it('G8 a row without a clear answer stays claimed', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		await bench.run(once(), contacts(3), { onError: 'continueRegularOutput' });
		expect(statuses((await bench.run(once(), contacts(3))).json)).toEqual(Array(3).fill('already_called'));
		expect(bench.dialed).toHaveLength(3);
	});

	it('G8 rows that an execution claimed before it was stopped are not called by a later one', async () => {
		bench.sandbox.settings.latencyMs = 200;
		const watch: { stop?: () => void } = {};
		const first = bench.run(once(), contacts(30), { onStarted: (stop) => (watch.stop = stop) });
		while (bench.sandbox.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
		watch.stop!();
		await first;
		bench.sandbox.settings.latencyMs = 0;
		const next = await bench.run(once(), contacts(30));
		expect(statuses(next.json)).toEqual([...Array<string>(20).fill('already_called'), ...Array<string>(10).fill('initiated')]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(30);
	});

	it('G10 stopped while rows are being remembered: they are not sent, and the next run calls them', async () => {
		const watch: { stop?: () => void } = {};
		const stopped = bench.run(once(), contacts(5), { onStarted: (stop) => (watch.stop = stop) });
		store.written = () => watch.stop!();
		await stopped;
		store.written = undefined;
		expect(bench.sandbox.requests).toHaveLength(0);
		expect(store.size).toBe(0);
		expect(statuses((await bench.run(once(), contacts(5))).json)).toEqual(Array(5).fill('initiated'));
	});

	it('G8 a key of one’s own decides: a new campaign may call the same numbers', async () => {
		await bench.run(once({ callOnceKey: '=spring-{{ $json.phone }}' }), contacts(3));
		const summer = await bench.run(once({ callOnceKey: '=summer-{{ $json.phone }}' }), contacts(3));
		expect(statuses(summer.json)).toEqual(Array(3).fill('initiated'));
	});

	it('G8 two rows with one key in one run: the second is not called', async () => {
		const run = await bench.run(once({ callOnceKey: '={{ $json.name.slice(0, 6) }}' }), contacts(2));
		expect(statuses(run.json)).toEqual(['initiated', 'already_called']);
		expect(run.json[1]?.destination).toBe(phone(1));
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('G8 a key with the phone column knows a number again that the sheet spells otherwise', async () => {
		const campaign = once({ callOnceKey: '=spring-{{ $json.phone }}', cleanNumbers: true, defaultCountryCode: '49' });
		await bench.run(campaign, [{ ...contacts(1)[0], phone: '0171 2345678' }]);
		const again = await bench.run(campaign, [{ ...contacts(1)[0], phone: '+49 171 / 234 56 78' }]);
		expect(statuses(again.json)).toEqual(['already_called']);
		expect(bench.dialed).toEqual(['+491712345678']);
	});

	it('the totals say when rows with different numbers share a key', async () => {
		const { hints } = await bench.run(once({ callOnceKey: '=spring-{{ $json.mobile }}' }), [...contacts(4), { ...contacts(1)[0] }]);
		expect(hints.map(({ message }) => message)).toEqual([
			'5 rows: 3 already_called, 1 initiated, 1 duplicate. 3 rows have the Call Once Key of an earlier row with another number, so they were not called. Look at the column in that key.',
		]);
	});

	it('G8 Place Call is called once as well', async () => {
		const parameters = place({ options: { callOnce: true } });
		await bench.run(parameters, contacts(3));
		expect(statuses((await bench.run(parameters, contacts(3))).json)).toEqual(Array(3).fill('already_called'));
		expect(bench.dialed).toHaveLength(3);
	});

	it('G8 Retry after a stop returns what was placed and calls the rest, although all were claimed before', async () => {
		bench.sandbox.settings.dailyLimit = 10;
		const stopped = await bench.run(once(), contacts(15));
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(once(), contacts(15), { retryOf: stopped });
		expect(statuses(retried.json)).toEqual(Array(15).fill('initiated'));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G8 when n8n’s database cannot be used nobody is called, and the message says what to do', async () => {
		store.outOfOrder = 'database is locked';
		const run = await bench.run(once(), contacts(3));
		expect(shown(run).message).toMatch(/Call Once.*could not be used \(database is locked\)/);
		expect(shown(run).description).toMatch(/Save the workflow/);
		expect(bench.sandbox.requests).toEqual([]);
	});
});
