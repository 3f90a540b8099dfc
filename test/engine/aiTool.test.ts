import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, contacts, pairs, phone, place, shown } from './helpers/workflows';

const bench = workbench();
storeForEach();

const operations = [
	['Bulk Call', bulk],
	['Place Call', place],
] as const;
const byModel = (name: string): string =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`\`, 'string') }}`;

describe('an agent’s tool', () => {
	it.each(operations)('%s gives the agent all rows, called or not', async (_, operation) => {
		const rows = [{ phone: phone(0) }, { phone: 'none' }, { phone: phone(1) }];
		const { items, json, errorItems } = await bench.run(operation(), rows, { asTool: true });
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'invalid', 'initiated']);
		expect(pairs(items)).toEqual([0, 1, 2]);
		expect(errorItems).toEqual([]);
	});

	it('G8 remembers whom it called', async () => {
		const use = async () =>
			(await bench.run(place({ calledBefore: 'skip' }), contacts(1), { asTool: true })).json[0];
		expect([(await use())?.called, (await use())?.called]).toEqual(['yes', 'no']);
	});

	it.each<[string, INodeParameters, RegExp]>([
		['no country', { countries: [] }, /countr.*US|United States/i],
		['an unknown country', { countries: ['XX'] }, /XX/],
	])('G12 with %s calls nobody, which n8n does not check for tools', async (_, fields, message) => {
		for (const [, operation] of operations) {
			const { message: what, description } = shown(
				await bench.run(operation(fields), contacts(1), { asTool: true, alone: true }),
			);
			expect(`${what} ${description}`).toMatch(message);
		}
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('G12 calls no country that was not chosen, whatever number the model writes', async () => {
		const rows = [{ phone: '+14155552671' }, { phone: '+442079460000' }, { phone: '112' }];
		const parameters = place({ countries: ['US'] });
		const { json } = await bench.run(parameters, rows, { asTool: true });
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'not_allowed', 'invalid']);
		expect(bench.dialed).toEqual(['+14155552671']);
	});

	it.each<[string, INodeParameters]>([
		['Countries That May Be Called', { countries: byModel('Countries') }],
		['Calling Hours', { callingHours: byModel('Hours') }],
		[
			'Calling ',
			{
				callingHours: 'custom',
				callingWindows: { window: [{ days: ['mon'], from: '00:00', to: byModel('To') }] },
			},
		],
		['People Called Before', { calledBefore: byModel('Before') }],
		['My Own Phone', { mode: 'test', testNumber: byModel('Phone') }],
		['Special Numbers', { rules: { specialNumbers: byModel('Special') } }],
	])(
		'G12 that leaves %s to the model calls nobody: it takes no expression',
		async (label, more) => {
			const run = await bench.run(place(more), contacts(1), { asTool: true });
			// Some versions of the host hand the expression over as a text.
			expect(shown(run).message).toContain(label);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);
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
