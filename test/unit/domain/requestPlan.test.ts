import * as fc from 'fast-check';
import {
	bulkBody,
	callBody,
	deduplicate,
	promote,
	requestPlan,
	type BulkBody,
	type Chunk,
	type Duplicates,
	type Shared,
} from '../../../nodes/OutboundCalls/domain/requestPlan';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';

const row = (position: number, more: Partial<Row> = {}): Row => ({
	itemIndex: position,
	position,
	isDry: false,
	destination: `+1555${1_000 + position}`,
	agentNumber: '+15550001000',
	...more,
});

/** The rows that follow another one, and that one. */
const positions = ({ followers }: Shared): Map<number, number> => new Map([...followers].map(([position, first]) => [position, first.position]));

/** Rows → requests, and the rows that repeat an earlier row's outcome. */
const planned = (list: readonly Row[], mode: Duplicates, size?: number): { chunks: Chunk[]; followers: Map<number, number> } => {
	const shared = deduplicate(list, mode);
	return { chunks: requestPlan(shared.callers, size), followers: positions(shared) };
};

/** Rows as campaigns have them: few agents, few callers, repeated numbers, some variables. */
const rows: fc.Arbitrary<Row[]> = fc
	.array(
		fc.record({
			destination: fc.nat(30).map((n) => `+1555${n}`),
			agentNumber: fc.constantFrom('+15550001000', '15550001000', 't-sales'),
			callerNumber: fc.constantFrom(undefined, '+15550009999'),
			variables: fc.option(fc.dictionary(fc.constantFrom('name', 'amount', '__proto__'), fc.string(), { minKeys: 1 }), {
				nil: undefined,
			}),
		}),
		{ maxLength: 60 },
	)
	.map((list) => list.map((each, position) => ({ itemIndex: position, position, isDry: false, ...each })));

const duplicates = fc.constantFrom('callOnce' as const, 'callEach' as const);
const groupOf = ({ agentNumber, callerNumber }: Row) => `${agentNumber.replace('+', '')}/${callerNumber ?? ''}`;

const byGroup = (list: readonly Row[]): Row[][] => {
	const groups = new Map<string, Row[]>();
	for (const each of list) groups.set(groupOf(each), [...(groups.get(groupOf(each)) ?? []), each]);
	return [...groups.values()];
};

const mostFrequent = (list: readonly Row[]): number => {
	const counts = new Map<string, number>();
	for (const { destination } of list) counts.set(destination, (counts.get(destination) ?? 0) + 1);
	return Math.max(0, ...counts.values());
};

describe('whatever the rows are', () => {
	it('G5 every row is in exactly one request or repeats an earlier row’s outcome', () => {
		fc.assert(
			fc.property(rows, duplicates, (list, mode) => {
				const { chunks, followers } = planned(list, mode);
				const sent = chunks.flatMap((chunk) => chunk.rows.map(({ position }) => position));
				expect([...sent, ...followers.keys()].sort((a, b) => a - b)).toEqual(list.map(({ position }) => position));
				for (const [follower, first] of followers) {
					expect(first).toBeLessThan(follower);
					expect(sent).toContain(first);
					expect(list[first]?.destination).toBe(list[follower]?.destination);
				}
			}),
		);
	});

	it('G2 a number stands in one request of the run, unless each row is to be called', () => {
		fc.assert(
			fc.property(rows, (list) => {
				const { chunks, followers } = planned(list, 'callOnce');
				expect(mostFrequent(chunks.flatMap((chunk) => chunk.rows))).toBeLessThanOrEqual(1);
				expect(planned(list, 'callEach').followers.size).toBe(0);
				expect(followers.size).toBe(list.length - new Set(list.map(({ destination }) => destination)).size);
			}),
		);
	});

	it('a request has one agent, one caller and 1 to 10 different numbers', () => {
		fc.assert(
			fc.property(rows, duplicates, (list, mode) => {
				for (const { rows: inChunk } of planned(list, mode).chunks) {
					expect(inChunk.length).toBeGreaterThanOrEqual(1);
					expect(inChunk.length).toBeLessThanOrEqual(10);
					expect(mostFrequent(inChunk)).toBe(1);
					expect(new Set(inChunk.map(groupOf)).size).toBe(1);
				}
			}),
		);
	});

	it('G6 an agent and caller get as few requests as the rules allow', () => {
		fc.assert(
			fc.property(rows, duplicates, fc.integer({ min: 1, max: 10 }), (list, mode, size) => {
				const { chunks, followers } = planned(list, mode, size);
				const toCall = list.filter(({ position }) => !followers.has(position));
				for (const group of byGroup(toCall)) {
					const requests = chunks.filter((chunk) => groupOf(chunk.rows[0]!) === groupOf(group[0]!));
					expect(requests).toHaveLength(Math.max(Math.ceil(group.length / size), mostFrequent(group)));
					expect(new Set(requests.map((chunk) => chunk.group)).size).toBe(1);
				}
				expect(new Set(chunks.map((chunk) => chunk.group)).size).toBe(byGroup(toCall).length);
			}),
		);
	});

	it('rows are called in their order within an agent, where no number comes twice', () => {
		fc.assert(
			fc.property(rows, (list) => {
				const { chunks, followers } = planned(list, 'callOnce');
				for (const group of byGroup(list.filter(({ position }) => !followers.has(position)))) {
					const sent = chunks
						.filter((chunk) => groupOf(chunk.rows[0]!) === groupOf(group[0]!))
						.flatMap((chunk) => chunk.rows.map(({ position }) => position));
					expect(sent).toEqual(group.map(({ position }) => position));
				}
			}),
		);
	});

	it('a request has shared variables or variables of each destination, never both, and loses none', () => {
		fc.assert(
			fc.property(rows, duplicates, (list, mode) => {
				for (const chunk of planned(list, mode).chunks) {
					const body = bulkBody(chunk.rows);
					const own = body.destinations.map((each) => (typeof each === 'string' ? undefined : each.prompt_variables));
					if (body.prompt_variables) expect(own.every((variables) => variables === undefined)).toBe(true);
					expect(own.map((variables) => Object.entries(variables ?? body.prompt_variables ?? {}))).toEqual(
						chunk.rows.map(({ variables }) => Object.entries(variables ?? {})),
					);
					expect(body.destinations.map((each) => (typeof each === 'string' ? each : each.phone))).toEqual(
						chunk.rows.map(({ destination }) => destination),
					);
					expect(new Set(body.destinations.map((each) => typeof each)).size).toBe(1);
				}
			}),
		);
	});
});

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
		['a number again, where each row is called: nobody', [{ destination: a }, { destination: a }], 'callEach', []],
		['a number again with another agent: its first row', [{ destination: a }, { destination: a, agentNumber: 't-sales' }], 'callOnce', [[1, 0]]],
		['a key again: its first row', [{ callOnceKey: 'x' }, { callOnceKey: 'y' }, { callOnceKey: 'x' }], 'callOnce', [[2, 0]]],
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
			'the key of a row that itself follows another: that one, because its call stands for both keys',
			[
				{ destination: a, callOnceKey: 'x' },
				{ destination: a, callOnceKey: 'y' },
				{ destination: b, callOnceKey: 'y' },
			],
			'callOnce',
			[
				[1, 0],
				[2, 0],
			],
		],
		[
			'of a dry run: only rows of a dry run, so that it says what would happen if all were live',
			[{ destination: a, isDry: true }, { destination: a }, { destination: a, isDry: true }, { destination: a }],
			'callOnce',
			[
				[2, 0],
				[3, 1],
			],
		],
		['a key of a dry run: not the live rows', [{ callOnceKey: 'x', isDry: true }, { callOnceKey: 'x' }], 'callOnce', []],
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
		['no row is freed: nothing changes', [{ destination: a }, { destination: a }], 'callOnce', [], [], [[1, 0]]],
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
			[{ destination: a }, { destination: b }, { destination: b }, { destination: a }, { destination: b }],
			'callOnce',
			[0, 1],
			[2, 3],
			[[4, 2]],
		],
		['others are left alone', [{ destination: a }, { destination: b }, { destination: a }, { destination: b }], 'callOnce', [0], [2], [[3, 1]]],
		['the next row of the key calls', [{ callOnceKey: 'x' }, { callOnceKey: 'x' }, { callOnceKey: 'x' }], 'callEach', [0], [1], [[2, 1]]],
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
				const list = some.map((each, n): Row => (keyOf[n] === undefined ? each : { ...each, callOnceKey: keyOf[n] }));
				const shared = deduplicate(list, mode);
				const tried: Row[] = [];
				for (let callers = [...shared.callers]; callers.length > 0;) {
					tried.push(...callers);
					callers = promote(shared, list, mode, (first) => tried.includes(first) && refused[first.position] === true);
				}
				const called = tried.filter(({ position }) => !refused[position]);
				expect([...tried.map(({ position }) => position), ...shared.followers.keys()].sort((x, y) => x - y)).toEqual(
					list.map(({ position }) => position),
				);
				for (const first of shared.followers.values()) expect(called).toContain(first);
				if (mode === 'callOnce') expect(mostFrequent(called)).toBeLessThanOrEqual(1);
				const used = called.flatMap(({ callOnceKey }) => callOnceKey ?? []);
				expect(new Set(used).size).toBe(used.length);
			}),
		);
	});
});

describe('rows → number of requests', () => {
	const list = (count: number, more?: (n: number) => Partial<Row>) => Array.from({ length: count }, (_, n) => row(n, more?.(n)));
	it.each<[string, Row[], 'callOnce' | 'callEach', number[]]>([
		['no rows', [], 'callOnce', []],
		['1 row', list(1), 'callOnce', [1]],
		['10 rows', list(10), 'callOnce', [10]],
		['11 rows', list(11), 'callOnce', [10, 1]],
		['25 rows', list(25), 'callOnce', [10, 10, 5]],
		['12 rows of one number', list(12, () => ({ destination: '+1' })), 'callOnce', [1]],
		['3 rows of one number, each called', list(3, () => ({ destination: '+1' })), 'callEach', [1, 1, 1]],
		['12 rows of two numbers, each called', list(12, (n) => ({ destination: `+${n % 2}` })), 'callEach', [2, 2, 2, 2, 2, 2]],
		['two agents in turn', list(6, (n) => ({ agentNumber: n % 2 ? '+1' : '+2' })), 'callOnce', [3, 3]],
		['an agent with and without its plus', list(6, (n) => ({ agentNumber: n % 2 ? '+1' : '1' })), 'callOnce', [6]],
		['one agent with two callers', list(4, (n) => ({ agentNumber: 't', callerNumber: n % 2 ? '+1' : '+2' })), 'callOnce', [2, 2]],
	])('%s', (_, given, mode, expected) => {
		expect(planned(given, mode).chunks.map((chunk) => chunk.rows.length)).toEqual(expected);
	});

	it('10,000 rows are planned at once', () => {
		expect(planned(list(10_000), 'callOnce').chunks).toHaveLength(1_000);
	});
});

describe('what is sent', () => {
	it.each<[string, Row[], BulkBody]>([
		['no variables', [row(0), row(1)], { agent_number: '+15550001000', destinations: ['+15551000', '+15551001'] }],
		[
			'the same variables for all',
			[row(0, { variables: { a: '1', b: '2' } }), row(1, { variables: { b: '2', a: '1' } })],
			{ agent_number: '+15550001000', destinations: ['+15551000', '+15551001'], prompt_variables: { a: '1', b: '2' } },
		],
		[
			'different variables',
			[row(0, { variables: { a: '1' } }), row(1, { variables: { a: '2' } })],
			{
				agent_number: '+15550001000',
				destinations: [
					{ phone: '+15551000', prompt_variables: { a: '1' } },
					{ phone: '+15551001', prompt_variables: { a: '2' } },
				],
			},
		],
		[
			'one variable more for the first',
			[row(0, { variables: { a: '1', b: '2' } }), row(1, { variables: { a: '1' } })],
			{
				agent_number: '+15550001000',
				destinations: [
					{ phone: '+15551000', prompt_variables: { a: '1', b: '2' } },
					{ phone: '+15551001', prompt_variables: { a: '1' } },
				],
			},
		],
		[
			'variables for one of two',
			[row(0), row(1, { variables: { a: '2' } })],
			{ agent_number: '+15550001000', destinations: [{ phone: '+15551000' }, { phone: '+15551001', prompt_variables: { a: '2' } }] },
		],
		[
			'a SIP agent',
			[row(0, { agentNumber: 't-sales', callerNumber: '+15550009999' })],
			{ agent_number: 't-sales', caller_number: '+15550009999', destinations: ['+15551000'] },
		],
	])('%s', (_, given, expected) => {
		expect(bulkBody(given)).toEqual(expected);
	});

	it.each<[string, Partial<Row>, object]>([
		['a single call with nothing more', {}, {}],
		['a single call with variables', { variables: { a: '1' } }, { prompt_variables: { a: '1' } }],
		['a single call with its own ID', { externalCallId: 'order-1' }, { metadata: { external_call_id: 'order-1' } }],
		[
			'a single call of a SIP agent',
			{ agentNumber: 't-sales', callerNumber: '+15550009999' },
			{ agent_number: 't-sales', caller_number: '+15550009999' },
		],
	])('%s', (_, more, expected) => {
		expect(callBody(row(0, more))).toEqual({ destination: '+15551000', agent_number: '+15550001000', ...expected });
	});
});
