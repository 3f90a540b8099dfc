import fc from 'fast-check';
import type { Claims } from '../../../nodes/OutboundCalls/claims/claims';
import { KeyList } from '../../../nodes/OutboundCalls/claims/keyList';
import { Memory } from '../../../nodes/OutboundCalls/claims/memory';
import type { RunKeys } from '../../../nodes/OutboundCalls/claims/runKeys';
import { Siblings } from '../../../nodes/OutboundCalls/claims/siblings';
import { HostStore, row } from './hostStore';

const PEOPLE = ['+15551', '+15552', '+15553', '+15554'];

type Break = 'before' | 'after' | undefined;

/** What a run does next. The others go on meanwhile. */
interface Step {
	run: number;
	people: number[];
	does: 'claim' | 'release' | 'end' | 'forget';
}

const step = fc.record({
	run: fc.nat({ max: 2 }),
	people: fc.uniqueArray(fc.nat({ max: PEOPLE.length - 1 }), { minLength: 1 }),
	does: fc.constantFrom<Step['does']>(
		'claim',
		'claim',
		'claim',
		'release',
		'release',
		'end',
		'forget',
	),
});

/** A run that claims, and knows which people are its own. */
class Run {
	private readonly claimed = new Set<number>();
	private readonly keys;
	private readonly claims: Claims;
	/** A run asks for a person again when it is known what became of the claim before. */
	private readonly open = new Set<number>();

	constructor(store: HostStore, claims: (keys: RunKeys) => Claims) {
		this.keys = store.open();
		this.claims = claims(this.keys);
	}

	/** Whom it may call. */
	get holds(): number[] {
		return [...this.claimed].filter((person) => !this.isForgotten(person));
	}

	async claim(people: readonly number[]): Promise<void> {
		const asked = this.take(
			people.filter((person) => !this.claimed.has(person) || this.isForgotten(person)),
		);
		if (asked.length === 0) return;
		// As a request does that finds its rows forgotten.
		for (const person of asked) this.claimed.delete(person);
		await this.claims.release(asked.map(rowOf));
		const claimed = await this.claims.claim(asked.map(rowOf)).catch(() => new Set<number>());
		for (const person of claimed) this.claimed.add(person);
		for (const person of asked) this.open.delete(person);
	}

	async release(people: readonly number[]): Promise<void> {
		const held = this.take(people.filter((person) => this.claimed.has(person)));
		for (const person of held) this.claimed.delete(person);
		await this.claims.release(held.map(rowOf));
		for (const person of held) this.open.delete(person);
	}

	async end(): Promise<void> {
		await this.keys.close();
	}

	/** They were forgotten after this run has ended. */
	lose(people: readonly number[]): void {
		for (const person of people) this.claimed.delete(person);
	}

	private isForgotten(person: number): boolean {
		return this.claims.isForgotten?.(rowOf(person)) ?? false;
	}

	private take(people: readonly number[]): number[] {
		const free = people.filter((person) => !this.open.has(person));
		for (const person of free) this.open.add(person);
		return free;
	}
}

const rowOf = (person: number) => row(person, PEOPLE[person]!);
const tick = async () => await new Promise((resolve) => setImmediate(resolve));

const ofMemory = (keys: RunKeys): Claims =>
	new Memory(keys, { decidedBy: ({ destination }) => [destination] });
const ofRetry = (keys: RunKeys): Claims =>
	new Siblings(keys, ({ destination }) => ({
		row: [`row ${destination}`],
		calls: [destination],
		made: 0,
	}));

interface Played {
	store: HostStore;
	held: number[];
}

/** Each step begins some moments after the one before, which may still be under way. All runs end with a database that works. */
async function play(
	claims: typeof ofMemory,
	steps: ReadonlyArray<Step & { moments: number }>,
	breaks: readonly Break[] = [],
): Promise<Played> {
	const store = new HostStore();
	let write = 0;
	store.breaks = () => breaks[write++];
	const runs = [0, 1, 2].map(() => new Run(store, claims));
	const held = (): number[] => runs.flatMap(({ holds }) => [...holds]);
	const nobodyTwice = () => expect(new Set(held()).size).toBe(held().length);
	const doing: Array<Promise<void>> = [];
	/** Whoever has ended does nothing more; its claims stand. */
	const ended = new Set<number>();
	const closed = new Set<number>();
	const end = async (run: number): Promise<void> => {
		await Promise.all(doing);
		await runs[run]!.end();
		closed.add(run);
	};
	const forget = async (people: readonly number[]): Promise<void> => {
		const lose = (): void => {
			for (const run of closed) runs[run]!.lose(people);
		};
		const holder = { lose, share: () => undefined };
		const list = KeyList.open(store.of(), holder);
		const known = people.flatMap((person) => [PEOPLE[person]!, `row ${PEOPLE[person]!}`]);
		await list.takeOut(store.of(), async () => await Promise.resolve(known)).catch(() => undefined);
		list.close(holder);
	};
	for (const { run, people, does, moments } of steps) {
		if (does === 'forget') doing.push(forget(people));
		else if (!ended.has(run)) {
			if (does === 'end') ended.add(run);
			doing.push(does === 'end' ? end(run) : runs[run]![does](people));
		}
		for (let moment = 0; moment < moments; moment++) {
			await tick();
			nobodyTwice();
		}
	}
	await Promise.all(doing);
	nobodyTwice();
	store.breaks = () => undefined;
	for (const run of runs) await run.end();
	// Nothing of the runs is left behind in the process.
	await store.open().record(['+1']);
	expect(store.asked).toEqual(['+1']);
	store.keys = store.keys.filter((key) => key !== '+1');
	return { store, held: held() };
}

const timed = fc.array(
	fc.tuple(step, fc.nat({ max: 6 })).map(([each, moments]) => ({ ...each, moments })),
	{ maxLength: 40, size: 'max' },
);
const peopleIn = ({ keys }: HostStore): string[] =>
	keys.filter((key) => !key.startsWith('row ')).sort();
const named = (people: readonly number[]): string[] =>
	[...new Set(people)].map((person) => PEOPLE[person]!).sort();
const lostWrite = fc.array(fc.constantFrom<Break>(undefined, undefined, 'before'), {
	minLength: 1,
	maxLength: 60,
	size: 'max',
});
const someBreak = fc.array(fc.constantFrom<Break>(undefined, undefined, 'before', 'after'), {
	minLength: 1,
	maxLength: 60,
	size: 'max',
});

describe.each([
	['the memory', ofMemory],
	['retries', ofRetry],
])('claims of %s, of several runs at once, at moments by chance', (_, claims) => {
	it('G8 nobody belongs to two runs, and the database knows exactly whom they hold', async () => {
		await fc.assert(
			fc.asyncProperty(timed, async (steps) => {
				const { store, held } = await play(claims, steps);
				expect(peopleIn(store)).toEqual(named(held));
			}),
			{ numRuns: 150, seed: 24 },
		);
	});

	it('G8 writes that were lost leave nobody behind', async () => {
		await fc.assert(
			fc.asyncProperty(timed, lostWrite, async (steps, breaks) => {
				const { store, held } = await play(claims, steps, breaks);
				expect(peopleIn(store)).toEqual(named(held));
			}),
			{ numRuns: 150, seed: 24 },
		);
	});

	it('G8 nobody belongs to two runs, and whoever belongs to one is known in the end, whatever writes are lost or seem to be', async () => {
		await fc.assert(
			fc.asyncProperty(timed, someBreak, async (steps, breaks) => {
				const { store, held } = await play(claims, steps, breaks);
				expect(peopleIn(store)).toEqual(expect.arrayContaining(named(held)));
			}),
			{ numRuns: 300, seed: 24 },
		);
	});
});
