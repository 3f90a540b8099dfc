import {
	ENTRIES,
	haveColumn,
	type Path,
	PLAIN,
	valuesAt,
} from '../../../../nodes/OutboundCalls/domain/expression/path';

it.each<[unknown, Path, boolean]>([
	[{ phone: '+1' }, ['phone'], true],
	[{ phone: null }, ['phone'], true],
	[{ phone: '+1' }, ['fax'], false],
	[{ phone: '+1' }, ['phone', 'length'], true],
	[{ body: {} }, ['body', 'phone'], false],
	[{ tags: [] }, ['tags', 0, 'name'], true],
	[{}, ['toString'], false],
	[{ data: [{}, { phone: '+1' }] }, ['data', ENTRIES, 'phone'], true],
	[{ data: [{ fax: '+1' }] }, ['data', ENTRIES, 'phone'], false],
	[{ data: [] }, ['data', ENTRIES, 'phone'], true],
	[{ data: { phone: '+1' } }, ['data', ENTRIES, 'phone'], true],
	[{ data: { fax: '+1' } }, ['data', ENTRIES, 'phone'], false],
	[{ fax: '+1' }, ['data', ENTRIES, 'phone'], true],
	[{ body: null }, ['body', 'phone'], true],
	[{ tags: [{ name: 'x' }] }, ['tags', 0, 'nmae'], false],
	[{ tags: [{ nmae: 'x' }, { name: 'x' }] }, ['tags', -1, 'name'], true],
	[{ tags: [{ name: 'x' }] }, ['tags', 1, 'name'], true],
	[{ owner: false }, ['owner', 'name'], true],
	[{ tags: ['dnc'] }, ['tags', ENTRIES, PLAIN], true],
	[{ tags: [{ nmae: 'dnc' }] }, ['tags', ENTRIES, PLAIN], false],
	[{ opted: 'yes' }, ['opted', 'value'], false],
	[{ opted: true }, ['opted', 'value'], false],
	[{ opted: [] }, ['opted', 'value'], true],
	[{ tags: ['dnc'] }, ['tags', ENTRIES, 'name'], false],
])('%j has %j: %s', (fields, path, has) => {
	expect(haveColumn([fields], path)).toBe(has);
});

it.each<[unknown, boolean]>([
	[{ tags: [] }, true],
	[{ tags: [{ name: 'x' }] }, false],
	[{ tags: [{}, { name: 'x' }] }, true],
])('%j has the name of a second tag, where it is asked for itself: %s', (fields, has) => {
	expect(haveColumn([fields], ['tags', 1, 'name'], true)).toBe(has);
});

it.each<[unknown[], Path, boolean]>([
	[[], ['phone'], true],
	[[{}, { phone: '' }], ['phone'], true],
	[[{ data: [] }, { data: [{ fax: '+1' }] }], ['data', ENTRIES, 'phone'], false],
	[[{ data: [] }, { data: null }, {}], ['data', ENTRIES, 'phone'], true],
	[[{ body: null }, { body: { fax: '+1' } }], ['body', 'phone'], false],
	[[{ body: '-' }, { body: { fax: '+1' } }], ['body', 'phone'], false],
	[[{ body: '-' }, { body: { phone: '' } }], ['body', 'phone'], true],
	[[{ tags: [] }, { tags: [{}] }], ['tags', 0, 'name'], false],
	[
		[{ data: [{ more: [] }, { more: [{ phone: '+1' }] }] }],
		['data', ENTRIES, 'more', ENTRIES, 'phone'],
		true,
	],
])('of all, what is empty tells nothing: %j, %j: %s', (all, path, have) => {
	expect(haveColumn(all, path)).toBe(have);
});

it.each<[unknown, Path, unknown[]]>([
	[{ phone: '+1' }, ['phone'], ['+1']],
	[{ body: { phone: '+1' } }, ['body', 'phone'], ['+1']],
	[{ phone: '+1' }, ['phone', 'trim'], ['+1']],
	[{ phone: '+1' }, ['fax'], [undefined]],
	[{}, ['toString'], [undefined]],
	[{ data: [{ phone: '+1' }, { phone: '+2' }] }, ['data', 0, 'phone'], ['+1', '+2']],
	[{ dates: ['a', 'b'] }, ['dates', 0], ['a', 'b']],
	[{ data: [{ phone: '+1' }] }, ['data', ENTRIES, 0, 'phone'], ['+1']],
	[{ body: { phone: '+1' } }, ['body', ENTRIES, 'phone'], ['+1']],
])('%j, %j: %j', (fields, path, values) => {
	expect(valuesAt(fields, path)).toEqual(values);
});
