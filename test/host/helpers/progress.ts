export type Progress = (line: string) => void;

export const seconds = (sinceMs: number) => `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;

/** Runs one step and reports its start, a sign of life every `everyMs`, and how long it took. */
export async function step<T>(
	progress: Progress,
	title: string,
	work: () => Promise<T>,
	{ everyMs = 10_000, detail }: { everyMs?: number; detail?: () => string | Promise<string> } = {},
): Promise<T> {
	const start = Date.now();
	progress(`${title} …`);
	const signOfLife = async () => {
		const more = await detail?.();
		progress(`${title}: ${seconds(start)} so far${more ? `, ${more}` : ''}`);
	};
	const heartbeat = setInterval(() => void signOfLife(), everyMs);
	try {
		const result = await work();
		progress(`${title}: done in ${seconds(start)}`);
		return result;
	} finally {
		clearInterval(heartbeat);
	}
}
