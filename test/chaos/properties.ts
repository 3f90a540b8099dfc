import { storeForEach } from '../engine/helpers/durableStore';
import { startSandbox, type Sandbox } from '../sandbox';
import { campaign } from './campaign';
import { broken } from './count';

/** Declares the test of a file: the campaigns of these seeds, of generated rows, faults, settings and courses. */
export function campaignsHold(seeds: readonly number[], mostRows: number): void {
	let sandbox: Sandbox;
	const store = storeForEach();
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(async () => {
		await sandbox.close();
	});

	it(`in ${seeds.length} campaigns under faults nobody is called twice and every row gets exactly one true outcome`, async () => {
		const wrong: object[] = [];
		for (const seed of seeds) {
			const found = broken(await campaign(seed, mostRows, sandbox, store));
			if (Object.keys(found).length > 0) wrong.push({ seed, ...found });
		}
		// `npm run chaos -- --runs 1 --rows 30 --seed N` tells the story of one of them.
		expect(wrong).toEqual([]);
	}, 600_000);
}
