/**
 * Does `work` for all entries in their order, for at most `concurrency` at the same time. Starts no
 * more once `work` comes to false or rejects, waits for those under way, and rejects with the first
 * rejection.
 */
export async function forEachConcurrent<T>(
	concurrency: number,
	entries: readonly T[],
	work: (entry: T, index: number) => Promise<unknown>,
) {
	let next = 0;
	let rejection: { thrown: unknown } | undefined;
	const worker = async () => {
		while (next < entries.length) {
			const index = next++;
			try {
				if ((await work(entries[index]!, index)) === false) next = entries.length;
			} catch (thrown) {
				next = entries.length;
				rejection ??= { thrown };
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, entries.length) }, worker));
	if (rejection) throw rejection.thrown;
}
