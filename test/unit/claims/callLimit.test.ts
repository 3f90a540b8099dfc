import { CallLimit } from '../../../nodes/OutboundCalls/claims/callLimit';
import { openClaimStore } from '../../../nodes/OutboundCalls/claims/claimStore';
import { HostStore } from './hostStore';

let store: HostStore;

beforeEach(() => {
	store = new HostStore();
});

/** A retry of one and the same execution, which knows only what that one kept: how many calls it started. */
function retry(most: number, started = 0): CallLimit {
	const kept = { outboundCallsStarted: started };
	const context = store.context('main', {
		getContext: () => kept,
		getMode: () => 'retry',
		getExecutionId: () => '1',
	});
	return new CallLimit(context, most, openClaimStore(context));
}

describe('Max Calls over the retries of one execution', () => {
	it('G4 two retries at the same time start as many calls as are left, together', async () => {
		const [one, other] = [retry(5, 2), retry(5, 2)];
		const taken = await Promise.all([one.take(2), other.take(2)]);
		expect(taken.reduce((sum, calls) => sum + calls)).toBe(3);
		expect(await one.take(1)).toBe(0);
	});

	it('calls that were not started may be started by another retry', async () => {
		const [one, other] = [retry(5), retry(5)];
		expect(await one.take(5)).toBe(5);
		await one.giveBack(2);
		expect(await other.take(5)).toBe(2);
		expect(await one.take(2)).toBe(0);
	});

	it.each(['before', 'after'] as const)(
		'a place that could not be given back (the write breaks off %s it is made) is taken again by the same retry, and by no other',
		async (broken) => {
			const [one, other] = [retry(5), retry(5)];
			expect(await one.take(5)).toBe(5);
			store.breaks = () => broken;
			await one.giveBack(5);
			store.breaks = () => undefined;
			expect(await other.take(5)).toBe(0);
			expect(await one.take(5)).toBe(5);
		},
	);

	it('a retry that took places without a database gives back none of another one', async () => {
		const [one, other, third] = [retry(5), retry(5), retry(5)];
		expect(await other.take(5)).toBe(5);
		store.outOfOrder = true;
		expect(await one.take(3)).toBe(3);
		store.outOfOrder = false;
		await one.giveBack(3);
		expect(await third.take(3)).toBe(0);
	});

	it('a place that is taken again without a database stays taken', async () => {
		const [one, other] = [retry(5), retry(5)];
		expect(await one.take(5)).toBe(5);
		store.outOfOrder = true;
		await one.giveBack(5);
		expect(await one.take(4)).toBe(4);
		store.outOfOrder = false;
		await one.giveBack(0);
		expect(await other.take(5)).toBe(1);
	});

	it('without a database, each retry knows only of itself', async () => {
		store.outOfOrder = true;
		const one = retry(5);
		expect(await one.take(3)).toBe(3);
		await one.giveBack(1);
		expect([await one.take(5), await one.take(1)]).toEqual([3, 0]);
	});
});
