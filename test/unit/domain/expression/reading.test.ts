import { ENTRIES, nameOf } from '../../../../nodes/OutboundCalls/domain/expression/path';
import { readingOf } from '../../../../nodes/OutboundCalls/domain/expression/reading';
import type { Column } from '../../../../nodes/OutboundCalls/domain/expression/values';

const column = (
	step: string | undefined,
	takes: Column['takes'],
	...path: Array<string | number>
): Column => ({
	step,
	takes,
	path,
});
const first = (step: string | undefined, ...path: string[]): Column => ({
	...column(step, 'one', ...path),
	at: 0,
});
const ofRow = (...path: Array<string | number>): Column => column(undefined, 'ofRow', ...path);

it.each<[string, unknown]>([
	["={{ $('Opted out').item.json.phone }}", [column('Opted out', 'ofRow', 'phone')]],
	[
		'={{ $("Opted out").item.json["Phone Number"] }}',
		[column('Opted out', 'ofRow', 'Phone Number')],
	],
	[
		"={{ $('Bob\\'s list').item.json.body?.phone }}",
		[column("Bob's list", 'ofRow', 'body', 'phone')],
	],
	[
		"={{ $('A').first().json.phone }}, {{ $('B').last( ).json['x'].y }}",
		[first('A', 'phone'), { ...column('B', 'one', 'x', 'y'), at: -1 }],
	],
	['={{ $(`A`).first(0).json.phone }}', [first('A', 'phone')]],
	[
		"={{ $('A').all()[0].json.phone + $('A').itemMatching(0).json.phone }}",
		[column('A', 'one', 'phone')],
	],
	['={{ $input.first().json.phone }}', [first(undefined, 'phone')]],
	['={{ $node["Old"].json.phone.trim() }}', [column('Old', 'samePlace', 'phone')]],
	["={{ $('A').pairedItem().json.phone }}", [column('A', 'ofRow', 'phone')]],
	["={{ $('API').item.json.data[0].phone }}", [column('API', 'ofRow', 'data', 0, 'phone')]],
	['={{ $json.data[0].phone }}', [ofRow('data', 0, 'phone')]],
	['={{ $json.größe }}', [ofRow('größe')]],
	["={{ $json['Opted\\nOut'] + $json['caf\\u00e9'] }}", [ofRow('Opted\nOut'), ofRow('café')]],
	['={{ $json[`opt_${$json.lang}`] }}', [ofRow('lang')]],
	["={{ $json[\"Don't call\"] + $json['Don\\'t call'] }}", [ofRow("Don't call")]],
	['={{ $json.tags.length }} {{ $json?.a?.["b"] }}', [ofRow('tags', 'length'), ofRow('a', 'b')]],
	[
		'={{ $json.keys() }}{{ $json.consent.isEmpty() }}{{ $input.item.json.body.a ?.trim() }}',
		[ofRow('consent'), ofRow('body', 'a')],
	],
	[
		"={{ $('A').all()[$itemIndex].json.phone + $('A').itemMatching($itemIndex).json.fax }}",
		[column('A', 'samePlace', 'phone'), column('A', 'ofRow', 'fax')],
	],
	["$('Opted out').item.json.phone", []],
	[undefined as unknown as string, []],
])('%s: the columns that it names', (parameter, columns) => {
	expect(readingOf(parameter).columns).toEqual(columns);
});

const each = (step: string | undefined, ...path: Array<string | number>): Column =>
	column(step, 'each', ...path);
const STOPPED = [each('A', 'phone'), each('A', 'out')];

it.each<[string, Column[]]>([
	["$('A').all().some((item) => item.json.phone === 'x' && item.json.out)", STOPPED],
	[
		"$('A').all().some(function (item) { return item.json.phone === 'x' && item.json.out; })",
		STOPPED,
	],
	["$('A').all().some(({ json }) => json.phone === 'x' && json['out'])", STOPPED],
	["$('A').all().some(({ json: { phone, out } }) => phone === 'x' && out)", STOPPED],
	[
		"$('A').all().some(({ json: { phone: number, out = 'no' } }) => number === 'x' && out)",
		STOPPED,
	],
	["$('A').all().map((i) => i.json).some((row) => row.phone === 'x' && row.out)", STOPPED],
	[
		"$('A').all().map(({ json }) => json).filter((row) => row.phone).some((row, n) => row.out)",
		STOPPED,
	],
	["$('A').all().find((i) => i.json.phone === 'x')?.json.out", STOPPED],
	[
		"$('A').all().filter((i) => i.json.phone === 'x')[0].json.out",
		[each('A', 'phone'), column('A', 'one', 'out')],
	],
	[
		"$('A').all().at(-1).json.out + $json.data.first().phone",
		[column('A', 'one', 'out'), ofRow('data'), ofRow('data', 0, 'phone')],
	],
	[
		"$('A').all().sort((a, b) => a.json.phone - b.json.phone).map((i) => { const row = i.json; return row.out })",
		STOPPED,
	],
	[
		"(() => { const rows = $('A').all(); return rows.some((i) => i.json.phone === 'x' && i.json.out) })()",
		STOPPED,
	],
	[
		"(() => { for (const { json } of $('A').all()) { if (json.phone === 'x') return json.out } return 'no' })()",
		STOPPED,
	],
	[
		"(() => { let found = 'no'; $('A').all().forEach((i) => { if (i.json.phone === 'x') { found = i.json.out } }); return found })()",
		STOPPED,
	],
	[
		"$('A').all().reduce((found, i) => found || i.json.phone === 'x' && i.json.out, false)",
		STOPPED,
	],
	["$items('A').some((i) => /x/.test(i.json.phone) /* a */ || i.json.out === `y` // b\n)", STOPPED],
	["$('A').all().map((i) => i.json.phone + i.json.out)", STOPPED],
	['$input.all().map(i => i?.json.fax.trim())', [each(undefined, 'fax')]],
	["($('A').all() || []).some((i) => i.json.phone === 'x' && i.json.out)", STOPPED],
	["[...$('A').all()].map((i) => i.json).some((row) => row.phone === 'x' && row.out)", STOPPED],
	["Array.from($('A').all()).some((i) => i.json.phone === 'x' && i.json.out)", STOPPED],
	["((rows, x) => rows.some((i) => i.json.phone === x && i.json.out))($('A').all(), 'x')", STOPPED],
	["$('A').all().pluck('json').filter((row) => row.phone).pluck('out')", STOPPED],
	[
		"$('A').all().filter((i) => i.json.phone === $json.x).map((i) => i.json.out)[0]",
		[each('A', 'phone'), ofRow('x'), each('A', 'out')],
	],
	[
		'(Array.isArray($json.tags) ? $json.tags : []).map((tag) => tag.name)',
		[ofRow('tags'), each(undefined, 'tags', ENTRIES, ENTRIES, 'name')],
	],
	['($json.body || {}).out', [ofRow('body'), ofRow('body', ENTRIES, 'out')]],
	[
		"$('A').all().flatMap((i) => i.json.data).map((row) => row.phone)",
		[each('A', 'data'), each('A', 'data', ENTRIES, 'phone')],
	],
	[
		"$('A').all().map((i) => i.json.data).flat().map((row) => row.phone)",
		[each('A', 'data'), each('A', 'data', ENTRIES, 'phone')],
	],
	["$items('A').map(i => Object.keys(i.json))", []],
	["Array.from($('A').all(), (i) => i.json.phone)", [each('A', 'phone')]],
	["$('A').all().chunk(2).flat().map((i) => i.json.phone)", [each('A', 'phone')]],
	[
		'$item($itemIndex).$node["A"].json.phone + $item(0).$json.x',
		[column('A', 'samePlace', 'phone'), ofRow('x')],
	],
	[
		"$('A').first().json.data.some((row) => row.phone)",
		[first('A', 'data'), each('A', 'data', ENTRIES, 'phone')],
	],
	[
		'$json.body.tags.map((tag) => tag.name).includes("stop")',
		[ofRow('body', 'tags'), each(undefined, 'body', 'tags', ENTRIES, 'name')],
	],
	['$json.a.split(",").map((part) => part.trim())', [ofRow('a')]],
	['(({ a, ...rest }) => rest.b)($json)', []],
	["$('A').all().length + other.all().map((i) => i.json.phone)", []],
])('%s: columns of each entry', (code, columns) => {
	expect(readingOf(`={{ ${code} }}`).columns).toEqual(columns);
});

it.each<[string, string[], Array<string | undefined>]>([
	[
		"={{ $('Opted out').all().some((item) => item.json.phone === $json.phone) }}",
		['Opted out'],
		['Opted out'],
	],
	["={{ $items('A').length }} {{ $items() }} {{ $input.all() }}", ['A'], ['A', undefined]],
	[
		"={{ $('A').first().json.phone + $node['B'].json.phone + $input.item.json.phone }}",
		['A', 'B'],
		[],
	],
	["$('A').all().map(i => i.json.phone)", [], []],
])('%s: steps %j, lists %j', (parameter, steps, lists) => {
	const reading = readingOf(parameter);
	expect([...reading.steps]).toEqual(steps);
	expect([...reading.lists]).toEqual(lists);
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
	["={{ $json.a?.replace('(', '').toLowerCase() ?? '' }}", []],
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
	['={{ $json.a ? $json.a : $json.c }}', ['a|c']],
	['={{ $json.a ? $json.a.trim() : "no" }}', []],
	['={{ $json.a || $json.b || "no" }}', []],
	['={{ $json.a || $json.b?.includes("x") || false }}', ['a']],
	[
		"={{ (() => { const a = $json.a || ''; return a.trim() === 'x' && $json.b === 'y' })() }}",
		['b'],
	],
	[
		'={{ /^(no|n)$/i.test(String($json.a ?? "")) ? `x ${$json.b}` : [$json.c, { d: $json.d }] }}',
		['b', 'c', 'd'],
	],
	['={{ ({ Germany: "DE" })[$json.a] ?? $json.b }}', ['a', 'b']],
	['={{ typeof $json.a === "string" && !$json.b && -$json.c > 1 / 2 }}', ['a', 'b', 'c']],
	['={{ $json.a === "vip" ? $json.b : $json.c }}', ['a', 'b', 'c']],
	['={{ ($json.a || false) ? $json.b : $json.c }}', ['b', 'c']],
	['={{ ($json.a || $json["Opted out?"]) === "yes" }}', ['a|Opted out?']],
	['={{ $json.a || $json["Opted out?"] === "yes" }}', ['a', 'Opted out?']],
	['={{ $("List").all().map((i) => i.json.a || i.json.b).filter((x) => x) }}', ['a|b']],
	['={{ $json.a }}:{{ $json.b }}', ['a', 'b']],
	["={{ $('List').all().some(({ json }) => json.a === $json.b) }}", ['a', 'b']],
	["={{ $('List').all().map((each) => each.json.a || each.json['A b'].trim()) }}", ['a|A b']],
	["={{ $('List').all().map((each) => each.json.a || '') }}", ['a']],
	[
		"={{ $('List').all().filter((each) => (each.json.a ?? '').trim() && (each.json.b || false)) }}",
		['a'],
	],
	["={{ $('List').all().find((each) => each.json.a === 'x')?.json.b || 'no' }}", ['a']],
	[
		"={{ $('List').all().reduce((seen, each) => { seen[each.json.a] = true; return seen.b }, {}) }}",
		['a'],
	],
	['={{ ($json.a || []).length }}', []],
	['={{ ($json || $input.item.json).a }}', ['a']],
	['={{ ($json || {}).a }}', ['a']],
	["={{ $json.a || $('List').first().json.b }}", ['a|b']],
	[
		"={{ [...$('A').all(), ...$('B').all()].map((each) => each.json.a).filter(Boolean) }}",
		['a', 'a'],
	],
	["={{ $('A').all().concat($('B').all()).map((each) => each.json.a || '') }}", ['a', 'a']],
	["={{ [$('A').all(), $('B').all()].flat().find((each) => each.json.a === 'x') }}", ['a', 'a']],
	[
		"={{ [...new Set([...$('A').all(), ...$('B').all()].map((each) => each.json.a))] }}",
		['a', 'a'],
	],
	['={{ [...$json.a, ...$json.b].map((each) => each.c) }}', ['a', 'b', 'a.c']],
	[
		"={{ [...$('A').all(), ...$('B').all()].map((each) => each.json.a ?? each.json.b) }}",
		['a|b', 'a|b'],
	],
	['={{ $json.a.map((each) => each.b ?? each) }}', ['a', 'a.b|a']],
	["={{ $('A').all().map((each) => ({ b: each.json.a })).map((each) => each.b) }}", ['a']],
	['={{ $now.toISODate() }}', []],
	['$json.a', []],
])('%s: it needs %j', (parameter, expected) => {
	expect(
		readingOf(parameter).needed.map((each) => each.map(({ path }) => nameOf(path)).join('|')),
	).toEqual(expected);
});

it('choices in choices are read once each', () => {
	const code = `${'$json.a ? $json.a : '.repeat(60)}''`;
	expect(readingOf(`={{ ${code} }}`).columns).toEqual([ofRow('a')]);
});

it.each<[string, string[], string[]]>([
	['={ "phone": "{{ $json.tel }}", "out": "{{ $json.a }}, {{ $json.b }}" }', ['out'], ['a', 'b']],
	[
		'={ "who": { "phone": "{{ $json.tel }}", "out": {{ $json.a }} }, "x": "{{ $json.c }}" }',
		['who', 'out'],
		['tel', 'a'],
	],
	['={ "out": {{ JSON.stringify($json.a) }} }', ['out'], ['a']],
	['={{ { phone: $json.tel, out: $json.a === "x" } }}', ['out'], ['a']],
	['={{ JSON.stringify({ who: { phone: $json.tel, "out": $json.a } }) }}', ['who', 'out'], ['a']],
	['={{ { ...$json, phone: $json.tel } }}', ['out'], []],
	['={{ $json.a }}', [], ['a']],
])('%s: the columns that its property %j takes', (parameter, inside, columns) => {
	expect(readingOf(parameter, inside).columns.map(({ path }) => nameOf(path))).toEqual(columns);
});
