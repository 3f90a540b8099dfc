import type { DurableStore } from '../engine/helpers/durableStore';
import type { Sandbox } from '../sandbox';
import { beyondLimits, forbidden, twice } from './bounds';
import { type Count, none } from './count';
import { type Campaign, resume, subWorkflow, tree } from './courses';
import { Executions } from './executions';
import { disturb } from './faults';
import { seenOf, unmarked } from './journal';
import { Judge } from './judge';
import { later } from './later';
import { Pace } from './pace';
import { Chance } from './random';
import { readBatches } from './reads';
import { rowsOf } from './rows';
import { freshSettings, settingsOf, shapeOf } from './shape';
import { story } from './story';
import { jitterOf } from './waits';

const COURSES = { resume, tree, subWorkflow };

/** Runs one campaign to its end, under the disturbances of its seed, and resumes it as often as necessary. */
export async function campaign(
	seed: number,
	mostRows: number,
	sandbox: Sandbox,
	store: DurableStore,
	tell?: (story: string) => void,
): Promise<Count> {
	const chance = new Chance(seed);
	sandbox.reset();
	store.clear();
	later();
	const kept = { ...sandbox.settings };
	const realRandom = Math.random;
	Math.random = jitterOf(new Chance(seed + 1));
	try {
		const count = await placing(chance, mostRows, sandbox, tell);
		if (chance.is(0.15)) {
			// A read while calls were waited for may have been told to pause, of which no row speaks.
			later();
			await readBatches(chance, sandbox, count);
		}
		return count;
	} finally {
		Math.random = realRandom;
		Object.assign(sandbox.settings, kept);
	}
}

async function placing(
	chance: Chance,
	mostRows: number,
	sandbox: Sandbox,
	tell?: (story: string) => void,
): Promise<Count> {
	const total = chance.int(1, mostRows);
	const shape = shapeOf(chance, total);
	const rows = rowsOf(chance, total, shape);
	sandbox.settings.token = shape.token;
	if (shape.breakOff !== 'never' || shape.course === 'tree') sandbox.settings.latencyMs = 2;

	const count = { ...none(), rows: rows.length };
	const executions = new Executions(shape, sandbox, new Chance(chance.seed + 7));
	const judge = new Judge(shape, sandbox, count);
	const played: Campaign = {
		chance,
		shape,
		rows,
		settings: settingsOf(chance, shape),
		sandbox,
		executions,
		judge,
	};
	if (shape.yesterday) await yesterday(played);
	disturb(chance, shape, rows, sandbox);
	const pace = new Pace();
	const from = sandbox.journal.length;
	if (shape.callsPerMinute !== undefined) pace.open();
	try {
		await COURSES[shape.course](played);
	} finally {
		pace.close();
	}
	// Without the requests that are gone with a killed process, nobody knows how many calls there were between two others.
	if (shape.callsPerMinute !== undefined && shape.breakOff === 'never')
		judgePace(played, pace, from, count);
	if (executions.all.some(({ wasBroken, wasEndless }) => wasBroken || wasEndless))
		await quiet(sandbox);
	await undisturbed(played);
	judgeDials(played, count);
	for (const execution of executions.deactivated)
		judge.deactivated(execution, executions.newRounds(execution), executions.isComplete(execution));
	const seen = seenOf(sandbox, executions.all);
	count.dialed = seen.dials.length;
	count.requests = seen.requests.length;
	count.executions = executions.all.length;
	tell?.(story(played));
	return count;
}

/** An earlier day's run of some of the rows, which remembers them. */
async function yesterday({
	chance,
	shape,
	rows,
	settings,
	executions,
	judge,
}: Campaign): Promise<void> {
	const some = rows.filter((_row, position) => position === 0 || chance.is(0.4));
	const execution = await executions.start({
		settings: { ...settings, onError: 'continueRegularOutput' },
		rows: shape.batchSize > 0 ? rows.slice(0, shape.batchSize) : some,
	});
	judge.look(execution);
	for (const round of executions.newRounds(execution)) judge.round(execution, round);
}

/** Once more, without disturbances: whoever was called is not called again, and whoever could be called is. */
async function undisturbed(campaign: Campaign): Promise<void> {
	const { chance, shape, rows, settings, sandbox, executions, judge } = campaign;
	// Without a memory, a new run calls everybody again.
	if (shape.calledBefore !== 'skip') return;
	sandbox.clearFaults();
	sandbox.destinationOutcome.clear();
	// A pause that a request has met, and a later one no more, may still be on: no row speaks of it.
	later();
	// One call a minute takes no time where nobody is left to be called.
	const callsPerMinute = chance.is(0.3) && judge.hasServed(rows) ? 1 : undefined;
	const execution = await executions.start({
		settings: {
			...settings,
			...freshSettings(chance, shape),
			onError: 'continueRegularOutput',
			callsPerMinute,
		},
		rows,
	});
	judge.look(execution);
	for (const round of executions.newRounds(execution)) judge.round(execution, round);
	judge.nobodyForgotten(rows, execution.settings);
}

function judgeDials({ shape, rows, executions, sandbox }: Campaign, count: Count): void {
	const eachSettings = new Set(executions.all.map(({ settings }) => settings.callEach));
	const { dials } = seenOf(sandbox, executions.all);
	for (const execution of executions.all)
		if (execution.settings.spoiled) count.forbidden += seenOf(sandbox, [execution]).dials.length;
	const circumstances = {
		callEach: eachSettings.has(true),
		isSettled: eachSettings.size === 1,
		runs: executions.all.filter(({ parent }) => !parent).length,
	};
	// A sub-workflow without a memory starts anew each time: then each of its runs counts by itself.
	const isAnew = shape.course === 'subWorkflow' && shape.calledBefore === 'callAgain';
	for (const run of isAnew
		? executions.all.map((each) => seenOf(sandbox, [each]).dials)
		: [dials]) {
		count.twice += twice(run, rows, shape, circumstances);
	}
	count.twice += beyondLimits(dials, shape);
	count.forbidden += forbidden(dials, rows) + unmarked(sandbox).length;
	if (shape.maxCalls !== undefined) count.forbidden += Math.max(0, dials.length - shape.maxCalls);
}

function judgePace(
	{ shape, executions, sandbox }: Campaign,
	pace: Pace,
	from: number,
	count: Count,
): void {
	// A new run has a pace of its own.
	if (executions.all.filter(({ parent }) => !parent).length > (shape.yesterday ? 2 : 1)) return;
	const placed = sandbox.journal.slice(from);
	const last = placed.at(-1)?.requestIndex;
	if (
		pace.wasHurried(
			shape.callsPerMinute!,
			placed.length,
			placed.filter(({ requestIndex }) => requestIndex === last).length,
		)
	)
		count.hurried++;
}

/** A client that is gone may have left connections that the server has not read yet. */
async function quiet(sandbox: Sandbox): Promise<void> {
	for (let seen = -1; seen !== sandbox.requests.length || sandbox.inFlight > 0;) {
		seen = sandbox.requests.length;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
