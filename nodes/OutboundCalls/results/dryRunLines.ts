/** What a dry run tells of the memory and of what the rows hold. */
import { capitalized, counted, formatCount, listed, quoted, rowNames } from '../domain/values';
import { countedCountries } from '../domain/phone/callableCountries';
import { ownOutcome, rowsRead } from '../domain/outcome';
import { toSnakeCase } from '../domain/promptVariables';
import { countRows, type RunResult } from './runResult';

/** A dry run must not set off a published version that waits for it. */
export function liveWaits({ rows, memory }: RunResult) {
	if (!memory?.mark?.liveWaits) return '';
	const published = 'a published version of this workflow, or a workflow that calls it, is';
	const people = counted(countRows(rows).planned, 'person', 'people');
	return memory.mark.isLeft
		? `Careful: if ${published} still Live, its next run calls ${people}`
		: `${capitalized(published)} Live and waits for this dry run. Unpublish it, then execute again: otherwise its next run calls ${people}`;
}

export function calledAgain({ memory }: RunResult) {
	const numbers = memory?.calledBefore ?? [];
	return numbers.length === 0
		? ''
		: `Careful: ${formatCount(numbers.length)} of these people ${numbers.length === 1 ? 'was' : 'were'} called before by this workflow (${rowNames(numbers)}) and would be called again`;
}

export function notAsked({ memory }: RunResult) {
	return memory?.notAsked === undefined
		? ''
		: `Careful: the call history was not checked (${memory.notAsked}). Some of these people may have been called before`;
}

export function calledNobodyYet({ memory }: RunResult) {
	return memory?.isEmpty
		? 'This workflow remembers nobody yet. A copy does not know whom the original called'
		: '';
}

/** The buckets of other hours are others. */
export function otherHours({ memory, settings }: RunResult) {
	const hours = settings.memory.limits.hoursBetween;
	return hours === undefined || memory?.isEmpty
		? ''
		: `Hours Between Calls (${hours}) does not count calls that were made under other hours, or without the rule`;
}

/** How long a campaign takes with the calls that each day, or another period, may have. */
export function callingDays({ rows, settings: { memory } }: RunResult) {
	const limits = memory.limits.counted.filter(({ of }) => of === 'all');
	const calls = rows
		.map(ownOutcome)
		.filter(
			({ status, reach }) =>
				['dry_run', 'outside_hours'].includes(status) ||
				(status === 'limit_reached' && reach === 'run'),
		).length;
	const lines = limits.map(
		({ calls: most, per }) =>
			`${counted(calls, 'call')} at ${formatCount(most)} a ${per}: ${counted(Math.ceil(calls / most), `calling ${per}`)}`,
	);
	return calls === 0 ? '' : lines.join('. ');
}

/** Skip calls each person once, whatever a limit of several calls says. */
export function calledOnce({ settings: { memory } }: RunResult) {
	const { counted: limits, hoursBetween } = memory.limits;
	const isForSeveral =
		hoursBetween !== undefined || limits.some(({ calls, of }) => of === 'person' && calls > 1);
	return memory.calledBefore === 'skip' && isForSeveral
		? 'With Skip, each person is called once. For several attempts, set People Called Before to Call Again'
		: '';
}

export function countries({ rows }: RunResult) {
	// One row for each person.
	const people = [...new Map(rowsRead(rows).map((row) => [row.person, row])).values()];
	if (people.length === 0) return '';
	const withoutPlus = people.filter(({ lacksPlus }) => lacksPlus);
	const read =
		withoutPlus.length === 0
			? ''
			: `. Numbers without + are read as numbers in ${countedCountries(withoutPlus.map(({ country }) => country))}`;
	return `Countries: ${countedCountries(people.map(({ country }) => country))}${read}`;
}

/** Names that are shown; the others are counted. */
const MAX_NAMES_SHOWN = 10;

export function promptVariables({ rows }: RunResult) {
	const empty = new Map<string, number[]>();
	for (const { variables = {}, rowNumber } of rowsRead(rows))
		for (const [name, value] of Object.entries(variables)) {
			const numbers = empty.get(name) ?? [];
			empty.set(name, numbers);
			if (value.trim() === '') numbers.push(rowNumber);
		}
	if (empty.size === 0) return '';
	const names = listed([...empty.keys()].map(quoted), MAX_NAMES_SHOWN);
	const missing = [...empty].filter(([, numbers]) => numbers.length > 0);
	const where = missing
		.slice(0, MAX_NAMES_SHOWN)
		.map(([name, numbers]) => `${quoted(name)} in ${rowNames(numbers)}`);
	return `Prompt variables: ${names}${where.length > 0 ? `. Empty: ${where.join(', ')}` : ''}`;
}

/** Rows of a sheet have the same columns; of other lists, the first ones show most of them. */
function columnsOf({ execution: { input } }: RunResult) {
	const columns = new Set(input.slice(0, 100).flatMap((fields) => Object.keys(fields)));
	return [...columns].filter(({ length }) => length <= MAX_COLUMN_LENGTH);
}

/** Normalizing takes time that grows with the square of the length. */
const MAX_COLUMN_LENGTH = 100;

/** What a program writes for letters that it could not read. */
const LOST_LETTER = '\ufffd';

export function lostLetters({ rows }: RunResult) {
	const numbers = rowsRead(rows)
		.filter(({ variables = {} }) =>
			Object.values(variables).some((value) => value.includes(LOST_LETTER)),
		)
		.map(({ rowNumber }) => rowNumber);
	return numbers.length === 0
		? ''
		: `Careful: letters were lost when a file was read (“${LOST_LETTER}” in ${rowNames(numbers)}). Choose the file’s encoding, such as latin1, in the node that reads it`;
}

/** What people call such a column, whatever joins the words. */
const LIKE_AN_OPT_OUT =
	/(?:^|_)(?:opt(?:ed)?_?outs?|unsubscri|do_?not_?(?:call|contact|disturb)|dn[cd](?:$|_)|no_?calls?(?:$|_)|blacklist|blocked)/;

export function optOutColumn(told: RunResult) {
	if (told.settings.asks.optedOut) return '';
	const column = columnsOf(told).find((name) => LIKE_AN_OPT_OUT.test(toSnakeCase(name)));
	return column === undefined
		? ''
		: `Careful: the column ${quoted(column)} looks like opt-outs, but Opted Out is empty. Drag the column into that field`;
}

/** With the column's name instead of its value, each person would be called once and never again. */
export function onceForEachColumn(told: RunResult) {
	const text = told.settings.fixedOnceForEach;
	const name = text.replace(/^\$json(?:\.|\[["'])|["']\]$/g, '').toLowerCase();
	return name === '' || !columnsOf(told).some((column) => column.toLowerCase() === name)
		? ''
		: `Careful: Once for Each is the fixed text ${quoted(text)}, and there is a column of that name. Drag the column into that field to use its values`;
}
