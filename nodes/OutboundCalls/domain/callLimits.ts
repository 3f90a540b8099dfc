import type { Fields } from './fields';
import { formatCount, quoted, uncapitalized } from './format';
import { type PeriodKind, periodAt } from './hours/periods';
import { isoIn } from './hours/zoneTime';
import { isObject } from './json';
import { type Checked, fail, ok } from './problem';

/** How often one number may be called. */
export interface PersonLimit {
	calls: number;
	per: PeriodKind | 'ever';
}

/** How often people may be called over all runs that share a memory. */
export interface CallLimits {
	/** At most one of each kind. */
	perPerson: readonly PersonLimit[];
	/** Calls of all nodes in a calendar day; undefined without a limit. */
	perDay: number | undefined;
	/** Whom a run that waited found reached is not called again. */
	stopWhenReached: boolean;
	/** What other nodes that share the memory limit: calls of this one count, too. */
	ofOthers?: LimitsOfOthers;
	/** IANA name of the zone whose calendar counts. */
	zone: string;
}

export interface LimitsOfOthers {
	perPerson: ReadonlySet<PersonLimit['per']>;
	perDay: boolean;
	stopWhenReached: boolean;
}

/** Something that is counted, and how far. */
export interface Counted {
	/** By which it is known in the list. */
	name: string;
	/** Which day, week or month is counted; undefined: all time. */
	period: number | undefined;
	most: number;
	/** It is asked for, and a call adds nothing to it. */
	isMark: boolean;
	/** Of a row that is not called because of it; undefined: it is another node's limit, and keeps nobody from being called here. */
	refusal: LimitRefusal | undefined;
}

/** Why a row is not called. */
export interface LimitRefusal {
	reason: string;
	/** From when a call is counted anew, in milliseconds since 1970; undefined: never. */
	end: number | undefined;
	/** When that is, on the clocks of the workflow. */
	callableAt: string | undefined;
	/** It holds for everybody, not for one person. */
	isOfAll: boolean;
}

/** With so many calls in a period, a list of people still is one. */
const MOST_PER_PERSON = 100;
const MOST_PER_DAY = 10_000;

const KINDS = ['day', 'week', 'month', 'ever'] as const;

/** The option Calls per Person, stored as `{limit: [{calls: 1, per: 'day'}]}`. Of several limits of one kind the lowest counts. */
export function readCallsPerPerson(stored: unknown): Checked<PersonLimit[]> {
	const limits = isObject(stored) ? stored.limit : undefined;
	if (!Array.isArray(limits) || limits.length === 0) {
		return refused(
			'Calls per Person has no limit',
			'Add one, such as 1 per day, or remove the option.',
		);
	}
	const lowest = new Map<PersonLimit['per'], number>();
	for (const [index, limit] of (limits as unknown[]).entries()) {
		const read = readLimit(limit, `Limit ${index + 1} of Calls per Person`);
		if (!read.ok) return read;
		const { calls, per } = read.value;
		lowest.set(per, Math.min(calls, lowest.get(per) ?? calls));
	}
	return ok(KINDS.flatMap((per) => (lowest.has(per) ? [{ calls: lowest.get(per)!, per }] : [])));
}

function readLimit(limit: unknown, name: string): Checked<PersonLimit> {
	if (!isObject(limit))
		return refused(`${name} is ${quoted(limit)}`, 'Give it calls and a period.');
	const calls = wholeNumber(limit.calls, MOST_PER_PERSON);
	if (calls === undefined) {
		return refused(
			`The number of calls in ${uncapitalized(name)} is ${shown(limit.calls)}`,
			`Enter a whole number from 1 to ${formatCount(MOST_PER_PERSON)}.`,
		);
	}
	const per = KINDS.find((kind) => kind === limit.per);
	return per
		? ok({ calls, per })
		: refused(
				`The period of ${uncapitalized(name)} is ${shown(limit.per)}`,
				'Choose day, week, month or ever.',
			);
}

/** What nodes limit whose parameters, as they are stored, are these; undefined if they limit nothing. An expression may come to any of them. */
export function limitsOfOthers(nodes: readonly Fields[]): LimitsOfOthers | undefined {
	const options = nodes.flatMap((node) =>
		isObject(node.options) && node.options.memoryOf !== 'node' ? [node.options] : [],
	);
	const limits = options.flatMap(({ callsPerPerson }) =>
		isObject(callsPerPerson) ? [callsPerPerson.limit].flat() : [],
	);
	const isOf = (kind: string, per: unknown): boolean =>
		per === kind || (typeof per === 'string' && per.startsWith('='));
	const perPerson = new Set(
		KINDS.filter((kind) => limits.some((limit) => isObject(limit) && isOf(kind, limit.per))),
	);
	const perDay = options.some(({ maxCallsPerDay }) => maxCallsPerDay !== undefined);
	const stopWhenReached = options.some(
		(each) => each.stopWhenReached !== undefined && each.stopWhenReached !== false,
	);
	return perPerson.size > 0 || perDay || stopWhenReached
		? { perPerson, perDay, stopWhenReached }
		: undefined;
}

/** The option Max Calls per Day. */
export function readCallsPerDay(stored: unknown): Checked<number> {
	const calls = wholeNumber(stored, MOST_PER_DAY);
	return calls === undefined
		? refused(
				`Max Calls per Day is ${shown(stored)}`,
				`Enter a whole number from 1 to ${formatCount(MOST_PER_DAY)}.`,
			)
		: ok(calls);
}

/** From 1 on; a number from a cell may be text. */
function wholeNumber(value: unknown, most: number): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= most
		? number
		: undefined;
}

const shown = (value: unknown): string =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
		? 'empty'
		: `${quoted(value)}, which cannot be used`;

const refused = (message: string, remedy: string) => fail({ message, remedy });

/** Whether anything is counted over runs. */
export const countsCalls = ({
	perPerson,
	perDay,
	stopWhenReached,
	ofOthers,
}: CallLimits): boolean =>
	perPerson.length > 0 || perDay !== undefined || stopWhenReached || ofOthers !== undefined;

/** Whether it matters who was reached, be it to another node. */
export const learnsReached = ({ stopWhenReached, ofOthers }: CallLimits): boolean =>
	stopWhenReached || ofOthers?.stopWhenReached === true;

/** Of a row whose person may be talking, or was reached just now: with Stop When Reached, the run that called them has not learned it yet. */
export const CALLED_BY_ANOTHER_RUN: LimitRefusal = {
	reason:
		'Another run is calling this number, or waits for the end of that call (Stop When Reached)',
	end: undefined,
	callableAt: undefined,
	isOfAll: false,
};

/** Known for people who were reached. */
export const reachedName = (person: string): string => `reached ${person}`;

/** Limits at a moment. */
export interface LimitsNow {
	/** The same as long as the same days, weeks and months are counted. */
	periods: string;
	/** All that a call to a person adds to, or that keeps them from being called. */
	countedFor(person: string): Counted[];
}

const WHEN = {
	day: ' for today',
	week: ' for this week',
	month: ' for this month',
	ever: '',
} as const satisfies Record<PersonLimit['per'], string>;

const usedUp = (per: PersonLimit['per']): string =>
	`which is used up${WHEN[per]}, so nobody is called for this row`;

/** `now`: milliseconds since 1970. */
export function limitsAt(
	{ perPerson, perDay, stopWhenReached, ofOthers, zone }: CallLimits,
	now: number,
): LimitsNow {
	const counts: Array<(person: string) => Counted> = [];
	const periods: number[] = [];
	const count = (
		name: (person: string) => string,
		most: number,
		why: string | undefined,
		per: PersonLimit['per'],
		more: { isMark?: true; isOfAll?: true } = {},
	) => {
		const period = per === 'ever' ? undefined : periodAt(per, zone, now);
		if (period) periods.push(period.index);
		const { isMark = false, isOfAll = false } = more;
		const refusal =
			why === undefined
				? why
				: { reason: why, end: period?.end, callableAt: period && isoIn(zone, period.end), isOfAll };
		counts.push((person) => ({ name: name(person), period: period?.index, most, isMark, refusal }));
	};
	if (stopWhenReached)
		count(reachedName, 1, 'Reached before (Stop When Reached)', 'ever', { isMark: true });
	for (const per of KINDS) {
		const calls = perPerson.find((own) => own.per === per)?.calls;
		const name = (person: string): string => `calls per ${per} ${person}`;
		if (calls !== undefined) {
			const bound = `${formatCount(calls)} ${per === 'ever' ? per : `per ${per}`}`;
			count(name, calls, `Calls per Person is ${bound}, ${usedUp(per)}`, per);
		} else if (ofOthers?.perPerson.has(per)) count(name, MOST_PER_PERSON, undefined, per);
	}
	const inAll = (): string => 'calls per day';
	if (perDay !== undefined)
		count(inAll, perDay, `Max Calls per Day is ${formatCount(perDay)}, ${usedUp('day')}`, 'day', {
			isOfAll: true,
		});
	else if (ofOthers?.perDay) count(inAll, MOST_PER_DAY, undefined, 'day');
	return { periods: periods.join(), countedFor: (person) => counts.map((each) => each(person)) };
}

/** Every limit that there can be on calls to a person, as high as it can be. */
export const everyLimit = (zone: string, now: number): LimitsNow =>
	limitsAt(
		{
			perPerson: KINDS.map((per) => ({ calls: MOST_PER_PERSON, per })),
			perDay: undefined,
			stopWhenReached: true,
			zone,
		},
		now,
	);

/** How many calls of each name were made, and those that a run is about to make. */
export class Tally {
	private readonly made = new Map<string, number>();

	constructor(private readonly madeBefore: (counted: Counted) => number) {}

	/** With those that were added. */
	of(counted: Counted): number {
		return this.made.get(counted.name) ?? this.madeBefore(counted);
	}

	/** Adds a call to all that it counts for; if one of them is full, to none, and why it may not be made. Where several are, the one that lasts longest. */
	add(counted: readonly Counted[]): LimitRefusal | undefined {
		const full = counted.flatMap((each) =>
			each.refusal && this.of(each) >= each.most ? [each.refusal] : [],
		);
		if (full.length > 0)
			return full.reduce((longest, each) =>
				(each.end ?? Infinity) > (longest.end ?? Infinity) ? each : longest,
			);
		for (const each of counted)
			if (!each.isMark) this.made.set(each.name, Math.min(each.most, this.of(each) + 1));
		return undefined;
	}
}
