import type { Sandbox } from '../sandbox';
import type { Execution, Executions, Start, StopAt } from './executions';
import type { Judge } from './judge';
import type { Chance } from './random';
import type { Row } from './rows';
import { changed, freshSettings, type Settings, type Shape } from './shape';
import { hoursPass } from './waits';
import { MOMENTS } from './watch';

export interface Campaign {
	chance: Chance;
	shape: Shape;
	rows: readonly Row[];
	settings: Settings;
	sandbox: Sandbox;
	executions: Executions;
	judge: Judge;
}

const SPOILED = ['setting', 'credential'] as const;
const EXECUTIONS_WITH_FAULTS = 6;
const MOST_EXECUTIONS = 60;

/** Runs one execution and judges it. */
export async function execute(
	{ executions, judge }: Campaign,
	start: Start,
): Promise<Execution & { isDone: boolean }> {
	const execution = await executions.start(start);
	judge.look(execution);
	// What a killed process had in its hands is gone.
	const wasKilled = execution.broken === 'kill';
	if (!wasKilled)
		for (const round of executions.newRounds(execution)) judge.round(execution, round);
	return Object.assign(execution, { isDone: executions.isComplete(execution) && !wasKilled });
}

/** Execution after execution, each the Retry of the one before, until all rows have come out. */
async function resume(campaign: Campaign): Promise<void> {
	const { chance, shape, rows, judge, sandbox } = campaign;
	let { settings } = campaign;
	let parent: Execution | undefined;
	for (let executed = 0; executed <= MOST_EXECUTIONS; executed++) {
		if (executed === EXECUTIONS_WITH_FAULTS) sandbox.clearFaults();
		const hasFaults = executed < EXECUTIONS_WITH_FAULTS;
		const isSpoiled = hasFaults && mayBeSpoiled(campaign) && chance.is(0.08);
		const { breakOff: how } = shape;
		const stopAt =
			how !== 'never' && hasFaults && chance.is(0.6) ? stopOf(chance, how, 4) : undefined;
		const now = isSpoiled ? { ...settings, spoiled: chance.of(SPOILED) } : settings;
		const execution = await execute(campaign, { settings: now, rows, parent, stopAt });
		const { isDone, broken } = execution;
		// Nobody is to be called twice by a new run, either, where nothing remembers who was called before.
		if (isDone && (!isSpoiled || (parent && shape.calledBefore === 'callAgain'))) return;
		// A killed process leaves nothing but the database, and what came out cannot be retried; otherwise the Retry button goes on.
		parent = broken === 'kill' || isDone ? undefined : execution;
		if (!parent) hoursPass(chance, shape);
		settings = { ...settings, ...freshSettings(chance, shape) };
	}
	judge.neverEnds();
}

/** A parent that starts the rows anew, each time as a sub-workflow that knows nothing of the one before. */
async function subWorkflow(campaign: Campaign): Promise<void> {
	const { chance, shape, rows, judge, sandbox } = campaign;
	let { settings } = campaign;
	const tries = chance.int(1, 4);
	for (let executed = 1; executed <= MOST_EXECUTIONS; executed++) {
		if (executed === EXECUTIONS_WITH_FAULTS) sandbox.clearFaults();
		const { isDone } = await execute(campaign, { settings, rows, mode: 'integrated' });
		// The parent may also fail after it.
		if (isDone && executed >= tries) return;
		hoursPass(chance, shape);
		settings = { ...settings, ...freshSettings(chance, shape) };
	}
	judge.neverEnds();
}

/** Retries of any execution that failed, one after the other or two at once, with the settings of then or of now. */
async function tree(campaign: Campaign): Promise<void> {
	const { chance, shape, settings, judge, sandbox, rows } = campaign;
	const begun = { ...settings, ...(shape.mayStop ? { onError: 'stopWorkflow' as const } : {}) };
	const stopAt = chance.is(0.5) ? stopOf(chance, 'stop', 3) : undefined;
	const root = await execute(campaign, { settings: begun, rows, stopAt });
	if (root.isDone) return;
	const failed: Execution[] = [root];
	const retry = async (parent: Execution, now: Settings): Promise<boolean> => {
		const isOriginal = chance.is(0.3);
		const execution = await execute(campaign, {
			settings: isOriginal ? parent.settings : now,
			rows,
			parent,
		});
		if (!execution.isDone) failed.push(execution);
		return execution.isDone;
	};
	let now: Settings = begun;
	for (let steps = chance.int(1, 5); steps > 0; steps--) {
		now = changed(chance, shape, now);
		if (chance.is(0.4)) {
			await Promise.all([retry(chance.of(failed), now), retry(chance.of(failed), now)]);
			continue;
		}
		const isSpoiled = mayBeSpoiled(campaign) && chance.is(0.1);
		await retry(chance.of(failed), isSpoiled ? { ...now, spoiled: chance.of(SPOILED) } : now);
	}
	sandbox.clearFaults();
	const { spoiled: _spoiled, ...sound } = now;
	for (let executed = 0; executed <= MOST_EXECUTIONS; executed++) {
		const parent = executed === 0 ? root : failed.at(-1)!;
		const execution = await execute(campaign, { settings: sound, rows, parent });
		if (execution.isDone) return;
		failed.push(execution);
	}
	judge.neverEnds();
}

/** Schedules, webhooks and people that start the workflow at the same moment, each with some of the rows in an order of its own. */
async function parallel(campaign: Campaign): Promise<void> {
	const { chance, shape, rows, settings } = campaign;
	const starts = Array.from({ length: chance.int(2, 3) }, (): Start => ({
		settings: { ...settings, ...freshSettings(chance, shape), onError: 'continueRegularOutput' },
		rows: chance.shuffled(someOf(chance, rows, 0.7)),
		mode: chance.of(['trigger', 'manual', 'webhook'] as const),
	}));
	await Promise.all(starts.map(async (start) => await execute(campaign, start)));
}

/** All rows of some people, and of the first one's in any case. */
export function someOf(chance: Chance, rows: readonly Row[], share: number): Row[] {
	const people = new Map(rows.map(({ number }) => [number, chance.is(share)]));
	return rows.filter(({ number }) => number === rows[0]!.number || people.get(number));
}

/** How the executions of a campaign follow one another. */
export const COURSES: Record<Shape['course'], (campaign: Campaign) => Promise<void>> = {
	resume,
	tree,
	subWorkflow,
	parallel,
};

const stopOf = (chance: Chance, how: StopAt['how'], mostRequests: number): StopAt => ({
	how,
	request: chance.int(1, mostRequests),
	moment: chance.of(MOMENTS),
	keepsFirstRecord: how === 'stop' && chance.is(0.5),
});

/** Values that differ by row need several rows in each round. */
const mayBeSpoiled = ({ rows, shape: { batchSize } }: Campaign): boolean =>
	rows.length > 1 && batchSize === 0;
