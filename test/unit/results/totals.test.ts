import {
	notPlaced,
	outcomeOf,
	type RowOutcome,
} from '../../../nodes/OutboundCalls/domain/callOutcome';
import type { FollowedCall } from '../../../nodes/OutboundCalls/results/followCalls';
import { totals } from '../../../nodes/OutboundCalls/results/totals';
import { row } from '../claims/hostStore';

const called = (position: number, destination: string): RowOutcome => ({
	row: row(position, destination),
	outcome: outcomeOf({ status: 'initiated', reason: null, success: true }),
});

/** The totals of a run that called one number once for each of its rows, and waited. */
const after = (...reached: Array<boolean | null>): string => {
	const rows = reached.map((_, position) => called(position, '+15550101000'));
	return totals(
		rows,
		new Map(rows.map((each, n) => [each, { reached: reached[n]! } as FollowedCall])),
	);
};

describe('the totals count people, also where each row of a number is called', () => {
	it.each<[string, Array<boolean | null>, string]>([
		['one conversation is enough', [false, true, null], '1 reached, 0 not'],
		['one open call leaves it open', [false, null, false], '0 reached, 0 not, 1 not known yet'],
		['nobody answered', [false, false], '0 reached, 1 not'],
	])('%s', (_, reached, expected) => {
		const count = reached.length;
		expect(after(...reached)).toBe(
			`${count} rows: 1 person called (${count} rows), 0 not called; of 1 called: ${expected}`,
		);
	});

	it('and two numbers are two people', () => {
		expect(totals([called(0, '+15550101000'), called(1, '+15550101001')], new Map())).toBe(
			'2 rows: 2 called, 0 not called',
		);
	});
});

describe('why rows were refused', () => {
	const refused = (position: number, reason: string): RowOutcome => ({
		row: row(position, `+1555010100${position}`),
		outcome: notPlaced('refused', reason),
	});

	it('is told above the table where it is the same for all of them', () => {
		expect(
			totals(
				[
					called(0, '+15550101009'),
					refused(1, 'Choose a country.'),
					refused(2, 'Choose a country.'),
				],
				new Map(),
			),
		).toBe('3 rows: 1 called, 2 not called (2 refused). Refused: Choose a country.');
	});

	it('is told in the rows alone where it differs', () => {
		expect(
			totals([refused(0, 'Choose a country.'), refused(1, 'Choose another agent.')], new Map()),
		).toBe('2 rows: 0 called, 2 not called (2 refused)');
	});
});
