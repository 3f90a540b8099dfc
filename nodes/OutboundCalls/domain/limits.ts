import {
	type ChoiceOf,
	CHOICES,
	HOURS_BETWEEN,
	LIMITS_FOR_ALL,
	NUMBER_FIELDS,
} from './panelDefaults';
import { periodAt } from './hours/periods';
import { DAY, isoIn, MINUTE } from './hours/zoneTime';
import type { HeldBack, Protection } from './outcome';
import {
	type Checked,
	formatCount,
	isBlank,
	isObject,
	numberOf,
	ok,
	problem,
	quoted,
} from './values';

/**
 * So many calls in a period, to each person (the rule Calls per Person) or to all people together:
 * for another period, see `LIMITS_FOR_ALL` in `domain/panelDefaults.ts`.
 */
export interface Limit {
	calls: number;
	per: ChoiceOf<'per'>;
	of: 'person' | 'all';
}

/** How often people may be called over all runs of the workflow. */
export interface CallLimits {
	/** There is at most one of each kind. */
	counted: readonly Limit[];
	/** At least so many between two calls to one person; undefined without a limit. */
	hoursBetween: number | undefined;
	stopWhenReached: boolean;
	/** IANA name of the zone whose calendar counts. */
	zone: string;
}

/** Nothing is limited. */
export const NO_LIMITS: CallLimits = {
	counted: [],
	hoursBetween: undefined,
	stopWhenReached: false,
	zone: 'UTC',
};

const PERIODS = CHOICES.per.options.map(({ value }) => value);

/** Of a row whose person was reached, or may be talking to another run at this moment. */
export const REACHED: HeldBack = {
	by: 'reached_before',
	reason: 'Reached, or outcome not known (Stop When Reached)',
};

/** Whether anything is limited over runs. */
export const hasLimits = ({ counted, hoursBetween, stopWhenReached }: CallLimits) =>
	counted.length > 0 || hoursBetween !== undefined || stopWhenReached;

/** What is never over ends last. */
const endOf = ({ callableAt }: HeldBack) =>
	callableAt === undefined ? Infinity : Date.parse(callableAt);

/** Of several reasons, the one that holds longest; of equal ones, the first. */
export const longest = ([first, ...others]: readonly HeldBack[]): HeldBack | undefined =>
	first && others.reduce((last, next) => (endOf(next) > endOf(last) ? next : last), first);

/** The limits in the periods that `now` (milliseconds since 1970) is in. */
export const limitsAt = ({ counted, hoursBetween, zone }: CallLimits, now: number) => ({
	counted: counted.map((limit) => limitAt(limit, zone, now)),
	gap: hoursBetween === undefined ? undefined : gapAt(hoursBetween, zone, now),
});

/** The limits of a run in the current periods. */
export type LimitsNow = ReturnType<typeof limitsAt>;

/** A limit in the current period. */
export type LimitNow = ReturnType<typeof limitAt>;

function limitAt(limit: Limit, zone: string, now: number) {
	const { calls, per, of } = limit;
	const period = per === 'ever' ? undefined : periodAt(per, zone, now);
	const [by, rule] = ruleOf(limit);
	return {
		of,
		/** The name differs from period to period. */
		name: period ? `calls ${per} ${period.index}` : 'calls ever',
		most: calls,
		heldBack: { by, reason: `${rule} reached`, callableAt: period && isoIn(zone, period.end) },
	};
}

/** The rule that a limit comes from, as `held_by` and as a reason name it. */
function ruleOf({ calls, per, of }: Limit): [Protection, string] {
	const most = formatCount(calls);
	const forAll = Object.values(LIMITS_FOR_ALL).find((each) => of === 'all' && each.per === per);
	return forAll
		? [forAll.heldBy, `${forAll.label} (${most})`]
		: ['calls_per_person', `Calls per Person (${most} ${per === 'ever' ? per : `per ${per}`})`];
}

/** A call takes so many buckets. */
const BUCKETS = 5;

const bucketKey = (hours: number, bucket: number, person: string) =>
	`gap ${hours} ${bucket} ${person}`;

/**
 * Hours Between Calls: time is cut into buckets of a quarter of the hours. A call takes its own
 * bucket, which must be free, and the next four.
 */
function gapAt(hours: number, zone: string, now: number) {
	const lengthMs = hours * 15 * MINUTE;
	const own = Math.floor(now / lengthMs);
	return {
		/** One for each bucket, the call's own first. */
		keys: (person: string) =>
			Array.from({ length: BUCKETS }, (_, next) => bucketKey(hours, own + next, person)),
		/** `free`: the index of the first free bucket, -1 without one. Undefined if it is the own one. */
		heldBack: (free: number): HeldBack | undefined =>
			free === 0
				? undefined
				: {
						by: 'hours_between_calls',
						reason: `Hours Between Calls (${hours}) not over yet`,
						callableAt: isoIn(zone, (own + (free < 0 ? BUCKETS : free)) * lengthMs),
					},
	};
}

/** How far back a person is forgotten. */
const FORGOTTEN_MS = 100 * DAY;

/** Names of the limits per person that calls of the last 100 days can have counted in. */
export function recentLimits(zone: string, now: number) {
	const names = new Set<string>();
	for (let time = now; time >= now - FORGOTTEN_MS; time -= DAY)
		for (const per of PERIODS) names.add(limitAt({ calls: 1, per, of: 'person' }, zone, time).name);
	return [...names];
}

/**
 * Keys of buckets that calls of the last 100 days can have taken, one in five of them: of the five
 * in a row that a call takes, one is among them. Each comes with its neighbors.
 */
export function recentBuckets(hours: number, person: string, now: number) {
	const lengthMs = hours * 15 * MINUTE;
	const near = Array.from({ length: 2 * BUCKETS - 1 }, (_, index) => index + 1 - BUCKETS);
	const buckets = new Map<string, string[]>();
	const last = Math.floor(now / lengthMs) + BUCKETS;
	for (
		let bucket = last - (last % BUCKETS);
		bucket * lengthMs > now - FORGOTTEN_MS - BUCKETS * lengthMs;
		bucket -= BUCKETS
	)
		buckets.set(
			bucketKey(hours, bucket, person),
			near.map((distance) => bucketKey(hours, bucket + distance, person)),
		);
	return buckets;
}

/**
 * The rule Calls per Person, stored as `{limit: [{calls: 1, per: 'day'}]}`. Of several limits of
 * one kind the lowest counts.
 */
export function readCallsPerPerson(stored: unknown): Checked<Limit[]> {
	const limits = isObject(stored) ? stored.limit : undefined;
	if (!Array.isArray(limits) || limits.length === 0) {
		return problem(
			'Calls per Person has no limit',
			'Add one, such as 1 per day, or remove the rule.',
		);
	}
	const { most } = NUMBER_FIELDS.calls;
	const lowest = new Map<Limit['per'], number>();
	for (const [index, limit] of (limits as unknown[]).entries()) {
		const { calls: stored, per } = isObject(limit) ? limit : {};
		const calls = wholeNumber(stored, most);
		const period = PERIODS.find((each) => each === per);
		if (calls === undefined || !period)
			return problem(
				`Limit ${index + 1} of Calls per Person is ${quoted(stored)} per ${quoted(per)}`,
				`Enter a whole number from 1 to ${most}, and choose its period.`,
			);
		lowest.set(period, Math.min(calls, lowest.get(period) ?? calls));
	}
	return ok([...lowest].map(([per, calls]) => ({ calls, per, of: 'person' })));
}

/** Reads a rule that limits the calls to all people together. */
export function readLimitForAll(
	rule: keyof typeof LIMITS_FOR_ALL,
	stored: unknown,
): Checked<Limit[]> {
	const { label, most, per } = LIMITS_FOR_ALL[rule];
	const calls = wholeNumber(stored, most);
	return calls === undefined
		? problem(
				`${label} is ${isBlank(stored) ? 'empty' : quoted(stored)}`,
				`Enter a whole number from 1 to ${formatCount(most)}.`,
			)
		: ok([{ calls, per, of: 'all' }]);
}

/** Reads the rule Hours Between Calls. */
export function readHoursBetween(stored: unknown): Checked<number> {
	const hours = HOURS_BETWEEN.find((each) => each === numberOf(stored));
	return hours === undefined
		? problem(
				`Hours Between Calls is ${isBlank(stored) ? 'empty' : quoted(stored)}`,
				`It takes ${HOURS_BETWEEN.slice(0, -1).join(', ')} or ${HOURS_BETWEEN.at(-1)}.`,
			)
		: ok(hours);
}

/** From 1 on; a number from a cell may be text. */
function wholeNumber(value: unknown, most: number) {
	const number = numberOf(value) ?? 0;
	return Number.isInteger(number) && number >= 1 && number <= most ? number : undefined;
}
