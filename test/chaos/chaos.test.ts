import { SEED } from '../seed';
import { broken } from './count';
import { seedsFrom, series } from './series';

// `npm run chaos` runs more and longer campaigns, and with `--runs 1 --seed N` it tells the story of one.
it('in 25 campaigns under faults nobody is called twice and every row gets exactly one true outcome', async () => {
	const wrong: object[] = [];
	for await (const { seed, count } of series(seedsFrom(SEED * 1_000, 25), 30)) {
		const found = broken(count);
		if (Object.keys(found).length > 0) wrong.push({ seed, ...found });
	}
	expect(wrong).toEqual([]);
}, 600_000);
