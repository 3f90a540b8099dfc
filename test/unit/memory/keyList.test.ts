import { HostList } from './hostList';

const names = (count: number) => Array.from({ length: count }, (_, n) => `key ${n}`);

let host: HostList;

beforeEach(() => {
	host = new HostList();
});

describe('the list', () => {
	it('executions that write at the same moment lose nothing', async () => {
		const entered = await Promise.all(names(20).map((key) => host.open().enter([key, 'shared'])));
		expect(host.keys).toHaveLength(21);
		expect(entered.filter((fresh) => fresh.has('shared'))).toHaveLength(1);
	});

	it('a step is not interleaved', async () => {
		const step = host.open().step(async (turn) => {
			await turn.enter(['a']);
			await turn.remove(['a']);
		});
		const [, fresh] = await Promise.all([step, host.open().enter(['a'])]);
		expect([fresh.size, host.keys]).toEqual([1, ['a']]);
	});

	it('a step that rejects keeps nobody waiting', async () => {
		const failed = host.open().step(async () => await Promise.reject(new Error('broken')));
		const entered = host.open().enter(['a']);
		await expect(failed).rejects.toThrow('broken');
		expect((await entered).size).toBe(1);
	});

	it.each([
		[0, 10_000],
		[95_000, 500],
		[600_000, 100],
	])('with %d keys, asking and removing go in slices of %d', async (size, slice) => {
		host.fill(size);
		await host.open().ask(names(2 * slice));
		expect(host.recorded).toEqual([slice, slice]);
		expect(host.removed).toEqual([slice, slice]);
		host.removed = [];
		await host.open().remove(names(slice + 1));
		expect(host.removed).toEqual([slice, 1]);
	});

	it('asking stops when the execution is stopped', async () => {
		await expect(host.open(AbortSignal.abort()).ask(names(10))).rejects.toThrow('aborted');
		expect(host.recorded).toEqual([]);
	});
});
