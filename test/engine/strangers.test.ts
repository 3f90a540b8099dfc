import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { all, shown, statuses, text } from './helpers/outcomes';
import { goesOn } from './helpers/onError';
import { assignments, bulk, contacts, phone } from './helpers/workflows';
import { cellOf, FIELDS, PIECES } from '../largeCells';

const bench = workbench();
const store = storeForEach();

/** Characters of a cell or an answer: beyond every bound. `npm run bench` measures how long larger ones take. */
const LARGE = 20_000;
/** What JavaScript cannot turn into text or a number. */
const UNREADABLE = { valueOf: 1, toString: 1 };
const dry = (more: INodeParameters = {}): INodeParameters => bulk({ mode: 'dryRun', ...more });
const summaryOf = (run: { hints: Array<{ message: string }> }): string =>
	run.hints.map(({ message }) => message).join('\n');

describe('G5 a value that cannot be read stays in its own row', () => {
	const BAD = 'invalid';
	const named = assignments({ name: '={{ $json.cell }}' });
	const onceForEach = { calledBefore: 'onceForEach', onceForEach: '={{ $json.cell }}' };
	it.each<[string, INodeParameters, IDataObject, string]>([
		['row_number', {}, { row_number: UNREADABLE }, 'initiated'],
		['Phone Number', {}, { phone: UNREADABLE }, 'invalid'],
		['Opted Out', { optedOut: '={{ $json.cell }}' }, { cell: UNREADABLE }, 'invalid'],
		['Time Zone', { rules: { timeZone: '={{ $json.cell }}' } }, { cell: UNREADABLE }, 'invalid'],
		['No-Call Dates', { rules: { noCallDates: '={{ $json.cell }}' } }, { cell: UNREADABLE }, BAD],
		['a prompt variable', { promptVariables: named }, { cell: UNREADABLE }, BAD],
		['Once for Each', onceForEach, { cell: UNREADABLE }, BAD],
		['a column of All Input Fields', { variablesFrom: 'input' }, { cell: UNREADABLE }, 'invalid'],
	])('%s', async (_, parameters, cell, status) => {
		const filled = { cell: 'onceForEach' in parameters ? 'a' : '' };
		const first = { phone: phone(0), cell: 'x', ...cell };
		const rows = [first, ...[1, 2].map((n) => ({ phone: phone(n), ...filled }))];
		const { json, error } = await bench.run(bulk(parameters), rows, goesOn);
		expect(error).toBeUndefined();
		expect(statuses(json)).toEqual([status, 'initiated', 'initiated']);
	});

	it('what a call record holds instead of a text costs nobody’s outcome', async () => {
		const batch = 'b5f0c6de-0000-4000-8000-000000000001';
		const results = [0, 1].map((n) => ({
			destination: phone(n),
			success: true,
			status: 'initiated',
			consent_id: n + 1,
			call_sid: `CA${n}`,
		}));
		const answer = { success: true, batch_id: batch, total: 2, succeeded: 2, failed: 0, results };
		bench.sandbox.fault({ kind: 'respond', route: 'bulk', status: 201, body: answer, times: 1 });
		const consents = [0, 1].map((n) => ({
			id: n + 1,
			phone: phone(n),
			status: UNREADABLE,
			auto_call_error: n === 0 ? UNREADABLE : null,
			conversation_id: n === 0 ? null : 7,
		}));
		const body = { success: true, batch_id: batch, consents, total_pages: 1, current_page: 1 };
		bench.sandbox.fault({ kind: 'respond', route: 'batch', status: 200, body });
		const { json } = await bench.run(bulk({ waitUntil: 'finished' }), contacts(2));
		expect(statuses(json)).toEqual(all(2, 'initiated'));
		expect(json.map(({ reached }) => reached)).toEqual(['no', 'yes']);
		expect(json[0]?.reason).toMatch(/^Not reached: \{"valueOf"/);
	});
});

describe('a row says its own cause', () => {
	it('and the country is named only if every row fails for it', async () => {
		const cells = ['604-525-12', '604-525-13', '424-417-2469 x61914'];
		const rows = cells.map((cell) => ({ phone: cell }));
		const us = { countries: ['US'] };
		const { json } = await bench.run(bulk(us), rows, goesOn);
		expect(statuses(json)).toEqual(all(3, 'invalid'));
		expect(json[0]?.reason).toMatch(/604-525-12.*not a valid/);
		expect(json[2]?.reason).toMatch(/more than a phone number/);
		expect(shown(await bench.run(bulk(us), rows)).message).toMatch(
			/^Row 1: .*None of the 3 rows can be called$/,
		);
		const all3 = await bench.run(bulk(us), rows.slice(0, 2));
		expect(shown(all3).message).toMatch(/2 of 2 numbers are not valid in United States/);
	});
});

it.each<[string, unknown]>([
	['an expression', '={{ { doNotCall: $json.phone } }}'],
	['a text', 'x'],
	['a list', [{ doNotCall: phone(0) }]],
	['an empty list', []],
])('G11 Rules that are %s call nobody', async (_, rules) => {
	for (const name of ['rules', 'options']) {
		const parameters = { ...bulk(), [name]: rules } as INodeParameters;
		const { json } = await bench.run(parameters, contacts(2), goesOn);
		expect(statuses(json)).toEqual(all(2, 'refused'));
		expect(json[0]?.reason).toMatch(name === 'rules' ? /^Rules/ : /^Options/);
	}
	expect(bench.sandbox.requests).toEqual([]);
});

it.each(['appointment', ' Appointment ', '$json.appointment', '$json["appointment"]'])(
	'Once for Each with the fixed text %j, the name of a column, is told in the dry run',
	async (onceForEach) => {
		const rows = contacts(2).map((row, n) => ({ ...row, appointment: `day ${n}` }));
		const run = await bench.run(dry({ calledBefore: 'onceForEach', onceForEach }), rows);
		expect(summaryOf(run)).toMatch(/Careful: Once for Each .*column/);
		const word = dry({ calledBefore: 'onceForEach', onceForEach: 'reminder' });
		expect(summaryOf(await bench.run(word, rows))).not.toMatch(/Once for Each is/);
	},
);

const asked = { calledBefore: 'skip' };
const asTool = { asTool: true, ...goesOn } as const;

it.each<[string, string, string]>([
	['that the model chose', '={{ "dryRun" }}', 'refused'],
	['that somebody typed', 'dryRun', 'initiated'],
])('G8 a model does not open Live: a dry run in a mode %s: %s', async (_, mode, status) => {
	store.isOpen = false;
	const dryRun = await bench.run(bulk({ ...asked, mode }), contacts(1), asTool);
	expect(statuses(dryRun.json)).toEqual(['dry_run']);
	const live = await bench.run(bulk(asked), contacts(1), goesOn);
	expect(statuses(live.json)).toEqual([status]);
});

describe('what is too large', () => {
	it.each(FIELDS)('G1 in %s is said in its own row, and in short', async (_, parameters) => {
		const cells = PIECES.map((piece) => cellOf(piece, LARGE));
		const rows = cells.map((cell, n) => ({ phone: phone(n), row_number: cell, cell }));
		const { json, error } = await bench.run(dry(parameters), rows, goesOn);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(rows.length);
		for (const { called, reason } of json) {
			expect(called).toBe('no');
			expect(text(reason).length).toBeLessThanOrEqual(160);
		}
	});
});
