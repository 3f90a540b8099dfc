import type { Limit } from '../../../nodes/OutboundCalls/domain/limits';
import { setImmediate as aMoment } from 'node:timers/promises';
import { KeyList } from '../../../nodes/OutboundCalls/memory/keyList';
import {
	type ClaimRow,
	type MemorySettings,
	SOMEBODY,
} from '../../../nodes/OutboundCalls/memory/keys';

type Break = 'before' | 'after' | undefined;

let lists = 0;

/** The host's list: it is read, changed and written whole, without a lock. */
export class HostList {
	keys: string[] = [];
	/** Keys per write. */
	recorded: number[] = [];
	removed: number[] = [];
	counts = 0;
	/** The key that each claim enters beside its own: kept apart, so that tests see the others. */
	isSomebodyCalled = false;
	/** Asked at each write: whether it is lost, or made and then said to be lost. */
	breaks: () => Break = () => undefined;
	private readonly id = ++lists;
	private readonly dead = new Set<number>();
	private process = 0;

	/** As one run of the current process has it. */
	open(): KeyList {
		const process = this.process;
		const read = async () => {
			await this.live(process);
			return this.keys;
		};
		const write = async (keys: string[]) => {
			await this.live(process);
			const broken = this.breaks();
			if (broken === 'before') throw new Error('connection refused');
			this.keys = keys;
			if (broken === 'after') throw new Error('connection terminated');
		};
		return new KeyList({
			id: `${this.id} of ${process}`,
			record: async (all: readonly string[]) => {
				const keys = all.filter((key) => key !== SOMEBODY);
				this.recorded.push(keys.length);
				const known = new Set(await read());
				const fresh = new Set(keys.filter((key) => !known.has(key)));
				await write([...known, ...fresh]);
				const isFirst = all.length > keys.length && !this.isSomebodyCalled;
				this.isSomebodyCalled ||= isFirst;
				return isFirst ? new Set([...fresh, SOMEBODY]) : fresh;
			},
			remove: async (all: readonly string[]) => {
				const keys = all.filter((key) => key !== SOMEBODY);
				if (all.length > keys.length) this.isSomebodyCalled = false;
				this.removed.push(keys.length);
				const gone = new Set(keys);
				await write((await read()).filter((key) => !gone.has(key)));
			},
			count: async () => {
				this.counts++;
				return (await read()).length;
			},
			clear: async () => await write([]),
		});
	}

	/** The process stops within whatever it is doing; runs that open the list from now on are of another one. */
	kill(): void {
		this.dead.add(this.process++);
	}

	/** Keys of people who were called by others. */
	fill(count: number): void {
		for (let n = 0; n < count; n++) this.keys.push(`person +99${n}`);
	}

	private async live(process: number): Promise<void> {
		await aMoment();
		if (this.dead.has(process)) await new Promise(() => undefined);
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
