import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { bulk, cancel, contacts, pairs, phone, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const live = (more: INodeParameters = {}): INodeParameters =>
	bulk({ calledBefore: 'skip', ...more });
const visits = live({ calledBefore: 'onceForEach', onceForEach: '={{ $json.visit }}' });
const visit = (n: number, value: unknown): IDataObject =>
	({ phone: phone(n), visit: value }) as IDataObject;
const forget = (people: string): INodeParameters => ({
	resource: 'memory',
	operation: 'forget',
	people,
});
const everybody: INodeParameters = {
	resource: 'memory',
	operation: 'forget',
	forgetWhat: 'everybody',
};
const statuses = async (parameters: INodeParameters, rows: IDataObject[]): Promise<unknown[]> =>
	(await bench.run(parameters, rows)).json.map(({ status }) => status);
const CALLED = 'initiated';
const BEFORE = 'already_called';
const EVERY_LIMIT: INodeParameters = {
	callsPerPerson: { limit: ['day', 'week', 'month', 'ever'].map((per) => ({ calls: 1, per })) },
};

describe('G8 Forget People', () => {
	it.each<[string, string]>([
		[
			'a text with commas, semicolons and line breaks',
			`+1 (555) 010-1000; ${phone(1)},\n001 555 010 1002`,
		],
		['a list', `={{ ["+1 555 010 1000", " ${phone(1)} ", "${phone(2)}", null, ""] }}`],
	])('G8 the people of %s are called again, and nobody else', async (_, people) => {
		await bench.run(live(), contacts(4));
		expect((await bench.run(forget(people))).json).toEqual([
			{ forgotten: 3, reason: expect.stringMatching(/^3 entries removed$/) as string },
		]);
		expect(await statuses(live(), contacts(4))).toEqual([CALLED, CALLED, CALLED, BEFORE]);
	});

	it('G5 the people of all items make one item, paired with all of them', async () => {
		await bench.run(live(), contacts(3));
		const { items } = await bench.run(forget('={{ $json.phone }}'), [
			...contacts(2),
			{ phone: '' },
		]);
		expect(items.map(({ json }) => json.forgotten)).toEqual([2]);
		expect(pairs(items)).toEqual([[0, 1, 2]]);
		expect(await statuses(live(), contacts(3))).toEqual([CALLED, CALLED, BEFORE]);
	});

	it.each<[string, unknown, string]>([
		['as the cell holds it', 'A-1', '={{ $json.phone }}, {{ $json.visit }}'],
		['with capitals and blanks', 'A-1', `${phone(0)},  a-1 `],
		['a date', new Date('2026-12-01T08:30:00Z'), `${phone(0)}, 2026-12-01T09:30:00+01:00`],
		['in a list', 'A-1', '={{ [$json.phone, $json.visit] }}'],
	])('G8 takes the value of Once for Each: %s', async (_, value, people) => {
		const rows = [visit(0, value), visit(1, value)];
		await bench.run(visits, rows);
		const { json } = await bench.run(forget(people), [rows[0]!]);
		// The value of this person, and the person.
		expect(json[0]!.forgotten).toBe(2);
		expect(await statuses(visits, rows)).toEqual([CALLED, BEFORE]);
	});

	it('G8 the number alone leaves the values of Once for Each, and says what to add', async () => {
		await bench.run(visits, [visit(0, 'A-1')]);
		await bench.run(forget(phone(0)));
		const { json } = await bench.run(forget(phone(0)));
		expect(json).toEqual([
			{ forgotten: 0, reason: expect.stringMatching(/none of them.*Once for Each/) as string },
		]);
		expect(await statuses(visits, [visit(0, 'A-1')])).toEqual([BEFORE]);
	});

	it('G8 leaves no entry of a person: the call, every limit, who was reached', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 0, finishAfterMs: 0 });
		const limited = live({
			waitUntil: 'finished',
			rules: { ...EVERY_LIMIT, stopWhenReached: true },
		});
		expect((await bench.run(limited, contacts(2))).json[0]!.reached).toBe(true);
		const { size } = store;
		const { json } = await bench.run(forget(phone(0)));
		expect([json[0]!.forgotten, store.size]).toEqual([size / 2, size / 2]);
		expect(await statuses(limited, contacts(2))).toEqual([CALLED, BEFORE]);
	});

	it.each<[string, string, RegExp]>([
		['nothing', '', /People to Forget .*no phone number/],
		['a missing column', '={{ $json.fone }}', /People to Forget .*no phone number/],
		['a value without a number', 'A-1', /People to Forget .*no phone number/],
		['an object', `={{ ["${phone(0)}", { phone: 1 }] }}`, /^Row 1: .*neither a phone number/],
		['true', '={{ true }}', /^Row 1: "true" is neither a phone number/],
	])('forgets nobody if it is given %s', async (_, people, message) => {
		await bench.run(live(), contacts(1));
		const run = await bench.run(forget(people));
		expect(shown(run).message).toMatch(message);
		expect(shown(run).description).toContain('Nobody was forgotten.');
		expect(await statuses(live(), contacts(1))).toEqual([BEFORE]);
	});

	it('G8 says so if the database does not answer, and can be executed again', async () => {
		await bench.run(live(), contacts(1));
		store.outOfOrder = 'database is locked';
		const run = await bench.run(forget(phone(0)));
		expect(shown(run).message).toMatch(/call history .*not available \(database is locked\)/);
		expect(shown(run).description).toMatch(/Execute again/);
		delete store.outOfOrder;
		await bench.run(forget(phone(0)));
		expect(await statuses(live(), contacts(1))).toEqual([CALLED]);
	});

	it('G8 Everybody empties the list, and Live needs a dry run again', async () => {
		store.isOpen = false;
		await bench.run({ ...live(), mode: 'dryRun' }, contacts(3));
		await bench.run(live(), contacts(3));
		expect((await bench.run(everybody)).json).toEqual([
			{ forgotten: 4, reason: expect.stringMatching(/dry run or a test again/) as string },
		]);
		expect(store.size).toBe(0);
		expect(shown(await bench.run(live(), contacts(3))).message).toMatch(/^Make a dry run/);
		await bench.run({ ...live(), mode: 'dryRun' }, contacts(3));
		expect(await statuses(live(), contacts(3))).toEqual(Array(3).fill(CALLED));
	});
});

describe('G8 people who are forgotten during a run', () => {
	const until = async (is: () => boolean): Promise<void> => {
		while (!is()) await new Promise((resolve) => setTimeout(resolve, 2));
	};

	it('G8 a run calls nobody any more once everybody was forgotten', async () => {
		store.isOpen = false;
		const parameters = live({ options: { parallelRequests: 1 } });
		await bench.run({ ...parameters, mode: 'dryRun' }, contacts(30));
		bench.meanwhile = async () => {
			bench.meanwhile = undefined;
			await bench.run(everybody);
		};
		const { json } = await bench.run(parameters, contacts(30), {
			onError: 'continueRegularOutput',
		});
		expect(json.at(-1)).toMatchObject({
			status: 'refused',
			reason: expect.stringMatching(/emptied during this run/) as string,
		});
		expect(bench.dialed).toHaveLength(10);
	});

	it('G8 a call that is cancelled before it is dialed frees its person', async () => {
		bench.sandbox.settings.dialAfterMs = 3_600_000;
		const parameters = live({ rules: { ...EVERY_LIMIT, maxCallsPerDay: 1 } });
		const waits = { waitUntil: 'finished', waitTimeout: 0.5, options: { pollInterval: 1 } };
		const ends: Promise<Finished> = bench.run({ ...parameters, ...waits }, contacts(1));
		await until(() => bench.sandbox.requests.some(({ method }) => method === 'GET'));
		await bench.run(cancel({ callRecordId: String(bench.sandbox.journal[0]!.consentId) }));
		expect((await ends).json[0]!.record_status).toBe('cancelled');
		expect(await statuses(parameters, contacts(1))).toEqual([CALLED]);
	});
});
