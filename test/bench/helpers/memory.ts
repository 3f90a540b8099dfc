import type { Memory } from './messages';

/** Time between two looks, in milliseconds. Each look collects all garbage, which takes a while with a large heap. */
const LOOK_EVERY_MS = 100;

/**
 * The most memory in use during the run, above what was in use before it. Garbage is collected before each
 * look, so that only memory that is really held counts, not V8's timing. It looks while requests are under
 * way, when the node drops what it kept in its context (most is held while the output is made), and when the
 * run has ended.
 */
export async function peakOf<T>(
	run: (context: object) => Promise<T>,
	check: (finished: T) => void,
): Promise<Memory> {
	const before = alive();
	let peak = before;
	let ledgerBytes = 0;
	const look = (): void => {
		peak = Math.max(peak, alive());
	};
	let timer: NodeJS.Timeout | undefined;
	const lookAgain = (): void => {
		const started = performance.now();
		look();
		timer = setTimeout(lookAgain, LOOK_EVERY_MS + 4 * (performance.now() - started));
	};
	lookAgain();
	const context = new Proxy<Record<PropertyKey, unknown>>(
		{},
		{
			deleteProperty(target, name) {
				look();
				ledgerBytes = Math.max(ledgerBytes, Buffer.byteLength(JSON.stringify(target)));
				return Reflect.deleteProperty(target, name);
			},
		},
	);
	const finished = await run(context);
	clearTimeout(timer);
	look();
	// Comes last, so that what n8n holds of the run is still alive at the look before.
	check(finished);
	return { peakBytes: peak - before, ledgerBytes };
}

function alive(): number {
	globalThis.gc!();
	return process.memoryUsage().heapUsed;
}
