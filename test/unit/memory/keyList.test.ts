import { HostList } from './hostList';

const names = (count: number) => Array.from({ length: count }, (_, n) => `key ${n}`);

let host: HostList;

beforeEach(() => {
	host = new HostList();
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
