import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, place, shown } from './helpers/workflows';

/** What n8n does with a node that its own settings or features ask for, and what comes in without end. */
const bench = workbench();
const store = storeForEach();

const operations = [
	['Bulk Call', bulk],
	['Place Call', place],
] as const;

it.each(operations)(
	'%s with Execute Once says that only one row was read',
	async (_, operation) => {
		for (const mode of ['live', 'dryRun']) {
			const { json, hints } = await bench.run(operation({ mode }), contacts(3), {
				executeOnce: true,
			});
			expect(json).toHaveLength(1);
			expect(hints[0]!.message).toMatch(/Execute Once/);
		}
		expect(bench.dialed).toEqual([phone(0)]);
	},
);

describe.each(operations)('an execution of n8n’s Evaluations, %s', (_, operation) => {
	it('is a dry run, whatever Mode says, and does not open Live', async () => {
		store.isOpen = false;
		const parameters = operation({ calledBefore: 'skip' });
		const run = await bench.run(parameters, contacts(2), { mode: 'evaluation' });
		expect(run.json.map(({ status }) => status)).toEqual(['dry_run', 'dry_run']);
		expect(run.hints[0]!.message).toMatch(/Evaluations call nobody/);
		expect(shown(await bench.run(parameters, contacts(1))).message).toMatch(/dry run/);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('G9 nothing grows with what comes in', () => {
	it.each([
		['JSON', '={{ $json.people }}'],
		['JSON of what no field is named for', '={{ Object.values($json)[1] }}'],
	])('the field that %s came from stands in none of its rows', async (_, destinationsJson) => {
		const people = [0, 1, 2].map(phone);
		const source = { destinationSource: 'json', destinationsJson };
		const parameters = bulk({ ...source, options: { includeInputFields: true } });
		const { json } = await bench.run(parameters, [{ campaign: 'spring', people }]);
		expect(json.map((row) => [row.campaign, row.people, row.destination])).toEqual(
			people.map((each) => ['spring', undefined, each]),
		);
	});

	it('the columns that a list in the panel names stand in its rows', async () => {
		const destination = [{ phone: '={{ $json.home }}' }, { phone: '={{ $json.work }}' }];
		const source = { destinationSource: 'list', destinationList: { destination } };
		const columns = { home: phone(0), work: phone(1) };
		const parameters = bulk({ ...source, options: { includeInputFields: true } });
		const { json } = await bench.run(parameters, [columns]);
		expect(json).toMatchObject([
			{ destination: phone(0), ...columns },
			{ destination: phone(1), ...columns },
		]);
	});

	it('an answer without end comes out with bounded fields', async () => {
		const more = { list: Array(50_000).fill('x') };
		const body = { success: true, call_id: 'c'.repeat(100_000), more, eta: 5 };
		bench.sandbox.fault({ kind: 'respond', status: 201, body });
		const { json } = await bench.run(place(), contacts(1));
		expect(json[0]).toMatchObject({ status: 'placed', eta: 5 });
		expect(JSON.stringify(json).length).toBeLessThan(10_000);
	});

	it('an agent number or an External Call ID without end is not sent', async () => {
		const long = '1'.repeat(2_000);
		const rows = [long, '7'].map((id, n) => ({ phone: phone(n), id }));
		const externalCallId = '={{ $json.id }}';
		const { json } = await bench.run(place({ options: { externalCallId } }), rows);
		expect(json.map(({ status }) => status)).toEqual(['invalid', 'initiated']);
		expect(json[0]!.reason).toMatch(/External Call ID.*2000.*500/);
		const agents = bulk({ agentNumber: '={{ $json.id }}', mode: 'dryRun' });
		expect((await bench.run(agents, rows.slice(0, 1))).json[0]!.status).toBe('invalid');
	});
});
