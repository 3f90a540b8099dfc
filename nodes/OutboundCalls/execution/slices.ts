import { sleep } from 'n8n-workflow';
import { systemClock } from '../http/clock';

/** Half of the longest stop that nobody notices: the next piece of work may take as long again. */
const LONGEST_MS = 25;

/** Cuts long work into slices, so that n8n answers others in between and a Stop is heard. To be asked between two pieces of work. */
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

	/** Lets everybody else who waits have a turn. */
	async rest(): Promise<void> {
		await sleep(0);
		this.begun = systemClock.now();
	}
}
