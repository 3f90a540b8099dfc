import type { Row } from '../../../nodes/OutboundCalls/domain/row';
import { both, type Claims, noClaims } from '../../../nodes/OutboundCalls/claims/claims';
import { Memory } from '../../../nodes/OutboundCalls/claims/memory';
import { RunKeys } from '../../../nodes/OutboundCalls/claims/runKeys';
import { Siblings } from '../../../nodes/OutboundCalls/claims/siblings';
import { HostStore, row } from './hostStore';

const A = '+15551';
const B = '+15552';

let store: HostStore;

const keysOfRetry = ({ destination }: Row) => ({
	row: [`row ${destination}`],
	calls: [`call ${destination}`],
	made: 0,
});
beforeEach(() => {
	store = new HostStore();
});

const claimed = async (claims: Claims, ...rows: Row[]): Promise<number[]> => [
	...(await claims.claim(rows)),
];

describe('G8 people are claimed before they are called', () => {
	it('G8 a run gets those whom nobody has claimed, asking once for all rows', async () => {
		store.keys = [A];
		expect(await claimed(store.claims(), row(0, A), row(1, B))).toEqual([1]);
		expect([store.keys, store.writes]).toEqual([[A, B], 1]);
	});

	it('G8 two runs at the same time: each person belongs to one of them', async () => {
		const rows = Array.from({ length: 20 }, (_, n) => row(n, `+1555${n}`));
		const runs = await Promise.all(
			[store.claims(), store.claims()].map(async (claims) => await claimed(claims, ...rows)),
		);
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

	describe('the database lets a person go, and says that it did not', () => {
		const denied = async (): Promise<Claims> => {
			const claims = store.claims();
			await claims.claim([row(0, A)]);
			store.breaks = () => 'after';
			await claims.release([row(0, A)]);
			store.breaks = () => undefined;
			expect(store.keys).toEqual([]);
			return claims;
		};

		it('G8 another run of the process and this one do not both call', async () => {
			const claims = await denied();
			expect(await claimed(store.claims(), row(0, A), row(1, B))).toEqual([0, 1]);
			expect(await claimed(claims, row(0, A))).toEqual([]);
			expect(store.keys.sort()).toEqual([A, B]);
		});

		it('G8 nor do they when both ask at the same moment', async () => {
			const claims = await denied();
			const [other, same] = await Promise.all([
				claimed(store.claims(), row(0, A)),
				claimed(claims, row(0, A)),
			]);
			expect([other, same]).toEqual([[0], []]);
		});

		it('whoever came back to the run is asked for by nobody else, and forgotten about when it has ended', async () => {
			const keys = store.open();
			await keys.record([A]);
			store.breaks = () => 'after';
			await keys.forget([A]);
			store.breaks = () => undefined;
			expect([...(await keys.record([A]))]).toEqual([A]);
			await keys.close();
			await store.open().record([B]);
			expect([store.keys.sort(), store.asked]).toEqual([[A, B], [B]]);
		});
	});

	it('G8 whoever could not be let go until the run had ended may be called by the next one', async () => {
		const keys = store.open();
		await keys.record([A]);
		store.outOfOrder = true;
		await keys.forget([A]);
		await keys.close();
		store.outOfOrder = false;
		expect(store.keys).toEqual([A]);
		expect(await claimed(store.claims(), row(0, A), row(1, B))).toEqual([0, 1]);
	});

	describe('the database enters people, and says that it did not', () => {
		const many = Array.from({ length: 150 }, (_, n) => row(n, `+1555${n}`));
		const broken = async (): Promise<RunKeys> => {
			const keys = store.open();
			store.breaks = () => 'after';
			await expect(
				new Memory(keys, { decidedBy: ({ destination }) => [destination] }).claim(many),
			).rejects.toThrow('connection terminated');
			expect(store.keys).toHaveLength(many.length);
			return keys;
		};

		it('G8 nobody of them stays claimed when the run ends', async () => {
			const keys = await broken();
			store.breaks = () => undefined;
			await keys.close();
			expect(store.keys).toEqual([]);
		});

		it('G8 when the database answers only after the run, the next one calls them', async () => {
			const keys = await broken();
			await keys.close();
			store.breaks = () => undefined;
			expect(await claimed(store.claims(), ...many)).toHaveLength(150);
		});

		it('G8 whom somebody had called before is not called: where nobody knows who that was, all of them stay', async () => {
			store.keys = [many[7]!.destination];
			const keys = store.open();
			store.breaks = () => 'after';
			await expect(
				new Memory(keys, { decidedBy: ({ destination }) => [destination] }).claim(many),
			).rejects.toThrow('connection terminated');
			store.breaks = () => undefined;
			await keys.close();
			expect(await claimed(store.claims(), ...many)).toEqual([]);
		});

		it('G8 whom somebody had called before is not called, and the others are, when the write was lost', async () => {
			store.keys = [many[7]!.destination];
			const keys = store.open();
			store.breaks = () => 'before';
			await expect(
				new Memory(keys, { decidedBy: ({ destination }) => [destination] }).claim(many),
			).rejects.toThrow('connection refused');
			store.breaks = () => undefined;
			await keys.close();
			expect(await claimed(store.claims(), ...many)).toHaveLength(149);
		});
	});

	it('nobody is claimed when the store cannot be used, and later claims are made all the same', async () => {
		const claims = store.claims();
		store.outOfOrder = true;
		await expect(claims.claim([row(0, A)])).rejects.toThrow('database is locked');
		store.outOfOrder = false;
		expect(await claimed(claims, row(0, A))).toEqual([0]);
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

describe('what happens while the database is waited for', () => {
	const each = (): boolean => false;
	const moment = async (): Promise<void> => {
		await new Promise((resolve) => setImmediate(resolve));
	};

	it('G8 a row whose claim was rejected takes nothing from the row of the same number that was called', async () => {
		const claims = store.claims(each);
		const first = claims.claim([row(0, A)]);
		await moment();
		store.outOfOrderAfter = 1;
		const second = claims.claim([row(1, A)]);
		expect([...(await first)]).toEqual([0]);
		await expect(second).rejects.toThrow('database is locked');
		store.outOfOrderAfter = Infinity;
		await claims.release([row(1, A)]);
		expect(store.keys).toEqual([A]);
	});

	it('G8 a row that asks while another one of its number is let go is called', async () => {
		const claims = store.claims(each);
		const first = claims.claim([row(0, A)]);
		await moment();
		const second = claims.claim([row(1, A)]);
		await first;
		await claims.release([row(0, A)]);
		expect([[...(await second)], store.keys]).toEqual([[1], [A]]);
	});

	it('G8 a key that goes along and could not be let go stays with the row when it is called after all', async () => {
		const claims = new Memory(store.open(), {
			decidedBy: ({ destination }) => [destination],
			alsoOf: ({ destination }) => (destination === A ? ['also'] : []),
		});
		await claims.claim([row(0, A)]);
		store.outOfOrder = true;
		await claims.release([row(0, A)]);
		store.outOfOrder = false;
		expect(await claimed(claims, row(0, A))).toEqual([0]);
		await claims.claim([row(1, B)]);
		await claims.release([row(1, B)]);
		expect(store.keys.sort()).toEqual([A, 'also'].sort());
	});

	it('G8 keys that went along with a row that is not called do not stay', async () => {
		store.keys = [A];
		const claims = new Memory(store.open(), {
			decidedBy: ({ destination }) => [destination],
			alsoOf: ({ destination }) => [`also ${destination}`],
		});
		expect(await claimed(claims, row(0, A), row(1, B))).toEqual([1]);
		expect(store.keys).toEqual([A, B, `also ${B}`]);
	});

	it('G8 a key that went along with two calls stays when one of them was not placed', async () => {
		const claims = new Memory(store.open(), {
			decidedBy: ({ destination }) => [destination],
			alsoOf: () => ['also'],
		});
		await claims.claim([row(0, A), row(1, B)]);
		await claims.release([row(0, A)]);
		expect(store.keys.sort()).toEqual([B, 'also'].sort());
	});
});

describe('two kinds of claims together', () => {
	it('a row is claimed when both claim it; what the second refuses is released by the first', async () => {
		const [one, other] = [new HostStore(), new HostStore()];
		one.keys = [A];
		other.keys = [B];
		const rows = [row(0, A), row(1, B), row(2, '+15553')];
		const together = both(one.claims(), other.claims());
		expect(await claimed(together, ...rows)).toEqual([2]);
		expect([one.keys, other.keys]).toEqual([
			[A, '+15553'],
			[B, '+15553'],
		]);
		await together.release(rows);
		expect([one.keys, other.keys]).toEqual([[A], [B]]);
	});

	it('when the second cannot be used, nothing stays claimed', async () => {
		const [one, other] = [new HostStore(), new HostStore()];
		other.outOfOrder = true;
		await expect(both(one.claims(), other.claims()).claim([row(0, A)])).rejects.toThrow(
			'database is locked',
		);
		expect(one.keys).toEqual([]);
	});

	it('G4 a retry that cannot reach the database claims nobody, and nothing stays behind', async () => {
		const together = both(new Siblings(store.open(), keysOfRetry), noClaims);
		store.outOfOrder = true;
		await expect(together.claim([row(0, A), row(1, B)])).rejects.toThrow('database is locked');
		store.outOfOrder = false;
		expect(await claimed(new Siblings(store.open(), keysOfRetry), row(0, A), row(1, B))).toEqual([
			0, 1,
		]);
	});

	it.each(['before', 'after'] as const)(
		'G4 what a retry could not let go (the write breaks off %s it is made) has one holder',
		async (broken) => {
			const [one, other] = [
				new Siblings(store.open(), keysOfRetry),
				new Siblings(store.open(), keysOfRetry),
			];
			expect(await claimed(one, row(0, A))).toEqual([0]);
			store.breaks = () => broken;
			await one.release([row(0, A)]);
			await expect(other.claim([row(0, A)])).rejects.toThrow('connection');
			store.breaks = () => undefined;
			expect(await claimed(one, row(0, A))).toEqual([0]);
			expect(await claimed(other, row(0, A))).toEqual([]);
			expect(store.keys.sort()).toEqual([`call ${A}`, `row ${A}`]);
		},
	);

	it('G4 two retries of a number with several rows call each row once, whatever was called before', async () => {
		const calls = ['call 1', 'call 2', 'call 3'];
		const retry = (): Siblings =>
			new Siblings(store.open(), ({ position }) => ({ row: [`row ${position}`], calls, made: 1 }));
		const rows = [0, 1, 2].map((n) => row(n, A));
		const taken = await Promise.all(
			[retry(), retry()].map(async (each) => await claimed(each, ...rows)),
		);
		expect(taken.flat()).toHaveLength(2);
		expect(new Set(taken.flat()).size).toBe(2);
	});

	it('a number with many rows takes no more writes for each of them', async () => {
		const calls = Array.from({ length: 40 }, (_, n) => `call ${n}`);
		const retry = new Siblings(store.open(), ({ position }) => ({
			row: [`row ${position}`],
			calls,
			made: 0,
		}));
		const rows = calls.map((_, n) => row(n, A));
		expect(await claimed(retry, ...rows)).toHaveLength(40);
		expect(store.writes).toBeLessThanOrEqual(80);
		await retry.release(rows);
		expect(store.keys).toEqual([]);
	});
});

describe('writes of the database', () => {
	// Before those in which another process is seen to write.
	it.each([
		['n8n’s only process looks no second time', 'main', 1, [A]],
		[
			'a worker looks whether its last claim is still there, and lets others know that there are workers',
			'worker',
			2,
			[A, 'workers'],
		],
	])('G8 %s', async (_, instanceType, writes, entered) => {
		const keys = new RunKeys(store.of('main', { instanceSettings: { instanceType } }));
		await keys.record([A]);
		await keys.close();
		expect([store.keys, store.writes]).toEqual([entered, writes]);
	});

	it('G8 what waits at the same moment, of all runs of the process, goes in one write', async () => {
		const runs = Array.from({ length: 20 }, () => store.claims());
		const taken = await Promise.all(
			runs.map(async (claims, n) => await claimed(claims, row(0, `+1555${n % 10}`))),
		);
		expect(taken.flat()).toHaveLength(10);
		expect(store.writes).toBe(1);
		await Promise.all(
			runs.slice(0, 10).map(async (claims, n) => await claims.release([row(0, `+1555${n}`)])),
		);
		expect([store.keys, store.writes]).toEqual([[], 2]);
	});

	it('G4 a retry enters its own keys and those of the memory in one write', async () => {
		const keys = store.open();
		const together = both(
			new Siblings(keys, keysOfRetry),
			new Memory(keys, { decidedBy: ({ destination }) => [destination] }),
		);
		expect(await claimed(together, row(0, A), row(1, B))).toEqual([0, 1]);
		expect([store.keys.length, store.writes]).toEqual([6, 1]);
		await together.release([row(1, B)]);
		expect([store.keys, store.writes]).toEqual([[`row ${A}`, `call ${A}`, A], 2]);
	});

	it('a row that the retry refuses keeps no other one of the same person from being called', async () => {
		const keys = store.open();
		const once = new Siblings(keys, ({ destination }) => ({
			row: [destination],
			calls: [`call ${destination}`],
			made: 0,
		}));
		store.keys = [A];
		const together = both(once, new Memory(keys, { decidedBy: () => ['the same person'] }));
		expect(await claimed(together, row(0, A), row(1, B))).toEqual([1]);
		expect(store.keys.sort()).toEqual([A, B, `call ${B}`, 'the same person'].sort());
	});

	it('G8 what another process swept away is entered again with the next claim, and at the end', async () => {
		const [one, other] = [store.open('one'), store.open('other')];
		for (let n = 0; n < 50; n++)
			await Promise.all([one.record([`one ${n}`]), other.record([`other ${n}`])]);
		expect(store.keys.length).toBeLessThan(100);
		await one.close();
		await other.close();
		expect(store.keys).toHaveLength(100);
	});

	it('G8 whoever was swept away and is asked for by another run of the process is not called again', async () => {
		const one = store.open();
		await one.record([A]);
		store.keys = [];
		const [, again] = await Promise.all([one.record([B]), store.open().record([A])]);
		expect([[...again], store.keys]).toEqual([[], [A, B]]);
	});

	it('G8 from a long list many are let go in steps, and what could not be written goes before anything else is', async () => {
		store.keys = Array.from({ length: 99_000 }, (_, n) => `other ${n}`);
		const keys = store.open();
		const many = Array.from({ length: 250 }, (_, n) => `+1${n}`);
		await keys.record(many);
		store.outOfOrderAfter = store.writes + 1;
		await keys.forget(many);
		expect(store.keys.slice(99_000)).toEqual(many.slice(100));
		store.outOfOrderAfter = Infinity;
		expect([[...(await keys.record([many[249]!]))], store.keys.slice(99_000)]).toEqual([
			[many[249]],
			[many[249]],
		]);
	});

	it('G8 two processes that make the list at the same moment both enter their people', async () => {
		store.isMadeByAnother = true;
		expect([...(await store.open().record([A]))]).toEqual([A]);
		expect(store.keys).toEqual([A]);
	});

	it('what was let go is not entered again', async () => {
		const keys = store.open();
		await keys.record([A, B]);
		await keys.forget([A]);
		await keys.record(['+15553']);
		await keys.close();
		expect(store.keys).toEqual([B, '+15553']);
	});
});
