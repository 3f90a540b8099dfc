import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import type { Claims } from '../../../nodes/OutboundCalls/claims/claims';
import { ClaimsAhead } from '../../../nodes/OutboundCalls/claims/ahead';

const rows = (from: number, to: number): Row[] =>
	Array.from({ length: to - from }, (_, n) => ({
		itemIndex: from + n,
		position: from + n,
		isDry: false,
		destination: `+1${from + n}`,
		person: `+1${from + n}`,
		agentNumber: '+15550001000',
	}));
const positions = (from: number, to: number): number[] =>
	rows(from, to).map(({ position }) => position);

const LANES = 5;
const SIZE = 10;

/** A list of so many people, and what claims enter in it. */
class World implements Claims {
	readonly writes: number[] = [];
	readonly held = new Set<number>();
	readonly taken = new Set<number>();
	counts = 0;
	outOfOrder = false;
	/** So many writes are refused, and then they work again. */
	hiccups = 0;
	/** What a crash would leave claimed and never called. */
	mostAhead = 0;

	constructor(private readonly people = 100_000) {}

	async count(): Promise<number> {
		await Promise.resolve();
		this.counts++;
		return this.people;
	}

	private line: Promise<unknown> = Promise.resolve();

	/** One after the other, as the host's store is asked. */
	async claim(window: readonly Row[]): Promise<Set<number>> {
		const turn = this.line.then(() => this.write(window));
		this.line = turn.catch(() => undefined);
		return await turn;
	}

	private async write(window: readonly Row[]): Promise<Set<number>> {
		await new Promise((resolve) => setImmediate(resolve));
		this.writes.push(window.length);
		if (this.outOfOrder || this.hiccups-- > 0) throw new Error('database is locked');
		const free = window.filter(
			({ position }) => !this.taken.has(position) && !this.held.has(position),
		);
		for (const { position } of free) this.held.add(position);
		return new Set(free.map(({ position }) => position));
	}

	async release(released: readonly Row[]): Promise<void> {
		await Promise.resolve();
		for (const { position } of released) this.held.delete(position);
	}

	/** Sends `total` rows as a run does; answers with the rows that were claimed when their turn came. */
	async run(windows: ClaimsAhead, total: number, until = total): Promise<number[]> {
		const all = rows(0, total);
		windows.expect(all);
		const called: number[] = [];
		for (let from = 0; from < until; from += LANES * SIZE) {
			const lanes = Array.from({ length: LANES }, (_, lane) =>
				all.slice(from + lane * SIZE, from + (lane + 1) * SIZE),
			).filter((chunk) => chunk.length > 0);
			for (const claimed of await Promise.all(
				lanes.map(async (chunk) => await windows.claim(chunk)),
			))
				called.push(...claimed);
			this.mostAhead = Math.max(this.mostAhead, this.held.size - called.length);
		}
		await windows.settle();
		return called;
	}
}

const windowsOf = (world: World): ClaimsAhead =>
	new ClaimsAhead(world, async () => await world.count());

describe('claims ahead of their turn', () => {
	it.each([
		['a new list is asked for no more rows than each request sends', 0, 10, 0],
		['so is one of fewer than 5,000 people as the run ends', 2_999, 10, 0],
		['with 5,000 people, a hundred rows are claimed at once', 5_000, 100, 100],
		['with 50,000, five hundred', 50_000, 500, 500],
		['and with a million no more', 1_000_000, 500, 500],
	])('%s', async (_, people, most, ahead) => {
		const world = new World(people);
		expect(await world.run(windowsOf(world), 2_000)).toEqual(positions(0, 2_000));
		expect(Math.max(...world.writes)).toBe(most);
		expect(world.mostAhead).toBeLessThanOrEqual(ahead);
		expect(world.writes.reduce((sum, size) => sum + size, 0)).toBe(2_000);
		expect(world.counts).toBe(1);
	});

	it('a list that grows by the run itself is asked for more rows at once: a long campaign does not slow down', async () => {
		const world = new World(0);
		expect(await world.run(windowsOf(world), 60_000)).toHaveLength(60_000);
		const sizesFrom = (people: number): number[] => {
			let known = 0;
			return world.writes.filter((size) => (known += size) > people);
		};
		expect(Math.max(...world.writes.slice(0, 500))).toBe(SIZE);
		expect(sizesFrom(5_600)[0]).toBe(100);
		expect(sizesFrom(51_000)[0]).toBe(500);
		expect(world.writes.length).toBeLessThan(500 + 450 + 30);
		expect(world.counts).toBe(1);
	});

	it.each([560, 900, 990, 1_000, 1_010, 1_040])(
		'%d rows take as few writes as there are windows',
		async (total) => {
			const world = new World(200_000);
			await world.run(windowsOf(world), total);
			expect(world.writes).toHaveLength(Math.ceil(total / 500));
		},
	);

	it('a list that cannot be counted calls nobody', async () => {
		const windows = new ClaimsAhead(
			new World(),
			async () => await Promise.reject(new Error('database is locked')),
		);
		windows.expect(rows(0, 20));
		await expect(windows.claim(rows(0, 10))).rejects.toThrow('database is locked');
	});

	it('rows that somebody else called are told so when their turn comes', async () => {
		const world = new World();
		for (const position of [3, 77, 401]) world.taken.add(position);
		const called = await world.run(windowsOf(world), 500);
		expect(called).toEqual(positions(0, 500).filter((position) => !world.taken.has(position)));
	});

	it('what was claimed ahead and not needed is let go', async () => {
		const world = new World();
		const called = await world.run(windowsOf(world), 5_000, 300);
		expect(called).toEqual(positions(0, 300));
		expect([...world.held].sort((a, b) => a - b)).toEqual(positions(0, 300));
		expect(Math.max(...world.writes)).toBeGreaterThan(LANES * SIZE);
	});

	it('a row that was let go may be claimed again', async () => {
		const world = new World();
		const windows = windowsOf(world);
		const [row] = rows(0, 1);
		windows.expect([row!]);
		expect([...(await windows.claim([row!]))]).toEqual([0]);
		await windows.release([row!]);
		expect([...(await windows.claim([row!]))]).toEqual([0]);
		expect([...(await windows.claim([row!]))]).toEqual([]);
	});

	it('requests may overtake one another', async () => {
		const world = new World();
		const windows = windowsOf(world);
		const all = rows(0, 40);
		windows.expect(all);
		const [second, first] = await Promise.all([
			windows.claim(all.slice(10, 20)),
			windows.claim(all.slice(0, 10)),
		]);
		expect([...first, ...second]).toEqual(positions(0, 20));
		await windows.settle();
		expect(world.writes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(40);
		expect([...world.held].sort((a, b) => a - b)).toEqual(positions(0, 20));
	});

	it('a store that is out of order is told to each row whose turn has come, and to nobody else', async () => {
		const world = new World();
		const windows = windowsOf(world);
		world.outOfOrder = true;
		windows.expect(rows(0, 100));
		await expect(windows.claim(rows(0, 10))).rejects.toThrow('database is locked');
		await expect(windows.claim(rows(10, 20))).rejects.toThrow('database is locked');
		await windows.settle();
		expect(world.held.size).toBe(0);
	});

	it('a request between two windows: when the first is rejected, nothing of the second stays claimed', async () => {
		const world = new World();
		const windows = windowsOf(world);
		const all = rows(0, 12);
		windows.expect(all);
		world.hiccups = 1;
		const letGo = async (chunk: Row[]): Promise<void> => {
			await expect(windows.claim(chunk)).rejects.toThrow('database is locked');
			await windows.release(chunk);
		};
		await Promise.all([letGo(all.slice(0, 4)), letGo(all.slice(4, 8))]);
		await windows.settle();
		expect([...world.held]).toEqual([]);
	});

	it('rows whose turn will not come keep nobody from being claimed ahead, and are let go', async () => {
		const world = new World(200_000);
		const windows = windowsOf(world);
		const all = rows(0, 2_000);
		windows.expect(all);
		for (let from = 0; from < 2_000; from += 10) {
			const chunk = all.slice(from, from + 10);
			if (from % 50 === 0) await windows.claim(chunk);
			else windows.pass(chunk);
			const sent = Math.ceil((from + 10) / 50) * 10;
			expect(world.held.size - sent).toBeLessThanOrEqual(500);
		}
		await windows.settle();
		expect([...world.held].sort((a, b) => a - b)).toEqual(
			positions(0, 2_000).filter((position) => position % 50 < 10),
		);
		expect(world.writes.length).toBeLessThan(20);
	});

	it('rows whose turn will not come leave the others their windows, also where these are small', async () => {
		const world = new World();
		const windows = windowsOf(world);
		const all = rows(0, 3_000);
		windows.expect(all);
		for (const row of all) {
			if (row.position > 200 && row.position % 2 === 1) windows.pass([row]);
			else {
				await windows.claim([row]);
			}
		}
		await windows.settle();
		expect(world.held.size).toBe(1_600);
		expect(world.writes.length).toBeLessThan(150);
	});

	it('G8 a row that was passed over and has its turn after all keeps its claim', async () => {
		const world = new World(200_000);
		const windows = windowsOf(world);
		const all = rows(0, 500);
		windows.expect(all);
		for (let from = 0; from < 100; from += 10) await windows.claim(all.slice(from, from + 10));
		windows.pass(all.slice(100, 300));
		expect([...(await windows.claim(all.slice(200, 210)))]).toEqual(positions(200, 210));
		await windows.settle();
		expect([...world.held].sort((a, b) => a - b)).toEqual([
			...positions(0, 100),
			...positions(200, 210),
		]);
	});
});
