import * as fc from 'fast-check';
import { isolateBadRows, lacksAny } from '../../../../nodes/OutboundCalls/domain/api/requests';
import { row } from '../rows';

const named = [
	row(0, { variables: { name: 'Ada' } }),
	row(1, { variables: { amount: '2' } }),
	row(2),
];

it('a row lacks a prompt variable that it does not name, whatever objects have themselves', () => {
	expect(named.map((each) => lacksAny(each, ['name']))).toEqual([false, true, true]);
	expect(lacksAny(named[0]!, ['toString'])).toBe(true);
});

it('where no row lacks it, or nothing is named, halves are tried', () => {
	const halves = { bad: [], again: [[named[0], named[1]], [named[2]]] };
	for (const missing of [undefined, []]) expect(isolateBadRows(named, missing)).toEqual(halves);
	expect(isolateBadRows([named[0]!], ['name'])).toEqual({ bad: [named[0]], again: [] });
});

it('finds every bad row, and no other, in a bounded number of requests', () => {
	fc.assert(
		fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }), (isBad) => {
			const found: number[] = [];
			let requests = 0;
			const send = (rows: ReadonlyArray<ReturnType<typeof row>>): void => {
				requests++;
				if (!rows.some(({ position }) => isBad[position])) return;
				const { bad, again } = isolateBadRows(rows, undefined);
				found.push(...bad.map(({ position }) => position));
				again.forEach(send);
			};
			send(isBad.map((_each, position) => row(position)));
			expect(found).toEqual(isBad.flatMap((each, position) => (each ? [position] : [])));
			expect(requests).toBeLessThan(2 * isBad.length);
		}),
	);
});
