import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import { bulk, place } from './helpers/workflows';

// Two people with one number, each of whom is called. What their calls say may be something else in a Retry: a prompt variable holds the time, or was changed.

const bench = workbench();
storeForEach();

const FAMILY = '+12125550101';
const rows = [
	{ phone: FAMILY, name: 'Ann' },
	{ phone: FAMILY, name: 'Ben' },
	{ phone: '+12125550102', name: 'Cid' },
];
const others = Array.from({ length: 12 }, (_, n) => ({
	phone: `+121255502${10 + n}`,
	name: `Other ${n}`,
}));
const NOW = '={{ { name: $json.name, at: $now.toISO() } }}';
const options = { duplicates: 'callEach', maxRetryWait: 0, parallelRequests: 1 };
const callsOf = (name: string): number =>
	bench.sandbox.journal.filter(({ variables }) => variables.name === name).length;
const calledOf = (json: IDataObject[]): unknown[] => json.slice(0, 2).map(({ called }) => called);
const json = (promptVariablesJson: string) => ({
	variablesFrom: 'json',
	promptVariablesJson,
	options,
});

const LONG_NOTE = [
	...rows.map((row) => ({ ...row, note: row.name === 'Ann' ? 'x'.repeat(600) : 'short' })),
	...others,
];
const WITH_NOTE = '={{ { name: $json.name, note: $json.note ?? "" } }}';
const WITHOUT_NOTE = '={{ { name: $json.name } }}';

/** A run that the daily limit ends as soon as Ben was called, and a Retry with other settings. */
async function retried(
	route: 'bulk' | 'call',
	before: INodeParameters,
	after: INodeParameters,
	items: IDataObject[],
	requests = 1,
) {
	bench.sandbox.fault({ kind: 'dailyLimit', route, after: requests });
	const first = await bench.run(before, items, { executionId: 'first' });
	expect(callsOf('Ben')).toBe(1);
	bench.sandbox.clearFaults();
	return await bench.run(after, items, {
		executionId: 'second',
		retryOf: first,
		withSavedWorkflow: true,
	});
}

describe.each([
	['Bulk Call', bulk, 'bulk'],
	['Place Call', place, 'call'],
] as const)('G4 Call Each Row, %s: Ann and Ben share a number', (_, call, route) => {
	it('and two Retries of one execution call Ann once, and Ben, though a prompt variable holds the time', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route, times: 1 });
		const first = await bench.run(call(json(NOW)), rows, { executionId: 'first' });
		bench.sandbox.clearFaults();
		bench.sandbox.fault({ kind: 'dailyLimit', route, after: 1 });
		await bench.run(call(json(NOW)), rows, { executionId: 'second', retryOf: first });
		bench.sandbox.clearFaults();
		await bench.run(call(json(NOW)), rows, { executionId: 'third', retryOf: first });
		expect([callsOf('Ann'), callsOf('Ben')]).toEqual([1, 1]);
	});

	it.each<[string, INodeParameters, INodeParameters]>([
		[
			'Remember People By is added',
			{ calledBefore: 'skip' },
			{ calledBefore: 'skip', options: { ...options, callOnceKey: '={{ $json.order }}' } },
		],
		[
			'their people are remembered',
			{ calledBefore: 'callAgain', options: { ...options, callOnceKey: '={{ $json.order }}' } },
			{ calledBefore: 'skip', options: { ...options, callOnceKey: '={{ $json.order }}' } },
		],
	])(
		'G5 and one order: both were called, and keep their outcomes, though %s before a Retry',
		async (_what, before, after) => {
			const items = [...rows, ...others].map((row) => ({
				...row,
				order: ['Ann', 'Ben'].includes(row.name) ? 'o1' : row.name,
			}));
			const second = await retried(
				route,
				call({ ...json(WITHOUT_NOTE), ...before }),
				call({ ...json(WITHOUT_NOTE), ...after }),
				items,
				2,
			);
			expect([callsOf('Ann'), callsOf('Ben')]).toEqual([1, 1]);
			expect(calledOf(second.json)).toEqual(['yes', 'yes']);
		},
	);

	it('and Ann’s words were too long: once they are shorter, a Retry calls her, and not Ben once more', async () => {
		const second = await retried(route, call(json(WITH_NOTE)), call(json(WITHOUT_NOTE)), LONG_NOTE);
		expect([callsOf('Ann'), callsOf('Ben')]).toEqual([1, 1]);
		expect(calledOf(second.json)).toEqual(['yes', 'yes']);
	});

	it('by default, and Ann’s words were too long: once they are shorter, a Retry shows Ben’s call beside Ben', async () => {
		const once = (words: string) =>
			call({ ...json(words), options: { maxRetryWait: 0, parallelRequests: 1 } });
		const second = await retried(route, once(WITH_NOTE), once(WITHOUT_NOTE), LONG_NOTE);
		expect([callsOf('Ann'), callsOf('Ben')]).toEqual([0, 1]);
		expect(calledOf(second.json)).toEqual(['other_row', 'yes']);
	});

	it('by default, and Ann’s number lacked its country: once that is chosen, a Retry shows Ben’s call beside Ben', async () => {
		const of = (defaultCountry: string) =>
			call({
				...json(WITHOUT_NOTE),
				defaultCountry,
				countries: ['US', 'DE'],
				options: { maxRetryWait: 0 },
			});
		const people = [
			{ phone: '0171 2345678', name: 'Ann' },
			{ phone: '+491712345678', name: 'Ben' },
			...others,
		];
		const second = await retried(route, of(''), of('DE'), people);
		expect([callsOf('Ann'), callsOf('Ben')]).toEqual([0, 1]);
		expect(calledOf(second.json)).toEqual(['other_row', 'yes']);
	});

	it('a Retry that called Ann alone, and another one of the same execution that calls each: Ann is called once, and Ben', async () => {
		const of = (duplicates: string, note: string) => ({
			...json(`={{ { name: $json.name, note: "${note}" } }}`),
			options: { ...options, duplicates },
		});
		bench.sandbox.fault({ kind: 'dailyLimit', route, times: 1 });
		const first = await bench.run(call(of('callOnce', 'a')), rows, { executionId: 'first' });
		bench.sandbox.clearFaults();
		await bench.run(call(of('callOnce', 'a')), rows, { executionId: 'second', retryOf: first });
		expect([callsOf('Ann'), callsOf('Ben')]).toEqual([1, 0]);
		await bench.run(call(of('callEach', 'b')), rows, {
			executionId: 'third',
			retryOf: first,
			withSavedWorkflow: true,
		});
		expect([callsOf('Ann'), callsOf('Ben')]).toEqual([1, 1]);
	});
});

it('G4 Place Call with keys, by default: Ann was called last week, and a Retry shows Ben’s call beside Ben, though a prompt variable holds the time', async () => {
	const keyed = place({
		...json(NOW),
		calledBefore: 'skip',
		options: {
			callOnceKey: '={{ $json.phone }} {{ $json.name }}',
			maxRetryWait: 0,
			parallelRequests: 1,
		},
	});
	const [ann, ben, cid] = rows;
	const hal = { ...cid!, name: 'Hal' };
	await bench.run(keyed, [ann!, cid!], { executionId: 'last week' });
	const second = await retried('call', keyed, keyed, [ann!, ben!, cid!, hal]);
	expect(['Ann', 'Ben', 'Cid', 'Hal'].map(callsOf)).toEqual([1, 1, 1, 1]);
	expect(second.json.map(({ called, status }) => (called === 'yes' ? called : status))).toEqual([
		'same_number',
		'yes',
		'already_called',
		'yes',
	]);
});

itWithFunctions(
	'G4 Call Each Row, Bulk Call: Ann and Ben share a number, as entries of a list in one item, and Ann’s words were too long: once all are shorter, a Retry calls her, and not Ben once more',
	async () => {
		const listed = (note: string) =>
			bulk({
				destinationSource: 'json',
				destinationsJson: `={{ $json.people.map((each) => ({ phone: each.phone, prompt_variables: { name: each.name${note} } })) }}`,
				options,
			});
		const second = await retried('bulk', listed(', note: each.note || "none"'), listed(''), [
			{ people: LONG_NOTE },
		]);
		expect([callsOf('Ann'), callsOf('Ben')]).toEqual([1, 1]);
		expect(calledOf(second.json)).toEqual(['yes', 'yes']);
	},
);
