import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { pairs, shown, all, statuses } from './helpers/outcomes';
import { bulk, contacts, OPERATIONS, phone, place } from './helpers/workflows';

const bench = workbench();
storeForEach();

describe('AI tool', () => {
	const byModel = (name: string): string =>
		`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`\`, 'string') }}`;

	describe('an agent’s tool', () => {
		it.each(OPERATIONS)('%s gives the agent all rows, called or not', async (_, operation) => {
			const rows = [{ phone: phone(0) }, { phone: 'none' }, { phone: phone(1) }];
			const { items, json, errorItems } = await bench.run(operation(), rows, { asTool: true });
			expect(statuses(json)).toEqual(['initiated', 'invalid', 'initiated']);
			expect(pairs(items)).toEqual([0, 1, 2]);
			expect(errorItems).toEqual([]);
		});

		it('G8 remembers whom it called', async () => {
			const use = async () =>
				(await bench.run(place({ calledBefore: 'skip' }), contacts(1), { asTool: true })).json[0];
			expect([(await use())?.called, (await use())?.called]).toEqual(['yes', 'no']);
		});

		it('G12 calls no country that was not chosen, whatever number the model writes', async () => {
			const rows = [{ phone: '+14155552671' }, { phone: '+442079460000' }, { phone: '112' }];
			const parameters = place({ countries: ['US'] });
			const { json } = await bench.run(parameters, rows, { asTool: true });
			expect(statuses(json)).toEqual(['initiated', 'not_allowed', 'invalid']);
			expect(bench.dialed).toEqual(['+14155552671']);
		});

		it.each<[string, INodeParameters]>([
			['Countries That May Be Called', { countries: byModel('Countries') }],
			[
				'Calling ',
				{
					callingHours: 'custom',
					callingWindows: { window: [{ days: ['mon'], from: '00:00', to: byModel('To') }] },
				},
			],
			['My Own Phone', { mode: 'test', testNumber: byModel('Phone') }],
		])('G12 that leaves %s to the model calls nobody', async (label, more) => {
			const run = await bench.run(place(more), contacts(1), { asTool: true });
			// Some versions of the host hand the expression over as a text.
			expect(shown(run).message).toContain(label);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});

	describe('a tool that n8n’s Agents run without a workflow', () => {
		const alone = { alone: true, asTool: true } as const;

		it('calls with Call Again', async () => {
			expect((await bench.run(place(), contacts(1), alone)).json[0]!.called).toBe('yes');
		});

		it('G8 calls nobody where people are to be remembered', async () => {
			const ended = await bench.run(place({ calledBefore: 'skip' }), contacts(1), alone);
			expect(shown(ended).message).toMatch(/call history/);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});
});

describe('features of n8n', () => {
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
			expect((await bench.run(parameters, [columns])).json).toMatchObject([columns, columns]);
		});

		it('an answer without end comes out with bounded fields', async () => {
			const more = { list: all(50_000, 'x') };
			const body = { success: true, call_id: 'c'.repeat(100_000), eta: 5, more };
			bench.sandbox.fault({ kind: 'respond', status: 201, body });
			const { json } = await bench.run(place(), contacts(1));
			expect(json[0]).toMatchObject({ status: 'placed', eta: 5 });
			expect(JSON.stringify(json).length).toBeLessThan(10_000);
		});
	});
});
