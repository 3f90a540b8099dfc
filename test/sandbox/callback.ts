import { type CallRecord, progressOf } from './records';
import type { Callback, Settings } from './types';

const LOOK_EVERY_MS = 20;
const DELIVERY_TIMEOUT_MS = 5000;

interface Expected {
	record: CallRecord;
	externalCallId?: string;
}

/** Tells the account's own address about each finished call (Events: the payload is not documented). */
export class Callbacks {
	/** by time of finishing */
	private expected: Expected[] = [];
	private timer?: NodeJS.Timeout;
	private delivering = false;
	private readonly ending = new AbortController();

	constructor(
		private readonly settings: Settings,
		private readonly now: () => number,
		private readonly log: (line: string) => void = () => {},
	) {}

	expect(record: CallRecord, externalCallId?: string): void {
		if (!this.settings.callback) return;
		let place = this.expected.length;
		while (place > 0 && this.expected[place - 1]!.record.finishAt > record.finishAt) place--;
		this.expected.splice(place, 0, { record, externalCallId });
		this.timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
	}

	clear(): void {
		this.expected = [];
		clearInterval(this.timer);
		this.timer = undefined;
	}

	close(): void {
		this.clear();
		this.ending.abort();
	}

	private async look(): Promise<void> {
		if (this.delivering) return;
		this.delivering = true;
		const now = this.now();
		const firstLater = this.expected.findIndex(({ record }) => record.finishAt > now);
		const due = this.expected.splice(0, firstLater < 0 ? this.expected.length : firstLater);
		for (const call of due) {
			const { callback } = this.settings;
			if (callback && progressOf(call.record, now) === 'finished')
				await this.deliver(callback, call);
		}
		if (this.expected.length === 0) this.clear();
		this.delivering = false;
	}

	private async deliver(callback: Callback, { record, externalCallId }: Expected): Promise<void> {
		const metadata =
			externalCallId === undefined ? undefined : { external_call_id: externalCallId };
		try {
			const timeout = AbortSignal.timeout(DELIVERY_TIMEOUT_MS);
			const answer = await fetch(callback.url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...callback.headers },
				body: JSON.stringify({ call_id: record.callId, metadata }),
				signal: AbortSignal.any([this.ending.signal, timeout]),
				redirect: 'manual',
			});
			await answer.arrayBuffer();
			this.log(`callback for ${record.callId} answered ${answer.status}`);
		} catch (error) {
			if (!this.ending.signal.aborted)
				this.log(`callback for ${record.callId} failed: ${String(error)}`);
		}
	}
}
