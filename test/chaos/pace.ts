import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const CHANNEL = 'http.client.request.start';

/** When this process began each of its requests to place calls: on the clock of the node, whatever the server was busy with. */
export class Pace {
	private readonly startedAt: number[] = [];

	private readonly note = (message: unknown): void => {
		const { method, path } = (message as { request: { method: string; path: string } }).request;
		if (method === 'POST' && /\/calls(\/bulk)?$/.test(path)) this.startedAt.push(performance.now());
	};

	open(): void {
		subscribe(CHANNEL, this.note);
	}

	close(): void {
		unsubscribe(CHANNEL, this.note);
	}

	/**
	 * Whether `placed` calls, of which the last request placed `last`, came in less than half of the time that they must
	 * take. Half, because a timer and a request are not one moment; a pace that is not kept takes next to no time.
	 */
	wasHurried(callsPerMinute: number, placed: number, last: number): boolean {
		const took = (this.startedAt.at(-1) ?? 0) - (this.startedAt[0] ?? 0);
		return took < ((placed - last) * 60_000) / callsPerMinute / 2 - 20;
	}
}
