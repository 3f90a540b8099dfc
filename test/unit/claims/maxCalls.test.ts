import { MaxCalls } from '../../../nodes/OutboundCalls/claims/maxCalls';
import { HostStore } from './hostStore';

let store: HostStore;

beforeEach(() => {
	store = new HostStore();
});

/** A retry of one and the same execution, which knows only what that one kept: how many calls it started. */
const retry = (most: number, started = 0): MaxCalls =>
	new MaxCalls(
		{
			flow: { outboundCallsStarted: { node: started } },
			tree: { ids: ['node', 'name'], isRetry: true },
		},
		most,
		store.open(),
	);
/** One of a node that was renamed, or added again, meanwhile. */
const retryOfChanged = (most: number): MaxCalls =>
	new MaxCalls(
		{ flow: {}, tree: { ids: ['added again', 'name'], isRetry: true } },
		most,
		store.open(),
	);

describe('Max Calls over the retries of one execution', () => {
	it('G4 two retries at the same time start as many calls as are left, together', async () => {
		const [one, other] = [retry(5, 2), retry(5, 2)];
		const taken = await Promise.all([one.take(2), other.take(2)]);
		expect(taken.reduce((sum, calls) => sum + calls)).toBe(3);
		expect(await one.take(1)).toBe(0);
	});

	it('G4 they know of each other by the ID of the node or by its name, and each place that is given back is free by both', async () => {
		const [one, changed] = [retry(5), retryOfChanged(5)];
		expect(await one.take(3)).toBe(3);
		expect(await changed.take(5)).toBe(2);
		await one.giveBack(3);
		expect(await retry(5).take(1)).toBe(1);
		expect(await retryOfChanged(5).take(5)).toBe(2);
		await changed.giveBack(2);
		expect(await retry(5).take(5)).toBe(2);
	});

	it('calls that were not started may be started by another retry', async () => {
		const [one, other] = [retry(5), retry(5)];
		expect(await one.take(5)).toBe(5);
		await one.giveBack(2);
		expect(await other.take(5)).toBe(2);
		expect(await one.take(2)).toBe(0);
	});

	it.each(['before', 'after'] as const)(
		'a place that could not be given back (the write breaks off %s it is made) is free for whichever retry asks next',
		async (broken) => {
			const [one, other] = [retry(5), retry(5)];
			expect(await one.take(5)).toBe(5);
			store.breaks = () => broken;
			await one.giveBack(5);
			store.breaks = () => undefined;
			expect(await other.take(3)).toBe(3);
			expect(await one.take(5)).toBe(2);
		},
	);

	it('G4 a retry that cannot reach the database takes none', async () => {
		const [one, other] = [retry(5), retry(5)];
		store.outOfOrder = true;
		await expect(one.take(3)).rejects.toThrow('database is locked');
		store.outOfOrder = false;
		expect([await other.take(2), await one.take(5)]).toEqual([2, 3]);
	});

	it.each(['before', 'after'] as const)(
		'places of a write that is said to be lost (it breaks off %s it is made) are free again',
		async (broken) => {
			const [one, other] = [retry(5), retry(5)];
			store.breaks = () => broken;
			await expect(one.take(3)).rejects.toThrow('connection');
			store.breaks = () => undefined;
			expect(await other.take(5)).toBe(5);
		},
	);
});
