import { formatCount } from './values/format';
import { periodAt, type PeriodKind } from './hours/periods';
import { isoIn, MINUTE } from './hours/zoneTime';
import { HOURS_BETWEEN, NUMBER_FIELDS } from './fieldDefaults';
import { type Checked, ok, problem } from './values/problem';
import { isBlank, isObject, numberOf, quoted } from './values/untrustedValues';

/** How often one person may be called. */
interface PersonLimit {
	calls: number;
	per: PeriodKind | 'ever';
}

/** How often people may be called over all runs of the workflow. */
export interface CallLimits {
	/** At most one of each kind. */
	perPerson: readonly PersonLimit[];
	/** Calls to anybody in a calendar day; undefined without a limit. */
	perDay: number | undefined;
	/** At least so many between two calls to one person; undefined without a limit. */
	hoursBetween: number | undefined;
	stopWhenReached: boolean;
	/** IANA name of the zone whose calendar counts. */
	zone: string;
}

/** Why a row is not called. */
export interface LimitRefusal {
	reason: string;
	/** When calls are counted anew, on the workflow's clock; undefined: never. */
	callableAt: string | undefined;
	/** The limit holds for everybody, not for one person. */
	isOfAll: boolean;
}

/** A limit in the current period. */
export interface LimitNow {
	/** Differs from period to period. */
	name: string;
	most: number;
	refusal: LimitRefusal;
}

/**
 * Hours Between Calls: time is cut into buckets of a quarter of the hours. A call takes its own
 * bucket, which must be free, and the next four.
 */
export interface GapNow {
	/** One for each bucket, the call's own first. */
	keys(person: string): string[];
	/** `free`: the index of the first free bucket, -1 without one. Undefined if it is the own one. */
	refusal(free: number): LimitRefusal | undefined;
}

/** The limits of a run in the current periods. */
interface LimitsNow {
	perPerson: readonly LimitNow[];
	perDay: LimitNow | undefined;
	gap: GapNow | undefined;
}

const MOST_PER_PERSON = NUMBER_FIELDS.calls.most;
const MOST_PER_DAY = NUMBER_FIELDS.maxCallsPerDay.most;

const KINDS = ['day', 'week', 'month', 'ever'] as const;

/** Of a row whose person was reached, or may be talking to another run at this moment. */
export const REACHED: LimitRefusal = {
	reason: 'Reached, or outcome not known (Stop When Reached)',
	callableAt: undefined,
	isOfAll: false,
};

/** Whether anything is limited over runs. */
export const hasLimits = ({
	perPerson,
	perDay,
	hoursBetween,
	stopWhenReached,
}: CallLimits): boolean =>
	perPerson.length > 0 || perDay !== undefined || hoursBetween !== undefined || stopWhenReached;

const endOf = ({ callableAt }: LimitRefusal): number =>
	callableAt === undefined ? Infinity : Date.parse(callableAt);

/** Of several reasons, the one that holds longest. */
export const longest = (refusals: readonly LimitRefusal[]): LimitRefusal | undefined =>
	refusals.length === 0
		? undefined
		: refusals.reduce((first, next) => (endOf(next) > endOf(first) ? next : first));

/** The limits in the periods that `now` (milliseconds since 1970) is in. */
export function limitsAt(limits: CallLimits, now: number): LimitsNow {
	const { perPerson, perDay, hoursBetween, zone } = limits;
	const limitNow = (per: PersonLimit['per'], most: number, rule: string, isOfAll: boolean) => {
		const period = per === 'ever' ? undefined : periodAt(per, zone, now);
		return {
			name: period ? `calls ${per} ${period.index}` : 'calls ever',
			most,
			refusal: {
				reason: `${rule} reached`,
				callableAt: period && isoIn(zone, period.end),
				isOfAll,
			},
		};
	};
	return {
		perPerson: perPerson.map(({ calls, per }) => {
			const bound = `${formatCount(calls)} ${per === 'ever' ? per : `per ${per}`}`;
			return limitNow(per, calls, `Calls per Person (${bound})`, false);
		}),
		perDay:
			perDay === undefined
				? undefined
				: limitNow('day', perDay, `Max Calls per Day (${formatCount(perDay)})`, true),
		gap: hoursBetween === undefined ? undefined : gapAt(hoursBetween, zone, now),
	};
}

/** Buckets that a call takes. */
const BUCKETS = 5;

function gapAt(hours: number, zone: string, now: number): GapNow {
	const lengthMs = hours * 15 * MINUTE;
	const own = Math.floor(now / lengthMs);
	return {
		keys: (person) =>
			Array.from({ length: BUCKETS }, (_, next) => `gap ${hours} ${own + next} ${person}`),
		refusal: (free) =>
			free === 0
				? undefined
				: {
						reason: `Hours Between Calls (${hours}) not over yet`,
						callableAt: isoIn(zone, (own + (free < 0 ? BUCKETS : free)) * lengthMs),
						isOfAll: false,
					},
	};
}

/** The buckets that a call which still counts may have taken, whatever the hours are. */
export const everyGap = (zone: string, now: number): GapNow[] =>
	HOURS_BETWEEN.flatMap((hours) =>
		[now - hours * 60 * MINUTE, now].map((time) => gapAt(hours, zone, time)),
	);

/** Every limit per person that there can be, as high as it can be. */
export const everyPersonLimit = (zone: string, now: number): readonly LimitNow[] =>
	limitsAt(
		{
			perPerson: KINDS.map((per) => ({ calls: MOST_PER_PERSON, per })),
			perDay: undefined,
			hoursBetween: undefined,
			stopWhenReached: false,
			zone,
		},
		now,
	).perPerson;

/**
 * The rule Calls per Person, stored as `{limit: [{calls: 1, per: 'day'}]}`. Of several limits of
 * one kind the lowest counts.
 */
export function readCallsPerPerson(stored: unknown): Checked<PersonLimit[]> {
	const limits = isObject(stored) ? stored.limit : undefined;
	if (!Array.isArray(limits) || limits.length === 0) {
		return problem(
			'Calls per Person has no limit',
			'Add one, such as 1 per day, or remove the rule.',
		);
	}
	const lowest = new Map<PersonLimit['per'], number>();
	for (const [index, limit] of (limits as unknown[]).entries()) {
		const { calls: stored, per } = isObject(limit) ? limit : {};
		const calls = wholeNumber(stored, MOST_PER_PERSON);
		const kind = KINDS.find((each) => each === per);
		if (calls === undefined || !kind)
			return problem(
				`Limit ${index + 1} of Calls per Person is ${quoted(stored)} per ${quoted(per)}`,
				`Enter a whole number from 1 to ${MOST_PER_PERSON}, and choose its period.`,
			);
		lowest.set(kind, Math.min(calls, lowest.get(kind) ?? calls));
	}
	return ok(KINDS.flatMap((per) => (lowest.has(per) ? [{ calls: lowest.get(per)!, per }] : [])));
}

/** The rule Max Calls per Day. */
export function readCallsPerDay(stored: unknown): Checked<number> {
	const calls = wholeNumber(stored, MOST_PER_DAY);
	return calls === undefined
		? problem(
				`Max Calls per Day is ${isBlank(stored) ? 'empty' : quoted(stored)}`,
				`Enter a whole number from 1 to ${formatCount(MOST_PER_DAY)}.`,
			)
		: ok(calls);
}

/** The rule Hours Between Calls. */
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
function wholeNumber(value: unknown, most: number): number | undefined {
	const number = numberOf(value);
	return number !== undefined && Number.isInteger(number) && number >= 1 && number <= most
		? number
		: undefined;
}
