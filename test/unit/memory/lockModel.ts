import type { KeyStore } from '../../../nodes/OutboundCalls/execution/keyStore';
import { KeyList, type Turn } from '../../../nodes/OutboundCalls/memory/keyList';
import { Chance } from '../../chaos/random';
import { VirtualClock } from '../virtualClock';
import { HostTable, type Statement } from './hostTable';

/** What went wrong in a schedule, and what happened in it. */
export interface Count {
	turns: number;
	kills: number;
	/** These, stops, lost turns and replies, and replies that were not noticed for long. */
	disturbances: number;
	/** Turns that ended because another process might have had them. */
	lostTurns: number;
	/** Turns that the database ended, although it lost nothing. */
	failed: number;
	ownedTwice: number;
	forgotten: number;
	/** Turns that never came. */
	stuck: number;
	/** Waits that went on after Stop. */
	notStopped: number;
	/** Times in which nobody had a turn although somebody waited, longer than a takeover for each disturbance. */
	tooLong: number;
	/** The longest of them with one disturbance. */
	longestWaitMs: number;
}

/** Adds what was counted; of waits, the longest stays. */
export function addUp(total: Record<string, number>, counted: object): void {
	for (const [name, value] of Object.entries(counted) as Array<[string, number]>)
		total[name] =
			name === 'longestWaitMs' ? Math.max(total[name] ?? 0, value) : (total[name] ?? 0) + value;
}

const none = (): Count => ({
	turns: 0,
	kills: 0,
	disturbances: 0,
	lostTurns: 0,
	failed: 0,
	ownedTwice: 0,
	forgotten: 0,
	stuck: 0,
	notStopped: 0,
	tooLong: 0,
	longestWaitMs: 0,
});

const never = new Promise<never>(() => undefined);

/** How slow and broken a database and its processes are. */
interface Weather {
	/** How long statements of the list itself take. */
	listMs: number;
	slowOneIn: number;
	slowMs: number;
	/** Replies that are not noticed for long, because the process is busy. */
	stallOneIn: number;
	lostOneIn: number;
}

const FINE: Weather = {
	listMs: 4,
	slowOneIn: Infinity,
	slowMs: 0,
	stallOneIn: Infinity,
	lostOneIn: Infinity,
};

/** One n8n process. */
interface Process {
	id: string;
	isDead: boolean;
}

interface Execution {
	process: Process;
}

/** After which a dead process is replaced. */
const TAKEOVER_MS = 30_000;
/** What slow statements add without one. */
const SLOW_MS = 15_000;
const STALL_MS = 60_000;

/** Executions in several processes that want the same list, some of which are killed. */
class Schedule {
	readonly count = none();
	private readonly chance: Chance;
	private readonly clock = new VirtualClock(
		() => this.chance.next(),
		(go) => process.nextTick(go),
	);
	private readonly table = new HostTable();
	private readonly weather: Weather;
	/** By key: whoever was told that it is new, and has not removed it. */
	private readonly owners = new Map<string, object>();
	private readonly people: number;
	private processes = 0;
	/** Executions that are not done yet and were not killed. */
	private readonly running = new Set<Execution>();
	/** Those of them that wait for their turn. */
	private readonly waiting = new Set<Execution>();
	private waitedSince = 0;
	/** Until somebody last had a turn. */
	private disturbances = 0;
	private stalledUntil = 0;

	constructor(private readonly seed: number) {
		this.chance = new Chance(seed);
		this.weather = this.chance.of<Weather>([
			FINE,
			{ ...FINE, slowOneIn: 10, slowMs: 300 },
			{ ...FINE, slowOneIn: 100, slowMs: 2_000 },
			{ ...FINE, slowOneIn: 100, slowMs: 2_000, lostOneIn: 300 },
			{ ...FINE, slowOneIn: 100, slowMs: 2_000, stallOneIn: 200 },
			{ ...FINE, listMs: 4_000 },
			{ ...FINE, listMs: 4_000, stallOneIn: 10 },
		]);
		this.people = this.chance.of([5, 20, 100]);
	}

	async play(): Promise<Count> {
		const many = this.chance.int(2, 5);
		for (let n = 0; n < many; n++)
			this.startProcess(this.chance.is(0.5) ? this.chance.int(0, 20_000) : 0);
		await this.clock.run(3_600_000);
		this.count.stuck += this.running.size;
		const list = new Set(this.table.rows.get('list'));
		for (const key of this.owners.keys()) if (!list.has(key)) this.count.forgotten++;
		return this.count;
	}

	private at(moment: number, happens: () => void): void {
		void this.clock.sleep(moment - this.clock.now()).then(happens);
	}

	private startProcess(at: number): void {
		const process = { id: `${this.seed}.${++this.processes}`, isDead: false };
		const executions = this.chance.int(1, 3);
		this.at(at, () => {
			for (let n = 0; n < executions; n++) void this.execution(process);
		});
		if (this.processes > 8 || this.chance.is(0.5)) return;
		const killedAt =
			at + (this.chance.is(0.5) ? this.chance.int(0, 100) : this.chance.int(0, 60_000));
		this.at(killedAt, () => {
			process.isDead = true;
			this.count.kills++;
			this.count.disturbances++;
			for (const each of this.running) {
				if (each.process !== process) continue;
				this.running.delete(each);
				this.waiting.delete(each);
			}
		});
		this.startProcess(killedAt + this.chance.int(0, 40_000));
	}

	private async execution(process: Process): Promise<void> {
		const { clock } = this;
		const me: Execution = { process };
		this.running.add(me);
		const listOf = (name: string, mostMs: number) =>
			this.table.list(name, `${name} of ${process.id}`, this.statementOf(process, mostMs));
		const list = listOf('list', this.weather.listMs);
		const store: KeyStore = {
			...list,
			record: async (keys) => await this.stalling(list.record(keys)),
			remove: async (keys) => await this.stalling(list.remove(keys)),
			lock: listOf('lock', 4),
		};
		const stop = new AbortController();
		const keys = new KeyList(store, stop.signal, clock);
		if (this.chance.is(0.1))
			this.at(clock.now() + this.chance.int(0, 30_000), () => {
				this.count.disturbances++;
				stop.abort();
				this.at(clock.now() + SLOW_MS, () => {
					if (this.waiting.has(me)) this.count.notStopped++;
				});
			});
		const pauseMs = this.chance.of([0, 5, 50, 3_000]);
		const statements = this.chance.of([2, 2, 4, 30]);
		for (let turn = this.chance.int(1, 8); turn > 0 && !stop.signal.aborted; turn--) {
			await clock.sleep(clock.random() * pauseMs);
			if (!this.running.has(me)) return;
			await this.turn(keys, me, statements);
		}
		this.running.delete(me);
	}

	private async turn(list: KeyList, me: Execution, statements: number): Promise<void> {
		if (this.waiting.size === 0) this.waitedSince = this.clock.now();
		this.waiting.add(me);
		try {
			await list.step(async (turn) => {
				this.isActive();
				this.waiting.delete(me);
				for (let n = this.chance.int(1, statements); n > 0; n--) await this.statement(turn, me);
			});
			this.count.turns++;
		} catch (thrown) {
			if (String(thrown).includes('another process')) {
				this.count.lostTurns++;
				this.count.disturbances++;
			} else if (this.weather.lostOneIn === Infinity && (thrown as Error).name !== 'AbortError')
				this.count.failed++;
		}
		this.waiting.delete(me);
	}

	/** Somebody does something in a turn. */
	private isActive(): void {
		const { clock, count } = this;
		const waitedMs = clock.now() - this.waitedSince;
		const disturbances = count.disturbances - this.disturbances;
		const stalledMs = Math.max(0, this.stalledUntil - this.waitedSince);
		// Who has not noticed a reply for long does not clear the list.
		const stalls = this.stalledUntil > 0 ? 1 : 0;
		const excusedMs = TAKEOVER_MS * (disturbances + stalls) + stalledMs + SLOW_MS;
		if (waitedMs > excusedMs) count.tooLong++;
		if (disturbances <= 1 && stalls === 0)
			count.longestWaitMs = Math.max(count.longestWaitMs, waitedMs);
		this.disturbances += disturbances;
		this.waitedSince = clock.now();
	}

	private async statement(turn: Turn, me: Execution): Promise<void> {
		const own = [...this.owners].flatMap(([key, owner]) => (owner === me ? [key] : []));
		const some = own.filter(() => this.chance.is(0.3));
		if (some.length > 0 && this.chance.is(0.3)) {
			for (const key of some) this.owners.delete(key);
			await turn.remove(some);
		} else {
			const wanted = Array.from({ length: 3 }, () => `person ${this.chance.int(1, this.people)}`);
			for (const key of await turn.enter([...new Set(wanted)])) {
				if (this.owners.has(key)) this.count.ownedTwice++;
				this.owners.set(key, me);
			}
		}
		if (this.waiting.size > 0) this.isActive();
	}

	/** If the process dies meanwhile, it may be made all the same. */
	private statementOf(process: Process, mostMs: number): Statement {
		const { clock, weather, count } = this;
		const isOneIn = (many: number): boolean => clock.random() * many < 1;
		const way = async (): Promise<void> =>
			await clock.sleep(
				clock.random() * (isOneIn(weather.slowOneIn) ? weather.slowMs : mostMs / 2),
			);
		return async (effect) => {
			if (process.isDead) await never;
			await way();
			if (process.isDead && isOneIn(2)) await never;
			const isLost = isOneIn(weather.lostOneIn);
			if (isLost) count.disturbances++;
			if (isLost && isOneIn(2)) throw new Error('connection refused');
			const result = effect();
			await way();
			if (process.isDead) await never;
			if (isLost) throw new Error('connection terminated');
			return result;
		};
	}

	private async stalling<T>(operation: Promise<T>): Promise<T> {
		const result = await operation;
		if (this.clock.random() * this.weather.stallOneIn < 1) {
			const stalledMs = this.clock.random() * STALL_MS;
			this.count.disturbances++;
			this.stalledUntil = Math.max(this.stalledUntil, this.clock.now() + stalledMs);
			await this.clock.sleep(stalledMs);
		}
		return result;
	}
}

/** What happens in the schedule of a seed. */
export const playSchedule = async (seed: number): Promise<Count> => await new Schedule(seed).play();
