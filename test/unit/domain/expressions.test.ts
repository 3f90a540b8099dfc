import { type ColumnOfStep, columnsOfSteps, valuesAt } from '../../../nodes/OutboundCalls/domain/expressions';

const column = (step: string | undefined, takes: ColumnOfStep['takes'], ...path: Array<string | number>): ColumnOfStep => ({ step, takes, path });

it.each<[string, unknown]>([
	["={{ $('Opted out').item.json.phone }}", [column('Opted out', 'ofRow', 'phone')]],
	['={{ $("Opted out").item.json["Phone Number"] }}', [column('Opted out', 'ofRow', 'Phone Number')]],
	["={{ $('Bob\\'s list').item.json.body?.phone }}", [column("Bob's list", 'ofRow', 'body', 'phone')]],
	["={{ $('A').first().json.phone }}, {{ $('B').last( ).json['x'].y }}", [column('A', 'one', 'phone'), column('B', 'one', 'x', 'y')]],
	['={{ $(`A`).first(0).json.phone }}', [column('A', 'one', 'phone')]],
	["={{ $('A').all()[0].json.phone + $('A').itemMatching(0).json.phone }}", [column('A', 'one', 'phone'), column('A', 'one', 'phone')]],
	['={{ $input.first().json.phone }}', [column(undefined, 'one', 'phone')]],
	['={{ $node["Old"].json.phone.trim() }}', [column('Old', 'samePlace', 'phone', 'trim')]],
	["={{ $('API').item.json.data[0].phone }}", [column('API', 'ofRow', 'data', 0, 'phone')]],
	['={{ $json.data[0].phone }}', [column(undefined, 'ofRow', 'data', 0, 'phone')]],
	["={{ $('Opted out').all().map((item) => item.json.phone) }}", []],
	["$('Opted out').item.json.phone", []],
	[undefined as unknown as string, []],
])('%s: the columns that it takes from one item of a step', (parameter, columns) => {
	expect(columnsOfSteps(parameter)).toEqual(columns);
});

it.each<[unknown, ColumnOfStep['path'], unknown[]]>([
	[{ phone: '+1' }, ['phone'], ['+1']],
	[{ body: { phone: '+1' } }, ['body', 'phone'], ['+1']],
	[{ phone: '+1' }, ['phone', 'trim'], ['+1']],
	[{ phone: '+1' }, ['fax'], [undefined]],
	[{}, ['toString'], [undefined]],
	[{ data: [{ phone: '+1' }, { phone: '+2' }] }, ['data', 0, 'phone'], ['+1', '+2']],
	[{ dates: ['a', 'b'] }, ['dates', 0], ['a', 'b']],
])('%j, %j: %j', (fields, path, values) => {
	expect(valuesAt(fields, path)).toEqual(values);
});
