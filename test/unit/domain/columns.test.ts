import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	CALL_COLUMNS,
	CANCEL_COLUMNS,
	RECORD_COLUMNS,
} from '../../../nodes/OutboundCalls/domain/columns';

const COLUMNS: Record<string, readonly string[]> = {
	bulkCall: CALL_COLUMNS.bulkCall.simple,
	placeCall: CALL_COLUMNS.placeCall.simple,
	getCall: RECORD_COLUMNS,
	cancelCall: CANCEL_COLUMNS,
};

it.each(Object.entries(COLUMNS))('the preview of %s shows its columns', (operation, columns) => {
	const file = join(
		__dirname,
		`../../../nodes/OutboundCalls/__schema__/v1.0.0/call/${operation}.json`,
	);
	const { properties } = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
	const shown = Object.keys(properties);
	expect(shown).not.toEqual([]);
	expect(shown.filter((name) => !columns.includes(name))).toEqual([]);
});
