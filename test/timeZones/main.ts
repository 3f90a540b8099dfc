import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encoded, fileOf } from './encode';
import { zoneTable } from './table';

/** `npm run data:time-zones`: writes the table that the node carries. */
writeFileSync(
	join(__dirname, '../../nodes/OutboundCalls/domain/hours/timeZonePrefixes.ts'),
	fileOf(encoded(zoneTable())),
);
