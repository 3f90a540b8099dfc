import type { Exchange } from '../../../nodes/OutboundCalls/domain/exchange';
import { SharedReads } from '../../../nodes/OutboundCalls/http/sharedReads';

const answer: Exchange = { kind: 'answer', status: 200, body: { consents: [{ id: 1 }] } };

/** Requests that are answered when the test says so. */
class Asked {
	private readonly answers: Array<(exchange: Exchange) => void> = [];
	ask = async (): Promise<Exchange> =>
		await new Promise((resolve) => {
			this.answers.push(resolve);
		});
	get count(): number {
		return this.answers.length;
	}
	answer(exchange: Exchange): void {
		this.answers.at(-1)!(exchange);
	}
}

let asked: Asked;
let reads: SharedReads;
beforeEach(() => {
	asked = new Asked();
	reads = new SharedReads();
});
const moment = async () => await new Promise((resolve) => setImmediate(resolve));

it('who asks for the same page at the same time shares the answer, as a copy of their own', async () => {
	const both = [0, 1, 2].map(async () => await reads.read('page 1', undefined, asked.ask));
	expect(asked.count).toBe(1);
	asked.answer(answer);
	const [first, second, third] = await Promise.all(both);
	expect([first, second, third]).toEqual([answer, answer, answer]);
	expect(
		new Set([first, second, third].map((each) => each?.kind === 'answer' && each.body)).size,
	).toBe(3);
});

it('another page, and a page that is asked for later, are asked for themselves', async () => {
	const first = reads.read('page 1', undefined, asked.ask);
	void reads.read('page 2', undefined, asked.ask);
	expect(asked.count).toBe(2);
	void first;
	asked = new Asked();
	const alone = new SharedReads();
	for (const count of [1, 2]) {
		const reading = alone.read('page 1', undefined, asked.ask);
		expect(asked.count).toBe(count);
		asked.answer(answer);
		await reading;
	}
});

it('an answer that did not come is shared, too', async () => {
	const lost: Exchange = { kind: 'noAnswer', code: 'ETIMEDOUT' };
	const both = [0, 1].map(async () => await reads.read('page 1', undefined, asked.ask));
	asked.answer(lost);
	expect(await Promise.all(both)).toEqual([lost, lost]);
	expect(asked.count).toBe(1);
});

it('G10 Stop of the one who asked ends nobody else’s read: one of the others asks, for all of them', async () => {
	const stop = new AbortController();
	const first = reads.read('page 1', stop.signal, asked.ask);
	const others = [0, 1].map(async () => await reads.read('page 1', undefined, asked.ask));
	stop.abort();
	asked.answer({ kind: 'noAnswer', code: 'ERR_CANCELED' });
	expect(await first).toMatchObject({ kind: 'noAnswer' });
	await moment();
	expect(asked.count).toBe(2);
	asked.answer(answer);
	expect(await Promise.all(others)).toEqual([answer, answer]);
});

it('G10 Stop of one who shares ends their wait at once, and the read goes on', async () => {
	const stop = new AbortController();
	const first = reads.read('page 1', undefined, asked.ask);
	const second = reads.read('page 1', stop.signal, asked.ask);
	stop.abort();
	expect(await second).toMatchObject({ kind: 'noAnswer' });
	asked.answer(answer);
	expect(await first).toBe(answer);
	expect(asked.count).toBe(1);
});
