import { systemClock } from '../http/clock';

/** Half of the longest stop that nobody notices: the next piece of work may take as long again. */
const LONGEST_MS = 25;

/**
 * Cuts long work into slices, so that n8n answers others in between and a Stop is heard. To be
 * asked between two pieces of work.
 */
export class Slices {
	private begun = systemClock.now();

	constructor(private readonly signal: AbortSignal | undefined) {}

	/** It is time to rest. */
	get isOver(): boolean {
		return systemClock.now() - this.begun >= LONGEST_MS;
	}

	get isStopped(): boolean {
		return this.signal?.aborted ?? false;
	}

	/** Between two passes over all rows. */
	async restIfOver(): Promise<void> {
		if (this.isOver) await this.rest();
	}

	/** Does work that may be cut where it yields. */
	async through<T>(work: Iterator<void, T>): Promise<T> {
		for (;;) {
			const step = work.next();
			if (step.done) return step.value;
			if (this.isOver) await this.rest();
		}
	}

	/** Lets everybody else who waits have a turn. */
	async rest(): Promise<void> {
		await turnOfOthers();
		this.begun = systemClock.now();
	}
}

/**
 * A message to itself comes behind all that waits. A timer of no time takes a whole millisecond,
 * which is much beside 25.
 */
async function turnOfOthers(): Promise<void> {
	await new Promise<void>((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.once('message', () => {
			port1.close();
			resolve();
		});
		port2.postMessage(undefined);
	});
}
