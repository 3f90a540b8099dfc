import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { workbench } from './helpers/workbench';
import { assignments, bulk, phone, place, shown } from './helpers/workflows';

// A tool of an AI agent is given what the agent's item says, and what the model does. Its pairing leads to the first item, whichever the agent is at (n8n behaviour).

const bench = workbench();
const people: IDataObject[] = [
	{ phone: phone(0), name: 'Anna', opted_out: 'no' },
	{ phone: phone(1), name: 'Bert', opted_out: 'yes' },
];
const asTool = { asTool: true, listBefore: people, listTaken: 'inTurns', rowsFrom: [0] } as const;

describe.each(['item', 'first()'])(
	'a tool that takes a column by $("List").%s, of a step with several items',
	(item) => {
		const of = (column: string): string => `={{ $("List").${item}.json.${column} }}`;

		it.each<[string, string, INodeParameters]>([
			['the number', 'Destination', place({ destination: of('phone') })],
			['G11 who opted out', 'Opted Out', place({ options: { optedOut: of('opted_out') } })],
			[
				'the words',
				'Prompt Variables',
				place({ promptVariables: assignments({ name: of('name') }) }),
			],
			[
				'what people are remembered by',
				'Remember People By',
				place({ calledBefore: 'skip', options: { callOnceKey: of('name') } }),
			],
			[
				'the number of a list',
				'Destination',
				bulk({ destinationSource: 'json', destinationsJson: of('phone') }),
			],
		])('%s: nobody is called', async (_, label, parameters) => {
			const run = await bench.run(parameters, people.slice(1), asTool);
			expect(shown(run).message).toMatch(new RegExp(`^${label} takes `));
			expect(bench.dialed).toEqual([]);
		});
	},
);

it.each<[string, INodeParameters]>([
	['countries', { countries: '={{ $("List").item.json.country }}' }],
	['called before', { calledBefore: '={{ $("List").item.json.before }}' }],
	['max calls', { options: { maxCalls: '={{ $("List").item.json.most }}' } }],
	[
		'calling hours',
		{
			options: {
				callingHours: {
					window: [{ days: ['mon'], from: '={{ $("List").item.json.from }}', to: '24:00' }],
				},
			},
		},
	],
])('a tool that takes %s by the step: nobody is called', async (option, more) => {
	const list = people.map((row, n) => ({
		...row,
		country: ['US', 'DE'][n],
		before: ['callAgain', 'skip'][n],
		most: n,
		from: `0${n}:00`,
	}));
	const run = await bench.run(place(more), people.slice(1), { ...asTool, listBefore: list });
	expect(shown(run).message).toBe(
		`The option ${option} takes an item of the step "List", which has others, and n8n does not tell a tool which one the agent is at`,
	);
	expect(bench.dialed).toEqual([]);
});

it('a tool that takes a limit of the first line of a table: called', async () => {
	const list = people.map((row, n) => ({ ...row, most: n + 1 }));
	await bench.run(
		place({ options: { maxCalls: '={{ $("List").first().json.most }}' } }),
		people.slice(0, 1),
		{ ...asTool, listBefore: list },
	);
	expect(bench.dialed).toEqual([phone(0)]);
});

it('a tool whose agent has one item takes its columns by the step', async () => {
	const parameters = place({
		destination: '={{ $("List").item.json.phone }}',
		options: { optedOut: '={{ $("List").item.json.opted_out }}' },
	});
	await bench.run(parameters, people.slice(0, 1), { ...asTool, listBefore: people.slice(0, 1) });
	expect(bench.dialed).toEqual([phone(0)]);
});

it('a tool takes the columns of the item that the agent is given', async () => {
	await bench.run(
		place({ options: { optedOut: '={{ $json.opted_out }}' } }),
		[{ ...people[0], phone: phone(3) }],
		asTool,
	);
	expect(bench.dialed).toEqual([phone(3)]);
});
