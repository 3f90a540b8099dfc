import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { AGENT, bulk, CALLER, phone, place, SIP_AGENT } from './helpers/workflows';

// Limits are counted as calls leave: those of an agent together, and equal numbers in different requests.

const bench = workbench();
storeForEach();

interface Contact {
	id: number;
	phone: string;
	agent: string;
	word: string;
}

const contactsOf = (phones: number[], agents: string[] = []): Contact[] =>
	phones.map((n, id) => ({ id, phone: phone(n), agent: agents[id] ?? AGENT, word: `word ${id}` }));

/** The rows that a dry run says would be called, and those that Live calls. */
async function both(
	parameters: INodeParameters,
	rows: Contact[],
): Promise<{ dry: unknown[]; live: unknown[] }> {
	const those = ({ items }: Finished, status: string): unknown[] =>
		items.flatMap(({ json }) => (json.status === status ? [json.id] : []));
	const dry = await bench.run({ ...parameters, mode: 'dryRun' }, rows as never);
	const live = await bench.run(parameters, rows as never);
	return { dry: those(dry, 'dry_run'), live: those(live, 'initiated') };
}

const words = {
	variablesFrom: 'json',
	promptVariablesJson: '={{ JSON.stringify({ name: $json.word }) }}',
	calledBefore: 'callAgain',
};
const oncePerDay = { limit: [{ calls: 1, per: 'day' }] };

it.each<[string, INodeParameters, Contact[], number[]]>([
	[
		'Max Calls per Day with two agents',
		bulk({
			calledBefore: 'skip',
			agentNumber: '={{ $json.agent }}',
			callerNumber: CALLER,
			options: { maxCallsPerDay: 2 },
		}),
		contactsOf([0, 1, 2, 3], [AGENT, SIP_AGENT, AGENT, SIP_AGENT]),
		[0, 2],
	],
	[
		'Max Calls and Max Calls per Day with two agents',
		bulk({
			calledBefore: 'skip',
			agentNumber: '={{ $json.agent }}',
			callerNumber: CALLER,
			options: { maxCalls: 4, maxCallsPerDay: 3 },
		}),
		contactsOf([0, 1, 2, 3, 4, 5], [AGENT, SIP_AGENT, AGENT, SIP_AGENT, AGENT, SIP_AGENT]),
		[0, 1, 2],
	],
	[
		'Call Each Row and Calls per Person',
		bulk({ ...words, options: { duplicates: 'callEach', callsPerPerson: oncePerDay } }),
		contactsOf([1, 2, 2]),
		[0, 2],
	],
	[
		'Call Each Row and Max Calls per Day, with Place Call',
		place({ ...words, options: { duplicates: 'callEach', maxCallsPerDay: 2 } }),
		contactsOf([1, 2, 1]),
		[0, 2],
	],
])('a dry run names the rows that Live calls: %s', async (_, parameters, rows, ids) => {
	const options = { ...(parameters.options as object), includeInputFields: true };
	const { dry, live } = await both({ ...parameters, options }, rows);
	expect(live).toEqual(dry);
	expect([...live].sort()).toEqual(ids);
});

it.each([
	[9, 3, 0, 13],
	[9, 4, 2, 12],
	[8, 6, 1, 15],
	[10, 5, 3, 12],
	[11, 11, 2, 20],
])(
	'so it does beside %i people who were called before and %i others, for the rows %i and %i of a number that may be called once',
	async (before, others, ...places) => {
		const parameters = bulk({
			...words,
			calledBefore: 'skip',
			options: { duplicates: 'callEach', callsPerPerson: oncePerDay, includeInputFields: true },
		});
		const known = Array.from({ length: before }, (_, n) => 100 + n);
		await bench.run(parameters, contactsOf(known) as never);
		const phones = [...known, ...Array.from({ length: others }, (_, n) => 1 + n)];
		for (const place of places) phones.splice(place, 0, 0);
		const { dry, live } = await both(parameters, contactsOf(phones));
		expect(live).toEqual(dry);
		expect(live).toHaveLength(others + 1);
	},
);
