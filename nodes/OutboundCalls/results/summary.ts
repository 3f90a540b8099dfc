/**
 * The lines above the table of results, most important first. Each one is a small function over
 * outcomes; one that has nothing to say is empty.
 */
import { isTest, ownOutcome, type Protection } from '../domain/outcome';
import { counted, formatCount, rowNames, uncapitalized } from '../domain/values';
import { ANY_HOUR, cityOf, clock } from '../domain/hours/callingHours';
import { countRows, formatCalls, reasonKey, type RunResult } from './runResult';
import {
	calledAgain,
	calledNobodyYet,
	calledOnce,
	callingDays,
	countries,
	liveWaits,
	notAsked,
	lostLetters,
	onceForEachColumn,
	optOutColumn,
	otherHours,
	promptVariables,
} from './dryRunLines';

type Line = (result: RunResult) => string;

const LIVE: readonly Line[] = [
	({ rows }) => formatCalls(rows),
	unwritten,
	reached,
	later,
	calledBefore,
	toCorrect,
	why,
	followingNodes,
];

const DRY: typeof LIVE = [
	liveWaits,
	wouldBeCalled,
	calledAgain,
	notAsked,
	optOutColumn,
	onceForEachColumn,
	lostLetters,
	calledNobodyYet,
	otherHours,
	later,
	callingDays,
	calledOnce,
	heldBack,
	calledBefore,
	toCorrect,
	why,
	countries,
	promptVariables,
	followingNodes,
	nextStep,
];

/** One after the other, because each one looks at all rows. */
export function* summary(result: RunResult): Generator<string> {
	for (const line of result.settings.mode === 'live' ? LIVE : DRY) yield line(result);
}

const withStatus = (rows: RunResult['rows'], status: string) =>
	rows.filter((each) => ownOutcome(each).status === status && !isTest(each));

function reached({ followed }: RunResult) {
	const calls = [...followed].filter(([{ outcome }]) => outcome.call === 'placed');
	const count = (which: string) => calls.filter(([, call]) => call.reached === which).length;
	const open = count('open');
	return calls.length === 0
		? ''
		: `${formatCount(count('yes'))} reached, ${formatCount(count('no'))} not reached${open > 0 ? `, ${formatCount(open)} not known yet` : ''}`;
}

function why({ reasons }: RunResult) {
	return reasons.map(({ text }) => text).join(' ');
}

function unwritten({ unwritten: problem }: RunResult) {
	return problem ? `Careful: ${uncapitalized(problem.message)}. ${problem.remedy}` : '';
}

function followingNodes({ rows, settings: { mode, waiting } }: RunResult) {
	const { called, planned } = countRows(rows);
	if (called + planned === rows.length) return '';
	const column = mode === 'live' && waiting ? 'called or reached' : 'called';
	return `The following nodes get all rows. To keep only people who were called, add a Filter: ${column} is equal to yes`;
}

function wouldBeCalled({ rows, noTest }: RunResult) {
	const { planned } = countRows(rows);
	const test = rows.find(isTest)?.outcome.reason ?? noTest;
	const result = `${formatCount(planned)} of ${counted(rows.length, 'row')} would be called`;
	return test === undefined ? result : `${result}. ${test}`;
}

/** What the status says, and what to do if it is not meant. */
function calledBefore({ rows, settings: { memory } }: RunResult) {
	const other = memory.calledBefore === 'skip' ? '. For another purpose, choose Once for Each' : '';
	return withStatus(rows, 'already_called').length === 0
		? ''
		: `Called before includes calls that may have been placed: Forget People frees those that were not${other}`;
}

function later({ rows, execution }: RunResult) {
	const times: number[] = [];
	const zones = new Set<string>();
	// The row of a test was called, whatever the hours are.
	for (const { outcome } of withStatus(rows, 'outside_hours')) {
		const { zone, callableAt } = outcome.heldBack ?? {};
		if (zone === undefined || callableAt === undefined) continue;
		times.push(Date.parse(callableAt));
		zones.add(zone);
	}
	// If all are on the same clock, that one is meant; otherwise the workflow's.
	const theirs = zones.size === 1 ? [...zones][0]! : execution.timeZone;
	const where = theirs === execution.timeZone ? '' : ` (${cityOf(theirs)})`;
	const earliest = times.reduce((first, time) => Math.min(first, time), Infinity);
	return times.length === 0
		? ''
		: `${formatCount(times.length)} more can be called from ${clock(theirs, earliest)}${where}: execute again then, or add a Schedule Trigger`;
}

/** What rules held back; those with a column or a list also if it is nothing, so that it shows. */
function heldBack({ rows, settings: { asks, doNotCall } }: RunResult) {
	const ofRule = (rule: Protection) =>
		rows.filter((each) => ownOutcome(each).heldBack?.by === rule).length;
	const ofStatus = (status: string) => withStatus(rows, status).length;
	const rules: Array<[name: string, rows: number, isAlwaysShown?: boolean]> = [
		['Opted Out', ofRule('opted_out'), asks.optedOut],
		[`Do Not Call (${counted(doNotCall.size, 'number')})`, ofRule('do_not_call'), asks.doNotCall],
		[
			asks.noCallDates ? 'Calling Hours and No-Call Dates' : 'Calling Hours',
			ofStatus('outside_hours'),
		],
		['Called before', ofStatus('already_called')],
		['Limits', ofStatus('limit_reached')],
		['Countries and Special Numbers', ofStatus('not_allowed')],
	];
	const texts = rules.flatMap(([name, count, isAlwaysShown]) =>
		count > 0 || isAlwaysShown ? [`${name}: ${counted(count, 'row')}`] : [],
	);
	return texts.length === 0 ? '' : `Held back. ${texts.join('. ')}`;
}

function toCorrect({ rows, reasons }: RunResult) {
	const shared = new Set(reasons.map(({ key }) => key));
	const invalid = withStatus(rows, 'invalid')
		.filter((each) => !shared.has(reasonKey(ownOutcome(each)) ?? ''))
		.map(({ row }) => row.rowNumber);
	return invalid.length === 0 ? '' : `To correct: ${rowNames(invalid)}`;
}

/** What to do now: always said, also if nobody would be called. */
function nextStep({ rows, execution, memory, settings }: RunResult) {
	const has = (status: string) => withStatus(rows, status).length > 0;
	if (execution.startedBy === 'evaluation')
		return 'n8n’s Evaluations call nobody. To call people, execute the workflow itself';
	if (memory?.mark?.isLeft === false)
		return 'This dry run did not count: unpublish the version that is Live, then execute again';
	if (countRows(rows).planned > 0) {
		const now = settings.hours.windows === ANY_HOUR ? ' at any hour' : '';
		const again = memory?.calledBefore.length ? ', also those who were called before' : '';
		return `To call them${now}${again}, set Mode to Live and execute again`;
	}
	if (has('outside_hours'))
		return 'To see now who would be called, choose Any Hour in a dry run, and set the hours back before Live. Mode Test rings your own phone at any hour';
	if (has('already_called'))
		return 'To call these people again, choose Once for Each or Call Again, or Forget People';
	return has('invalid')
		? 'Correct these rows, then execute again'
		: 'Change what holds the rows back, then execute again';
}
