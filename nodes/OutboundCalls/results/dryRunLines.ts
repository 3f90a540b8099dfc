/** What a dry run tells of the memory and of what the rows hold. */
import { capitalized, counted, formatCount, listed, rowNames } from '../domain/values/format';
import { countedCountries } from '../domain/phone/callableCountries';
import { ownOutcome, type RowOutcome } from '../domain/outcome';
import type { Row } from '../domain/row';
import type { Execution } from '../execution/execution';
import type { CallSettings } from '../input/settings';
import type { leaveMark } from '../memory/liveGate';
import { quoted } from '../domain/values/untrustedValues';
import { countRows } from './counts';
import type { FollowedCalls } from './followCalls';

/** What the memory told a dry run. */
export interface MemoryNotes {
	/** Numbers of rows that would be called whose person was called before. */
	calledBefore: readonly number[];
	/** The workflow remembers nobody yet. */
	isEmpty: boolean;
	notAsked: string | undefined;
	/** Undefined if this dry run leaves no mark. */
	mark?: Awaited<ReturnType<typeof leaveMark>>;
}

/** What lines tell of, beside the rows. */
export interface Told {
	settings: CallSettings;
	followed: FollowedCalls;
	/** Undefined unless the run was a dry one that asked. */
	memory: MemoryNotes | undefined;
	/** Why the user's own phone did not ring in a test. */
	noTest: string | undefined;
	execution: Execution;
}

export type Rows = readonly RowOutcome[];
/** A dry run must not set off a published version that waits for it. */
export function liveWaits(rows: Rows, { memory }: Told): string {
	if (!memory?.mark?.liveWaits) return '';
	const published = 'a published version of this workflow, or a workflow that calls it, is';
	const people = counted(countRows(rows).planned, 'person', 'people');
	return memory.mark.isLeft
		? `Careful: if ${published} still Live, its next run calls ${people}`
		: `${capitalized(published)} Live and waits for this dry run. Unpublish it, then execute again: otherwise its next run calls ${people}`;
}

export function calledAgain(_rows: Rows, { memory }: Told): string {
	const numbers = memory?.calledBefore ?? [];
	return numbers.length === 0
		? ''
		: `Careful: ${formatCount(numbers.length)} of these people ${numbers.length === 1 ? 'was' : 'were'} called before by this workflow (${rowNames(numbers)}) and would be called again`;
}

export function notAsked(_rows: Rows, { memory }: Told): string {
	return memory?.notAsked === undefined
		? ''
		: `Careful: the call history was not checked (${memory.notAsked}). Some of these people may have been called before`;
}

export function calledNobodyYet(_rows: Rows, { memory }: Told): string {
	return memory?.isEmpty
		? 'This workflow remembers nobody yet. A copy does not know whom the original called'
		: '';
}

/** The buckets of other hours are others. */
export function otherHours(_rows: Rows, { memory, settings }: Told): string {
	const hours = settings.memory.limits.hoursBetween;
	return hours === undefined || memory?.isEmpty
		? ''
		: `Hours Between Calls (${hours}) does not count calls that were made under other hours, or without the rule`;
}

/** How long a campaign takes with the calls that each day may have. */
export function callingDays(rows: Rows, { settings: { memory } }: Told): string {
	const daily = memory.limits.counted.find(({ per, of }) => per === 'day' && of === 'all');
	const calls = rows
		.map(ownOutcome)
		.filter(
			({ status, ...outcome }) =>
				['dry_run', 'outside_hours'].includes(status) ||
				(status === 'limit_reached' && outcome.call === 'none' && outcome.reach === 'run'),
		).length;
	return !daily || calls === 0
		? ''
		: `${counted(calls, 'call')} at ${formatCount(daily.calls)} a day: ${counted(Math.ceil(calls / daily.calls), 'calling day')}`;
}

/** Skip calls each person once, whatever a limit of several calls says. */
export function calledOnce(_rows: Rows, { settings: { memory } }: Told): string {
	const { counted: limits, hoursBetween } = memory.limits;
	const isForSeveral =
		hoursBetween !== undefined || limits.some(({ calls, of }) => of === 'person' && calls > 1);
	return memory.calledBefore === 'skip' && isForSeveral
		? 'With Skip, each person is called once. For several attempts, set People Called Before to Call Again'
		: '';
}

/** One row for each person that could be sent. */
function peopleIn(rows: Rows): Row[] {
	const people = new Map<string, Row>();
	for (const { row } of rows)
		if (!('problem' in row) && !people.has(row.person)) people.set(row.person, row);
	return [...people.values()];
}

export function countries(rows: Rows): string {
	const people = peopleIn(rows);
	if (people.length === 0) return '';
	const withoutPlus = people.filter(({ lacksPlus }) => lacksPlus);
	const read =
		withoutPlus.length === 0
			? ''
			: `. Numbers without + are read as numbers in ${countedCountries(withoutPlus.map(({ country }) => country))}`;
	return `Countries: ${countedCountries(people.map(({ country }) => country))}${read}`;
}

/** Names that are shown; the others are counted. */
const SHOWN = 10;

export function promptVariables(rows: Rows): string {
	const empty = new Map<string, number[]>();
	for (const { row } of rows) {
		if ('problem' in row) continue;
		for (const [name, value] of Object.entries(row.variables ?? {})) {
			const numbers = empty.get(name) ?? [];
			empty.set(name, numbers);
			if (value.trim() === '') numbers.push(row.rowNumber);
		}
	}
	if (empty.size === 0) return '';
	const names = listed([...empty.keys()].map(quoted), SHOWN);
	const missing = [...empty].filter(([, numbers]) => numbers.length > 0);
	const where = missing
		.slice(0, SHOWN)
		.map(([name, numbers]) => `${quoted(name)} in ${rowNames(numbers)}`);
	return `Prompt variables: ${names}${where.length > 0 ? `. Empty: ${where.join(', ')}` : ''}`;
}

/** Rows of a sheet have the same columns; of other lists, the first ones show most of them. */
const columnsOf = ({ execution: { input } }: Told): string[] =>
	input.slice(0, 100).flatMap((fields) => Object.keys(fields));

/** What people call such a column. */
const LIKE_AN_OPT_OUT =
	/opt(?:ed)?[\s_-]?out|unsubscri|do[\s_-]?not[\s_-]?(?:call|contact)|\bdnc\b|blacklist|blocked/i;

export function optOutColumn(_rows: Rows, told: Told): string {
	if (told.settings.asks.optedOut) return '';
	const column = columnsOf(told).find((name) => LIKE_AN_OPT_OUT.test(name));
	return column === undefined
		? ''
		: `Careful: the column ${quoted(column)} looks like opt-outs, but Opted Out is empty. Drag the column into that field`;
}

/** With the column's name instead of its value, each person would be called once and never again. */
export function onceForEachColumn(_rows: Rows, told: Told): string {
	const text = told.settings.fixedOnceForEach;
	const name = text.replace(/^\$json(?:\.|\[["'])|["']\]$/g, '').toLowerCase();
	return name === '' || !columnsOf(told).some((column) => column.toLowerCase() === name)
		? ''
		: `Careful: Once for Each is the fixed text ${quoted(text)}, and there is a column of that name. Drag the column into that field to use its values`;
}
