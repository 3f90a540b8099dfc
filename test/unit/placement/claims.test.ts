import type { IExecuteFunctions } from 'n8n-workflow';
import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import { type Claims, combineClaims, durableClaims, ignoreStoreErrors, noClaims } from '../../../nodes/OutboundCalls/placement/claims';

const A = '+15551';
const B = '+15552';
const row = (position: number, destination: string): Row => ({
	itemIndex: position,
	position,
	isDry: false,
	destination,
	agentNumber: '+15550001000',
});

/** The host's store: it reads, changes and writes a whole list without a lock. */
class Store {
	keys: string[] = [];
	asked = 0;
	outOfOrder = false;

	readonly context = {
		helpers: {
			checkProcessedAndRecord: async (items: string[]) => {
				const known = await this.read();
				this.asked++;
				await this.write([...new Set([...known, ...items])]);
				return { new: items.filter((item) => !known.includes(item)), processed: items.filter((item) => known.includes(item)) };
			},
			removeProcessed: async (items: string[]) => {
				const known = await this.read();
				await this.write(known.filter((item) => !items.includes(item)));
			},
		},
	} as unknown as IExecuteFunctions;

	/** What one run sees of it. */
	claims(isOurs?: (row: Row) => boolean): Claims {
		return durableClaims(this.context, { keyOf: ({ destination }) => destination, ...(isOurs ? { isOurs } : {}) });
	}

	private async read(): Promise<string[]> {
		if (this.outOfOrder) throw new Error('database is locked');
		await new Promise((resolve) => setImmediate(resolve));
		return this.keys;
	}

	private async write(keys: string[]): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
		this.keys = keys;
	}
}

let store: Store;
beforeEach(() => {
	store = new Store();
});

const claimed = async (claims: Claims, ...rows: Row[]): Promise<number[]> => [...(await claims.claim(rows))];

describe('G8 people are claimed before they are called', () => {
	it('G8 a run gets those whom nobody has claimed, asking once for all rows', async () => {
		store.keys = [A];
		expect(await claimed(store.claims(), row(0, A), row(1, B))).toEqual([1]);
		expect([store.keys, store.asked]).toEqual([[A, B], 1]);
	});

	it('G8 two runs at the same time: each person belongs to one of them', async () => {
		const rows = Array.from({ length: 20 }, (_, n) => row(n, `+1555${n}`));
		const runs = await Promise.all([store.claims(), store.claims()].map(async (claims) => await claimed(claims, ...rows)));
		expect(runs.flat().sort((x, y) => x - y)).toEqual(rows.map(({ position }) => position));
		expect(store.keys).toHaveLength(20);
	});

	it('G8 who certainly was not called may be called by the next run', async () => {
		const claims = store.claims();
		await claims.claim([row(0, A), row(1, B)]);
		await claims.release([row(0, A)]);
		expect(store.keys).toEqual([B]);
		expect(await claimed(store.claims(), row(0, A), row(1, B))).toEqual([0]);
	});

	it('G8 a run releases only what it claimed itself', async () => {
		store.keys = [A];
		const claims = store.claims();
		await claims.claim([row(0, A)]);
		await claims.release([row(0, A), row(1, B)]);
		expect(store.keys).toEqual([A]);
	});

	it('a claim that cannot be released stays, and the run goes on', async () => {
		const claims = store.claims();
		await claims.claim([row(0, A)]);
		store.outOfOrder = true;
		await claims.release([row(0, A)]);
		expect(store.keys).toEqual([A]);
	});

	it('nobody is claimed when the store cannot be used, and later claims are made all the same', async () => {
		const claims = store.claims();
		store.outOfOrder = true;
		await expect(claims.claim([row(0, A)])).rejects.toThrow('database is locked');
		store.outOfOrder = false;
		expect(await claimed(claims, row(0, A))).toEqual([0]);
	});

	it('rows without a key need no claim', async () => {
		const claims = durableClaims(store.context, { keyOf: () => undefined });
		expect(await claimed(claims, row(0, A), row(1, A))).toEqual([0, 1]);
		await claims.release([row(0, A)]);
		expect(store.asked).toBe(0);
	});
});

describe('with Duplicates = Call Each Row the rows of a number share one claim', () => {
	const nothingEarlier = (): boolean => false;

	it('G8 all rows of this run may be called, one after the other or together; those of another run may not', async () => {
		const claims = store.claims(nothingEarlier);
		expect(await claimed(claims, row(0, A), row(1, A), row(2, B))).toEqual([0, 1, 2]);
		expect(await claimed(claims, row(3, A))).toEqual([3]);
		expect(await claimed(store.claims(nothingEarlier), row(0, A), row(1, B))).toEqual([]);
		expect(store.keys).toEqual([A, B]);
	});

	it('G8 what another run has called stays called: no row of that number is', async () => {
		store.keys = [A];
		const claims = store.claims(nothingEarlier);
		expect(await claimed(claims, row(0, A))).toEqual([]);
		expect(await claimed(claims, row(1, A))).toEqual([]);
	});

	it('G8 the claim stays as long as one row of the number was or may have been called', async () => {
		const claims = store.claims(nothingEarlier);
		await claims.claim([row(0, A)]);
		await claims.claim([row(1, A)]);
		await claims.release([row(0, A)]);
		expect(store.keys).toEqual([A]);
		await claims.release([row(1, A)]);
		expect(store.keys).toEqual([]);
	});

	it('G8 a row that is called after another one was released claims anew', async () => {
		const claims = store.claims(nothingEarlier);
		await claims.claim([row(0, A)]);
		await claims.release([row(0, A)]);
		expect(await claimed(claims, row(1, A))).toEqual([1]);
		expect(store.keys).toEqual([A]);
	});

	it('G8 a row that asks while another one is released is called, and stays remembered', async () => {
		const claims = store.claims(nothingEarlier);
		await claims.claim([row(0, A)]);
		const asks = claimed(claims, row(1, A));
		await Promise.all([asks, claims.release([row(0, A)])]);
		expect(await asks).toEqual([1]);
		expect(store.keys).toEqual([A]);
	});

	it('G8 a release that is under way does not take the claim of a row that asks then', async () => {
		const claims = store.claims(nothingEarlier);
		await claims.claim([row(0, A)]);
		const released = claims.release([row(0, A)]);
		expect(await claimed(claims, row(1, A))).toEqual([1]);
		await released;
		expect(store.keys).toEqual([A]);
	});

	it('G4 a retry calls the other rows of a number that its earlier try called, and never releases that claim', async () => {
		store.keys = [A];
		const claims = store.claims(({ destination }) => destination === A);
		expect(await claimed(claims, row(1, A))).toEqual([1]);
		await claims.release([row(1, A)]);
		expect(store.keys).toEqual([A]);
	});

	it('G8 a retry whose earlier try remembered nobody remembers them now', async () => {
		const claims = store.claims(() => true);
		expect(await claimed(claims, row(1, A))).toEqual([1]);
		expect(store.keys).toEqual([A]);
	});
});

describe('two kinds of claims together', () => {
	it('a row is claimed when both claim it; what the second refuses is released by the first', async () => {
		const [one, other] = [new Store(), new Store()];
		one.keys = [A];
		other.keys = [B];
		const rows = [row(0, A), row(1, B), row(2, '+15553')];
		const both = combineClaims(one.claims(), other.claims());
		expect(await claimed(both, ...rows)).toEqual([2]);
		expect([one.keys, other.keys]).toEqual([
			[A, '+15553'],
			[B, '+15553'],
		]);
		await both.release(rows);
		expect([one.keys, other.keys]).toEqual([[A], [B]]);
	});

	it('when the second cannot be used, nothing stays claimed', async () => {
		const [one, other] = [new Store(), new Store()];
		other.outOfOrder = true;
		await expect(combineClaims(one.claims(), other.claims()).claim([row(0, A)])).rejects.toThrow('database is locked');
		expect(one.keys).toEqual([]);
	});

	it('a store that may be missing keeps nobody from being called', async () => {
		store.outOfOrder = true;
		const both = combineClaims(ignoreStoreErrors(store.claims()), noClaims);
		expect(await claimed(both, row(0, A), row(1, A))).toEqual([0, 1]);
		await both.release([row(0, A)]);
	});
});
