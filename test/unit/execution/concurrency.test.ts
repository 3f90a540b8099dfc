import { forEachConcurrent } from '../../../nodes/OutboundCalls/execution/concurrency';

/** Work that waits until the test lets it go on. */
class Gate {
	readonly started: number[] = [];
	readonly opened: number[] = [];
	atOnce = 0;
	most = 0;
	private readonly waiting = new Map<number, (go: boolean | Error) => void>();

	work = async (index: number): Promise<boolean> => {
		this.started.push(index);
		this.most = Math.max(this.most, ++this.atOnce);
		const go = await new Promise<boolean | Error>((resolve) => this.waiting.set(index, resolve));
		this.atOnce--;
		if (go instanceof Error) throw go;
		return go;
	};

	/** Ends one piece of work, and lets what follows from that happen. */
	async finish(index: number, go: boolean | Error = true): Promise<void> {
		this.waiting.get(index)?.(go);
		await new Promise(setImmediate);
	}
}

it.each<[number, number, number]>([
	[1, 5, 1],
	[3, 5, 3],
	[10, 4, 4],
	[5, 0, 0],
])('%d lanes for %d pieces work on %d at once', async (lanes, total, expected) => {
	const gate = new Gate();
	const done = forEachConcurrent(lanes, total, gate.work);
	for (let index = 0; index < total; index++) await gate.finish(index);
	await done;
	expect(gate.most).toBe(expected);
	expect(gate.started).toEqual(Array.from({ length: total }, (_, index) => index));
});

it('once a piece says so, no further piece is started, and what is under way is waited for', async () => {
	const gate = new Gate();
	let ended = false;
	const done = forEachConcurrent(2, 9, gate.work).then(() => (ended = true));
	await gate.finish(0, false);
	expect(gate.started).toEqual([0, 1]);
	expect(ended).toBe(false);
	await gate.finish(1);
	await done;
	expect(gate.started).toEqual([0, 1]);
});

it('G10 after a piece threw, no further piece is started', async () => {
	const gate = new Gate();
	const done = forEachConcurrent(2, 9, gate.work).catch((thrown: unknown) => thrown);
	await gate.finish(0, new Error('refused'));
	await gate.finish(1);
	await gate.finish(2);
	expect(await Promise.race([done, Promise.resolve('not ended')])).toEqual(new Error('refused'));
	expect(gate.started).toEqual([0, 1]);
});
