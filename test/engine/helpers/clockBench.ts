import { Workbench } from './workbench';

/**
 * A sandbox whose time passes with the requests, not with the machine's clock: by default 100 ms with each
 * round of reads. So a call that is dialed after 150 ms is dialed when its batch is read for the second time.
 */
export class ClockBench extends Workbench {
	/** The sandbox's time, in milliseconds. */
	now = (): number => 100 * Math.max(0, ...this.readsByBatch().values());

	override async open(): Promise<void> {
		await super.open({ now: () => this.now() });
	}

	/** How often a batch was read; further pages belong to the same read. */
	reads(batchId: string): number {
		return this.readsByBatch().get(batchId) ?? 0;
	}

	/** The API's own cancelling, without the node. */
	async cancel(...ids: number[]): Promise<void> {
		const { baseUrl, token } = this.sandbox;
		const request = { method: 'POST', headers: { authorization: `Bearer ${token}` } };
		for (const id of ids) await fetch(`${baseUrl}/consents/${id}/cancel`, request);
	}

	private readsByBatch(): Map<string, number> {
		const reads = new Map<string, number>();
		// There is no sandbox yet while it starts.
		for (const { path, method } of (this.sandbox as this['sandbox'] | undefined)?.requests ?? []) {
			const [, id] = /\/batches\/([^/?]+)$/.exec(path) ?? [];
			if (id !== undefined && method === 'GET') reads.set(id, (reads.get(id) ?? 0) + 1);
		}
		return reads;
	}
}

/** A test with a sandbox of its own, so that tests that wait can wait at the same time. */
export async function withClock(test: (bench: ClockBench) => Promise<void>): Promise<void> {
	const bench = new ClockBench();
	await bench.open();
	try {
		await test(bench);
		bench.check();
	} finally {
		await bench.sandbox.close();
	}
}

/** Tests that run at the same time, each with a sandbox of its own. */
export function itWithClock(title: string, test: (bench: ClockBench) => Promise<void>): void {
	it.concurrent(title, async () => {
		await withClock(test);
	});
}

itWithClock.each =
	<T>(cases: readonly T[]) =>
	(
		title: string,
		test: (
			bench: ClockBench,
			...each: T extends readonly unknown[] ? [...T] : [T]
		) => Promise<void>,
	): void => {
		const rows = cases.map((each) => [each].flat()) as Array<
			T extends readonly unknown[] ? [...T] : [T]
		>;
		it.concurrent.each(rows as unknown[][])(title, async (...each) => {
			await withClock(async (bench) => {
				await test(bench, ...(each as (typeof rows)[number]));
			});
		});
	};
