import type { StoredList } from '../../../nodes/OutboundCalls/execution/keyStore';
import { KeyList } from '../../../nodes/OutboundCalls/memory/keyList';
import { SEED } from '../../seed';
import { VirtualClock } from '../virtualClock';
import { HostTable, type Statement } from './hostTable';
import { addUp, playSchedule } from './lockModel';

const SCHEDULES = Number(process.env.SCHEDULES ?? 150);

const NOTHING_WRONG = {
	failed: 0,
	ownedTwice: 0,
	forgotten: 0,
	stuck: 0,
	tooLong: 0,
	notStopped: 0,
};

it('G8 random schedules of several processes: no key is owned twice or forgotten, and nobody waits for ever', async () => {
	const first = SEED * 100_000;
	const total: Record<string, number> = {};
	for (let seed = first; seed < first + SCHEDULES; seed++) {
		const count = await playSchedule(seed);
		expect({ seed, ...count }).toMatchObject({ seed, ...NOTHING_WRONG });
		addUp(total, count);
	}
	if (process.env.SCHEDULES) console.log(`${SCHEDULES} schedules from seed ${first} on`, total);
});

const statement: Statement = async (effect) => await Promise.resolve(effect());
const DEAD = ['turn'];
let table: HostTable;
let clock: VirtualClock;
let processes = 0;

beforeEach(() => {
	table = new HostTable();
	clock = new VirtualClock(Math.random);
});

/** The list in a process of its own. */
function open(signal?: AbortSignal, broken: Partial<StoredList> = {}): KeyList {
	const id = `process ${++processes}`;
	const lock = { ...table.list('turn', id, statement), ...broken };
	return new KeyList({ ...table.list('list', id, statement), lock }, signal, clock);
}

const listed = (): readonly string[] => table.rows.get('list') ?? [];
const fails = async (): Promise<never> => await Promise.reject(new Error('connection refused'));

describe('one writer among all processes', () => {
	it('who waits goes on within 30 seconds after the holder has died, and leaves the list free', async () => {
		table.rows.set('turn', DEAD);
		await clock.through(Promise.all([open().enter(['a']), open().enter(['b'])]));
		expect(listed()).toHaveLength(2);
		expect(clock.now()).toBeLessThan(30_000);
		expect(table.rows.has('turn')).toBe(false);
	});

	it('a long turn is no dead one', async () => {
		const long = open().step(async (turn) => {
			for (let n = 0; n < 20; n++) {
				await clock.sleep(4_000);
				await turn.enter([`${n}`]);
			}
		});
		const waiting = open().enter(['a']);
		await clock.through(long);
		await clock.through(waiting);
		expect(listed()).toEqual([...Array.from({ length: 20 }, (_, n) => `${n}`), 'a']);
	});

	it('a holder whose statement hangs is replaced, and writes and clears nothing afterwards', async () => {
		const hanging = open().step(async (turn) => {
			await clock.sleep(60_000);
			await turn.enter(['late']);
		});
		const other = open().step(async (turn) => {
			await turn.enter(['a']);
			await clock.sleep(60_000);
			expect(table.rows.has('turn')).toBe(true);
		});
		const failed = expect(hanging).rejects.toThrow('another process');
		await clock.run(120_000);
		await Promise.all([failed, other]);
		expect(listed()).toEqual(['a']);
	});

	it('G10 Stop ends waiting at once, for the turn and for others of this process', async () => {
		table.rows.set('turn', DEAD);
		const stop = new AbortController();
		const list = open(stop.signal);
		const waiting = Promise.allSettled([list.enter(['a']), list.enter(['b'])]);
		await clock.run(5_000);
		stop.abort();
		expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect([clock.now(), listed()]).toEqual([5_000, []]);
	});

	it('what could not be given back is no failed claim', async () => {
		expect(await open(undefined, { clear: fails }).enter(['a'])).toEqual(new Set('a'));
		expect(await clock.through(open().enter(['a', 'b']))).toEqual(new Set('b'));
	});

	it.each(['count', 'record'])('ends with the database if it rejects each %s', async (name) => {
		const entered = open(undefined, { [name]: fails }).enter(['a']);
		const rejected = expect(entered).rejects.toThrow('connection refused');
		await clock.run();
		await rejected;
		expect(listed()).toEqual([]);
	});

	it('executions of one process share a turn, but not for long if another process waits', async () => {
		const busy = open();
		let turns = 0;
		const works = Array.from({ length: 100 }, async () => {
			await busy.step(async () => {
				turns++;
				await clock.sleep(50);
			});
		});
		const before = open().step(async () => await Promise.resolve(turns));
		await clock.run(100_000);
		await Promise.all(works);
		expect(await before).toBeLessThan(50);
	});
});
