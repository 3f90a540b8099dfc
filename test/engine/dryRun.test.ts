import type { INodeParameters } from 'n8n-workflow';
import { installStore, type DurableStore } from './durableStore';
import { workbench } from './workbench';
import { AGENT, AGENT_WITH_SIP_ID, assignments, bulk, CALLER, contacts, pairs, phone, place, shown, SIP_AGENT, text } from './workflows';

const bench = workbench();
let store: DurableStore;

beforeAll(async () => {
	store = await installStore();
});

afterEach(() => {
	expect(bench.sandbox.requests).toEqual([]);
	expect(bench.dialed).toEqual([]);
	expect(store.writes).toBe(0);
});

const dry = (more: INodeParameters = {}): INodeParameters => ({ options: { dryRun: true, ...more } });
const operations: Array<[string, (more: INodeParameters) => INodeParameters]> = [
	['Bulk Call', bulk],
	['Place Call', place],
];

it('a row of Bulk Call shows what would be sent', async () => {
	const promptVariables = assignments({ name: '={{ $json.name }}', amount: '={{ $json.amount }}' });
	const { json } = await bench.run(bulk({ promptVariables, ...dry() }), contacts(2));
	expect(json).toEqual(
		contacts(2).map((row, n) => ({
			destination: phone(n),
			success: false,
			status: 'dry_run',
			reason: null,
			consent_id: null,
			call_sid: null,
			batch_id: null,
			request: 1,
			agent_number: AGENT,
			caller_number: null,
			prompt_variables: { name: row.name, amount: String(row.amount) },
		})),
	);
});

it.each<[number, number[]]>([
	[1, [1]],
	[10, [10]],
	[11, [10, 1]],
	[25, [10, 10, 5]],
])('%d rows would be sent with requests of %j', async (count, sizes) => {
	const { items, json } = await bench.run(bulk(dry()), contacts(count));
	expect(json.map(({ request }) => request)).toEqual(sizes.flatMap((size, n) => Array<number>(size).fill(n + 1)));
	expect(pairs(items)).toEqual(contacts(count).map((_, n) => n));
});

it('each agent has requests of its own', async () => {
	const rows = contacts(24).map((row, n) => ({ ...row, agent: n % 2 ? AGENT : AGENT_WITH_SIP_ID }));
	const { json } = await bench.run(bulk({ agentNumber: '={{ $json.agent }}', ...dry() }), rows);
	expect(json.map(({ agent_number }) => agent_number)).toEqual(rows.map(({ agent }) => agent));
	expect(json.filter((_, n) => n % 2 === 0).map(({ request }) => request)).toEqual([...Array<number>(10).fill(1), 2, 2]);
	expect(json.filter((_, n) => n % 2 === 1).map(({ request }) => request)).toEqual([...Array<number>(10).fill(3), 4, 4]);
});

it('Calls per Minute makes requests smaller, and this shows', async () => {
	const { json } = await bench.run(bulk(dry({ callsPerMinute: 3 })), contacts(7));
	expect(json.map(({ request }) => request)).toEqual([1, 1, 1, 2, 2, 2, 3]);
});

it('the totals say that it was a dry run', async () => {
	const { hints } = await bench.run(bulk(dry()), [...contacts(3), { phone: phone(0) }]);
	expect(hints.map(({ message }) => message)).toEqual(['4 rows: 3 dry_run, 1 duplicate']);
});

it('Place Call would send a request for each row', async () => {
	const promptVariables = assignments({ amount: '={{ $json.amount }}' });
	const { items, json } = await bench.run(place({ promptVariables, ...dry() }), contacts(3));
	expect(json).toEqual(
		contacts(3).map((row, n) => ({
			destination: phone(n),
			success: false,
			status: 'dry_run',
			reason: null,
			call_id: null,
			request: n + 1,
			agent_number: AGENT,
			caller_number: null,
			prompt_variables: { amount: String(row.amount) },
		})),
	);
	expect(pairs(items)).toEqual([0, 1, 2]);
});

it('Place Call shows the External Call ID that would be sent', async () => {
	const { json } = await bench.run(place(dry({ externalCallId: 'order-1042' })), contacts(1));
	expect(JSON.stringify(json)).toContain('order-1042');
});

describe.each(operations)('%s', (_, operation) => {
	it('a SIP agent is shown with its caller', async () => {
		const { json } = await bench.run(operation({ agentNumber: SIP_AGENT, callerNumber: CALLER, ...dry() }), contacts(1));
		expect(json).toMatchObject([{ agent_number: SIP_AGENT, caller_number: CALLER, prompt_variables: {} }]);
	});

	it.each<[string, unknown, string]>([
		['a number', 12.5, '12.5'],
		['true', true, 'true'],
		['null', null, ''],
		['text', 'Ada', 'Ada'],
	])('prompt variables are shown as the text that would be sent: %s', async (__, value, expected) => {
		const { json } = await bench.run(operation({ promptVariables: assignments({ value: '={{ $json.value }}' }), ...dry() }), [
			{ phone: phone(0), value: value as string },
		]);
		expect(json[0]?.prompt_variables).toEqual({ value: expected });
	});

	it('duplicates are duplicates, of the same request', async () => {
		const { json } = await bench.run(operation(dry()), [...contacts(2), { phone: phone(1) }]);
		expect(json.map(({ status, request }) => [status, request])).toEqual([
			['dry_run', 1],
			['dry_run', operation === bulk ? 1 : 2],
			['duplicate', operation === bulk ? 1 : 2],
		]);
	});

	it('numbers are cleaned, and the original is shown', async () => {
		const { json } = await bench.run(operation(dry({ cleanNumbers: true, defaultCountryCode: '49' })), [{ phone: '0171 2345678' }]);
		expect(json).toMatchObject([{ destination: '+491712345678', original_destination: '0171 2345678', status: 'dry_run' }]);
	});

	it('a row that could not be sent ends it with a message', async () => {
		const ended = shown(await bench.run(operation(dry()), [...contacts(2), { phone: '0555' }]));
		expect(ended.message).toMatch(/^Row 3: the destination "0555"/);
	});

	it('with Continue a row that could not be sent fails alone', async () => {
		const { items } = await bench.run(operation(dry()), [{ phone: phone(0) }, { phone: '0555' }, { phone: phone(2) }], {
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json.error ?? json.status)).toEqual(['dry_run', expect.stringMatching(/^Row 2: /), 'dry_run']);
		expect(pairs(items)).toEqual([0, 1, 2]);
	});

	it('Call Once claims nothing', async () => {
		for (let run = 0; run < 2; run++) {
			const { json } = await bench.run(operation(dry({ callOnce: true })), contacts(3));
			expect(json.map(({ status }) => status)).toEqual(Array(3).fill('dry_run'));
		}
		expect(store.size).toBe(0);
	});

	it('two rows with one Call Once Key: the second would not be called', async () => {
		const { json } = await bench.run(operation(dry({ callOnce: true, callOnceKey: 'spring' })), contacts(2));
		expect(json.map(({ status }) => status)).toEqual(['dry_run', 'already_called']);
		expect(text(json[1]?.reason)).toMatch(/same Call Once Key/);
	});

	it('no item has a field named error', async () => {
		const { json } = await bench.run(operation(dry()), [...contacts(2), { phone: phone(1) }]);
		for (const row of json) expect(row).not.toHaveProperty('error');
	});
});
