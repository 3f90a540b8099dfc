import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { flatRow } from '../../../nodes/OutboundCalls/results/flatRow';

const head = { status: 'initiated', reason: null, destination: '+15551' };
const tail = { success: true, call_sid: 'CA1' };
const ours = new Set([...Object.keys({ ...head, ...tail }), 'original_destination']);

const row = (input: IDataObject): IDataObject => flatRow(head, input, tail, ours);
/** As a sheet or an API gives it, with keys that an object literal cannot have. */
const parsed = (json: string): IDataObject => JSON.parse(json) as IDataObject;

it.each<[string, IDataObject, Array<[string, unknown]>]>([
	['a column named status', { status: 'new' }, [['input_status', 'new']]],
	['a column named error', { error: 'Wrong size' }, [['input_error', 'Wrong size']]],
	['a name of ours in capitals', { Status: 'new' }, [['Status', 'new']]],
	[
		'columns named status and input_status',
		{ status: 'new', input_status: 'old' },
		Object.entries({ input_status: 'new', input_input_status: 'old' }),
	],
	[
		'a column named __proto__ beside one named status',
		parsed('{"__proto__": {"status": "x"}, "status": "new"}'),
		Object.entries(parsed('{"__proto__": {"status": "x"}, "input_status": "new"}')),
	],
])('%s', (_, input, columns) => {
	expect(Object.entries(row(input))).toEqual([
		...Object.entries(head),
		...columns,
		...Object.entries(tail),
	]);
});

it('a row’s prototype is never taken from a column', () => {
	expect(Object.getPrototypeOf(row(parsed('{"__proto__": {"polluted": true}, "error": 1}')))).toBe(
		Object.prototype,
	);
});

it('no column is lost, none takes the place of a field of ours, and none is named error', () => {
	const name = fc.oneof(
		fc.constantFrom(...ours, 'error', 'name', '__proto__'),
		fc
			.tuple(
				fc.constantFrom('input_', 'input_input_', 'input_input_input_'),
				fc.constantFrom('status', 'error', 'name'),
			)
			.map(([before, of]) => before + of),
	);
	fc.assert(
		fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
			const input = Object.fromEntries(names.map((each, n) => [each, `value ${n}`]));
			const output = row(input);
			expect(output).toMatchObject({ ...head, ...tail });
			expect(Object.hasOwn(output, 'error')).toBe(false);
			const columns = Object.entries(output).filter(
				([each]) => !Object.hasOwn(head, each) && !Object.hasOwn(tail, each),
			);
			expect(columns.map(([, value]) => value)).toEqual(names.map((_each, n) => `value ${n}`));
			// A column keeps its name unless that is ours or another one's new name.
			columns.forEach(([each], n) => {
				expect(each.endsWith(names[n]!)).toBe(true);
				expect(each.slice(0, -names[n]!.length || undefined).replaceAll('input_', '')).toBe('');
			});
		}),
	);
});
