/**
 * Runs `work(0)` … `work(total - 1)`, at most `count` at the same time, starting them in order.
 * Ends early once `work` answers false; what is under way is waited for. Rejects with the first rejection.
 */
export async function inLanes(
	count: number,
	total: number,
	work: (index: number) => Promise<boolean>,
): Promise<void> {
	let next = 0;
	const lane = async (): Promise<void> => {
		while (next < total) {
			const index = next++;
			if (!(await work(index))) next = total;
		}
	};
	await Promise.all(Array.from({ length: Math.min(count, total) }, lane));
}
