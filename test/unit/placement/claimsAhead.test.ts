import { Claims } from '../../../nodes/OutboundCalls/memory/claims';
import { ClaimsAhead } from '../../../nodes/OutboundCalls/placement/claimsAhead';
import { HostList, MARK, rowsFrom, settings } from '../memory/hostList';

const SIZE = 10;

let host: HostList;

beforeEach(() => {
	host = new HostList();
	host.keys = [MARK];
});

/** A run over so many rows, in requests of ten. */
const open = (count: number, people: number) => {
	host.fill(people);
	const order = rowsFrom(0, count);
	const ahead = new ClaimsAhead(new Claims(host.open(), settings()), order);
	const request = (n: number) => order.slice(n * SIZE, (n + 1) * SIZE);
	return { ahead, request, claim: async (n: number) => await ahead.claim(request(n)) };
};

/** How many rows each write was to claim. */
const claimed = () => host.recorded.map((keys) => keys - 1);
/** How many people of the run are in the list. */
const entered = () => host.keys.filter((key) => key.startsWith('person +1')).length;

it.each<[string, number, number[]]>([
	['request by request while the list is short', 100, Array<number>(30).fill(10)],
	['100 at once from 5,000 keys on', 5_000, [100, 100, 100]],
	['500 at once from 50,000 keys on', 50_000, [500, 500, 200]],
	['1,000 at once from 500,000 keys on', 500_000, [1_000, 200]],
])('rows are claimed %s', async (_, people, writes) => {
	const rows = writes.reduce((sum, each) => sum + each);
	const { ahead, claim } = open(rows, people);
	for (let n = 0; n < rows / SIZE; n++) expect((await claim(n)).size).toBe(0);
	await ahead.close();
	expect([claimed(), entered(), host.counts]).toEqual([writes, rows, 1]);
});

it('more rows are claimed ahead as the run itself makes the list longer', async () => {
	const { claim } = open(300, 4_985);
	for (let n = 0; n < 5; n++) await claim(n);
	expect(claimed()).toEqual([10, 10, 100]);
});

it('the next rows are claimed while the last request of those before is sent', async () => {
	const { claim } = open(300, 5_000);
	for (let n = 0; n < 9; n++) await claim(n);
	expect(entered()).toBe(100);
	await claim(9);
	while (entered() < 200) await new Promise((resolve) => setTimeout(resolve, 5));
	expect(entered()).toBe(200);
});

it('parallel requests that overtake one another claim each row once', async () => {
	const { ahead, claim } = open(300, 5_000);
	const lanes = [2, 0, 1, 4, 3].map(async (lane) => {
		for (let n = lane; n < 30; n += 5) expect((await claim(n)).size).toBe(0);
	});
	await Promise.all(lanes);
	await ahead.close();
	expect(entered()).toBe(300);
	expect(claimed().reduce((sum, each) => sum + each)).toBe(300);
});

it('each request learns which of its rows are held back', async () => {
	host.keys = [...host.keys, 'person +13', 'person +115'];
	const { claim } = open(100, 5_000);
	const [first, second] = [await claim(0), await claim(1)];
	expect([first.get(3)?.by, second.get(15)?.by]).toEqual(['called_before', 'called_before']);
});

it('rows that did not have their turn are released in one write', async () => {
	const { ahead, claim, request } = open(300, 5_000);
	await claim(0);
	await ahead.claim(request(1).slice(0, 3));
	host.removed = [];
	await ahead.close();
	expect([entered(), host.removed]).toEqual([13, [87]]);
});

it('rows that are claimed once more claim no further rows ahead', async () => {
	const { ahead, request } = open(300, 5_000);
	await ahead.claim(request(0));
	await ahead.claim(request(0));
	expect(claimed()).toEqual([100, 10]);
});

it('all who wait for a row that was claimed ahead learn that the database rejected it', async () => {
	const { ahead, claim } = open(300, 5_000);
	const broken = ['before' as const];
	host.breaks = () => broken.pop();
	const asked = await Promise.allSettled([claim(0), claim(1)]);
	expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	await claim(10);
	await ahead.close();
	expect(entered()).toBe(10);
});
