import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import {
	AGENT_WITH_PROMPT,
	assignments,
	bulk,
	contacts,
	pairs,
	phone,
	place,
	shown,
	SIP_AGENT,
	text,
} from './helpers/workflows';

const bench = workbench();

const called = () => bench.sandbox.journal.map((dial) => [dial.phone, dial.variables]);
const listOf = (...destination: INodeParameters[]): INodeParameters => ({
	destinationSource: 'list',
	destinationList: { destination },
});
const jsonOf = (json: unknown): INodeParameters => ({
	destinationSource: 'json',
	destinationsJson: typeof json === 'string' ? json : JSON.stringify(json),
});

describe('each number has a row, with its own variables over the shared ones', () => {
	const shared = { promptVariables: assignments({ name: 'there', amount: '5' }) };

	it.each<[string, INodeParameters]>([
		[
			'a list',
			listOf(
				{ phone: phone(1), promptVariables: assignments({ name: 'Ada' }) },
				{ phone: phone(2), promptVariables: assignments({ name: 'Bob', amount: '9.5' }) },
				{ phone: phone(3) },
			),
		],
		[
			'JSON',
			jsonOf([
				{ phone: phone(1), prompt_variables: { name: 'Ada' } },
				{ phone: phone(2), prompt_variables: { name: 'Bob', amount: 9.5 } },
				phone(3),
			]),
		],
	])('%s', async (_, source) => {
		const parameters = bulk({ agentNumber: AGENT_WITH_PROMPT, ...shared, ...source });
		const { json, items } = await bench.run(parameters);
		expect(called()).toEqual([
			[phone(1), { name: 'Ada', amount: '5' }],
			[phone(2), { name: 'Bob', amount: '9.5' }],
			[phone(3), { name: 'there', amount: '5' }],
		]);
		expect(json.map(({ destination }) => destination)).toEqual([1, 2, 3].map(phone));
		expect(pairs(items)).toEqual([0, 0, 0]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

it('JSON from an expression may be a list already, one for each item', async () => {
	const { items } = await bench.run(bulk(jsonOf('={{ $json.phones }}')), [
		{ phones: [phone(1), phone(2)] },
		{ phones: [phone(3)] },
	]);
	expect(bench.dialed).toEqual([1, 2, 3].map(phone));
	expect(pairs(items)).toEqual([0, 0, 1]);
});

it('G2 the same list in several input items is called once, and shown once', async () => {
	const { json } = await bench.run(bulk(listOf({ phone: phone(1) }, { phone: phone(2) })), [
		{ alert: 'Door' },
		{ alert: 'Fire' },
	]);
	expect(bench.dialed).toEqual([phone(1), phone(2)]);
	expect(json).toHaveLength(2);
});

itWithFunctions('G2 a list of all items is called once', async () => {
	const all = '={{ $input.all().map((row) => row.json.phone) }}';
	const { json } = await bench.run(bulk(jsonOf(all)), contacts(3));
	expect(bench.dialed).toEqual(contacts(3).map((row) => row.phone));
	expect(json).toHaveLength(3);
});

describe('every input field as a prompt variable', () => {
	it.each([
		'={{ $json.phone }}',
		'={{ $json["phone"] }}',
		'={{ $input.item.json.phone }}',
		phone(0),
	])('but the one with the number: %s', async (destination) => {
		const parameters = { agentNumber: AGENT_WITH_PROMPT, destination, variablesFrom: 'input' };
		await bench.run(bulk(parameters), contacts(1));
		expect(called()).toEqual([[phone(0), { name: 'Person 0', amount: '0.5' }]]);
	});
});

describe('G1 where there is nothing to call, nothing is sent', () => {
	it.each<[string, INodeParameters, RegExp, RegExp]>([
		['an empty list', listOf(), /list of destinations is empty/, /Add at least one/],
		['an empty JSON list', jsonOf([]), /list of destinations is empty/, /Add at least one/],
		['JSON that is no list', jsonOf({ phone: '+1' }), /not a list/, /Write it like/],
		[
			'JSON that does not end',
			jsonOf('["+1'),
			/JSON.*quotation mark or a line break/,
			/Input Items/,
		],
		['other keys', jsonOf([{ phone: '+1', name: 'Ada' }]), /"name"/, /inside "prompt_variables"/],
		['phone_number', jsonOf([{ phone_number: phone(0) }]), /no "phone"/, /phone, not phone_number/],
		[
			'bad numbers in JSON',
			jsonOf(['n/a', '0555']),
			/^No row can be called\. Row 1: .*"n\/a"/,
			/./,
		],
		['a number without its country', jsonOf([15551110001]), /0001"/, /\+/],
		['a bad number in a list', listOf({ phone: '0555' }), /"0555"/, /./],
	])('%s', async (_, source, message, remedy) => {
		const ended = shown(await bench.run(bulk(source)));
		expect(ended.message).toMatch(/Row 1: /);
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(remedy);
		expect(ended.description).toMatch(/Nobody was called\.$/);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('a bad number among good ones keeps nobody else from being called', () => {
	it.each<[string, INodeParameters]>([
		['in JSON', jsonOf([phone(1), '0555', phone(2)])],
		['in a list', listOf({ phone: phone(1) }, { phone: '0555' }, { phone: phone(2) })],
	])('%s', async (_, source) => {
		const { json, error, items } = await bench.run(bulk(source));
		expect(error).toBeUndefined();
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'invalid', 'initiated']);
		expect(pairs(items)).toEqual([0, 0, 0]);
	});

	it('an item whose list is empty is a row of its own', async () => {
		const { json, items } = await bench.run(bulk(jsonOf('={{ $json.phones }}')), [
			{ phones: [phone(1)] },
			{ phones: [] },
			{ phones: [phone(3)] },
		]);
		expect(pairs(items)).toEqual([0, 1, 2]);
		expect(json[1]).toMatchObject({
			status: 'invalid',
			destination: '',
			reason: expect.stringMatching(/is empty\. Add at least one/),
		});
	});
});

describe('numbers', () => {
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
});
