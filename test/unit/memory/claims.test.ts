import { Claims } from '../../../nodes/OutboundCalls/memory/claims';
import type { MemorySettings } from '../../../nodes/OutboundCalls/memory/keys';
import { HostList, MARK, rows, rowsFrom, settings } from './hostList';

type Setting = MemorySettings['calledBefore'];
const NOON = Date.UTC(2026, 10, 28, 12);

let host: HostList;
let now: number;

beforeEach(() => {
	host = new HostList();
	host.keys = [MARK];
	now = NOON;
});

const run = (more?: Parameters<typeof settings>[0]): Claims =>
	new Claims(host.open(), settings(more), () => now);

/** What a claim says of each row. */
const says = async (claims: Claims, of: ReturnType<typeof rows>): Promise<string[]> => {
	const heldBack = await claims.claim(of);
	return of.map(({ position }) => heldBack.get(position)?.reason ?? 'claimed');
};

describe('people called before', () => {
	it.each<[string, Setting, string, Setting, string]>([
		['Skip, called by Skip', 'skip', 'a', 'skip', 'Called before'],
		['Skip, called for a value', 'onceForEach', 'a', 'skip', 'Called before'],
		['Skip, called by Call Again with limits', 'callAgain', 'a', 'skip', 'Called before'],
		['Once for Each, same value', 'onceForEach', 'b', 'onceForEach', 'Called before for "b"'],
		['Once for Each, another value', 'onceForEach', 'a', 'onceForEach', 'claimed'],
		['Once for Each, called by Skip', 'skip', 'a', 'onceForEach', 'claimed'],
		['Call Again, called by Skip', 'skip', 'a', 'callAgain', 'claimed'],
	])('%s', async (_, before, value, calledBefore, expected) => {
		await run({ calledBefore: before, limits: { perDay: 5 } }).claim(rows(['+1'], value));
		const later = run({ calledBefore });
		expect(await says(later, rows(['+1'], 'b'))).toEqual([expected]);
	});
});

describe('retries', () => {
	it('G4 retries of another execution, or of another node, call again with Call Again', async () => {
		await run({ calledBefore: 'callAgain', retryOf: '7' }).claim(rows(['+1']));
		for (const more of [{ retryOf: '8' }, { retryOf: '7', node: 'other' }])
			expect(await says(run({ calledBefore: 'callAgain', ...more }), rows(['+1']))).toEqual([
				'claimed',
			]);
		const again = run({ calledBefore: 'callAgain', retryOf: '7' });
		expect(await says(again, rows(['+1']))).toEqual([expect.stringMatching(/another Retry/)]);
	});
});

describe('limits', () => {
	describe('hours between calls', () => {
		const between = (hoursBetween: number, limits = {}) =>
			run({ calledBefore: 'callAgain', limits: { hoursBetween, ...limits } });
		const asked = async (claims: Claims) => (await claims.claim(rows(['+1']))).get(0);
		/** When the row may be called, on the workflow's clock. */
		const from = (callableAt: string) => expect.objectContaining({ callableAt }) as unknown;

		it.each<[string, object, string | undefined]>([
			['a limit that ends later', { perPerson: [{ calls: 1, per: 'day' }] }, '2026-11-29T00:00'],
			['a limit that never ends', { perPerson: [{ calls: 1, per: 'ever' }] }, undefined],
			['the day’s limit', { perDay: 1 }, '2026-11-29T00:00'],
			['a person who was reached', { stopWhenReached: true }, undefined],
			['no other limit', { perPerson: [{ calls: 2, per: 'day' }] }, '2026-11-28T17:00'],
		])('G8 beside %s, the later time counts', async (_, limits, callableAt) => {
			await asked(between(4, limits));
			if ('perDay' in limits) await between(4, limits).claim(rows(['+2']));
			const heldBack = await asked(between(4, limits));
			expect(heldBack?.callableAt?.slice(0, 16)).toBe(callableAt);
		});

		it('G8 what another run has entered meanwhile stays, if this one is released', async () => {
			const claims = between(1);
			await asked(claims);
			now += 76 * 60_000;
			expect(await asked(between(1))).toBeUndefined();
			await claims.renew(rows(['+1']));
			await claims.release(rows(['+1']));
			expect(await asked(between(1))).toEqual(from('2026-11-28T14:30:00+00:00'));
		});

		it('rows are claimed at their turn only, however long the list is', async () => {
			host.fill(5_000);
			expect(await between(1).size()).toBe(0);
		});
	});

	it('places that were given back are found again', async () => {
		const limits = { perDay: 6 };
		const first = run({ limits });
		await first.claim(rowsFrom(0, 4));
		await first.release(rowsFrom(1, 3));
		const second = run({ limits });
		expect(await says(second, rowsFrom(10, 12))).toEqual(['claimed', 'claimed']);
		const next = await says(second, rowsFrom(20, 24));
		expect(next.filter((each) => each === 'claimed')).toHaveLength(2);
		await second.release(rowsFrom(10, 11));
		expect(await says(second, rowsFrom(30, 31))).toEqual(['claimed']);
	});

	it('a place near the end of a long day is found in few writes, also by another run', async () => {
		const limits = { perDay: 10_000 };
		await run({ limits }).claim(rowsFrom(0, 9_010));
		host.recorded = [];
		await run({ limits }).claim(rowsFrom(9_010, 9_011));
		expect(host.recorded.length).toBeLessThan(20);
		expect(host.keys.filter((key) => key.startsWith('calls '))).toHaveLength(9_011);
	});
});

describe('releases', () => {
	it('do not take out what another run has entered', async () => {
		await run().claim(rows(['+1']));
		const later = run({ calledBefore: 'onceForEach' });
		await later.claim(rows(['+1'], 'a'));
		await later.release(rows(['+1']));
		expect(host.keys).toEqual([MARK, 'person +1']);
	});

	it('are tried twice, and end the run with its next claim if the database rejects them', async () => {
		const claims = run();
		await claims.claim(rows(['+1', '+2']));
		const broken = ['before' as const];
		host.breaks = () => broken.pop();
		await claims.release(rows(['+1', '+2']).slice(1));
		expect([host.keys, claims.unwritten]).toEqual([[MARK, 'person +1'], undefined]);
		broken.push('before', 'before');
		await claims.release(rows(['+1']));
		expect(claims.unwritten).toBeInstanceOf(Error);
		await expect(claims.claim(rowsFrom(5, 6))).rejects.toThrow('connection refused');
		expect(host.keys).toEqual([MARK, 'person +1']);
	});
});

describe('a run', () => {
	it('claims that wait for the list’s turn share a write, and each keeps its own refusals', async () => {
		await run().claim(rows(['+4']));
		const claims = run();
		const asked = await Promise.all([
			claims.claim(rowsFrom(1, 3)),
			claims.claim(rowsFrom(3, 5)),
			claims.claim([{ position: 5, person: '+4' }]),
		]);
		expect(asked.map((heldBack) => [...heldBack.keys()])).toEqual([[5], [5], [5]]);
		expect(host.recorded).toEqual([2, 6]);
	});

	it('a write that is rejected concerns all who shared it', async () => {
		const broken = ['before' as const];
		host.breaks = () => broken.pop();
		const claims = run();
		const windows = [rowsFrom(0, 1), rowsFrom(1, 2)];
		const asked = await Promise.allSettled(windows.map((each) => claims.claim(each)));
		expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	});

	it('rejects a claim if the database does, and others go on', async () => {
		const broken = ['after' as const];
		host.breaks = () => broken.pop();
		const people = [rows(['+1']), rows(['+2'])];
		const asked = await Promise.allSettled(people.map((each) => run().claim(each)));
		expect(asked.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
		expect(host.keys).toEqual([MARK, 'person +1', 'person +2']);
	});
});
