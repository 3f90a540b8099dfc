import { readingOf } from '../domain/expression/reading';
import { textOfTree, treesOf } from '../domain/expression/tree';
import { mayTellMinute } from '../domain/expression/timeOfRun';
import { ok, type Problem } from '../domain/problem';
import { holdsExpression, tryRead } from '../execution/parameters';
import type { Execution } from '../execution/execution';
import type { MadeColumn } from '../execution/madeColumns';
import { systemClock } from '../http/clock';
import { goesByPlace } from './oneOfMany';
import { madeOf } from './readings';

const KEY = 'options.callOnceKey';

/** n8n gives each execution others: its ID, and its addresses. */
const OF_EXECUTION = /\$execution(?!\.mode|\.customData)|\$resume/;

/** What somebody renames, or starts in another way, without a thought of whom it would call again. */
const OF_WORKFLOW = /\$workflow\s*\.\s*(?:name|active)\b|\$prevNode\b|\$execution\s*\.\s*mode\b/;

/** What n8n calls the place of a row; its Google Sheets node, row_number. */
const PLACE =
	/\$(?:itemIndex|runIndex|position)\b|\bcurrentRunIndex\b|\bpairedItem\.item\b|\bfindIndex\(|\.\s*row_number\b|\[\s*['"]row_number['"]\s*\]/;

/** The row of another step that is the same one, by its place. */
const LOOK_UP = /itemMatching\(\s*\$itemIndex\s*\)|\[\s*\$itemIndex\s*\]|\$items\([^)]*\)/g;

/** The finest time that an expression can name is a millisecond. */
const MOMENT_MS = 2;

/** Why a key of Remember People By remembers nobody: it is another one in each run, as with the time of day in it. */
export async function changingKey(execution: Execution): Promise<Problem | undefined> {
	const own = execution.parameters.raw(KEY);
	if (typeof own !== 'string' || !holdsExpression(own)) return undefined;
	// With what an Edit Fields makes its columns of.
	const madeOfs = readingOf(own).columns.flatMap((column) => madeOf(execution.steps, column) ?? []);
	return await whatChanges(execution, own, madeOfs);
}

async function whatChanges(
	execution: Execution,
	own: string,
	madeOfs: readonly MadeColumn[],
): Promise<Problem | undefined> {
	const { parameters } = execution;
	const stored = [
		own,
		...madeOfs.flatMap((made) => treesOf(made.stored, made.inside).map(textOfTree)),
	].join(' ');
	if (OF_EXECUTION.test(stored))
		return never(
			'Remember People By holds the ID of the execution, which is another one in each run',
		);
	if (OF_WORKFLOW.test(stored))
		return never(
			'Remember People By holds the name of the workflow or of a step, or how it was started, which becomes another one by itself',
		);
	if (PLACE.test(stored.replace(LOOK_UP, '')) || goesByPlace(execution, KEY))
		return never(
			'Remember People By holds the place of the row in its list, which is another one once rows are sorted, added or deleted',
		);
	if (mayTellMinute(own) || madeOfs.some((made) => mayTellMinute(made.stored, made.inside)))
		return never(
			'Remember People By may hold the minute of the run (in a format, mm; MM is the month)',
		);
	// Also for rows that have no value of their own.
	if (/\bMath\.random\b/.test(stored)) return never(MOMENT);
	const read = parameters.perItem<unknown>(KEY, '');
	const before = tryRead(() => ok(read(0)));
	await systemClock.sleep(MOMENT_MS);
	const after = tryRead(() => ok(read(0)));
	if (!before.ok || !after.ok || JSON.stringify(before.value) === JSON.stringify(after.value))
		return undefined;
	return never(MOMENT);
}

const MOMENT = 'Remember People By changes from one moment to the next';

const never = (message: string): Problem => ({
	message,
	remedy:
		'Nobody would be known again, and each run would call everybody. Take that part out, or let it stay the same for as long as it has to, such as {{ $now.toFormat("yyyy-MM") }}. If each run is to call everybody, set People Called Before to Call Again in Each Run.',
});
