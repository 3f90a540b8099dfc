import { columnsOfSteps, valueAt } from '../../../nodes/OutboundCalls/domain/expressions';

const column = (step: string, isOfRow: boolean, ...path: string[]) => ({ step, isOfRow, path });

it.each<[string, unknown]>([
	["={{ $('Opted out').item.json.phone }}", [column('Opted out', true, 'phone')]],
	['={{ $("Opted out").item.json["Phone Number"] }}', [column('Opted out', true, 'Phone Number')]],
	["={{ $('Bob\\'s list').item.json.body?.phone }}", [column("Bob's list", true, 'body', 'phone')]],
	["={{ $('A').first().json.phone }}, {{ $('B').last( ).json['x'].y }}", [column('A', false, 'phone'), column('B', false, 'x', 'y')]],
	['={{ $node["Old"].json.phone.trim() }}', [column('Old', true, 'phone', 'trim')]],
	["={{ $('Opted out').all().map((item) => item.json.phone) }}", []],
	['={{ $json.phone }}', []],
	["$('Opted out').item.json.phone", []],
	[undefined as unknown as string, []],
])('%s: the columns that it takes from one item of a step', (parameter, columns) => {
	expect(columnsOfSteps(parameter)).toEqual(columns);
});

it.each<[unknown, string[], unknown]>([
	[{ phone: '+1' }, ['phone'], '+1'],
	[{ body: { phone: '+1' } }, ['body', 'phone'], '+1'],
	[{ phone: '+1' }, ['phone', 'trim'], '+1'],
	[{ phone: '+1' }, ['fax'], undefined],
	[{}, ['toString'], undefined],
])('%j, %j: %j', (fields, path, value) => {
	expect(valueAt(fields, path)).toBe(value);
});
