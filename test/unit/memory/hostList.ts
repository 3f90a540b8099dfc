import type { Limit } from '../../../nodes/OutboundCalls/domain/limits';
import { setImmediate as aMoment } from 'node:timers/promises';
import type { KeyStore } from '../../../nodes/OutboundCalls/execution/keyStore';
import { KeyList } from '../../../nodes/OutboundCalls/memory/keyList';
import {
	type ClaimRow,
	type MemorySettings,
	SOMEBODY,
} from '../../../nodes/OutboundCalls/memory/keys';
import { VirtualClock } from '../virtualClock';
import { HostTable, type Statement } from './hostTable';

type Break = 'before' | 'after' | undefined;

let lists = 0;

/** Goes on by itself while somebody sleeps. */
class RunningClock extends VirtualClock {
	private running: Promise<void> | undefined;

	constructor() {
		super();
		const { sleep } = this;
		this.sleep = async (...how) => {
			const slept = sleep(...how);
			this.running ??= this.run().then(() => (this.running = undefined));
			await slept;
		};
	}
}

/** The list in the host's database, and processes that use it. */
export class HostList {
	/** Keys per write. */
	recorded: number[] = [];
	removed: number[] = [];
	counts = 0;
	/** The key that each claim enters beside its own: kept apart, so that tests see the others. */
	isSomebodyCalled = false;
	/** Asked at each write of the list: whether it is lost, or made and then said to be lost. */
	breaks: () => Break = () => undefined;
	private readonly table = new HostTable();
	private readonly clock = new RunningClock();
	private readonly id = ++lists;
	private readonly dead = new Set<number>();
	private process = 0;

	get keys(): readonly string[] {
		return this.table.rows.get('list') ?? [];
	}

	set keys(keys: readonly string[]) {
		this.table.rows.set('list', keys);
	}

	/** As one run of the current process has it. */
	open(signal?: AbortSignal): KeyList {
		const { process } = this;
		const read: Statement = async (effect) => {
			await aMoment();
			if (this.dead.has(process)) await new Promise(() => undefined);
			return effect();
		};
		const write: Statement = async (effect) => {
			const broken = this.breaks();
			if (broken === 'before') throw new Error('connection refused');
			const result = await read(effect);
			if (broken === 'after') throw new Error('connection terminated');
			return result;
		};
		const id = `${this.id} of ${process}`;
		const list = this.table.list('list', id, read, write);
		const store: KeyStore = {
			...list,
			record: async (all) => {
				const keys = all.filter((key) => key !== SOMEBODY);
				this.recorded.push(keys.length);
				const fresh = await list.record(keys);
				if (all.length > keys.length && !this.isSomebodyCalled) fresh.add(SOMEBODY);
				this.isSomebodyCalled ||= fresh.has(SOMEBODY);
				return fresh;
			},
			remove: async (all) => {
				const keys = all.filter((key) => key !== SOMEBODY);
				if (all.length > keys.length) this.isSomebodyCalled = false;
				this.removed.push(keys.length);
				await list.remove(keys);
			},
			count: async () => {
				this.counts++;
				return await list.count();
			},
			lock: this.table.list('lock', id, read),
		};
		return new KeyList(store, signal, this.clock);
	}

	/** The process stops within whatever it is doing; runs that open the list from now on are of another one. */
	kill(): void {
		this.dead.add(this.process++);
	}

	/** Keys of people who were called by others. */
	fill(count: number): void {
		this.keys = [...this.keys, ...Array.from({ length: count }, (_, n) => `person +99${n}`)];
	}
}

export const MARK = 'mark skip';

/** Limits of calls, as a test names them. */
interface Limits {
	perPerson?: Array<Omit<Limit, 'of'>>;
	perDay?: number;
	hoursBetween?: number;
	stopWhenReached?: boolean;
}

export const settings = ({
	limits = {},
	...more
}: Partial<Omit<MemorySettings, 'limits'>> & { limits?: Limits } = {}): MemorySettings => ({
	calledBefore: 'skip',
	mark: MARK,
	isByHand: true,
	retryOf: undefined,
	node: 'node',
	...more,
	limits: {
		counted: [
			...(limits.perPerson ?? []).map((each) => ({ ...each, of: 'person' as const })),
			...(limits.perDay === undefined
				? []
				: [{ calls: limits.perDay, per: 'day' as const, of: 'all' as const }]),
		],
		hoursBetween: limits.hoursBetween,
		stopWhenReached: limits.stopWhenReached ?? false,
		zone: 'UTC',
	},
});

/** A row of each of these people, with a value of Once for Each. */
export const rows = (people: readonly string[], onceForEach?: string): ClaimRow[] =>
	people.map((person, position) => ({ position, person, onceForEach }));

/** Rows `from` to `to`, each of another person. */
export const rowsFrom = (from: number, to: number): ClaimRow[] =>
	Array.from({ length: to - from }, (_, n) => ({ position: from + n, person: `+1${from + n}` }));
