import type { INodeParameters } from 'n8n-workflow';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import {
	AGENT_WITH_PROMPT,
	assignments,
	bulk,
	contacts,
	pairs,
	phone,
	shown,
} from './helpers/workflows';

const bench = workbench();

const called = () => bench.sandbox.journal.map((dial) => [dial.phone, dial.variables]);

it('a list has a row for each number, with its own variables over the shared ones', async () => {
	const { json, items } = await bench.run(
		bulk({
			agentNumber: AGENT_WITH_PROMPT,
			destinationSource: 'list',
			destinationList: {
				destination: [
					{ phone: phone(1), promptVariables: assignments({ name: 'Ada' }) },
					{ phone: phone(2), promptVariables: assignments({ name: 'Bob', amount: '9' }) },
					{ phone: phone(3) },
				],
			},
			promptVariables: assignments({ name: 'there', amount: '5' }),
		}),
	);
	expect(called()).toEqual([
		[phone(1), { name: 'Ada', amount: '5' }],
		[phone(2), { name: 'Bob', amount: '9' }],
		[phone(3), { name: 'there', amount: '5' }],
	]);
	expect(json.map(({ destination }) => destination)).toEqual([phone(1), phone(2), phone(3)]);
	expect(pairs(items)).toEqual([0, 0, 0]);
	expect(bench.sandbox.requests).toHaveLength(1);
});

it('JSON has a row for each number, with its own variables over the shared ones', async () => {
	const { items } = await bench.run(
		bulk({
			agentNumber: AGENT_WITH_PROMPT,
			destinationSource: 'json',
			destinationsJson: JSON.stringify([
				phone(1),
				{ phone: phone(2), prompt_variables: { name: 'Bob', amount: 12.5 } },
			]),
			variablesFrom: 'json',
			promptVariablesJson: '{"name": "there", "amount": "5"}',
		}),
	);
	expect(called()).toEqual([
		[phone(1), { name: 'there', amount: '5' }],
		[phone(2), { name: 'Bob', amount: '12.5' }],
	]);
	expect(pairs(items)).toEqual([0, 0]);
});

it('a list of numbers without variables is sent in the short form', async () => {
	await bench.run(
		bulk({ destinationSource: 'json', destinationsJson: JSON.stringify([phone(1), phone(2)]) }),
	);
	expect(bench.bodies()).toEqual([
		{ agent_number: '+15550001000', destinations: [phone(1), phone(2)] },
	]);
});

it('JSON from an expression may be a list already, one for each item', async () => {
	const { items } = await bench.run(
		bulk({ destinationSource: 'json', destinationsJson: '={{ $json.phones }}' }),
		[{ phones: [phone(1), phone(2)] }, { phones: [phone(3)] }],
	);
	expect(bench.dialed).toEqual([phone(1), phone(2), phone(3)]);
	expect(pairs(items)).toEqual([0, 0, 1]);
	expect(bench.sandbox.requests).toHaveLength(1);
});

describe('a list that is typed in, with several input items', () => {
	const listed = (more: INodeParameters = {}): INodeParameters =>
		bulk({
			destinationSource: 'list',
			destinationList: { destination: [{ phone: phone(1) }, { phone: phone(2) }] },
			...more,
		});
	const alerts = [{ alert: 'Door' }, { alert: 'Fire' }];
	const each = { options: { duplicates: 'callEach' } };

	it('G2 is called once', async () => {
		await bench.run(listed(), alerts);
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
	});

	it.each<[string, INodeParameters]>([
		['list', listed(each)],
		['JSON', bulk({ destinationSource: 'json', destinationsJson: `["${phone(1)}"]`, ...each })],
	])(
		'G2 calls nobody once for each item with the same words, where each row is called: %s',
		async (_, parameters) => {
			expect(shown(await bench.run(parameters, alerts))).toMatchObject({
				message: expect.stringContaining(
					'With Call Each Row, the list would be called once for each input item',
				),
				description: expect.stringContaining('Execute Once'),
			});
			expect(bench.dialed).toEqual([]);
			await bench.run(parameters, alerts.slice(1));
			expect(bench.dialed).toContain(phone(1));
		},
	);

	it('calls for each item where items say something else, and twice for a number that stands in the list twice', async () => {
		await bench.run(
			listed({ ...each, promptVariables: assignments({ alert: '={{ $json.alert }}' }) }),
			[...alerts, alerts[1]!],
		);
		expect(bench.dialed).toHaveLength(6);
		await bench.run(
			listed({
				...each,
				destinationList: { destination: [{ phone: phone(3) }, { phone: phone(3) }] },
			}),
		);
		expect(bench.dialed.slice(6)).toEqual([phone(3), phone(3)]);
	});
});

describe('a JSON list of all rows of a step', () => {
	const all = (options: INodeParameters, more: INodeParameters = {}): INodeParameters =>
		bulk({
			destinationSource: 'json',
			destinationsJson: '={{ $("Start").all().map((row) => row.json.phone) }}',
			options,
			...more,
		});
	const rows = ['no', 'yes'].map((opted_out, n) => ({
		phone: phone(n),
		opted_out,
		zone: 'Europe/Berlin',
	}));

	it.each<[string, INodeParameters]>([
		['Opted Out', { optedOut: '={{ $json.opted_out }}' }],
		['Time Zone', { timeZone: '={{ $json.zone }}' }],
	])(
		'calls nobody where %s is a column of the one row that comes in: it says nothing of the others',
		async (label, options) => {
			expect(shown(await bench.run(all(options), rows, { executeOnce: true }))).toMatchObject({
				message: `${label} is read from the input item, not from the list`,
				description: expect.stringContaining('Set Destinations From to Input Items'),
			});
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions(
		'calls all of them where Remember People By is not read, because each run calls everybody',
		async () => {
			await bench.run(
				all({ callOnceKey: '={{ $json.phone }}' }, { calledBefore: 'callAgain' }),
				rows,
			);
			expect(bench.dialed).toEqual([phone(0), phone(1)]);
		},
	);

	it.each<[string, INodeParameters]>([
		['Mode', { mode: "={{ $json.opted_out === 'yes' ? 'dryRun' : 'live' }}" }],
		['Country of Numbers Without +', { defaultCountry: '={{ $json.country }}' }],
		['Remember People By', { calledBefore: 'skip', options: { callOnceKey: '={{ $json.zone }}' } }],
	])('calls nobody where %s is a column of the input item', async (label, more) => {
		const run = await bench.run(all({}, more), rows);
		expect(shown(run).message).toBe(`${label} is read from the input item, not from the list`);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions.each([
		'$items().map((row) => row.json.phone)',
		'$items("Start").map((row) => row.json.phone)',
		'$jmespath($input.all(), "[].json.phone")',
		"$ifEmpty($('Start').all().map((row) => row.json.phone), [])",
		"$('Start').all(0).map((row) => row.json.phone)",
		'$(`Start`).all().map((row) => row.json.phone)',
		"$input.all().map((row) => ({ phone: row.json.phone, prompt_variables: { name: $json.zone ? row.json.opted_out : '' } }))",
		'$input.all().filter((row) => row.json.zone === $json.zone).map((row) => row.json.phone)',
		// Each item leaves itself out.
		'$input.all().filter((row) => row.json.phone !== $json.phone).map((row) => row.json.phone)',
	])('G2 is not called once for each item: %s', async (list) => {
		const three = [...rows, { ...rows[0]!, phone: phone(2) }];
		const run = await bench.run(
			all({ duplicates: 'callEach' }, { destinationsJson: `={{ ${list} }}` }),
			three,
		);
		expect(shown(run).message).toBe(
			'With Call Each Row, the list would be called once for each input item',
		);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions(
		'is called for each item with other words, and so is a list in a column',
		async () => {
			const promptVariables = assignments({ who: '={{ $json.phone }}' });
			await bench.run(all({ duplicates: 'callEach' }, { promptVariables }), rows);
			expect(bench.dialed).toHaveLength(4);
			const listed = bulk({
				destinationSource: 'json',
				destinationsJson: '={{ $json.phones }}',
				options: { duplicates: 'callEach' },
			});
			await bench.run(listed, [{ phones: [phone(5)] }, { phones: [phone(5)] }]);
			expect(bench.dialed.slice(4)).toEqual([phone(5), phone(5)]);
		},
	);

	itWithFunctions(
		'is called for two alerts that are alike, each in the words of its item, and with the settings of a single item',
		async () => {
			const alerts = ['disk', 'cpu', 'disk'].map((alert) => ({ alert }));
			const team = { destinationsJson: "={{ $('List').all().map((row) => row.json.phone) }}" };
			const words = { promptVariables: assignments({ alert: '={{ $json.alert }}' }) };
			await bench.run(all({ duplicates: 'callEach' }, { ...team, ...words }), alerts, {
				listBefore: rows,
			});
			expect(bench.dialed).toHaveLength(6);
			await bench.run(all({}, { ...team, mode: '={{ $json.mode }}' }), [{ mode: 'live' }], {
				listBefore: rows,
			});
			expect(bench.dialed).toHaveLength(8);
		},
	);

	itWithFunctions('is called with an option that is the same for all', async () => {
		await bench.run(all({ timeZone: 'Europe/Berlin' }), rows, { executeOnce: true });
		expect(bench.dialed).toEqual([phone(0), phone(1)]);
	});
});

describe('every input field as a prompt variable', () => {
	it.each(['={{ $json.phone }}', '={{ $json["phone"] }}', '={{ $input.item.json.phone }}'])(
		'without the destination %s',
		async (destination) => {
			await bench.run(
				bulk({ agentNumber: AGENT_WITH_PROMPT, destination, variablesFrom: 'input' }),
				contacts(1),
			);
			expect(called()).toEqual([[phone(0), { name: 'Person 0', amount: '0.5' }]]);
		},
	);

	it('named like first_name', async () => {
		const sheet = [{ 'Phone Number': phone(1), 'First Name': 'Ada', amountDue: 5 }];
		await bench.run(
			bulk({ destination: '={{ $json["Phone Number"] }}', variablesFrom: 'input' }),
			sheet,
		);
		expect(called()).toEqual([[phone(1), { first_name: 'Ada', amount_due: '5' }]]);
	});

	it('for a number that stands in the node, the fields with that number are left out', async () => {
		await bench.run(bulk({ destination: phone(0), variablesFrom: 'input' }), contacts(1));
		expect(called()).toEqual([[phone(0), { name: 'Person 0', amount: '0.5' }]]);
	});
});

describe('G1 where there is nothing to call, nothing is sent', () => {
	it.each<[string, Parameters<typeof bulk>[0], RegExp, RegExp]>([
		[
			'an empty list',
			{ destinationSource: 'list', destinationList: {} },
			/^Row 1: the list of destinations is empty/,
			/Add at least one/,
		],
		[
			'an empty JSON list',
			{ destinationSource: 'json', destinationsJson: '[]' },
			/^Row 1: the JSON list of destinations is empty/,
			/Add at least one/,
		],
		[
			'JSON that is no list',
			{ destinationSource: 'json', destinationsJson: '{"phone": "+1"}' },
			/^Row 1: the destinations are not a JSON list/,
			/Write them like/,
		],
		[
			'JSON that does not end',
			{ destinationSource: 'json', destinationsJson: '["+1' },
			/^Row 1:.*JSON/,
			/./,
		],
		[
			'JSON with other keys',
			{ destinationSource: 'json', destinationsJson: '[{"phone": "+1", "name": "Ada"}]' },
			/^Row 1:.*"name"/,
			/inside "prompt_variables"/,
		],
		[
			'bad numbers in JSON',
			{ destinationSource: 'json', destinationsJson: '["n/a", "0555"]' },
			/^None of the 2 rows can be called\. Row 1: the destination "n\/a" is not a phone number: it has no digits$/,
			/Check that Destination takes the column/,
		],
		[
			'a number without quotes in JSON',
			{ destinationSource: 'json', destinationsJson: '[15551110001]' },
			/^Row 1: the destination "•••••••0001" has no country code$/,
			/Country of Numbers Without \+.*or write the number with \+ and its country code/,
		],
		[
			'a bad number in a list',
			{ destinationSource: 'list', destinationList: { destination: [{ phone: '0555' }] } },
			/^Row 1:.*"0555"/,
			/leading \+/,
		],
	])('%s', async (_, parameters, message, remedy) => {
		const ended = shown(await bench.run(bulk(parameters)));
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(remedy);
		expect(ended.description).toMatch(/ Nobody was called\.$/);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('a bad number among good ones keeps nobody else from being called', () => {
	it.each<[string, Parameters<typeof bulk>[0]]>([
		[
			'in JSON',
			{ destinationSource: 'json', destinationsJson: JSON.stringify([phone(1), '0555', phone(2)]) },
		],
		[
			'in a list',
			{
				destinationSource: 'list',
				destinationList: {
					destination: [{ phone: phone(1) }, { phone: '0555' }, { phone: phone(2) }],
				},
			},
		],
	])('%s', async (_, parameters) => {
		const { called, notCalled, error } = await bench.run(bulk(parameters));
		expect(error).toBeUndefined();
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
		expect(called.map(({ json }) => [json.destination, json.status])).toEqual([
			[phone(1), 'initiated'],
			[phone(2), 'initiated'],
		]);
		expect(pairs(called)).toEqual([0, 0]);
		expect(notCalled.map(({ json }) => [json.destination, json.status])).toEqual([
			['0555', 'invalid'],
		]);
		expect(pairs(notCalled)).toEqual([0]);
	});

	it('an item whose list is empty is a row of its own', async () => {
		const { called, notCalled } = await bench.run(
			bulk({ destinationSource: 'json', destinationsJson: '={{ $json.phones }}' }),
			[{ phones: [phone(1)] }, { phones: [] }, { phones: [phone(3)] }],
		);
		expect(pairs(called)).toEqual([0, 2]);
		expect(
			notCalled.map(({ json, pairedItem }) => [
				json.status,
				json.reason,
				json.destination,
				pairedItem,
			]),
		).toEqual([
			[
				'invalid',
				'The JSON list of destinations is empty. Add at least one phone number.',
				'',
				{ item: 1 },
			],
		]);
	});
});
