import { partsOf, type Tree, treesOf } from '../domain/expression/tree';
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
const MINUTES_OF_FORMAT = /[msSutTfFxX]/;
const MINUTES_OF_TIME = /^(?:to(?:UnixInteger|Seconds|ISOTime|(?:Locale)?TimeString|UTCString|HTTP|RFC2822)|get(?:Minutes|Seconds)|minute|second)$/;
/** How many characters of 2026-12-01T09:30:00 tell the minute. */
const MINUTES_OF_TEXT = /^1[4-9]$/;

const nameOf = (tree: Tree | undefined): string => (tree?.is === 'literal' ? String(tree.value) : tree?.is === 'name' ? tree.name : '');

const isNewDate = (tree: Tree): boolean => tree.is === 'call' && nameOf(tree.of) === 'Date' && tree.given.length === 0;

/** `$now`, `DateTime.now().setZone('Asia/Tokyo')`, `new Date()`, but not `$now.startOf('week')`. */
function isTimeOfRun(tree: Tree): boolean {
	if (tree.is === 'call') return isNewDate(tree) || isTimeOfRun(tree.of);
	if (tree.is !== 'member') return nameOf(tree) === '$now';
	const name = nameOf(tree.name);
	return nameOf(tree.of) === 'DateTime' ? /^(?:now|local|utc)$/.test(name) : name !== 'startOf' && isTimeOfRun(tree.of);
}

/** Whether what is asked of a time tells its minute. In a format, text between quotes is no part of the time. */
function tellsMinute(asked: string, [first, second]: readonly Tree[]): boolean {
	switch (asked) {
		case 'toFormat':
		case 'format':
			return MINUTES_OF_FORMAT.test(nameOf(first).replace(/'[^']*'/g, ''));
		case 'slice':
		case 'substring':
		case 'substr':
			return nameOf(first) === '0' && MINUTES_OF_TEXT.test(nameOf(second));
		case 'toLocaleString':
			return first?.is === 'member' && /^(?:DATE)?TIME/.test(nameOf(first.name));
		default:
			return MINUTES_OF_TIME.test(asked);
	}
}

/** Whether it tells the minute of the run: `$now.toISO().slice(0, 16)`. `isPart`: something is asked of it in turn. */
function holdsMinute(tree: Tree, isPart = false): boolean {
	const given = tree.is === 'call' ? tree.given : [];
	const asked = tree.is === 'call' ? tree.of : tree;
	if (asked.is !== 'member') return partsOf(tree).some((part) => holdsMinute(part));
	const name = nameOf(asked.name);
	if (isTimeOfRun(asked.of) && tellsMinute(name, given)) return true;
	// The whole text of JavaScript's date has the time of day in it; of Luxon's, it has not.
	if (isNewDate(asked.of) && given.length === 0 && !isPart && /^to(?:Locale)?String$/.test(name)) return true;
	return holdsMinute(asked.of, true) || [asked.name, ...given].some((part) => holdsMinute(part));
}

/** The finest time that an expression can name is a millisecond. */
const MOMENT_MS = 2;

/** Why a key of Remember People By remembers nobody: it is another one in each run, as with the time of day in it. */
export async function changingKey({ parameters }: Execution): Promise<Problem | undefined> {
	const stored = parameters.raw(KEY);
	if (typeof stored !== 'string' || !holdsExpression(stored)) return undefined;
	if (OF_EXECUTION.test(stored)) return never('Remember People By holds the ID of the execution, which is another one in each run');
	if (PLACE.test(stored.replace(LOOK_UP, '')))
		return never('Remember People By holds the place of the row in its list, which is another one once rows are sorted, added or deleted');
	if (treesOf(stored).some((tree) => holdsMinute(tree)))
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
