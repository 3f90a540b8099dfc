import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS } from '../../../nodes/OutboundCalls/results/columns';

it.each(Object.entries(COLUMNS))(
	'the preview of an operation shows columns that it has: %s',
	(operation, columns) => {
		const file = join(
			__dirname,
			`../../../nodes/OutboundCalls/__schema__/v1.0.0/call/${operation}.json`,
		);
		const { properties } = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
		const shown = Object.keys(properties);
		expect(shown).not.toEqual([]);
		expect(shown.filter((name) => !(columns as readonly string[]).includes(name))).toEqual([]);
	},
);
