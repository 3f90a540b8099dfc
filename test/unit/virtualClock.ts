import type { Clock } from '../../nodes/OutboundCalls/execution/clock';

/** A clock on which any number sleep at once: it goes to the next moment when nobody has anything else to do. */
export class VirtualClock implements Clock {
	time = 0;
	private readonly sleepers = new Map<() => void, number>();

	/** `afterAll`: after what everybody does that waits for nothing but this clock. Others need more. */
	constructor(
		readonly random: () => number = () => 0,
		private readonly afterAll: (go: () => void) => unknown = setImmediate,
	) {}

	now = (): number => this.time;
	timeOfDay = (): number => this.time;

	get asleep(): number {
		return this.sleepers.size;
	}

	sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
		if (signal?.aborted) return;
		await new Promise<void>((resolve) => {
			const wake = (): void => {
				this.sleepers.delete(wake);
				signal?.removeEventListener('abort', wake);
				resolve();
			};
			this.sleepers.set(wake, this.time + ms);
			signal?.addEventListener('abort', wake);
		});
	};

	/** Until nobody sleeps any more, or `until`. */
	async run(until = Infinity): Promise<void> {
		for (;;) {
			await new Promise<void>((resolve) => this.afterAll(resolve));
			const next = Math.min(...this.sleepers.values());
			if (next > until || next === Infinity) break;
			this.time = next;
			for (const [wake, at] of [...this.sleepers]) if (at <= next) wake();
		}
		if (until !== Infinity) this.time = Math.max(this.time, until);
	}

	/** What `work` comes to. */
	async through<T>(work: Promise<T>): Promise<T> {
		await this.run();
		return await work;
	}
}
