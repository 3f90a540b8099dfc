import {
	failedBefore,
	reordered,
	type Execution,
	type Executions,
	type StopAt,
} from './executions';
import type { Judge } from './judge';
import type { Chance } from './random';
import type { Row } from './rows';
import { changed, freshSettings, type Settings, type Shape, spoiledOf } from './shape';
import type { Sandbox } from '../sandbox';
import { MOMENTS } from './watch';

/** What a campaign is made of. */
export interface Campaign {
	chance: Chance;
	shape: Shape;
	rows: readonly Row[];
	settings: Settings;
	sandbox: Sandbox;
	executions: Executions;
	judge: Judge;
}

const EXECUTIONS_WITH_FAULTS = 6;
const MOST_EXECUTIONS = 60;

/** Execution after execution, each the Retry of the one before, until all rows have come out. */
export async function resume(campaign: Campaign): Promise<void> {
	const { chance, shape, executions, judge, sandbox } = campaign;
	let { rows, settings } = campaign;
	let parent: Execution | undefined;
	for (let executed = 0; ; executed++) {
		if (executed === EXECUTIONS_WITH_FAULTS) sandbox.clearFaults();
		const isSpoiled =
			executed < EXECUTIONS_WITH_FAULTS && mayBeSpoiled(campaign) && chance.is(0.08);
		const stopAt =
			shape.breakOff !== 'never' && executed < EXECUTIONS_WITH_FAULTS && chance.is(0.6)
				? stopOf(chance, 4)
				: undefined;
		const now = isSpoiled ? { ...settings, spoiled: spoiledOf(chance, shape) } : settings;
		const execution = await executions.start({ settings: now, rows, parent, stopAt });
		judge.look(execution);
		const wasKilled = execution.wasBroken && shape.breakOff === 'kill';
		const isDone = executions.isComplete(execution) && !wasKilled;
		if (!wasKilled)
			for (const round of executions.newRounds(execution)) judge.round(execution, round);
		// Nobody is to be called twice by a new run, either, where nothing remembers who was called before.
		if (isDone && (!isSpoiled || (parent && shape.calledBefore === 'callAgain'))) return;
		if (executed > MOST_EXECUTIONS) {
			judge.neverEnds();
			return;
		}
		// A killed process leaves nothing but the database, and what came out cannot be retried; otherwise the Retry button goes on.
		parent = wasKilled || isDone ? undefined : execution;
		rows = reordered(chance, shape, rows);
		settings = { ...settings, ...freshSettings(chance, shape) };
	}
}

/** A parent that starts the rows anew, each time as a sub-workflow that knows nothing of the one before. */
export async function subWorkflow(campaign: Campaign): Promise<void> {
	const { chance, shape, rows, executions, judge, sandbox } = campaign;
	let { settings } = campaign;
	const tries = chance.int(1, 4);
	for (let executed = 1; ; executed++) {
		if (executed === EXECUTIONS_WITH_FAULTS) sandbox.clearFaults();
		const execution = await executions.start({ settings, rows, mode: 'integrated' });
		judge.look(execution);
		const isDone = executions.isComplete(execution);
		for (const round of executions.newRounds(execution)) judge.round(execution, round);
		// The parent may also fail behind it.
		if (isDone && executed >= tries) return;
		if (executed > MOST_EXECUTIONS) {
			judge.neverEnds();
			return;
		}
		settings = { ...settings, ...freshSettings(chance, shape) };
	}
}

/** Retries of any execution that failed, one after the other or two at once, with other settings, and of one that failed before the node. */
export async function tree(campaign: Campaign): Promise<void> {
	const { chance, shape, settings, executions, judge, sandbox, rows } = campaign;
	const begun = {
		...settings,
		onError: shape.mayStop ? ('stopWorkflow' as const) : settings.onError,
	};
	const isBefore = chance.is(0.5);
	const root = isBefore
		? await failedBefore(executions, begun, rows)
		: await executions.start({
				settings: begun,
				rows,
				stopAt: chance.is(0.5) ? stopOf(chance, 3) : undefined,
			});
	judge.look(root);
	const failed = [root];
	const retry = async (parent: Execution, now: Settings): Promise<Execution> => {
		const execution = await executions.start({
			settings: now,
			rows: reordered(chance, shape, parent.rows),
			parent,
			withOriginalWorkflow: chance.is(0.3),
		});
		judge.look(execution);
		return execution;
	};
	const settle = (execution: Execution): boolean => {
		const isDone = executions.isComplete(execution);
		for (const round of executions.newRounds(execution)) judge.round(execution, round);
		if (!isDone) failed.push(execution);
		return isDone;
	};
	for (const round of executions.newRounds(root)) judge.round(root, round);
	if (executions.isComplete(root)) return;
	let now: Settings = begun;
	for (let steps = chance.int(1, 5); steps > 0; steps--) {
		now = changed(chance, shape, now);
		if (chance.is(0.35)) {
			const pair = await Promise.all([
				retry(chance.of(failed), now),
				retry(chance.of(failed), now),
			]);
			pair.forEach(settle);
			continue;
		}
		const isSpoiled = mayBeSpoiled(campaign) && chance.is(0.1);
		settle(
			await retry(
				chance.of(failed),
				isSpoiled ? { ...now, spoiled: spoiledOf(chance, shape) } : now,
			),
		);
	}
	sandbox.clearFaults();
	for (let executed = 0; ; executed++) {
		const execution = await executions.start({
			settings: { ...now, countries: true },
			rows: root.rows,
			parent: executed === 0 ? root : failed.at(-1)!,
		});
		judge.look(execution);
		if (settle(execution)) return;
		if (executed > MOST_EXECUTIONS) {
			judge.neverEnds();
			return;
		}
	}
}

const stopOf = (chance: Chance, mostRequests: number): StopAt => ({
	request: chance.int(1, mostRequests),
	moment: chance.of(MOMENTS),
});

/** Values that differ by row need several rows in each round. */
const mayBeSpoiled = ({ rows, shape: { batchSize } }: Campaign): boolean =>
	rows.length > 1 && batchSize === 0;
