/** Waits for work that goes on without the one who waits: undefined when `signal` was aborted before. */
export async function untilAborted<T>(
	work: Promise<T>,
	signal: AbortSignal | undefined,
): Promise<T | undefined> {
	if (!signal) return await work;
	if (signal.aborted) return undefined;
	let end: () => void = () => undefined;
	const ended = new Promise<undefined>((resolve) => {
		end = () => {
			resolve(undefined);
		};
	});
	signal.addEventListener('abort', end);
	try {
		return await Promise.race([work, ended]);
	} finally {
		signal.removeEventListener('abort', end);
	}
}
