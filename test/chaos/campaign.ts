import type { Sandbox } from '../sandbox';
import { type Count, none } from './count';
import { type Campaign, COURSES, execute, someOf } from './courses';
import { judgeDials } from './calls';
import { Executions } from './executions';
import { disturb } from './faults';
import { Judge } from './judge';
import { Chance } from './random';
import { rowsOf } from './rows';
import { freshSettings, type Settings, settingsOf, shapeOf, usesMemory } from './shape';
import type { KillableStore } from './store';
import { story } from './story';
import { hoursPass, nextHour, pass, pausesEnd, today } from './waits';

const HOUR_MS = 3_600_000;
/** Long before the day ends in New York, the workflow's zone. */
const MONDAY = Date.UTC(2031, 4, 5, 13);

/** Runs one campaign to its end, under the disturbances of its seed, and resumes it as often as necessary. */
export async function campaign(
	seed: number,
	mostRows: number,
	sandbox: Sandbox,
	store: KillableStore,
	tell?: (story: string) => void,
): Promise<Count> {
	const chance = new Chance(seed);
	sandbox.reset();
	store.clear();
	// What a process knows of an account, the next campaign does not wait for.
	pass(2 * HOUR_MS);
	today(MONDAY + chance.next() * HOUR_MS);
	const kept = { ...sandbox.settings };
	const realRandom = Math.random;
	// The course does not depend on how often something waited.
	const jitter = new Chance(seed + 1);
	Math.random = () => jitter.next();
	try {
		const total = chance.int(1, mostRows);
		const shape = shapeOf(chance, total);
		const rows = rowsOf(chance, total, shape);
		sandbox.settings.token = shape.token;
		if (shape.breakOff !== 'never' || ['tree', 'parallel'].includes(shape.course))
			sandbox.settings.latencyMs = 2;
		sandbox.settings.finishAfterMs = shape.callMs;
		const count = { ...none(), rows: rows.length };
		const executions = new Executions(shape, sandbox, store);
		const judge = new Judge(shape, sandbox, count);
		const settings = settingsOf(chance, shape);
		const played = { chance, shape, rows, settings, sandbox, executions, judge };
		await play(played);
		judgeDials(played, count);
		count.dialed = sandbox.journal.length;
		count.executions = executions.all.length;
		tell?.(story(played));
		return count;
	} finally {
		Math.random = realRandom;
		Object.assign(sandbox.settings, kept);
	}
}

async function play(campaign: Campaign): Promise<void> {
	const { chance, shape, rows, settings, sandbox } = campaign;
	// Some people do not pick up.
	for (const { number } of rows)
		if (number !== undefined && chance.is(0.3)) sandbox.callErrors.set(number, 'busy');
	if (shape.yesterday) await yesterday(campaign, { ...settings, calledBefore: shape.yesterday });
	hoursPass(chance, shape);
	if (usesMemory(shape, settings.calledBefore)) {
		const isOpen = shape.yesterday === settings.calledBefore;
		if (!isOpen && chance.is(0.2))
			await execute(campaign, {
				settings: { ...settings, onError: 'continueRegularOutput', spoiled: 'noDryRun' },
				rows,
			});
		await execute(campaign, { settings: dry(settings), rows });
	}
	disturb(chance, shape, rows, sandbox);
	await COURSES[shape.course](campaign);
	await undisturbed(campaign);
}

const dry = (settings: Settings): Settings => ({
	...settings,
	mode: 'dryRun',
	onError: 'continueRegularOutput',
});

/** An earlier day's run of some of the rows, perhaps with another setting. */
async function yesterday(campaign: Campaign, settings: Settings): Promise<void> {
	const { chance, shape, rows } = campaign;
	const start = {
		settings: { ...settings, onError: 'continueRegularOutput' as const },
		rows: shape.batchSize > 0 ? rows.slice(0, shape.batchSize) : someOf(chance, rows, 0.4),
	};
	await execute(campaign, { ...start, settings: dry(settings) });
	await execute(campaign, { ...start, mode: 'trigger' });
}

/** Once more, without disturbances: whoever was called is not called again, whoever could be called is, and the dry run before says so. */
async function undisturbed(campaign: Campaign): Promise<void> {
	const { chance, shape, rows, sandbox, judge } = campaign;
	// Without a memory, a new run calls everybody again.
	if (!usesMemory(shape, shape.calledBefore)) return;
	sandbox.clearFaults();
	sandbox.destinationOutcome.clear();
	hoursPass(chance, shape);
	// A pause that a request has met, and a later one no more, may still be on: no row speaks of it.
	pausesEnd(sandbox);
	if (shape.openMinutes !== undefined) nextHour();
	const settings: Settings = {
		...campaign.settings,
		...freshSettings(chance, shape),
		onError: 'continueRegularOutput',
	};
	const foreseen = await execute(campaign, { settings: dry(settings), rows });
	const last = await execute(campaign, { settings, rows });
	judge.foresight(foreseen, last);
	judge.nobodyForgotten(last);
}
