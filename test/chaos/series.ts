import { startSandbox } from '../sandbox';
import { campaign } from './campaign';
import type { Count } from './count';
import { installStore } from './store';
import { startClock } from './waits';

/** Runs the campaign of each seed, one after the other, with a sandbox and a database of their own. */
export async function* series(
	seeds: Iterable<number>,
	mostRows: number,
	tell?: (story: string) => void,
): AsyncGenerator<{ seed: number; count: Count }> {
	const store = await installStore();
	const sandbox = await startSandbox({ now: () => Date.now() });
	const stopClock = startClock();
	try {
		for (const seed of seeds) {
			const count = await campaign(seed, mostRows, sandbox, store, tell).catch(
				(thrown: unknown) => {
					throw new Error(`The campaign of seed ${seed} broke off`, { cause: thrown });
				},
			);
			yield { seed, count };
		}
	} finally {
		stopClock();
		await sandbox.close();
	}
}

/** So many seeds from this one on; without a number, no end of them. */
export function* seedsFrom(first: number, many = Infinity): Generator<number> {
	for (let i = 0; i < many; i++) yield first + i;
}
