import type { RecordedRequest } from '../sandbox';
import type { Count } from './count';
import type { Campaign } from './courses';
import { lineage, type Execution } from './executions';
import { hasty, overlapping, seenOf, unmarked } from './journal';
import { kindOf, memoryOf, type Row } from './rows';
import { type Shape, usesMemory } from './shape';
import { minuteOf, MOMENT_MS } from './waits';

/** Who was called more often than they should be, or should not have been called at all, by the journal of a whole campaign. */
export function judgeDials({ shape, rows, executions, sandbox }: Campaign, count: Count): void {
	const byName = new Map(rows.map((row) => [row.name, row]));
	const byMark = new Map<unknown, Execution>(executions.all.map((each) => [each.mark, each]));
	const calls = new Calls(shape, new Set(sandbox.callErrors.keys()));
	for (const dial of sandbox.journal) {
		const execution = byMark.get(sandbox.requests[dial.requestIndex]?.headers['x-execution']);
		const row = byName.get(dial.variables.name ?? '');
		if (!execution || row?.number !== dial.phone || !mayCall(row, execution)) count.forbidden++;
		else if (isClosedAt(dial.at, shape)) count.forbidden++;
		else if (calls.isOneTooMany(row, execution, dial.at)) count.twice++;
	}
	count.forbidden += unmarked(sandbox).length;
	const isHeard = ({ status, headers }: RecordedRequest): boolean =>
		status !== null && byMark.get(headers['x-execution'])?.broken === undefined;
	count.atOnce += overlapping(sandbox, isHeard).length;
	count.hasty += hasty(sandbox, isHeard).length;
	// Siblings each count for themselves.
	const { maxCalls = Infinity } = shape;
	for (const each of executions.all)
		if (seenOf(sandbox, lineage(each)).dials.length > maxCalls) count.forbidden++;
}

const mayCall = (row: Row, { settings }: Execution): boolean =>
	settings.mode === 'live' &&
	!settings.spoiled &&
	!row.isIncomplete &&
	kindOf(row, settings) === 'live';

/** Whether nobody may be called at this time, and could not a moment ago, either. */
const isClosedAt = (time: number, { openMinutes = 60 }: Shape): boolean =>
	minuteOf(time) > openMinutes + MOMENT_MS / 60_000;

/** The workflow's zone is n8n's. */
const DAY = new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', dateStyle: 'short' });

class Calls {
	private readonly byKey = new Map<string, number>();
	/** By number: when it was called last. */
	private readonly calledAt = new Map<string, number>();

	constructor(
		private readonly shape: Shape,
		/** Whoever does not pick up. */
		private readonly busy: ReadonlySet<string>,
	) {}

	/** Counts a call at this time, and says whether it should not have been made after those before. */
	isOneTooMany(row: Row, execution: Execution, time: number): boolean {
		const { shape } = this;
		const { settings, rows } = execution;
		const number = row.number!;
		const { perPerson = Infinity, perDay = Infinity, hoursBetween, stopWhenReached } = shape.limits;
		const sinceMs = time - (this.calledAt.get(number) ?? -Infinity);
		this.calledAt.set(number, time);
		const remembers = usesMemory(shape, settings.calledBefore);
		const anybody = this.add(`remembered ${number}`, remembers);
		const once = this.add(
			`once ${memoryOf(row, settings)}`,
			settings.calledBefore === 'onceForEach',
		);
		const reached = this.add(`reached ${number}`, !this.busy.has(number));
		const inRun = this.add(`${lineage(execution).at(-1)!.mark} ${number}`);
		const ofPerson = this.add(`calls ${number}`);
		// A call counts in the period in which it was claimed: on this day, or as its execution began.
		const day = DAY.format(time);
		const ofAll = this.add(`all ${day}`, day === DAY.format(execution.beganAt));
		return (
			inRun > roundsOf(number, rows, shape) ||
			(settings.calledBefore === 'skip' && anybody > 1) ||
			once > 1 ||
			(stopWhenReached === true && reached > 1) ||
			ofPerson > perPerson ||
			sinceMs + MOMENT_MS < (hoursBetween ?? 0) * 3_600_000 ||
			ofAll > perDay
		);
	}

	/** How many there are with this one; 0 if it does not count. */
	private add(key: string, counts = true): number {
		if (!counts) return 0;
		const now = (this.byKey.get(key) ?? 0) + 1;
		this.byKey.set(key, now);
		return now;
	}
}

/** In how many rounds of a loop a person has a row: each may call them once. */
function roundsOf(number: string, rows: readonly Row[], { batchSize }: Shape): number {
	const size = batchSize || rows.length;
	const rounds = rows.flatMap((row, i) => (row.number === number ? [Math.floor(i / size)] : []));
	return new Set(rounds).size;
}
