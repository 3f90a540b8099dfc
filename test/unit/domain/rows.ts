import * as fc from 'fast-check';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import type { Shared } from '../../../nodes/OutboundCalls/domain/sharing';

/** A row that may be sent. */
export const row = (position: number, more: Partial<Row> = {}): Row => ({
	itemIndex: position,
	position,
	isDry: false,
	destination: `+1555${1_000 + position}`,
	person: more.destination ?? `+1555${1_000 + position}`,
	agentNumber: '+15550001000',
	...more,
});

/** The rows that follow another one, and that one. */
export const positions = ({ followers }: Shared): Map<number, number> =>
	new Map([...followers].map(([position, first]) => [position, first.position]));

/** Rows as campaigns have them: few agents, few callers, repeated numbers, some variables. */
export const rows: fc.Arbitrary<Row[]> = fc
	.array(
		fc.record({
			destination: fc.nat(30).map((n) => `+1555${n}`),
			agentNumber: fc.constantFrom('+15550001000', '15550001000', 't-sales'),
			callerNumber: fc.constantFrom(undefined, '+15550009999'),
			variables: fc.option(
				fc.dictionary(fc.constantFrom('name', 'amount', '__proto__'), fc.string(), { minKeys: 1 }),
				{
					nil: undefined,
				},
			),
		}),
		{ maxLength: 60 },
	)
	.map((list) =>
		list.map((each, position) => ({
			itemIndex: position,
			position,
			isDry: false,
			person: each.destination,
			...each,
		})),
	);

/** Both choices. */
export const duplicates = fc.constantFrom('callOnce' as const, 'callEach' as const);

/** How often the most frequent number comes. */
export const mostFrequent = (list: readonly Row[]): number => {
	const counts = new Map<string, number>();
	for (const { destination } of list) counts.set(destination, (counts.get(destination) ?? 0) + 1);
	return Math.max(0, ...counts.values());
};
