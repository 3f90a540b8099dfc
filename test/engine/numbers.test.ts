import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, pairs, phone, place, shown, SIP_AGENT, text } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const GERMAN = '+491712345678';
const sheet = (...phones: unknown[]): IDataObject[] =>
	phones.map((each) => ({ phone: each }) as IDataObject);
const german: INodeParameters = { options: { defaultCountry: 'DE', parallelRequests: 1 } };

describe.each([
	['Bulk Call', bulk],
	['Place Call', place],
])('%s: numbers as people write them', (_, operation) => {
	it('are called in international format, and the original is shown where it was changed', async () => {
		const written = [phone(0), '+1 (415) 555-0123', '0171 2345678', ' +491712345670\u00a0'];
		const { items, error } = await bench.run(operation(german), sheet(...written));
		expect(error).toBeUndefined();
		const dialed = [phone(0), '+14155550123', GERMAN, '+491712345670'];
		expect(bench.dialed).toEqual(dialed);
		expect(items.map(({ json }) => [json.destination, json.original_destination])).toEqual(
			dialed.map((number, n) => [number, n === 0 ? undefined : written[n]]),
		);
		expect(items[0]?.json).not.toHaveProperty('original_destination');
		expect(pairs(items)).toEqual([0, 1, 2, 3]);
	});

	it('G1 if no row can be called, the message names the first row, and hides its number', async () => {
		const { message, description } = shown(
			await bench.run(operation(), sheet('0171 2345678', '0172 2345678')),
		);
		expect(message).toMatch(/Row 1/);
		expect(message).not.toContain('0171 2345678');
		expect(description).toMatch(/Country of Numbers Without.*Nobody was called/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each<[string, unknown, RegExp]>([
		['a date', '15.01.2024', /date/],
		['two numbers', '0171 2345678, 0172 2345678', /one phone number|two numbers/i],
		['a word', 'Ada', /column/],
		['a foreign prefix that leads nowhere', '011 999 171 2345678', /./],
		['a lost plus', '447911123456', /\+/],
	])('what is no phone number calls nobody: %s', async (__, value, reason) => {
		const { json } = await bench.run(operation(german), sheet('0171 2345678', value));
		expect(bench.dialed).toEqual([GERMAN]);
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'invalid']);
		expect(json[1]?.reason).toMatch(reason);
	});

	it('G2 numbers that are written differently are one person', async () => {
		const { json } = await bench.run(
			operation(german),
			sheet(GERMAN, '0171 2345678', '0049 171 2345678'),
		);
		expect(bench.dialed).toEqual([GERMAN]);
		expect(json.map(({ status, destination }) => [status, destination])).toEqual([
			['initiated', GERMAN],
			['duplicate', GERMAN],
			['duplicate', GERMAN],
		]);
	});

	it('the country is for destinations, never for the agent or the caller', async () => {
		const agent = operation({ ...german, agentNumber: '0555 0001000' });
		shown(await bench.run(agent, sheet('0171 2345678')));
		expect(bench.bodies<IDataObject>()[0]?.agent_number).toBe('05550001000');
		const caller = { ...german, agentNumber: SIP_AGENT, callerNumber: '0171 2345678' };
		const { message } = shown(await bench.run(operation(caller), sheet('0171 2345678')));
		expect(message).toMatch(/^Caller Number.*"0171 2345678"/);
		expect(bench.dialed).toEqual([]);
	});
});

it('numbers of a list and of JSON are cleaned too', async () => {
	await bench.run(
		bulk({
			destinationSource: 'list',
			destinationList: { destination: [{ phone: '+49 171 2345678' }] },
		}),
	);
	await bench.run(
		bulk({
			destinationSource: 'json',
			destinationsJson: '["0172 2345678", {"phone": "+49-173-2345678"}]',
			...german,
		}),
	);
	expect(bench.dialed).toEqual([GERMAN, '+491722345678', '+491732345678']);
});

it('G4 Retry knows a person whose number is written differently by then', async () => {
	bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1, times: 1 });
	const rows = sheet(...Array.from({ length: 12 }, (_, n) => `+49 171 ${2345600 + n}`));
	const stopped = await bench.run(bulk({ options: { parallelRequests: 1 } }), rows);
	const [next] = stopped.data.executionData?.nodeExecutionStack ?? [];
	next!.data.main![0] = rows.map(({ phone: written }, item) => ({
		json: { phone: text(written).replaceAll(' ', '-') },
		pairedItem: { item },
	}));
	const retried = await bench.run(bulk(), [], { retryOf: stopped });
	expect(retried.called).toHaveLength(12);
	expect(bench.dialed).toHaveLength(12);
	expect(bench.sandbox.doubleDialed()).toEqual([]);
});

it('G8 the memory knows the person, however the number is written', async () => {
	await bench.run(bulk({ calledBefore: 'skip' }), sheet('+49 171 2345678'));
	const { json } = await bench.run(bulk({ calledBefore: 'skip' }), sheet('0049-171-2345678'));
	expect(json).toMatchObject([{ status: 'already_called', destination: GERMAN }]);
	expect(store.size).toBe(1);
	expect(bench.dialed).toEqual([GERMAN]);
});
