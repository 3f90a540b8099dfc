import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { installStore } from './durableStore';
import { workbench } from './workbench';
import { bulk, pairs, phone, place, shown, text } from './workflows';

const bench = workbench();

const cleaning = (more: INodeParameters = {}): INodeParameters => ({ options: { cleanNumbers: true, ...more } });
const sheet = (...phones: unknown[]): IDataObject[] => phones.map((each) => ({ phone: each }) as IDataObject);

const operations: Array<[string, (more: INodeParameters) => INodeParameters]> = [
	['Bulk Call', bulk],
	['Place Call', place],
];

describe.each(operations)('%s, Clean Numbers off', (_, operation) => {
	it.each<[string, unknown, RegExp]>([
		['spaces', '+49 171 2345678', /turn on Clean Numbers in the options/],
		['00', '0049 171 2345678', /turn on Clean Numbers in the options/],
		['brackets', '+1 (415) 555-0123', /turn on Clean Numbers in the options/],
		['a national number', '0171 2345678', /turn on Clean Numbers together with Default Country Code in the options/],
		['a number cell', 491712345678, /turn on Clean Numbers together with Default Country Code in the options/],
		['a space around it', ' +491712345678', /turn on Clean Numbers in the options/],
		['a space around a national number', ' 0171 2345678', /Clean Numbers.*Default Country Code/],
	])('%s: nothing is sent, and the message names the option that would mend it', async (__, value, remedy) => {
		const ended = shown(await bench.run(operation({}), sheet(phone(0), value)));
		expect(ended.message).toMatch(/^Row 2: the destination /);
		expect(ended.description).toMatch(remedy);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each([['Ada'], ['+49 171 2345678 x12']])('%j: no option is named, because none would help', async (value) => {
		expect(shown(await bench.run(operation({}), sheet(value))).description).not.toMatch(/Clean Numbers/);
	});
});

describe.each(operations)('%s, Clean Numbers on', (_, operation) => {
	it('calls the cleaned numbers, and shows the original where it was changed', async () => {
		const written = [phone(0), '+1 (555) 010-1001', '0171 2345678', 491712345679, ` ${phone(4)}\u00a0`];
		const { items, error } = await bench.run(operation(cleaning({ defaultCountryCode: '49', parallelRequests: 1 })), sheet(...written));
		expect(error).toBeUndefined();
		expect(bench.dialed).toEqual([phone(0), phone(1), '+491712345678', '+491712345679', phone(4)]);
		expect(items.map(({ json }) => json.original_destination)).toEqual([
			undefined,
			'+1 (555) 010-1001',
			'0171 2345678',
			'491712345679',
			` ${phone(4)}\u00a0`,
		]);
		expect(items[0]?.json).not.toHaveProperty('original_destination');
		expect(items.map(({ json }) => json.success)).toEqual(Array(5).fill(true));
		expect(pairs(items)).toEqual([0, 1, 2, 3, 4]);
	});

	it('without a default country code a national number keeps everything from being sent, and the message names the option', async () => {
		const ended = shown(await bench.run(operation(cleaning()), sheet('+49 171 2345678', '0171 2345678')));
		expect(ended.message).toMatch(/^Row 2: the destination "0171 2345678"/);
		expect(ended.description).toMatch(/set the option Default Country Code/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each([['15.01.2024'], ['10/12/24'], [45306]])('a date (%j) in the column of the numbers calls nobody', async (date) => {
		const ended = shown(await bench.run(operation(cleaning({ defaultCountryCode: '49' })), sheet('0171 2345678', date)));
		expect(ended.message).toBe(`Row 2: the destination "${date}" is not a phone number in international format`);
		expect(ended.description).toMatch(/^Write the number with a leading \+/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('finds duplicates among numbers that are written differently', async () => {
		const { json } = await bench.run(operation(cleaning({ defaultCountryCode: 49 })), sheet('+491712345678', '0171 2345678', '0049 171 2345678'));
		expect(bench.dialed).toEqual(['+491712345678']);
		expect(json.map(({ status, original_destination }) => [status, original_destination]).slice(1)).toEqual([
			['duplicate', '0171 2345678'],
			['duplicate', '0049 171 2345678'],
		]);
	});

	it.each(['DE', '0', '12345'])('a country code that is none (%j) is told, and nothing is sent', async (code) => {
		const ended = shown(await bench.run(operation(cleaning({ defaultCountryCode: code })), sheet('0171 2345678')));
		expect(ended.message).toBe(`Row 1: the option Default Country Code holds "${code}", which is no country code`);
		expect(ended.description).toMatch(/digits like 49 or 1/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('a country code that is none is told for each row with Continue', async () => {
		const { items } = await bench.run(operation(cleaning({ defaultCountryCode: 'DE' })), sheet(phone(0), phone(1)), {
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => text(json.error))).toEqual([
			expect.stringMatching(/^Row 1: the option Default Country Code holds "DE"/),
			expect.stringMatching(/^Row 2: the option Default Country Code holds "DE"/),
		]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each(['+49', '0049', ' 49 '])('takes the country code %j for 49', async (code) => {
		await bench.run(operation(cleaning({ defaultCountryCode: code })), sheet('0171 2345678'));
		expect(bench.dialed).toEqual(['+491712345678']);
	});

	it('a number that cannot be cleaned fails alone with Continue', async () => {
		const { items } = await bench.run(operation(cleaning()), sheet('+49 171 2345678', 'Ada'), { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json.error ?? json.original_destination)).toEqual([
			'+49 171 2345678',
			expect.stringMatching(/^Row 2: the destination "Ada"/),
		]);
		expect(bench.dialed).toEqual(['+491712345678']);
	});
});

it('numbers of a list and of JSON are cleaned too', async () => {
	await bench.run(bulk({ destinationSource: 'list', destinationList: { destination: [{ phone: '+49 171 2345678' }] }, ...cleaning() }));
	await bench.run(
		bulk({
			destinationSource: 'json',
			destinationsJson: '["0172 2345678", {"phone": "+49-173-2345678"}]',
			...cleaning({ defaultCountryCode: '49' }),
		}),
	);
	expect(bench.dialed).toEqual(['+491712345678', '+491722345678', '+491732345678']);
});

it('agent and caller are not cleaned, so that the wrong one is never taken', async () => {
	const ended = shown(await bench.run(bulk({ agentNumber: '+1 555 000 1000', ...cleaning() }), sheet(phone(0))));
	expect(ended.message).toMatch(/^Row 1: the agent number/);
	expect(bench.sandbox.requests).toEqual([]);
});

it('all input fields as variables leave out the number, cleaned or not', async () => {
	await bench.run(bulk({ variablesFrom: 'input', ...cleaning() }), [{ phone: '+49 171 2345678', name: 'Ada' }]);
	expect(bench.sandbox.journal.map(({ variables }) => variables)).toEqual([{ name: 'Ada' }]);
});

it('G4 Retry recognises a number that was written differently', async () => {
	bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1, times: 1 });
	const parameters = bulk(cleaning({ parallelRequests: 1 }));
	const rows = sheet(...Array.from({ length: 12 }, (_, n) => `+49 171 ${100 + n}`));
	const stopped = await bench.run(parameters, rows);
	const retried = await bench.run(
		parameters,
		rows.map(({ phone: written }) => ({ phone: text(written).replaceAll(' ', '-') })),
		{ retryOf: stopped },
	);
	expect(retried.json).toHaveLength(12);
	expect(bench.dialed).toHaveLength(12);
	expect(bench.sandbox.doubleDialed()).toEqual([]);
});

it('G8 Call Once remembers the cleaned number', async () => {
	const store = await installStore();
	await bench.run(bulk(cleaning({ callOnce: true })), sheet('+49 171 2345678'));
	const { json } = await bench.run(bulk(cleaning({ callOnce: true })), sheet('0049-171-2345678'));
	expect(json.map(({ status }) => status)).toEqual(['already_called']);
	expect(store.size).toBe(1);
});
