import * as fc from 'fast-check';
import {
	type CallOutcome,
	notPlaced,
	outcomeOf,
	type Reach,
} from '../../../nodes/OutboundCalls/domain/callOutcome';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import {
	deduplicate,
	type Duplicates,
	difference,
	leavesOut,
	promote,
} from '../../../nodes/OutboundCalls/domain/sharing';
import { duplicates, mostFrequent, positions, row, rows } from './rows';

describe('who follows whom', () => {
	const [a, b] = ['+15551', '+15552'];
	it.each<[string, Array<Partial<Row>>, Duplicates, Array<[number, number]>]>([
		['different numbers: nobody', [{ destination: a }, { destination: b }], 'callOnce', []],
		[
			'a number again: its first row',
			[{ destination: a }, { destination: b }, { destination: a }, { destination: a }],
			'callOnce',
			[
				[2, 0],
				[3, 0],
			],
		],
		[
			'a number again, where each row is called: nobody',
			[{ destination: a }, { destination: a }],
			'callEach',
			[],
		],
		[
			'a number again with another agent: its first row',
			[{ destination: a }, { destination: a, agentNumber: 't-sales' }],
			'callOnce',
			[[1, 0]],
		],
		[
			'a key again: its first row',
			[{ callOnceKey: 'x' }, { callOnceKey: 'y' }, { callOnceKey: 'x' }],
			'callOnce',
			[[2, 0]],
		],
		[
			'a key again, even where each row is called: its first row',
			[{ callOnceKey: 'x' }, { callOnceKey: 'y' }, { callOnceKey: 'x' }],
			'callEach',
			[[2, 0]],
		],
		[
			'a number again with another key: its first row',
			[
				{ destination: a, callOnceKey: 'x' },
				{ destination: a, callOnceKey: 'y' },
			],
			'callOnce',
			[[1, 0]],
		],
		[
			'a number again with another key, where each row is called: nobody',
			[
				{ destination: a, callOnceKey: 'x' },
				{ destination: a, callOnceKey: 'y' },
			],
			'callEach',
			[],
		],
		[
			'the key of a row that itself follows another by its number: nobody, because its words are not spoken',
			[
				{ destination: a, callOnceKey: 'x' },
				{ destination: a, callOnceKey: 'y' },
				{ destination: b, callOnceKey: 'y' },
			],
			'callOnce',
			[[1, 0]],
		],
		[
			'of a dry run: only rows of a dry run, so that it says what would happen if all were live',
			[
				{ destination: a, isDry: true },
				{ destination: a },
				{ destination: a, isDry: true },
				{ destination: a },
			],
			'callOnce',
			[
				[2, 0],
				[3, 1],
			],
		],
		[
			'a key of a dry run: not the live rows',
			[{ callOnceKey: 'x', isDry: true }, { callOnceKey: 'x' }],
			'callOnce',
			[],
		],
	])('%s', (_, given, mode, expected) => {
		const list = given.map((more, position) => row(position, more));
		const shared = deduplicate(list, mode);
		expect([...positions(shared)]).toEqual(expected);
		expect(shared.callers).toEqual(list.filter(({ position }) => !shared.followers.has(position)));
	});
});

describe('rows whose first one was not called for a reason of its own', () => {
	const [a, b] = ['+15551', '+15552'];
	it.each<[string, Array<Partial<Row>>, Duplicates, number[], number[], Array<[number, number]>]>([
		[
			'no row is freed: nothing changes',
			[{ destination: a }, { destination: a }],
			'callOnce',
			[],
			[],
			[[1, 0]],
		],
		[
			'the next row of the number calls, and the others follow it',
			[{ destination: a }, { destination: a }, { destination: a }],
			'callOnce',
			[0],
			[1],
			[[2, 1]],
		],
		[
			'each number has a row of its own',
			[
				{ destination: a },
				{ destination: b },
				{ destination: b },
				{ destination: a },
				{ destination: b },
			],
			'callOnce',
			[0, 1],
			[2, 3],
			[[4, 2]],
		],
		[
			'others are left alone',
			[{ destination: a }, { destination: b }, { destination: a }, { destination: b }],
			'callOnce',
			[0],
			[2],
			[[3, 1]],
		],
		[
			'the next row of the key calls',
			[{ callOnceKey: 'x' }, { callOnceKey: 'x' }, { callOnceKey: 'x' }],
			'callEach',
			[0],
			[1],
			[[2, 1]],
		],
		[
			'one whose key another call has follows that one',
			[
				{ destination: a, callOnceKey: 'x' },
				{ destination: b, callOnceKey: 'y' },
				{ destination: a, callOnceKey: 'y' },
			],
			'callOnce',
			[0],
			[],
			[[2, 1]],
		],
		[
			'one whose key another row has that was not called either calls',
			[
				{ destination: a, callOnceKey: 'x' },
				{ destination: b, callOnceKey: 'y' },
				{ destination: a, callOnceKey: 'y' },
			],
			'callOnce',
			[0, 1],
			[2],
			[],
		],
	])('%s', (_, given, mode, freeing, callers, followers) => {
		const list = given.map((more, position) => row(position, more));
		const shared = deduplicate(list, mode);
		const before = shared.callers.map(({ position }) => position);
		const promoted = promote(shared, list, mode, (first) => freeing.includes(first.position));
		expect(promoted.map(({ position }) => position)).toEqual(callers);
		expect([...positions(shared)]).toEqual(followers);
		expect(shared.callers.map(({ position }) => position)).toEqual([...before, ...callers]);
	});

	const keys = fc.array(fc.constantFrom(undefined, 'x', 'y', 'z'), { maxLength: 60 });
	const refusals = fc.array(fc.boolean(), { maxLength: 60 });

	it('G5 each row calls or follows one that was called, and G2 none is called twice, whoever is refused', () => {
		fc.assert(
			fc.property(rows, duplicates, refusals, keys, (some, mode, refused, keyOf) => {
				const list = some.map((each, n): Row =>
					keyOf[n] === undefined ? each : { ...each, callOnceKey: keyOf[n] },
				);
				const shared = deduplicate(list, mode);
				const tried: Row[] = [];
				for (let callers = [...shared.callers]; callers.length > 0;) {
					tried.push(...callers);
					callers = promote(
						shared,
						list,
						mode,
						(first) => tried.includes(first) && refused[first.position] === true,
					);
				}
				const called = tried.filter(({ position }) => !refused[position]);
				expect(
					[...tried.map(({ position }) => position), ...shared.followers.keys()].sort(
						(x, y) => x - y,
					),
				).toEqual(list.map(({ position }) => position));
				for (const first of shared.followers.values()) expect(called).toContain(first);
				if (mode === 'callOnce') expect(mostFrequent(called)).toBeLessThanOrEqual(1);
				const used = called.flatMap(({ callOnceKey }) => callOnceKey ?? []);
				expect(new Set(used).size).toBe(used.length);
			}),
		);
	});
});

describe('whom the reason leaves out for which the first row was not called', () => {
	const zones = ['Europe/Berlin'];
	const dates = { texts: [] };
	/** What the follower has in common with the first row. */
	const cases: Array<[string, Partial<Row>, Partial<Row>, Reach[]]> = [
		['the same in all', {}, {}, ['row']],
		['another number', {}, { destination: '+15559' }, ['row', 'person', 'hours']],
		['another key', { callOnceKey: 'x' }, { callOnceKey: 'y' }, ['row', 'key']],
		['other clocks', { timeZones: zones }, {}, ['row', 'hours']],
		['other dates', {}, { noCallDates: dates as never }, ['row', 'hours']],
		[
			'another agent',
			{},
			{ agentNumber: 't-sales', callerNumber: '+15550009999' },
			['row', 'agent'],
		],
		['another caller', { callerNumber: '+15550009999' }, {}, ['row', 'agent']],
		['the agent without its plus', {}, { agentNumber: '15550001000' }, ['row']],
	];
	it.each(cases)('%s', (_, first, follower, expected) => {
		const [a, b] = [
			row(0, { destination: '+15551', ...first }),
			row(1, { destination: '+15551', ...follower }),
		];
		const reaches: Reach[] = ['row', 'person', 'key', 'hours', 'agent', 'run'];
		expect(reaches.filter((reach) => leavesOut(notPlaced('refused', null, reach), a, b))).toEqual(
			expected,
		);
	});

	it.each<[string, CallOutcome | undefined]>([
		['was called', outcomeOf({ status: 'initiated', reason: null, success: true })],
		['may have been called', notPlaced('unknown', null)],
		['would be called', notPlaced('dry_run', null)],
		['has no outcome yet', undefined],
	])('nobody, where the first row %s', (_, outcome) => {
		expect(leavesOut(outcome, row(0), row(1))).toBe(false);
	});
});

describe('what the call of another row with the same number did not say', () => {
	it.each<[string, Partial<Row>, Partial<Row>, string | undefined]>([
		['the same', { variables: { a: '1', b: '2' } }, { variables: { b: '2', a: '1' } }, undefined],
		[
			'other variables',
			{ variables: { a: '1' } },
			{ variables: { a: '2' } },
			'other prompt variables',
		],
		['one more variable', {}, { variables: { a: '2' } }, 'other prompt variables'],
		['another agent', {}, { agentNumber: '+15550002000' }, 'another agent'],
		['the agent without its plus', {}, { agentNumber: '15550001000' }, undefined],
		[
			'another caller',
			{ callerNumber: '+15550009999' },
			{ callerNumber: '+15550009998' },
			'another agent or caller',
		],
		[
			'another key',
			{ callOnceKey: 'x' },
			{ callOnceKey: 'y' },
			'another value in Remember People By',
		],
		['another External Call ID', { externalCallId: 'x' }, { externalCallId: 'y' }, undefined],
	])('%s', (_, called, own, expected) => {
		expect(difference(row(0, called), row(1, own))).toBe(expected);
	});
});
