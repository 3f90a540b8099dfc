import type { INodeParameters } from 'n8n-workflow';
import { OutboundCallsApi } from '../../credentials/OutboundCallsApi.credentials';
import { linesOf, shown, statuses } from './helpers/outcomes';
import { bulk, contacts } from './helpers/workflows';
import { workbench } from './helpers/workbench';

const bench = workbench();

const dry = (more: INodeParameters = {}) =>
	bulk({ mode: 'dryRun', options: { simplify: true }, ...more });
const neighbors: INodeParameters = { countries: ['DE', 'AT', 'CH'] };
const phones = (count: number, from: number) =>
	Array.from({ length: count }, (_, n) => ({ phone: `0${from + n}` }));

describe('one cause of many rows', () => {
	it('47 numbers without a country are one line with a remedy, and no rows to correct', async () => {
		const run = await bench.run(dry(neighbors), phones(47, 1_712_345_600));
		expect(new Set(run.json.map(({ reason }) => reason))).toEqual(new Set(['No country code']));
		const lines = linesOf(run);
		expect(lines).toContainEqual(
			expect.stringMatching(/47 rows have no country code: set Country of Numbers Without \+/),
		);
		expect(lines.join()).not.toMatch(/To correct/);
	});

	it('local numbers without their area code call nobody, and the line says what sheets do', async () => {
		const input = Array.from({ length: 6 }, (_, n) => ({ phone: `44556${n}` }));
		const run = await bench.run(dry({ countries: ['DE'] }), [...input, { phone: '0171 2345678' }]);
		expect(statuses(run.json)).toEqual([...Array<string>(6).fill('invalid'), 'dry_run']);
		expect(linesOf(run)).toContainEqual(
			expect.stringMatching(/6 rows have no area code or .*zero/),
		);
	});

	it('a few rows say it all themselves', async () => {
		const { json } = await bench.run(dry(neighbors), phones(2, 1_712_345_600));
		expect(json[0]!.reason).toMatch(/has no country code\. Write it with \+/);
	});
});

describe('a rule that is typed and cannot be read is one message about the rule', () => {
	it.each<[string, INodeParameters, RegExp]>([
		['No-Call Dates', { noCallDates: '12/24/2026' }, /No-Call Dates.*"12\/24\/2026"/],
		['Time Zone', { timeZone: 'UTC' }, /Time Zone.*"UTC"/],
		['Do Not Call without a code', { doNotCall: '0171 2345678' }, /Entry 1.*no country code/],
	])('%s', async (_, rules, message) => {
		const run = await bench.run(bulk({ ...neighbors, rules }), contacts(3));
		expect(shown(run).message).toMatch(message);
		expect(shown(run).message).not.toMatch(/[Rr]ow/);
		expect(bench.dialed).toEqual([]);
	});
});

it.each(['is_dnc', 'dnd', 'Do-Not-Disturb', 'doNotCall', 'unsubscribed', 'no_calls'])(
	'a column %s while Opted Out is empty is a line',
	async (column) => {
		const run = await bench.run(dry(), [{ ...contacts(1)[0], [column]: 'yes' }]);
		expect(linesOf(run)).toContainEqual(expect.stringMatching(`Careful: the column "${column}"`));
	},
);

it.each(['dndc', 'island', 'blocks', 'options'])('a column %s is none', async (column) => {
	const run = await bench.run(dry(), [{ ...contacts(1)[0], [column]: 'yes' }]);
	expect(linesOf(run).join()).not.toMatch(/looks like opt-outs/);
});

it('letters that a file has lost are a line with their rows', async () => {
	const promptVariables = { assignments: [{ id: 'a', name: 'name', value: '={{ $json.name }}' }] };
	const rows = [{ phone: '+4917123456', name: 'Ann' }, ...contacts(1)];
	rows[1]!.name = 'M\ufffdller';
	const run = await bench.run(dry({ promptVariables }), rows);
	expect(linesOf(run)).toContainEqual(expect.stringMatching(/Careful: letters were lost.*row 2\)/));
});

describe('the token goes to the credential’s own address only, whatever the asking node calls it', () => {
	const base = 'https://calls.example.com/api/v1/outbound';
	it.each<[object, boolean]>([
		[{ url: `${base}/batches/1` }, true],
		[{ uri: `${base}/batches/1` }, true],
		[{ baseURL: base, url: '/batches/1' }, true],
		[{ uri: 'https://evil.example/api/v1/outbound' }, false],
		[{ uri: `${base}x` }, false],
		[{ url: `${base}/batches/1`, uri: 'https://evil.example/' }, false],
		[{ url: 'https://evil.example/', uri: `${base}/batches/1` }, false],
	])('%j: %s', async (options, isAdded) => {
		const { authenticate } = new OutboundCallsApi();
		const given = { baseUrl: base, apiToken: 'tk_1' };
		const asked = await (authenticate as (...all: object[]) => Promise<{ headers?: object }>)(
			given,
			options,
		);
		expect(asked.headers !== undefined).toBe(isAdded);
	});
});
