import { leaveMark, leaveNoMark } from '../claims/gate';
import { type LookUp, lookUp } from '../claims/lookUp';
import { RunKeys } from '../claims/runKeys';
import { isBehindLive, noteMarks } from '../claims/unseenMarks';
import { keysToAsk, madeBy, placeKey } from '../domain/countKeys';
import { limitsAt, type LimitsNow, Tally } from '../domain/callLimits';
import { type CallOutcome, limitReached } from '../domain/callOutcome';
import { formatCount } from '../domain/format';
import { askedKeys, memoryKeys, otherScope, wasCalledOtherwise } from '../domain/memoryKeys';
import type { Row } from '../domain/row';
import { leavesOut, promote, type Shared } from '../domain/sharing';
import type { Execution } from '../execution/execution';
import type { Slices } from '../execution/slices';
import { calledBefore } from '../domain/calledBefore';
import { type CallSettings, usesMemory } from '../input/settings';

/** What the memory says of the rows of a dry run. */
export interface Rehearsal {
	/** Of those that would not be called, by position. */
	outcomes: ReadonlyMap<number, CallOutcome>;
	/** What follows the totals, each with a blank before it. */
	sentences: readonly string[];
}

/** Nothing was asked. */
export const NO_REHEARSAL: Rehearsal = { outcomes: new Map(), sentences: [] };

/**
 * Asks the memory about the rows of a dry run, and leaves nothing in it but the mark that Live needs. Where a row was called
 * before, the row that would be called in its place takes its lead in `shared`. Never rejects.
 */
export async function rehearse(
	execution: Execution,
	callable: readonly Row[],
	shared: Shared,
	settings: CallSettings,
	leavesMark: boolean,
	inOrder: (callers: readonly Row[]) => readonly Row[],
	slices: Slices,
): Promise<Rehearsal> {
	const rows = callable.filter(({ isDry }) => isDry);
	if (!usesMemory(settings) || (rows.length === 0 && !leavesMark)) return NO_REHEARSAL;
	const keys = new RunKeys(execution.keyStore(settings.memoryOf));
	const other = new RunKeys(execution.keyStore(otherScope(settings.memoryOf)));
	try {
		const limits = limitsAt(settings.limits, Date.now());
		const wanted = await slices.through(keysOf(rows, wantedKeys(settings, limits)));
		const found = await lookUp(keys, wanted, execution.signal);
		const calls = await slices.through(keysOf(rows, (row) => callKeys(row, settings, limits)));
		const elsewhere = await lookUp(other, calls, execution.signal);
		// Behind all that is asked: where one of these cannot be answered, nobody has seen whom Live would call again.
		const isStopped = [found, elsewhere].some(({ kind }) => kind === 'stopped');
		if (leavesMark && !isBehindLive(execution) && !isStopped)
			await leaveMarks(execution, keys, other, settings);
		if (found.kind !== 'known')
			return { ...NO_REHEARSAL, sentences: [` ${NOT_ASKED[found.kind]}`] };
		const isElsewhere = elsewhere.kind === 'known' ? elsewhere.has : () => false;
		return await slices.through(
			foresee(rows, { shared, inOrder }, settings, limits, { has: found.has, isElsewhere }),
		);
	} catch (thrown) {
		const why = thrown instanceof Error && thrown.message !== '' ? ` (${thrown.message})` : '';
		const next = leavesMark
			? ' Live needs another dry run. If this workflow is new, save it first.'
			: '';
		return {
			...NO_REHEARSAL,
			sentences: [
				` n8n’s memory of the people called could not be used${why}, so nobody knows who was called before.${next}`,
			],
		};
	} finally {
		await keys.close();
		await other.close();
	}
}

/** In the list that the node shares, and in the other one, as far as it was used. */
async function leaveMarks(
	execution: Execution,
	keys: RunKeys,
	other: RunKeys,
	{ setting, memoryOf }: CallSettings,
): Promise<void> {
	const { node } = execution;
	await leaveNoMark(other, { setting, node });
	const { marks, fresh } = await leaveMark(keys, { setting, node });
	noteMarks(execution, execution.keyStore(memoryOf), marks, fresh);
}

const NOT_ASKED: Record<Exclude<LookUp['kind'], 'known'>, string> = {
	workers:
		'Several workers use the memory of the people called, so a dry run does not ask it: some of these people may have been called before.',
	tooLong:
		'So many people are remembered that asking would take too long: some of these people may have been called before.',
	stopped: 'The run was stopped before it knew who was called before.',
};

/** All of them, each once. May be cut where it yields. */
function* keysOf(
	rows: readonly Row[],
	keys: (row: Row) => readonly string[],
): Generator<void, Set<string>> {
	const all = new Set<string>();
	for (const row of rows) {
		for (const key of keys(row)) all.add(key);
		yield;
	}
	return all;
}

/** Of a row; what counts for several rows is asked for once. */
function wantedKeys(
	{ remembers, setting }: CallSettings,
	limits: LimitsNow,
): (row: Row) => string[] {
	const asked = new Set<string>();
	return (row) => {
		const counts = limits
			.countedFor(row.person)
			.filter(({ refusal, name }) => refusal && !asked.has(name));
		for (const { name } of counts) asked.add(name);
		return [...(remembers ? askedKeys(row, setting) : []), ...counts.flatMap(keysToAsk)];
	};
}

/** Of which one is in a list where the row's person was called, as far as the node would know it. */
function callKeys(row: Row, { remembers, setting }: CallSettings, limits: LimitsNow): string[] {
	const counts = limits.countedFor(row.person).filter(({ refusal }) => refusal?.isOfAll === false);
	return [
		...(remembers ? memoryKeys(row, setting) : []),
		...counts.map(({ name }) => placeKey(name, 1)),
	];
}

/** Whether a key is in the list of the node's setting; whether it is in the one of the other setting of Share Memory With. */
interface Known {
	has: (key: string) => boolean;
	isElsewhere: (key: string) => boolean;
}

interface Callers {
	shared: Shared;
	/** As their calls would leave, which is the order in which limits are counted. */
	inOrder: (callers: readonly Row[]) => readonly Row[];
}

/** May be cut where it yields. */
function* foresee(
	rows: readonly Row[],
	{ shared, inOrder }: Callers,
	settings: CallSettings,
	limits: LimitsNow,
	{ has, isElsewhere }: Known,
): Generator<void, Rehearsal> {
	const { remembers, duplicates, setting, memoryOf, maxCalls } = settings;
	const outcomes = new Map<number, CallOutcome>();
	const tally = new Tally((counted) => madeBy(counted, has));
	const again = { otherwise: 0, elsewhere: 0 };
	const isKnown = (row: Row): boolean => {
		if (!remembers || !memoryKeys(row, setting).some(has)) return false;
		outcomes.set(row.position, calledBefore(row, memoryOf));
		return true;
	};
	const wouldBeCalled = (row: Row): boolean => {
		if (isKnown(row)) return false;
		const refusal = tally.add(limits.countedFor(row.person));
		if (refusal) outcomes.set(row.position, limitReached(refusal));
		else if (remembers && wasCalledOtherwise(row, setting, has)) again.otherwise++;
		else if (callKeys(row, settings, limits).some(isElsewhere)) again.elsewhere++;
		return refusal === undefined;
	};
	const countCalls = function* (some: readonly Row[]): Generator<void, number> {
		let calls = 0;
		for (const row of some) {
			if (wouldBeCalled(row)) calls++;
			yield;
		}
		return calls;
	};
	let left = maxCalls ?? Infinity;
	let callers = shared.callers.filter(({ isDry }) => isDry);
	while (callers.length > 0) {
		const rest = [...callers];
		// As many as Max Calls leaves go together, also those that the memory knows (`placeRows.ts`).
		while (rest.length > 0 && left > 0) left -= yield* countCalls(inOrder(rest.splice(0, left)));
		rest.forEach(isKnown);
		callers = promote(shared, rows, duplicates, (first, follower) =>
			leavesOut(outcomes.get(first.position), first, follower),
		);
	}
	const sentences = [
		calledAgain(again.otherwise, 'Remember People By'),
		calledAgain(again.elsewhere, 'Share Memory With'),
	];
	return { outcomes, sentences: sentences.flatMap((sentence) => sentence ?? []) };
}

function calledAgain(people: number, setting: string): string | undefined {
	if (people === 0) return undefined;
	return ` ${formatCount(people)} of these people ${people === 1 ? 'was' : 'were'} called under another setting of ${setting}, and would be called again.`;
}
