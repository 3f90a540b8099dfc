import { type Clock, untilAborted, waitUntil } from './clock';

/** The calls per minute of one node: its executions take turns. Time in which nobody is called is not saved up. */
export class CallPace {
	private nextCallAt = -Infinity;
	/** Ends when everybody who waits has had a turn. */
	private turns: Promise<unknown> = Promise.resolve();

	constructor(private readonly clock: Clock) {}

	/** Runs `work` in its turn and counts as many calls as it returns. Undefined after a stop, or when `work` returns that. */
	async inTurn<T extends { length: number }>(
		callsPerMinute: number,
		work: () => Promise<T | undefined>,
		signal?: AbortSignal,
	): Promise<T | undefined> {
		const begins = this.turns.then(() => true);
		const turn = begins.then(async () => {
			await waitUntil(this.clock, this.nextCallAt, signal);
			const calls = signal?.aborted ? undefined : await work();
			if (calls)
				this.nextCallAt =
					Math.max(this.clock.now(), this.nextCallAt) + (calls.length * 60_000) / callsPerMinute;
			return calls;
		});
		this.turns = turn.catch(() => undefined);
		// After a stop, only work that has begun is waited for.
		return (await untilAborted(begins, signal)) ? await turn : undefined;
	}
}
