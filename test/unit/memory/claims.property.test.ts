import fc from 'fast-check';
import { setImmediate as aMoment } from 'node:timers/promises';
import { limitsAt } from '../../../nodes/OutboundCalls/domain/limits';
import { Claims } from '../../../nodes/OutboundCalls/memory/claims';
import { keysOf, reachedKey } from '../../../nodes/OutboundCalls/memory/keys';
import { HostList, rows, settings } from './hostList';

const PEOPLE = rows(['+1', '+2', '+3', '+4'], 'a');
const limits = {
	perPerson: [{ calls: 2, per: 'ever' as const }],
	perDay: 5,
	stopWhenReached: true,
};
/** Runs of the same settings ask for the same people. */
const SETTINGS = [
	settings(),
	settings({ limits: { ...limits, stopWhenReached: false } }),
	settings({ calledBefore: 'onceForEach', mark: 'mark once' }),
	settings({ calledBefore: 'onceForEach', mark: 'mark once', limits }),
	settings({ calledBefore: 'callAgain', mark: 'mark again', limits, retryOf: '7' }),
	settings({ calledBefore: 'callAgain', mark: 'mark again', limits }),
	settings({ calledBefore: 'callAgain', mark: 'mark again', limits: { hoursBetween: 3 } }),
];
const START = ['mark skip', 'mark once', 'mark again', 'person +9'];

interface Step {
	run: number;
	people: number[];
	does: 'claim' | 'release' | 'learn' | 'kill';
	moments: number;
}

const steps = (...does: Array<Step['does']>) =>
	fc.array(
		fc.record({
			run: fc.nat({ max: 2 * SETTINGS.length - 1 }),
			people: fc.uniqueArray(fc.nat({ max: PEOPLE.length - 1 }), { minLength: 1 }),
			does: fc.constantFrom(...does),
			moments: fc.nat({ max: 8 }),
		}),
		{ maxLength: 40, size: 'max' },
	);
const breaks = fc.array(
	fc.constantFrom(undefined, undefined, 'before' as const, 'after' as const),
	{ maxLength: 60, size: 'max' },
);

/** A run, and the people whom it may call, or has called. */
class Run {
	/** By person: the keys that nobody else may have. */
	readonly holds = new Map<number, string[]>();
	/** Asked for, claimed or released, and not known yet what became of them. */
	private readonly busy = new Set<number>();
	private readonly claims: Claims;

	constructor(
		host: HostList,
		readonly settings: (typeof SETTINGS)[number],
	) {
		this.claims = new Claims(host.open(), this.settings, () => 0);
	}

	async claim(people: readonly number[]): Promise<void> {
		await this.do(people, false, async (asked) => {
			const heldBack = await this.claims.claim(asked).catch(() => undefined);
			for (const row of heldBack ? asked : [])
				if (!heldBack!.has(row.position))
					this.holds.set(row.position, [
						...keysOf(row, this.settings).deciding.map(({ key }) => key),
						...(limitsAt(this.settings.limits, 0).gap?.keys(row.person) ?? []),
					]);
		});
	}

	async release(people: readonly number[]): Promise<void> {
		await this.do(people, true, async (held) => {
			for (const { position } of held) this.holds.delete(position);
			await this.claims.release(held);
		});
	}

	async learn(people: readonly number[]): Promise<void> {
		await this.do(people, true, async (held) => {
			for (const { position, person } of held) {
				const keys = this.holds.get(position)!;
				const kept = keys.filter((key) => key !== reachedKey(person));
				this.holds.set(position, kept);
			}
			await this.claims.learn({ notReached: held, neverDialed: [] });
		});
	}

	private async do(
		people: readonly number[],
		isHeld: boolean,
		work: (of: typeof PEOPLE) => Promise<void>,
	): Promise<void> {
		const free = people.filter((n) => !this.busy.has(n) && this.holds.has(n) === isHeld);
		for (const n of free) this.busy.add(n);
		await work(free.map((n) => PEOPLE[n]!));
		for (const n of free) this.busy.delete(n);
	}
}

function check(runs: readonly Run[]): void {
	const keys = runs.flatMap(({ holds }) => [...holds.values()].flat());
	expect(new Set(keys).size).toBe(keys.length);
	const called = runs
		.filter(
			({ settings: { limits } }) => limits.counted.length > 1 || limits.counted[0]?.of === 'all',
		)
		.flatMap(({ holds }) => [...holds.keys()]);
	expect(called.length).toBeLessThanOrEqual(limits.perDay);
	for (const { position } of PEOPLE)
		expect(called.filter((each) => each === position).length).toBeLessThanOrEqual(2);
}

/** Each step begins some moments after the one before, which may still be under way. */
async function play(planned: readonly Step[], broken: Array<'before' | 'after' | undefined> = []) {
	const host = new HostList();
	host.keys = [...START];
	host.breaks = () => broken.pop();
	const open = () => [...SETTINGS, ...SETTINGS].map((each) => new Run(host, each));
	let runs = open();
	const all = [...runs];
	let doing: Array<Promise<void>> = [];
	for (const { run, people, does, moments } of planned) {
		if (does === 'kill') {
			host.kill();
			// What they claimed is called; what they were doing never ends.
			doing = [];
			runs = open();
			all.push(...runs);
		} else doing.push(runs[run]![does](people));
		for (let moment = 0; moment < moments; moment++) {
			await aMoment();
			check(all);
		}
	}
	await Promise.all(doing);
	check(all);
	return { host, runs, all };
}

it('G8 nobody is won twice, limits hold, and after all is released the list is as before', async () => {
	await fc.assert(
		fc.asyncProperty(steps('claim', 'claim', 'release', 'learn'), async (planned) => {
			const { host, runs } = await play(planned);
			for (const run of runs) await run.release(PEOPLE.map(({ position }) => position));
			expect(host.keys.filter((key) => !key.startsWith('hours ')).sort()).toEqual(
				[...START].sort(),
			);
		}),
		{ numRuns: 30, seed: 24 },
	);
});

it('G8 nobody is won twice, and limits hold, whatever writes are lost and whenever the process dies', async () => {
	const does = ['claim', 'claim', 'claim', 'release', 'learn', 'kill'] as const;
	await fc.assert(
		fc.asyncProperty(steps(...does), breaks, async (planned, broken) => {
			const { host, all } = await play(planned, broken);
			for (const { holds } of all)
				for (const key of [...holds.values()].flat()) expect(host.keys).toContain(key);
		}),
		{ numRuns: 40, seed: 24 },
	);
});
