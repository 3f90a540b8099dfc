import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { AGENT, bulk, CALLER, phone, place, SIP_AGENT, text } from './helpers/workflows';

// Limits count as requests leave, by agent, and duplicates take the place of rows that are left out.

const bench = workbench();
storeForEach();

const rowsOf = (phones: number[], more: (id: number) => IDataObject = () => ({})): IDataObject[] =>
	phones.map((n, id) => ({ id, phone: phone(n), ...more(id) }));
const inTurns = (id: number) => ({ agent: id % 2 === 0 ? AGENT : SIP_AGENT });
const twoAgents = { agentNumber: '={{ $json.agent }}', callerNumber: CALLER };
const visits = { calledBefore: 'onceForEach', onceForEach: '={{ $json.visit }}' };
const oncePerDay = { callsPerPerson: { limit: [{ calls: 1, per: 'day' }] } };

it.each<[string, INodeParameters, IDataObject[], number[]]>([
	[
		'Max Calls per Day with two agents',
		{ ...twoAgents, rules: { maxCallsPerDay: 2 } },
		rowsOf([0, 1, 2, 3], inTurns),
		[0, 2],
	],
	[
		'Max Calls and Max Calls per Day with two agents',
		{ ...twoAgents, rules: { maxCalls: 4, maxCallsPerDay: 3 } },
		rowsOf([0, 1, 2, 3, 4, 5], inTurns),
		[0, 1, 2],
	],
	[
		'Max Calls with two agents',
		{ ...twoAgents, rules: { maxCalls: 2 } },
		rowsOf([0, 1, 2, 3], inTurns),
		[0, 1],
	],
	[
		'Max Calls beside somebody who was called before',
		{ rules: { maxCalls: 2 } },
		rowsOf([9, 1, 2, 3]),
		[1, 2],
	],
	['a duplicate', {}, rowsOf([1, 2, 1]), [0, 1]],
	[
		'a duplicate of a row that is invalid',
		{ optedOut: '={{ $json.gone }}' },
		rowsOf([1, 2, 2], (id) => ({ gone: id === 0 ? 'yes' : '' })),
		[1],
	],
	[
		'a person whose first value was called before',
		visits,
		rowsOf([9, 9, 2], (id) => ({ visit: ['before', 'new', 'new'][id]! })),
		[1, 2],
	],
	[
		'a person who was called today',
		{ ...visits, rules: oncePerDay },
		rowsOf([9, 1], (id) => ({ visit: `A-${id}` })),
		[1],
	],
])('G8 a dry run names the rows that Live calls: %s', async (_, more, rows, ids) => {
	const parameters = bulk({ calledBefore: 'skip', ...more, options: { includeInputFields: true } });
	for (const operation of [bulk(parameters), place(parameters)]) {
		const workflowId = text(operation.operation);
		const before = rows.filter((row) => row.phone === phone(9)).slice(0, 1);
		if (before.length > 0) await bench.run(operation, before, { workflowId });
		const idsWith = async (mode: string, status: string): Promise<unknown[]> =>
			(await bench.run({ ...operation, mode }, rows, { workflowId })).json
				.filter((row) => row.status === status)
				.map(({ id }) => id);
		const planned = await idsWith('dryRun', 'dry_run');
		expect(await idsWith('live', 'initiated')).toEqual(planned);
		expect([...planned].sort()).toEqual(ids);
	}
});
