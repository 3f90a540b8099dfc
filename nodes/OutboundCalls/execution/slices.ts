import { systemClock } from './clock';

/** Half of the longest unnoticeable pause: the next piece of work may take as long again. */
const MAX_SLICE_MS = 25;

/** Splits long work into slices, so that n8n can serve other requests and a Stop in between. */
export class Slices {
	private begun = systemClock.now();

	/** For each row: even an `await` with nothing to wait for takes time. */
	get isOver() {
		return systemClock.now() - this.begun >= MAX_SLICE_MS;
	}

	/** Call it between two pieces of work: lets all other waiting work run first. */
	async restIfOver() {
		if (!this.isOver) return;
		await turnOfOthers();
		this.begun = systemClock.now();
	}
}

/** The entries of a list one after the other, in slices. */
export async function* inSlices<T>(entries: Iterable<T>): AsyncGenerator<T> {
	const slices = new Slices();
	for (const entry of entries) {
		await slices.restIfOver();
		yield entry;
	}
}

/**
 * A message that the process sends to itself arrives after all work that is already waiting. A
 * timer takes a millisecond, and the published code may not use Node's `setImmediate`.
 */
async function turnOfOthers() {
	await new Promise<void>((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.once('message', () => {
			port1.close();
			resolve();
		});
		port2.postMessage(undefined);
	});
}
