import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { bulk, phone, place } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const outcomes = (rows: IDataObject[]): unknown[] => rows.map(({ status }) => status);
/** Orders of one person, each with a call of its own. */
const orders = (...names: string[]): IDataObject[] =>
	names.map((order) => ({ phone: phone(0), order }));

const operations: Array<[string, (more: INodeParameters) => INodeParameters]> = [
	['Bulk Call', bulk],
	['Place Call', place],
];

describe.each(operations)(
	'%s: Duplicates = Call Each Row, and people called before are skipped',
	(_, operation) => {
		const each = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters =>
			operation({
				calledBefore: 'skip',
				variablesFrom: 'json',
				promptVariablesJson: '={{ { order: $json.order } }}',
				options: { duplicates: 'callEach', parallelRequests: 1, maxRetryWait: 0, ...options },
				...more,
			});
		const ordersCalled = (): unknown[] =>
			bench.sandbox.journal.map(({ variables }) => variables.order);

		it('G8 all rows of a number are called by one run, and none by the next', async () => {
			const first = await bench.run(each(), orders('a', 'b', 'c'));
			expect(outcomes(first.called.map(({ json }) => json))).toEqual([
				'initiated',
				'initiated',
				'initiated',
			]);
			const second = await bench.run(each(), orders('a', 'd'));
			expect(second.called).toEqual([]);
			expect(outcomes(second.json)).toEqual(['already_called', 'already_called']);
			expect(ordersCalled()).toEqual(['a', 'b', 'c']);
		});

		it('G2 rows of one person, by Remember People By, still share a call, and the reason says what they share', async () => {
			const { json } = await bench.run(
				each({ callOnceKey: '={{ $json.order }}' }),
				orders('a', 'b', 'a'),
			);
			expect(json.map(({ status, reason }) => [status, reason])).toEqual([
				['initiated', null],
				['initiated', null],
				['duplicate', 'Same person (option Remember People By) as row 1'],
			]);
		});

		it('G8 runs at the same time do not share a number: all its rows are called by one of them', async () => {
			const runs = await Promise.all(
				[1, 2, 3].map(
					async (n) => await bench.run(each({ parallelRequests: 5 }), orders(`${n}a`, `${n}b`)),
				),
			);
			expect(bench.dialed).toHaveLength(2);
			expect(runs.map(({ json }) => outcomes(json).join(' ')).sort()).toEqual([
				'already_called already_called',
				'already_called already_called',
				'initiated initiated',
			]);
		});

		it('G12 a Retry calls no further row of a number whose country was taken out meanwhile', async () => {
			const abroad = { calledBefore: 'callAgain' };
			bench.sandbox.settings.dailyLimit = 1;
			const stopped = await bench.run(each({}, { ...abroad, countries: ['US'] }), orders('a', 'b'));
			delete bench.sandbox.settings.dailyLimit;
			const retried = await bench.run(
				each({}, { ...abroad, countries: ['DE'] }),
				orders('a', 'b'),
				{ retryOf: stopped, withSavedWorkflow: true },
			);
			expect(outcomes(retried.json)).toEqual(['initiated', 'not_allowed']);
			expect(ordersCalled()).toEqual(['a']);
		});

		it('G8 with keys, each key is called once over all runs, whatever its number', async () => {
			const keyed = each({ callOnceKey: '={{ $json.order }}' });
			await bench.run(keyed, orders('b'));
			const { json } = await bench.run(keyed, orders('a', 'b', 'c'));
			expect(outcomes(json)).toEqual(['initiated', 'already_called', 'initiated']);
			expect(ordersCalled()).toEqual(['b', 'a', 'c']);
		});

		it('G4 the Retry button calls the rows of a number that were not called, and the next run none', async () => {
			bench.sandbox.settings.dailyLimit = 1;
			const stopped = await bench.run(each(), orders('a', 'b', 'c'));
			expect(stopped.error).toBeDefined();
			delete bench.sandbox.settings.dailyLimit;
			const retried = await bench.run(each(), orders('a', 'b', 'c'), { retryOf: stopped });
			expect(outcomes(retried.json)).toEqual(['initiated', 'initiated', 'initiated']);
			expect(ordersCalled()).toEqual(['a', 'b', 'c']);
			expect(outcomes((await bench.run(each(), orders('a', 'b', 'c'))).json)).toEqual(
				Array(3).fill('already_called'),
			);
		});

		/** The first row is refused alone, the second one called, the third one meets the daily limit. */
		const stopAfterSecond = async (parameters: INodeParameters): Promise<Finished> => {
			bench.sandbox.fault({
				kind: 'respond',
				status: 400,
				body: { success: false, error: 'Odd' },
				times: 1,
			});
			bench.sandbox.settings.dailyLimit = 1;
			const stopped = await bench.run(parameters, orders('a', 'b', 'c'));
			delete bench.sandbox.settings.dailyLimit;
			expect(stopped.error).toBeDefined();
			expect(bench.sandbox.requests.map(({ dialed }) => dialed)).toEqual([0, 1, 0]);
			return stopped;
		};

		it('G4 the Retry button calls the first row of a number when another one of it was called', async () => {
			const stopped = await stopAfterSecond(each());
			const retried = await bench.run(each(), orders('a', 'b', 'c'), { retryOf: stopped });
			expect(outcomes(retried.json)).toEqual(['initiated', 'initiated', 'initiated']);
			expect(ordersCalled()).toEqual(['b', 'a', 'c']);
		});

		it('G4 a Retry with Duplicates set back to Call Once tells each row that was called of its own call, and calls no other one', async () => {
			bench.sandbox.settings.dailyLimit = 2;
			const stopped = await bench.run(each(), orders('a', 'b', 'c'));
			expect(ordersCalled()).toEqual(['a', 'b']);
			delete bench.sandbox.settings.dailyLimit;
			const once = each({ duplicates: 'callOnce' });
			const { json } = await bench.run(once, orders('a', 'b', 'c'), {
				retryOf: stopped,
				withSavedWorkflow: true,
			});
			expect(json.map(({ status, called }) => [status, called])).toEqual([
				['initiated', 'yes'],
				['initiated', 'yes'],
				['same_number', 'other_row'],
			]);
			expect(ordersCalled()).toEqual(['a', 'b']);
		});

		it('G4 the Retry button knows rows with the same words by their keys', async () => {
			const keyed = each({ callOnceKey: '={{ $json.order }}' }, { promptVariablesJson: '{}' });
			const stopped = await stopAfterSecond(keyed);
			const retried = await bench.run(keyed, orders('a', 'b', 'c'), { retryOf: stopped });
			expect(outcomes(retried.json)).toEqual(['initiated', 'initiated', 'initiated']);
			expect(bench.dialed).toHaveLength(3);
			expect(outcomes((await bench.run(keyed, orders('a', 'b', 'c'))).json)).toEqual(
				Array(3).fill('already_called'),
			);
		});
	},
);

describe('Bulk Call: a row of a number is not dialed, another one is', () => {
	const each = bulk({
		calledBefore: 'skip',
		options: { duplicates: 'callEach', parallelRequests: 1 },
	});
	const locked = { status: 'locked', error: 'Locked', times: 1 } as const;

	it('G8 the number is remembered', async () => {
		bench.sandbox.destinationOutcome.set(phone(0), locked);
		const first = await bench.run(each, orders('a', 'b'));
		expect(outcomes(first.json)).toEqual(['locked', 'initiated']);
		expect(outcomes((await bench.run(each, orders('a', 'b'))).json)).toEqual([
			'already_called',
			'already_called',
		]);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('G8 the number is remembered when the row is dialed by a later try of the run', async () => {
		bench.sandbox.destinationOutcome.set(phone(0), {
			status: 'rate_limited',
			error: 'Later',
			times: 2,
		});
		const patient = bulk({
			calledBefore: 'skip',
			options: {
				duplicates: 'callEach',
				parallelRequests: 1,
				retryUndialed: true,
				maxRetryWait: 30,
			},
		});
		const first = await bench.run(patient, orders('a', 'b'));
		expect(outcomes(first.json)).toEqual(['initiated', 'initiated']);
		expect(outcomes((await bench.run(patient, orders('a', 'b'))).json)).toEqual([
			'already_called',
			'already_called',
		]);
		expect(bench.dialed).toEqual([phone(0), phone(0)]);
	});

	it('G8 the number stays remembered when a retry could not dial another row of it', async () => {
		bench.sandbox.settings.dailyLimit = 1;
		const stopped = await bench.run(each, orders('a', 'b'));
		expect(stopped.error).toBeDefined();
		delete bench.sandbox.settings.dailyLimit;
		bench.sandbox.destinationOutcome.set(phone(0), locked);
		const retried = await bench.run(each, orders('a', 'b'), { retryOf: stopped });
		expect(outcomes(retried.json)).toEqual(['initiated', 'locked']);
		expect(outcomes((await bench.run(each, orders('a', 'b'))).json)).toEqual([
			'already_called',
			'already_called',
		]);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('G8 a number that no row reached may be called by the next run', async () => {
		bench.sandbox.destinationOutcome.set(phone(0), { ...locked, times: 2 });
		expect(outcomes((await bench.run(each, orders('a', 'b'))).json)).toEqual(['locked', 'locked']);
		expect(store.size).toBe(0);
		expect(outcomes((await bench.run(each, orders('a', 'b'))).json)).toEqual([
			'initiated',
			'initiated',
		]);
	});
});
