import * as fc from 'fast-check';
import {
	bulkBody,
	callBody,
	type BulkBody,
} from '../../../nodes/OutboundCalls/domain/requestBodies';
import { requestPlan, type Chunk } from '../../../nodes/OutboundCalls/domain/requestPlan';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import { deduplicate, type Duplicates } from '../../../nodes/OutboundCalls/domain/sharing';
import { duplicates, mostFrequent, positions, row, rows } from './rows';

/** Rows → requests, and the rows that repeat an earlier row's outcome. */
const planned = (
	list: readonly Row[],
	mode: Duplicates,
	size?: number,
): { chunks: Chunk[]; followers: Map<number, number> } => {
	const shared = deduplicate(list, mode);
	return { chunks: requestPlan(shared.callers, size), followers: positions(shared) };
};

const groupOf = ({ agentNumber, callerNumber }: Row) =>
	`${agentNumber.replace('+', '')}/${callerNumber ?? ''}`;

const byGroup = (list: readonly Row[]): Row[][] => {
	const groups = new Map<string, Row[]>();
	for (const each of list) groups.set(groupOf(each), [...(groups.get(groupOf(each)) ?? []), each]);
	return [...groups.values()];
};

describe('whatever the rows are', () => {
	it('G5 every row is in exactly one request or repeats an earlier row’s outcome', () => {
		fc.assert(
			fc.property(rows, duplicates, (list, mode) => {
				const { chunks, followers } = planned(list, mode);
				const sent = chunks.flatMap((chunk) => chunk.rows.map(({ position }) => position));
				expect([...sent, ...followers.keys()].sort((a, b) => a - b)).toEqual(
					list.map(({ position }) => position),
				);
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
				expect(followers.size).toBe(
					list.length - new Set(list.map(({ destination }) => destination)).size,
				);
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
					expect(requests).toHaveLength(
						Math.max(Math.ceil(group.length / size), mostFrequent(group)),
					);
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
					const own = body.destinations.map((each) =>
						typeof each === 'string' ? undefined : each.prompt_variables,
					);
					if (body.prompt_variables)
						expect(own.every((variables) => variables === undefined)).toBe(true);
					expect(
						own.map((variables) => Object.entries(variables ?? body.prompt_variables ?? {})),
					).toEqual(chunk.rows.map(({ variables }) => Object.entries(variables ?? {})));
					expect(
						body.destinations.map((each) => (typeof each === 'string' ? each : each.phone)),
					).toEqual(chunk.rows.map(({ destination }) => destination));
					expect(new Set(body.destinations.map((each) => typeof each)).size).toBe(1);
				}
			}),
		);
	});
});

describe('rows → number of requests', () => {
	const list = (count: number, more?: (n: number) => Partial<Row>) =>
		Array.from({ length: count }, (_, n) => row(n, more?.(n)));
	it.each<[string, Row[], 'callOnce' | 'callEach', number[]]>([
		['no rows', [], 'callOnce', []],
		['1 row', list(1), 'callOnce', [1]],
		['10 rows', list(10), 'callOnce', [10]],
		['11 rows', list(11), 'callOnce', [10, 1]],
		['25 rows', list(25), 'callOnce', [10, 10, 5]],
		['12 rows of one number', list(12, () => ({ destination: '+1' })), 'callOnce', [1]],
		[
			'3 rows of one number, each called',
			list(3, () => ({ destination: '+1' })),
			'callEach',
			[1, 1, 1],
		],
		[
			'12 rows of two numbers, each called',
			list(12, (n) => ({ destination: `+${n % 2}` })),
			'callEach',
			[2, 2, 2, 2, 2, 2],
		],
		[
			'two agents in turn',
			list(6, (n) => ({ agentNumber: n % 2 ? '+1' : '+2' })),
			'callOnce',
			[3, 3],
		],
		[
			'an agent with and without its plus',
			list(6, (n) => ({ agentNumber: n % 2 ? '+1' : '1' })),
			'callOnce',
			[6],
		],
		[
			'one agent with two callers',
			list(4, (n) => ({ agentNumber: 't', callerNumber: n % 2 ? '+1' : '+2' })),
			'callOnce',
			[2, 2],
		],
	])('%s', (_, given, mode, expected) => {
		expect(planned(given, mode).chunks.map((chunk) => chunk.rows.length)).toEqual(expected);
	});

	it('10,000 rows are planned at once', () => {
		expect(planned(list(10_000), 'callOnce').chunks).toHaveLength(1_000);
	});
});

describe('what is sent', () => {
	it.each<[string, Row[], BulkBody]>([
		[
			'no variables',
			[row(0), row(1)],
			{ agent_number: '+15550001000', destinations: ['+15551000', '+15551001'] },
		],
		[
			'the same variables for all',
			[row(0, { variables: { a: '1', b: '2' } }), row(1, { variables: { b: '2', a: '1' } })],
			{
				agent_number: '+15550001000',
				destinations: ['+15551000', '+15551001'],
				prompt_variables: { a: '1', b: '2' },
			},
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
			{
				agent_number: '+15550001000',
				destinations: [
					{ phone: '+15551000' },
					{ phone: '+15551001', prompt_variables: { a: '2' } },
				],
			},
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
		[
			'a single call with its own ID',
			{ externalCallId: 'order-1' },
			{ metadata: { external_call_id: 'order-1' } },
		],
		[
			'a single call of a SIP agent',
			{ agentNumber: 't-sales', callerNumber: '+15550009999' },
			{ agent_number: 't-sales', caller_number: '+15550009999' },
		],
	])('%s', (_, more, expected) => {
		expect(callBody(row(0, more))).toEqual({
			destination: '+15551000',
			agent_number: '+15550001000',
			...expected,
		});
	});
});
