/**
 * Runs `work(0)` … `work(total - 1)` in order, at most `concurrency` at the same time. Starts no
 * more once `work` comes to false or rejects, waits for those under way, and rejects with the first
 * rejection.
 */
export async function forEachConcurrent(
	concurrency: number,
	total: number,
	work: (index: number) => Promise<unknown>,
): Promise<void> {
	let next = 0;
	let rejection: { thrown: unknown } | undefined;
	const worker = async () => {
		while (next < total) {
			const index = next++;
			try {
				if ((await work(index)) === false) next = total;
			} catch (thrown) {
				next = total;
				rejection ??= { thrown };
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, total) }, worker));
	if (rejection) throw rejection.thrown;
}
