import * as fc from 'fast-check';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';

/** A row that may be sent. */
export const row = (position: number, more: Partial<Row> = {}): Row => ({
	itemIndex: position,
	rowNumber: position + 1,
	position,
	destination: `+1555${1_000 + position}`,
	person: more.destination ?? `+1555${1_000 + position}`,
	agentNumber: '+15550001000',
	...more,
});

/** Rows as campaigns have them: few agents, few callers, repeated numbers, some variables, some values of Once for Each. */
export const rows: fc.Arbitrary<Row[]> = fc
	.array(
		fc.record(
			{
				destination: fc.nat(30).map((n) => `+1555${n}`),
				agentNumber: fc.constantFrom('+15550001000', '15550001000', 't-sales'),
				callerNumber: fc.constantFrom('+15550009999'),
				variables: fc.dictionary(fc.constantFrom('name', 'amount', '__proto__'), fc.string(), {
					minKeys: 1,
				}),
				onceForEach: fc.constantFrom('monday', 'tuesday'),
			},
			{ requiredKeys: ['destination', 'agentNumber'] },
		),
		{ maxLength: 60 },
	)
	.map((list) => list.map((each, position) => row(position, each)));
