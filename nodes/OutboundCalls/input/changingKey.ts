import { formatsOfNow } from '../domain/expressions';
import { ok, type Problem } from '../domain/problem';
import { holdsExpression, tryRead } from '../execution/parameters';
import type { Execution } from '../execution/execution';
import { systemClock } from '../http/clock';

const KEY = 'options.callOnceKey';

/** n8n gives each execution others. */
const OF_EXECUTION = /\$execution\s*\.\s*(?:id|resumeUrl|resumeFormUrl)\b/;

/** What n8n calls the place of a row; its Google Sheets node, row_number. */
const PLACE = /\$(?:itemIndex|runIndex|position)\b|\.\s*row_number\b|\[\s*['"]row_number['"]\s*\]/;

/** The row of another step that is the same one, by its place. */
const LOOK_UP = /itemMatching\(\s*\$itemIndex\s*\)|\[\s*\$itemIndex\s*\]|\$items\([^)]*\)/g;

/** Minutes and what is finer, alone or with a date (Luxon). */
const MINUTES = /[msSutTfFxX]/;

/** `$now.toISO().slice(0, 16)`, `new Date().toLocaleString()`: the time of the run without a format. */
const TIME_OF_RUN =
	/(?:\$now|\bDateTime\s*\.\s*(?:now|local|utc)\(\s*\)|\bnew Date\(\s*\))(?:\s*\.\s*(?!startOf)\w+\([^()]*\))*\s*\.\s*(?:to(?:UnixInteger|Seconds|ISOTime|LocaleTimeString|TimeString|UTCString|HTTP|RFC2822)|getMinutes|getSeconds|minute|second|(?:slice|substring|substr)\(\s*0\s*,\s*1[4-9]\b|toLocaleString\(\s*DateTime\.(?:DATETIME|TIME))|\bnew Date\(\s*\)\s*\.\s*to(?:Locale)?String\(\s*\)(?!\s*\.)/;

/** The finest time that an expression can name is a millisecond. */
const MOMENT_MS = 2;

/** Why a key of Remember People By remembers nobody: it is another one in each run, as with the time of day in it. */
export async function changingKey({ parameters }: Execution): Promise<Problem | undefined> {
	const stored = parameters.raw(KEY);
	if (typeof stored !== 'string' || !holdsExpression(stored)) return undefined;
	if (OF_EXECUTION.test(stored)) return never('Remember People By holds the ID of the execution, which is another one in each run');
	if (PLACE.test(stored.replace(LOOK_UP, '')))
		return never('Remember People By holds the place of the row in its list, which is another one once rows are sorted, added or deleted');
	if (TIME_OF_RUN.test(stored) || formatsOfNow(stored).some((format) => MINUTES.test(format)))
		return never('Remember People By holds the minute of the run (in a format, MM is the month, and mm the minute)');
	const read = parameters.perItem<unknown>(KEY, '');
	const before = tryRead(() => ok(read(0)));
	await systemClock.sleep(MOMENT_MS);
	const after = tryRead(() => ok(read(0)));
	if (!before.ok || !after.ok || JSON.stringify(before.value) === JSON.stringify(after.value)) return undefined;
	return never('Remember People By changes from one moment to the next');
}

const never = (message: string): Problem => ({
	message,
	remedy:
		'Nobody would be known again, and each run would call everybody. Take that part out, or let it stay the same for as long as it has to, such as {{ $now.toFormat("yyyy-MM") }}. If each run is to call everybody, set People Called Before to Call Again in Each Run.',
});
