import * as fc from 'fast-check';
import metadata from 'libphonenumber-js/metadata.max.json';
import { leadingDigits } from '../../../../nodes/OutboundCalls/domain/phone/leadingDigits';

describe('what numbers of a pattern begin with', () => {
	it.each<[string, string[], string[]]>([
		['89\\d{2}', ['', '8', '89', '891', '8912'], ['9', '88', '89123']],
		['8(?:0[0-2]|9)\\d', ['80', '801', '89', '8015', '895'], ['81', '803', '8956']],
		[
			'1?2{2,3}[3-5]',
			['1', '12', '122', '1222', '2', '22', '224', '2223'],
			['11', '123', '22222', '226'],
		],
		['(?:1[23]){2}4', ['1', '12', '121', '1213', '12134'], ['124', '12133']],
		['(?:90)?1|7', ['9', '90', '901', '1', '7'], ['91', '71']],
	])('%s', (pattern, beginnings, others) => {
		const begins = leadingDigits(pattern);
		expect([...beginnings, ...others].filter((digits) => begins.test(digits))).toEqual(beginnings);
	});

	const patterns = Object.values(
		metadata.countries as unknown as Record<string, unknown[]>,
	).flatMap((plan) =>
		(plan[11] as Array<[string] | 0>).flatMap((type) => (type && type[0] ? [type[0]] : [])),
	);

	it('holds for each number of each pattern of the plans', () => {
		expect(patterns.length).toBeGreaterThan(1_000);
		for (const pattern of patterns) {
			const begins = leadingDigits(pattern);
			fc.assert(
				fc.property(
					fc.stringMatching(new RegExp(`^(?:${pattern})$`)),
					fc.nat(15),
					(number, digits) => begins.test(number.slice(0, digits)),
				),
				{ numRuns: 5, seed: 7 },
			);
		}
	});
});
