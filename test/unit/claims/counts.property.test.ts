import fc from 'fast-check';
import { Counts, keysOf, type Taken } from '../../../nodes/OutboundCalls/claims/counts';
import type { Counted } from '../../../nodes/OutboundCalls/domain/callLimits';
import { HostStore } from './hostStore';

const PEOPLE = ['+15551', '+15552', '+15553'];
const MOST = { day: 2, ever: 5 };
/** The longest that a count is: its places, three keys of its period and, where the process died, nothing more. */
const KEYS_OF_DAY = MOST.day + 3;

const refusal = { reason: '', end: undefined, callableAt: undefined, isOfAll: false };
const countedFor = (person: string, day: number): Counted[] => [
	{ name: `ever ${person}`, period: undefined, most: MOST.ever, isMark: false, refusal },
	{ name: `day ${person}`, period: day, most: MOST.day, isMark: false, refusal },
];

type Break = 'before' | 'after' | undefined;

interface Step {
	run: number;
	people: number[];
	does: 'take' | 'giveBack' | 'forget';
	/** Days that pass before it. */
	days: number;
	/** The next step begins so many moments later. */
	moments: number;
}

const step: fc.Arbitrary<Step> = fc.record({
	run: fc.nat({ max: 2 }),
	people: fc.array(fc.nat({ max: PEOPLE.length - 1 }), { minLength: 1, maxLength: 4 }),
	does: fc.constantFrom<Step['does']>('take', 'take', 'take', 'giveBack', 'giveBack', 'forget'),
	days: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 1, 7, 8, 64, 500),
	moments: fc.nat({ max: 6 }),
});
const steps = fc.array(step, { maxLength: 20, size: 'max' });
const breaksOf = (...kinds: Break[]) =>
	fc.array(fc.constantFrom<Break>(undefined, undefined, undefined, ...kinds), {
		minLength: 1,
		maxLength: 80,
		size: 'max',
	});

/** A call that was counted and not given back. */
interface Call {
	person: string;
	taken: Taken;
	day: number;
}

const nothing = (): void => undefined;
const tick = async () => await new Promise((resolve) => setImmediate(resolve));

async function play(plan: readonly Step[], breaks: readonly Break[] = []) {
	const store = new HostStore();
	let write = 0;
	store.breaks = () => breaks[write++];
	let day = 20_000;
	const runs = [0, 1, 2].map(() => {
		const keys = store.open();
		return { keys, counts: new Counts(keys), calls: [] as Call[] };
	});
	const all = (): Call[] =>
		runs.flatMap(({ calls, counts }) => calls.filter(({ taken }) => !counts.isForgotten(taken)));
	/** Being given back: nobody knows whether they are counted. */
	const held = (person: string, on?: number): number =>
		all().filter((call) => call.person === person && (on === undefined || call.day === on)).length;
	const neverTooMany = () => {
		for (const person of PEOPLE) {
			expect(held(person)).toBeLessThanOrEqual(MOST.ever);
			expect(held(person, day)).toBeLessThanOrEqual(MOST.day);
		}
	};
	const doing: Array<Promise<void>> = [];
	for (const { run, people, does, days, moments } of plan) {
		// A day passes while nothing is under way: which day a step is of is its own matter.
		if (days > 0) await Promise.all(doing);
		day += days;
		const { counts, calls, keys } = runs[run]!;
		if (does === 'giveBack') {
			const back = people.flatMap(() => calls.splice(0, 1));
			doing.push(counts.giveBack(back.map(({ taken }) => taken)));
		} else if (does === 'forget') {
			const counted = people.flatMap((person) => countedFor(PEOPLE[person]!, day));
			doing.push(keys.takeOut(async (list) => await keysOf(list, counted)).then(nothing, nothing));
		} else {
			const rows = people.map((person) => ({
				person: PEOPLE[person]!,
				counted: countedFor(PEOPLE[person]!, day),
				day,
			}));
			doing.push(
				counts
					.take(() => rows.map(({ counted }) => counted))
					.then((refusals) => {
						const made = rows.filter((_row, index) => !refusals[index]);
						calls.push(
							...made.map(({ person, counted }) => ({ person, day, taken: counts.taken(counted) })),
						);
					})
					.catch(nothing),
			);
		}
		for (let moment = 0; moment < moments; moment++) {
			await tick();
			neverTooMany();
		}
	}
	await Promise.all(doing);
	neverTooMany();
	// All of them end, and another one comes.
	for (const { keys } of runs) await keys.close();
	store.breaks = () => undefined;
	const keys = store.open();
	const next = new Counts(keys);
	await keys.settle();
	const { length } = store.keys;
	const left = async (
		person: string,
		name: string,
		most: number,
		period: number | undefined,
	): Promise<number> => {
		const counted = [{ name: `${name} ${person}`, period, most, isMark: false, refusal }];
		const refusals = await next.take(() => Array.from({ length: most }, () => counted));
		return refusals.filter((each) => each === undefined).length;
	};
	const rest = [];
	for (const person of PEOPLE) {
		rest.push({
			person,
			day: [await left(person, 'day', MOST.day, day), MOST.day - held(person, day)],
			ever: [await left(person, 'ever', MOST.ever, undefined), MOST.ever - held(person)],
		});
	}
	await keys.close();
	return { rest, keys: length };
}

describe('calls counted by several runs at once, at moments by chance, over years', () => {
	it('G8 never more calls than the limits allow, and as many as they allow, in a list that does not grow with days', async () => {
		await fc.assert(
			fc.asyncProperty(steps, async (plan) => {
				const { rest, keys } = await play(plan);
				for (const { day, ever } of rest) {
					expect(day[0]).toBe(day[1]);
					expect(ever[0]).toBe(ever[1]);
				}
				// The list grows with people and their calls, and not with days.
				expect(keys).toBeLessThanOrEqual(PEOPLE.length * (KEYS_OF_DAY + MOST.ever));
			}),
			{ numRuns: 80, seed: 25 },
		);
	});

	it('G8 a call that could not be counted or given back, because the write was lost, is neither counted nor kept', async () => {
		await fc.assert(
			fc.asyncProperty(steps, breaksOf('before'), async (plan, breaks) => {
				for (const { day, ever } of (await play(plan, breaks)).rest) {
					expect(day[0]).toBe(day[1]);
					expect(ever[0]).toBe(ever[1]);
				}
			}),
			{ numRuns: 80, seed: 25 },
		);
	});

	it('G8 never more calls than the limits allow, whatever writes are lost or seem to be', async () => {
		await fc.assert(
			fc.asyncProperty(steps, breaksOf('before', 'after'), async (plan, breaks) => {
				for (const { day, ever } of (await play(plan, breaks)).rest) {
					expect(day[0]).toBeLessThanOrEqual(day[1]!);
					expect(ever[0]).toBeLessThanOrEqual(ever[1]!);
				}
			}),
			{ numRuns: 120, seed: 25 },
		);
	});
});

it('calls of two days that are given back together free places of the day that is counted, and no more than were made in it', async () => {
	const store = new HostStore();
	const counts = new Counts(store.open());
	const most = 6;
	const onDay = (period: number): Counted[] => [
		{ name: 'all', period, most, isMark: false, refusal },
	];
	const take = async (day: number, calls: number): Promise<Taken[]> => {
		const refusals = await counts.take(() => Array.from({ length: calls }, () => onDay(day)));
		return refusals.flatMap((each) => (each === undefined ? [counts.taken(onDay(day))] : []));
	};
	const yesterday = await take(20_000, 4);
	const today = await take(20_001, 5);
	await counts.giveBack([...yesterday, today[0]!]);
	expect(await take(20_001, 10)).toHaveLength(most - 4);
	await counts.giveBack([...today.slice(1), ...yesterday]);
	expect(await take(20_001, 10)).toHaveLength(4);
});
