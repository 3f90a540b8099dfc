import { type Column, columnsIn, hasColumn, listsIn, neededColumns, type Path, valuesAt } from '../../../nodes/OutboundCalls/domain/expressions';

const column = (step: string | undefined, takes: Column['takes'], ...path: Array<string | number>): Column => ({
	step,
	takes,
	path,
});
const ofRow = (...path: Array<string | number>): Column => column(undefined, 'ofRow', ...path);

it.each<[string, unknown]>([
	["={{ $('Opted out').item.json.phone }}", [column('Opted out', 'ofRow', 'phone')]],
	['={{ $("Opted out").item.json["Phone Number"] }}', [column('Opted out', 'ofRow', 'Phone Number')]],
	["={{ $('Bob\\'s list').item.json.body?.phone }}", [column("Bob's list", 'ofRow', 'body', 'phone')]],
	["={{ $('A').first().json.phone }}, {{ $('B').last( ).json['x'].y }}", [column('A', 'one', 'phone'), column('B', 'one', 'x', 'y')]],
	['={{ $(`A`).first(0).json.phone }}', [column('A', 'one', 'phone')]],
	["={{ $('A').all()[0].json.phone + $('A').itemMatching(0).json.phone }}", [column('A', 'one', 'phone'), column('A', 'one', 'phone')]],
	['={{ $input.first().json.phone }}', [column(undefined, 'one', 'phone')]],
	['={{ $node["Old"].json.phone.trim() }}', [column('Old', 'samePlace', 'phone')]],
	["={{ $('API').item.json.data[0].phone }}", [column('API', 'ofRow', 'data', 0, 'phone')]],
	['={{ $json.data[0].phone }}', [ofRow('data', 0, 'phone')]],
	['={{ $json.größe }}', [ofRow('größe')]],
	["={{ $json['Opted\\nOut'] + $json['caf\\u00e9'] }}", [ofRow('Opted\nOut'), ofRow('café')]],
	['={{ $json[`opt_${$json.lang}`] }}', [ofRow('lang')]],
	["={{ $json[\"Don't call\"] + $json['Don\\'t call'] }}", [ofRow("Don't call"), ofRow("Don't call")]],
	['={{ $json.tags.length }} {{ $json?.a?.["b"] }}', [ofRow('tags', 'length'), ofRow('a', 'b')]],
	['={{ $json.keys() }}{{ $json.consent.isEmpty() }}{{ $input.item.json.body.a ?.trim() }}', [ofRow('consent'), ofRow('body', 'a')]],
	["={{ $('Opted out').all().map((item) => item.json.phone) }}", []],
	["$('Opted out').item.json.phone", []],
	[undefined as unknown as string, []],
])('%s: the columns that it names', (parameter, columns) => {
	expect(columnsIn(parameter)).toEqual(columns);
});

it.each<[string, Array<string | undefined>, Array<Path>]>([
	["={{ $('Opted out').all().some((item) => item.json.phone === $json.phone) }}", ['Opted out'], [['phone']]],
	[
		"={{ $('A').all().map(({ json }) => json['Phone Number']) + $input.all().map(i => i?.json.fax.trim()) }}",
		['A', undefined],
		[['Phone Number'], ['fax']],
	],
	["={{ $items('A').map(i => Object.keys(i.json)) }} {{ $items() }}", ['A', undefined], []],
	["={{ $('A').first().json.phone + $json.phone + $input.item.json.phone + $node['A'].json.phone }}", [], []],
	["$('A').all().map(i => i.json.phone)", [], []],
])('%s: lists, and the columns of their items', (parameter, steps, paths) => {
	expect(listsIn(parameter)).toEqual(steps);
	expect(neededColumns(parameter).ofItems).toEqual(paths.map((path) => [path]));
});

it.each<[string, string[]]>([
	['={{ $json.a }}', ['a']],
	['={{ $json.a }} {{ $json["B c"] }}', ['a', 'B c']],
	['={{ $json.a || $json.b }}', ['a|b']],
	['={{ $json.a ?? $json.b ?? $json.c.d }}', ['a|b|c.d']],
	['={{ $json.a?.trim() || $json.b }}', ['a|b']],
	['={{ $json.a || ($json.b || "").includes("x") }}', ['a']],
	['={{ $json.a || "no" }}', []],
	['={{ ($json.a ?? "").trim() === "yes" }}', []],
	['={{ $json.a?.trim() ?? $today }}', []],
	["={{ $json.a?.replace('(', '').toLowerCase() ?? '' }}", ['a.replace']],
	["={{ $json.a?.trim().toLowerCase() ?? '' }}", []],
	["={{ $json.a?.includes('stop') ?? false }}", []],
	['={{ $json.a || [] }}', []],
	['={{ $ifEmpty($json.a, "no") }}', []],
	["={{ $('Sheet').item.json.a || 'no' }}", []],
	['={{ $json.a === "x" || false }}', ['a']],
	['={{ $json.a === "x" || $json.b === "y" }}', ['a', 'b']],
	['={{ $json.a || $json.b === "y" }}', ['a', 'b']],
	['={{ $json.a && $json.b }}', ['a', 'b']],
	["={{ $json.a?.includes('x') || $json.b?.includes('y') }}", ['a', 'b']],
	["={{ $json.a || $json.b?.toLowerCase().startsWith('y') }}", ['a', 'b']],
	['={{ ["x"].includes($json.a) || $json.b }}', ['a', 'b']],
	['={{ ["x"].includes($json.a) || false }}', ['a']],
	['={{ $json.a.includes($json.b) }}', ['a', 'b']],
	['={{ $json.a ? "yes" : "no" }}', ['a']],
	["={{ $if($json.a, 'yes', 'no') }}", ['a']],
	['={{ $json.a ? $json.b : $json.c }}', ['a', 'b', 'c']],
	['={{ $json.a ? $json.a : $json.c }}', ['a|a|c']],
	['={{ $json.a ? $json.a : "no" }}', ['a|a']],
	['={{ $json.a === "vip" ? $json.b : $json.c }}', ['a', 'b', 'c']],
	['={{ ($json.a || false) ? $json.b : $json.c }}', ['b', 'c']],
	['={{ ($json.a || $json["Opted out?"]) === "yes" }}', ['a|Opted out?']],
	['={{ $json.a || $json["Opted out?"] === "yes" }}', ['a', 'Opted out?']],
	['={{ $("List").all().map((i) => i.json.a || i.json.b).filter((x) => x) }}', ['a|b']],
	['={{ $json.a }}:{{ $json.b }}', ['a', 'b']],
	["={{ $('List').all().some(({ json }) => json.a === $json.b) }}", ['b', 'a']],
	["={{ $('List').all().map((each) => each.json.a || each.json['A b'].trim()) }}", ['a|A b']],
	["={{ $('List').all().map((each) => each.json.a || '') }}", []],
	["={{ $json.a || $('List').first().json.b }}", ['a|b']],
	['={{ $now.toISODate() }}', []],
	['$json.a', []],
])('%s: it needs %j', (parameter, expected) => {
	const { columns, ofItems } = neededColumns(parameter);
	const paths = [...columns.map((each) => each.map(({ path }) => path)), ...ofItems];
	expect(paths.map((each) => each.map((path) => path.join('.')).join('|'))).toEqual(expected);
});

it.each<[unknown, Path, boolean]>([
	[{ phone: '+1' }, ['phone'], true],
	[{ phone: null }, ['phone'], true],
	[{ phone: '+1' }, ['fax'], false],
	[{ phone: '+1' }, ['phone', 'length'], true],
	[{ body: {} }, ['body', 'phone'], false],
	[{ tags: [] }, ['tags', 0, 'name'], true],
	[{}, ['toString'], false],
])('%j has %j: %s', (fields, path, has) => {
	expect(hasColumn(fields, path)).toBe(has);
});

it.each<[unknown, Path, unknown[]]>([
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
