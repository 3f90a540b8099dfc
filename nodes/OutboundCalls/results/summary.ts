/**
 * The lines above the table of results, most important first. Each one is a small function over
 * outcomes.
 */
import type { RowOutcome } from '../domain/callOutcome';
import { formatCount, formatRows, listed, rowNames } from '../domain/format';
import { clock } from '../domain/hours/callingHours';
import { hasLimits } from '../domain/limits';
import { countedCountries } from '../domain/phone/callableCountries';
import type { Row } from '../domain/row';
import type { CallSettings } from '../input/settings';
import { countRows, formatCalls, formatNotCalled } from './counts';
import type { FollowedCalls } from './followCalls';
import { isTest, ownOutcome } from './testRow';
import { quoted } from '../domain/untrustedValues';

/** What the memory told a dry run. */
export interface MemoryNotes {
	/** Numbers of rows that would be called whose person was called before. */
	calledBefore: readonly number[];
	isEmpty: boolean;
	notAsked: string | undefined;
}

interface Told {
	settings: CallSettings;
	followed: FollowedCalls;
	/** Undefined unless the run was a dry one that asked. */
	memory: MemoryNotes | undefined;
	/** Why the user's own phone did not ring in a test. */
	noTest: string | undefined;
	isEvaluation: boolean;
	executesOnce: boolean;
	input: readonly object[];
	zone: string;
}

type Rows = readonly RowOutcome[];

/**
 * The lines of a run, one after the other, because each one looks at all rows; empty where there is
 * nothing to say.
 */
export function* summary(rows: Rows, told: Told): Generator<string> {
	const { settings, memory, executesOnce } = told;
	const once = executesOnce
		? 'Execute Once is on in this node’s settings: only the first row was read'
		: '';
	if (settings.mode === 'live') {
		yield called(rows);
		yield reached(told.followed);
		yield later(rows, told.zone);
		yield toCorrect(rows);
		yield whyRefused(rows);
		yield followingNodes(rows);
		yield once;
		return;
	}
	yield wouldBeCalled(rows, told);
	if (memory) {
		yield calledAgain(memory);
		yield memory.notAsked ? notAsked(memory.notAsked) : '';
	}
	yield optOutColumn(told);
	yield onceForEachColumn(told);
	if (memory) yield remembersNobody(memory, settings);
	yield later(rows, told.zone);
	yield heldBack(rows, settings);
	yield toCorrect(rows);
	yield whyRefused(rows);
	yield countries(rows);
	yield promptVariables(rows);
	yield once;
	yield nextStep(rows, told);
}

const withStatus = (rows: Rows, status: string): RowOutcome[] =>
	rows.filter((each) => ownOutcome(each).status === status);
const numbersOf = (rows: Rows): number[] => rows.map(({ row }) => row.rowNumber);

function called(rows: Rows): string {
	return formatCalls(countRows(rows));
}

function reached(followed: FollowedCalls): string {
	const calls = [...followed].filter(([{ outcome }]) => outcome.call === 'placed');
	if (calls.length === 0) return '';
	const count = (which: boolean | null): number =>
		calls.filter(([, call]) => call.reached === which).length;
	const open = count(null);
	return `${formatCount(count(true))} reached, ${formatCount(count(false))} not reached${open > 0 ? `, ${formatCount(open)} not known yet` : ''}`;
}

/** What keeps all refused rows back, so that nobody has to look for it in the rows. */
function whyRefused(rows: Rows): string {
	const reasons = new Set(withStatus(rows, 'refused').map(({ outcome }) => outcome.reason));
	const [reason] = reasons;
	return reasons.size === 1 && reason ? reason : '';
}

function followingNodes(rows: Rows): string {
	return rows.every(({ outcome }) => outcome.call === 'placed')
		? ''
		: 'The following nodes get all rows. To keep only people who were called, add a Filter: called is equal to yes';
}

function wouldBeCalled(rows: Rows, { noTest, isEvaluation }: Told): string {
	const counts = countRows(rows);
	const result = `${formatCount(counts.planned)} of ${formatRows(counts.rows)} would be called`;
	const not = formatNotCalled(counts).replace('not called', 'not');
	const first = not === '' ? result : `${result}, ${not}`;
	const test = rows.find(isTest);
	if (test?.outcome.reason) return `${first}. ${test.outcome.reason}`;
	if (noTest !== undefined) return `${first}. ${noTest}`;
	return isEvaluation ? `${first}. n8n’s Evaluations call nobody` : first;
}

function calledAgain({ calledBefore }: MemoryNotes): string {
	if (calledBefore.length === 0) return '';
	return `Careful: ${formatCount(calledBefore.length)} of these people ${calledBefore.length === 1 ? 'was' : 'were'} called before by this workflow (${rowNames(calledBefore)}) and would be called again`;
}

function remembersNobody({ isEmpty }: MemoryNotes, { memory }: CallSettings): string {
	return isEmpty && memory.calledBefore !== 'callAgain'
		? 'This workflow remembers nobody yet. A copy does not know whom the original called'
		: '';
}

const notAsked = (why: string): string =>
	`Careful: the call history was not checked (${why}). Some of these people may have been called before`;

function later(rows: Rows, zone: string): string {
	const times: number[] = [];
	const zones = new Set<string>();
	let never = 0;
	for (const { outcome } of withStatus(rows, 'outside_hours')) {
		const hours = outcome.call === 'none' ? outcome.hours : undefined;
		if (hours?.callableAt === null || hours === undefined) {
			never++;
			continue;
		}
		times.push(hours.callableAt);
		zones.add(hours.zone);
	}
	// If all are on the same clock, that one is meant; otherwise the workflow's.
	const isOne = zones.size === 1;
	const theirs = isOne ? [...zones][0]! : zone;
	const more =
		times.length > 0
			? `${formatCount(times.length)} more from ${clock(theirs, earliest(times))}${isOne ? '' : ` ${zone} time`} (Calling Hours)`
			: '';
	const not = never > 0 ? `${formatRows(never)} never inside Calling Hours: set Time Zone` : '';
	return [more, not].filter((part) => part !== '').join('. ');
}

const earliest = (times: readonly number[]): number =>
	times.reduce((first, time) => Math.min(first, time));

/** What each rule held back, including nothing, so that a rule that does nothing is visible. */
function heldBack(rows: Rows, { asks, memory, maxCalls, doNotCall }: CallSettings): string {
	const ofRule = (rule: string): string =>
		formatRows(
			rows.filter((each) => {
				const outcome = ownOutcome(each);
				return outcome.call === 'none' && outcome.rule === rule;
			}).length,
		);
	const ofStatus = (status: string): string => formatRows(withStatus(rows, status).length);
	const isLimited = hasLimits(memory.limits) || maxCalls !== undefined;
	const rules: Array<[isSet: boolean, text: () => string]> = [
		[asks.optedOut, () => `Opted Out: ${ofRule('optedOut')}`],
		[
			asks.doNotCall,
			() =>
				`Do Not Call: ${formatCount(doNotCall.size)} ${doNotCall.size === 1 ? 'number' : 'numbers'}, ${ofRule('doNotCall')}`,
		],
		[
			asks.hours || asks.noCallDates,
			() =>
				`${asks.noCallDates ? 'Calling Hours and No-Call Dates' : 'Calling Hours'}: ${ofStatus('outside_hours')}`,
		],
		[memory.calledBefore !== 'callAgain', () => `Called before: ${ofStatus('already_called')}`],
		[isLimited, () => `Limits: ${ofStatus('limit_reached')}`],
		[true, () => `Other countries: ${ofStatus('not_allowed')}`],
	];
	const texts = rules.flatMap(([isSet, text]) => (isSet ? [text()] : []));
	return `Rows held back. ${texts.join('. ')}`;
}

function toCorrect(rows: Rows): string {
	const invalid = withStatus(rows, 'invalid');
	return invalid.length === 0 ? '' : `To correct: ${rowNames(numbersOf(invalid))}`;
}

/** One row for each person that could be sent. */
function peopleIn(rows: Rows): Row[] {
	const people = new Map<string, Row>();
	for (const { row } of rows)
		if (!('problem' in row) && !people.has(row.person)) people.set(row.person, row);
	return [...people.values()];
}

function countries(rows: Rows): string {
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

function promptVariables(rows: Rows): string {
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

/** What people call such a column. */
const LIKE_AN_OPT_OUT =
	/opt(?:ed)?[\s_-]?out|unsubscri|do[\s_-]?not[\s_-]?(?:call|contact)|\bdnc\b|blacklist|blocked/i;

/** Rows of a sheet have the same columns; of other lists, the first ones show most of them. */
const columnsOf = (input: Told['input']): string[] =>
	input.slice(0, 100).flatMap((fields) => Object.keys(fields));

/** With the column's name instead of its value, each person would be called once and never again. */
function onceForEachColumn({ input, settings }: Told): string {
	const name = settings.fixedOnceForEach.replace(/^\$json(?:\.|\[["'])|["']\]$/g, '');
	const column = columnsOf(input).find((each) => each.toLowerCase() === name.toLowerCase());
	return column === undefined
		? ''
		: `Careful: Once for Each is the fixed text ${quoted(settings.fixedOnceForEach)}, and there is a column of that name. Drag the column into that field to use its values`;
}

function optOutColumn({ input, settings }: Told): string {
	if (settings.asks.optedOut) return '';
	const column = columnsOf(input).find((name) => LIKE_AN_OPT_OUT.test(name));
	return column === undefined
		? ''
		: `Careful: the column ${quoted(column)} looks like opt-outs, but Opted Out is empty. Drag the column into that field`;
}

function nextStep(rows: Rows, { isEvaluation, memory }: Told): string {
	return isEvaluation || countRows(rows).planned === 0
		? ''
		: memory && memory.calledBefore.length > 0
			? 'To call them, also those who were called before, set Mode to Live and execute again'
			: 'To call them, set Mode to Live and execute again';
}
