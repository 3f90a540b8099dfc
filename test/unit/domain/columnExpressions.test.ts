import { fromColumns, hasPlain } from '../../../nodes/OutboundCalls/execution/parameters';

describe('a parameter that only names columns', () => {
	it.each([
		['={{ $json.phone }}', 'phone'],
		['={{$json.phone}}', 'phone'],
		['={{ $json["First Name"] }}', 'First Name'],
		["={{ $json['phone'] }}", 'phone'],
		['={{ $json.$phone_2 }}', '$phone_2'],
	])('%s is the column %s', (expression, column) => {
		const parameter = fromColumns(expression)!;
		expect(parameter.columns).toEqual([column]);
		expect(parameter.value({ [column]: '+1555' })).toBe('+1555');
	});

	it.each([
		...['={{ $json.phone.trim() }}', '={{ $json.contact.phone }}', '={{ ($json.phone) }}'],
		...['={{ $json["a" + "b"] }}', '={{ $json["it\\"s"] }}', '=+1{{ $json.phone }}', '='],
		...['={{ $json.phone }} ', '={{ $json.phone }}{{ $json.name }}', '={{ $json }}'],
		'={{ $("Rows").item.json.phone }}',
	])('%s is left to the host', (expression) => {
		expect(fromColumns(expression)).toBeUndefined();
		expect(fromColumns({ assignments: [{ name: 'phone', value: expression }] })).toBeUndefined();
	});

	it('is filled at any depth, around what stands there already', () => {
		const holding = (name: string) => ({
			assignments: [
				{ name: 'name', value: name, type: 'string' },
				{ name: 'count', value: 3, type: 'number' },
				{ name: 'none', value: null },
			],
		});
		const parameter = fromColumns(holding('={{ $json.name }}'))!;
		expect(parameter.columns).toEqual(['name']);
		expect(parameter.value({ name: 'Ada' })).toEqual(holding('Ada'));
	});
});

describe('a plain value', () => {
	it.each([['text'], [''], [7], [0], [Number.NaN], [true], [null]])('is %p', (value) => {
		expect(hasPlain({ column: value }, 'column')).toBe(true);
	});

	it.each([[undefined], [{}], [[]], [new Date()]])('is not %p', (value) => {
		expect(hasPlain({ column: value }, 'column')).toBe(false);
	});

	it.each(['missing', 'toString', 'constructor', '__proto__'])(
		'is nothing absent: %s',
		(column) => {
			expect(hasPlain({ column: 'text' }, column)).toBe(false);
		},
	);
});
