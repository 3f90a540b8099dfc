import { startSandbox, type Sandbox } from '../sandbox';
import { workbench } from './helpers/workbench';
import { bulk, cancel, contacts, getBatch, phone, place, shown } from './helpers/workflows';

/** A credential may hold expressions, which n8n resolves for one item: here each row may name an account of its own. */
const bench = workbench();
let other: Sandbox;
beforeAll(async () => {
	other = await startSandbox({ token: 'tk_other_account' });
});
afterEach(() => {
	other.reset();
});
afterAll(async () => {
	await other.close();
});

/** No row holds a whole token: after each test, everything that came out is searched for it. */
const of = (account: Sandbox) => ({
	base: account.baseUrl,
	end: account.token.slice(3),
	is: account === other ? 'B' : 'A',
});
const BY_COLUMNS = { baseUrl: '={{ $json.base }}', token: '=tk_{{ $json.end }}' };
const rowsOf = (...accounts: Sandbox[]) =>
	accounts.map((account, n) => ({ phone: phone(n), ...of(account) }));

const REFUSED = {
	message: 'The credential is another one for row 3, but it counts for the whole run',
	description: expect.stringMatching(/^Give it one value for all rows\./),
};

describe('a credential with expressions', () => {
	it.each([
		['Bulk Call', bulk()],
		['Place Call', place()],
		['Get Batch', getBatch()],
		['Cancel Call', cancel()],
	])(
		'G12 %s: rows of two accounts call nobody by the account of the first row',
		async (_, parameters) => {
			const { sandbox } = bench;
			const id = '00000000-0000-4000-8000-000000000000';
			const rows = rowsOf(sandbox, sandbox, other).map((row) => ({
				...row,
				batch_id: id,
				consent_id: 7,
			}));
			expect(shown(await bench.run(parameters, rows, { api: BY_COLUMNS }))).toMatchObject(REFUSED);
			expect([sandbox.requests, other.requests]).toEqual([[], []]);
		},
	);

	it('G12 with On Error = Continue the rows come out as refused, with the sentence', async () => {
		const rows = rowsOf(bench.sandbox, bench.sandbox, other);
		const { json } = await bench.run(bulk(), rows, {
			api: BY_COLUMNS,
			onError: 'continueRegularOutput',
		});
		expect(json.map(({ status, reason }) => [status, reason])).toEqual(
			Array(3).fill(['refused', `${REFUSED.message}. Give it one value for all rows.`]),
		);
	});

	it.each([
		["the row's place", '{{ $itemIndex === 2 ? "B" : "A" }}'],
		['a comparison that holds for no row, too', '{{ $input.item?.json.is === "B" ? "B" : "A" }}'],
		['another step', '{{ $("Start").item.json.is }}'],
		['a column', '{{ $json["is"] }}'],
	])('G12 the token names %s: nobody is called', async (_, expression) => {
		const rows = rowsOf(bench.sandbox, bench.sandbox, other);
		const api = { baseUrl: bench.sandbox.baseUrl, token: `=tk_${expression}` };
		expect(shown(await bench.run(bulk(), rows, { api }))).toMatchObject(REFUSED);
	});

	it.each([
		['columns', BY_COLUMNS],
		[
			'the first item',
			{
				baseUrl: '={{ $("Start").first().json.base }}',
				token: '=tk_{{ $input.first().json.end }}',
			},
		],
	])('rows of one account are called, where it comes from %s', async (_, api) => {
		const { called } = await bench.run(bulk(), rowsOf(...Array<Sandbox>(12).fill(bench.sandbox)), {
			api,
		});
		expect(called).toHaveLength(12);
	});

	it('is read twice where it is the same for all rows, however many they are, and once for a single row', async () => {
		let reads = 0;
		const onCredentialRead = () => {
			reads++;
		};
		await bench.run(bulk(), contacts(30), { onCredentialRead });
		expect(reads).toBe(2);
		await bench.run(bulk(), contacts(1), { onCredentialRead });
		expect(reads).toBe(3);
	});

	it('G10 after Stop it is not read for further rows, and nobody is called', async () => {
		let reads = 0;
		let stop = (): void => undefined;
		const onCredentialRead = () => {
			if (++reads === 5) stop();
		};
		await bench.run(bulk(), rowsOf(...Array<Sandbox>(100).fill(bench.sandbox)), {
			api: BY_COLUMNS,
			onCredentialRead,
			onStarted: (stopIt) => (stop = stopIt),
		});
		expect([reads, bench.dialed]).toEqual([5, []]);
	});
});
