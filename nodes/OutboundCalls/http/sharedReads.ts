import type { Exchange } from '../domain/exchange';
import { untilAborted } from './untilAborted';

interface Reading {
	exchange: Promise<Exchange>;
	/** Whoever began it was stopped, and the request ended with that. */
	isStopped: () => boolean;
}

const STOPPED: Exchange = { kind: 'noAnswer', code: 'ECONNABORTED' };

/** Reads that are under way: whoever asks for the same at the same time gets the same answer. Nothing is kept once it is there. */
export class SharedReads {
	private readonly underWay = new Map<string, Reading>();

	/** `ask` never rejects. Where the one who asked is stopped, the next one asks. */
	async read(
		key: string,
		signal: AbortSignal | undefined,
		ask: () => Promise<Exchange>,
	): Promise<Exchange> {
		for (;;) {
			const reading = this.underWay.get(key);
			if (!reading) break;
			const exchange = await untilAborted(reading.exchange, signal);
			if (!exchange) return STOPPED;
			// A copy: the workflows of two executions may change what they got.
			if (exchange.kind === 'answer') return structuredClone(exchange);
			if (!reading.isStopped()) return exchange;
		}
		const reading: Reading = { exchange: ask(), isStopped: () => signal?.aborted ?? false };
		this.underWay.set(key, reading);
		try {
			return await reading.exchange;
		} finally {
			this.underWay.delete(key);
		}
	}
}
