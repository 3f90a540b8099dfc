import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RunRequest } from './helpers/harness';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import { assignments, bulk, phone, shown } from './helpers/workflows';

// n8n's panel drags a field of a list in as that of its first entry: {{ $json.contacts[0].name }}.

const bench = workbench();

const spoken = () =>
	bench.sandbox.journal.map(({ phone: dialed, variables }) => [dialed, variables.name]);
const contacts = [
	{ phone: phone(1), name: 'Ada', opted_out: 'no' },
	{ phone: phone(2), name: 'Bob', opted_out: 'yes' },
];

describe('one entry of a list in the row answers for all destinations of the row', () => {
	const row: IDataObject = {
		phones: [phone(1), phone(2)],
		names: ['Ada', 'Bob'],
		opted_out: ['no', 'yes'],
		country: ['DE', 'AT'],
	};
	const json = { destinationSource: 'json', destinationsJson: '={{ $json.phones }}' };

	it('G11 Opted Out: nobody is called, and the message says what to do', async () => {
		const run = await bench.run(
			bulk({ ...json, options: { optedOut: '={{ $json.opted_out[0] }}' } }),
			[row],
		);
		expect(shown(run)).toMatchObject({
			message: 'Opted Out takes one entry of the list "opted_out", and others say something else',
			description: expect.stringMatching(
				/^Take a column of the rows themselves: n8n’s Split Out makes a row of each entry/,
			) as string,
		});
		expect(bench.dialed).toEqual([]);
	});

	it('Prompt Variables: nobody hears the name of another', async () => {
		const run = await bench.run(
			bulk({ ...json, promptVariables: assignments({ name: '={{ $json.names[0] }}' }) }),
			[row],
		);
		expect(shown(run).message).toBe(
			'Prompt Variables takes one entry of the list "names", and others say something else',
		);
		expect(bench.dialed).toEqual([]);
	});

	it('G12 Country of Numbers Without +: a number of Austria is not read as one of Germany', async () => {
		const numbers = { ...row, phones: ['0171 2345678', '0664 1234567'] };
		await bench.run(
			bulk({ ...json, countries: ['DE', 'AT'], defaultCountry: '={{ $json.country[0] }}' }),
			[numbers],
		);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions('G11 of objects, as a webhook sends them', async () => {
		const of = {
			destinationSource: 'json',
			destinationsJson: '={{ $json.body.contacts.map((each) => each.phone) }}',
		};
		const run = await bench.run(
			bulk({ ...of, options: { optedOut: '={{ $json.body.contacts[0].opted_out }}' } }),
			[{ body: { contacts } }],
		);
		expect(shown(run).message).toBe(
			'Opted Out takes one entry of the list "body.contacts", and others say something else',
		);
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		[
			'a list with fewer entries than destinations is no list of theirs',
			{ slots: ['Monday'] },
			'={{ $json.slots[0] }}',
		],
		['its entries say the same', { names: ['Ada', 'Ada'] }, '={{ $json.names[0] }}'],
	])('%s: all are called', async (_, more, name) => {
		await bench.run(bulk({ ...json, promptVariables: assignments({ name }) }), [
			{ ...row, ...more },
		]);
		expect(bench.dialed).toHaveLength(2);
	});

	itWithFunctions.each<[string, IDataObject[], INodeParameters]>([
		[
			'of objects beside',
			[{ phones: row.phones!, people: [{ name: 'Ada' }, { name: 'Bob' }] }],
			{ promptVariables: assignments({ name: '={{ $json.people[0].name }}' }) },
		],
		[
			'of an item with fewer',
			[{ phones: [3, 4, 5].map(phone), names: ['Cy', 'Cy', 'Cy'] }, row],
			{},
		],
		['of an item behind one without', [{ phones: [3, 4, 5].map(phone), names: [] }, row], {}],
		[
			'as long as the list that some are taken of',
			[{ phones: [phone(1), phone(2), ''], names: ['Ada', 'Bob', 'Cy'] }],
			{ destinationsJson: '={{ $json.phones.filter((each) => each) }}' },
		],
	])('Prompt Variables, a list %s: nobody hears the name of another', async (_, rows, more) => {
		const run = await bench.run(
			bulk({ ...json, promptVariables: assignments({ name: '={{ $json.names[0] }}' }), ...more }),
			rows,
		);
		expect(shown(run).message).toMatch(/^Prompt Variables takes one entry of the list/);
		expect(bench.dialed).toEqual([]);
	});

	it.each<[string, IDataObject, INodeParameters]>([
		[
			'times in which the digits of a number stand, as it happens',
			{
				phones: [phone(1), '+15550900000'],
				slots: [1, 2, 3].map((day) => ({ at: `2026-12-0${day}T09:00:00.000Z` })),
			},
			{ ...json, promptVariables: assignments({ name: '={{ $json.slots[0].at }}' }) },
		],
		[
			'words that stand in a column of their own',
			{ ...row, name: 'you both' },
			{ ...json, promptVariables: assignments({ name: '={{ $json.name }}' }) },
		],
	])('%s: all are called', async (_, item, parameters) => {
		await bench.run(bulk(parameters), [item]);
		expect(bench.dialed).toHaveLength(2);
	});

	it('rows with one destination each may name its first entry', async () => {
		const rows = [1, 2].map((n) => ({
			phones: [phone(n), phone(n + 10)],
			names: [`Ada ${n}`, 'Bob'],
		}));
		const parameters = bulk({
			destination: '={{ $json.phones[0] }}',
			promptVariables: assignments({ name: '={{ $json.names[0] }}' }),
		});
		await bench.run(parameters, rows);
		expect(spoken()).toEqual([
			[phone(1), 'Ada 1'],
			[phone(2), 'Ada 2'],
		]);
	});
});

describe('a row with one destination takes an entry of a list', () => {
	const both = [
		{ phone: phone(1), out: 'no' },
		{ phone: phone(2), out: 'yes' },
	];

	it.each<[string, IDataObject, INodeParameters]>([
		[
			'Opted Out, at the place of the number in its list',
			{ phones: [phone(1), phone(2)], out: ['no', 'yes'] },
			{ destination: '={{ $json.phones[0] }}', options: { optedOut: '={{ $json.out[0] }}' } },
		],
		[
			'Time Zone, of the first address',
			{ phone: phone(1), addresses: [{ tz: 'America/New_York' }, { tz: 'America/Chicago' }] },
			{ options: { timeZone: '={{ $json.addresses[0].tz }}' } },
		],
		[
			'Opted Out, of which the number in a list comes',
			{ contacts: both },
			{
				destinationSource: 'list',
				destinationList: { destination: [{ phone: '={{ $json.contacts[0].phone }}' }] },
				options: { optedOut: '={{ $json.contacts[0].out }}' },
			},
		],
		[
			'Opted Out, of which the number in JSON comes',
			{ contacts: both },
			{
				destinationSource: 'json',
				destinationsJson: '={{ [$json.contacts[0].phone] }}',
				options: { optedOut: '={{ $json.contacts[0].out }}' },
			},
		],
		[
			'Opted Out, the last one',
			{ contacts: [...both].reverse() },
			{
				destination: '={{ $json.contacts.last().phone }}',
				options: { optedOut: '={{ $json.contacts.at(-1).out }}' },
			},
		],
	])('%s: called', async (_, item, parameters) => {
		expect((await bench.run(bulk(parameters), [item])).json.map(({ status }) => status)).toEqual([
			'initiated',
		]);
	});

	const around = [-1, 0, 1].map((days) =>
		new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
	);
	it.each<[string, IDataObject, string]>([
		['noCallDates', { holidays: ['2020-12-25', ...around] }, 'holidays'],
		['noCallDates', { holidays: ['2020-12-25', around[1]!] }, 'holidays'],
		['optedOut', { said: ['no', 'stop', 'no'] }, 'said'],
	])(
		'G11 %s takes an entry of a list %j that is not that of the numbers, at the place of the number in its own: not called',
		async (option, more, list) => {
			const parameters = bulk({
				destination: '={{ $json.phones[0] }}',
				options: { [option]: `={{ $json.${list}[0] }}` },
			});
			const run = await bench.run(parameters, [
				{ phones: ['+12125550123', '+12125550124'], ...more },
			]);
			expect(shown(run).message).toMatch(new RegExp(`takes one entry of the list "${list}"`));
			expect(bench.dialed).toEqual([]);
		},
	);

	it.each([
		['contacts.at(-1)', 'contacts[0]'],
		['contacts.last()', 'contacts[0]'],
		['contacts.at(1)', 'contacts[0]'],
		['contacts[1]', 'contacts.first()'],
		['contacts[1]', 'contacts["0"]'],
		['contacts.at(0 + 1)', 'contacts[0]'],
		['contacts.at($json.second)', 'contacts[0]'],
		['contacts.slice(1)[0]', 'contacts[0]'],
	])(
		'G11 Opted Out asks another entry than that of the number (%s): not called',
		async (called, asked) => {
			const parameters = bulk({
				destination: `={{ $json.${called}.phone }}`,
				options: { optedOut: `={{ $json.${asked}.out }}` },
			});
			const run = await bench.run(parameters, [{ second: 1, contacts: both }]);
			expect(shown(run).message).toMatch(/^Opted Out takes one entry of the list "contacts"/);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions.each([
		['contacts.filter((each) => each.name === "Bob")[0].phone', 'contacts[0].out'],
		['contacts[1].phone', 'contacts.map((each) => each.out)[0]'],
		[
			'contacts[0].mobile || $json.contacts.find((each) => each.name === "Bob").phone',
			'contacts[0].out',
		],
	])(
		'G11 Opted Out asks another entry than that of the number (%s): not called',
		async (called, asked) => {
			const parameters = bulk({
				destination: `={{ $json.${called} }}`,
				options: { optedOut: `={{ $json.${asked} }}` },
			});
			const named = both.map((each, n) => ({ ...each, name: ['Ada', 'Bob'][n]! }));
			const run = await bench.run(parameters, [{ contacts: named }]);
			expect(shown(run).message).toMatch(/^Opted Out takes one entry of the list "contacts"/);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions.each([
		['contacts.filter((each) => each.name)[0]', 'contacts.filter((each) => each.name)[0]'],
		['contacts.slice(0, 1)[0]', 'contacts.slice(0, 1).at(0)'],
	])('Opted Out asks the entry of the number (%s): called', async (called, asked) => {
		const parameters = bulk({
			destination: `={{ $json.${called}.phone }}`,
			options: { optedOut: `={{ $json.${asked}.out }}` },
		});
		const run = await bench.run(parameters, [
			{ contacts: both.map((each, n) => ({ ...each, name: ['Ada', 'Bob'][n]! })) },
		]);
		expect(run.json.map(({ status }) => status)).toEqual(['initiated']);
	});

	itWithFunctions.each<[string, INodeParameters]>([
		[
			'JSON',
			{
				destinationSource: 'json',
				destinationsJson:
					'={{ [$json.contacts[0].phone, ...$json.contacts.slice(1).map((each) => each.phone)] }}',
			},
		],
		[
			'a list',
			{
				destinationSource: 'list',
				destinationList: {
					destination: [
						{ phone: '={{ $json.contacts[0].phone }}' },
						{ phone: '={{ $json.contacts.find((each) => each.out === "yes").phone }}' },
					],
				},
			},
		],
	])(
		'G11 Opted Out asks the entry of the first number of %s: nobody is called',
		async (_, parameters) => {
			await bench.run(
				bulk({ ...parameters, options: { optedOut: '={{ $json.contacts[0].out }}' } }),
				[{ contacts: both }],
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('G11 Opted Out asks the first of two lists that are as long, and JSON takes all numbers: nobody is called', async () => {
		const destinationsJson = '={{ [$json.phones[0], ...$json.phones.slice(1)] }}';
		const parameters = bulk({
			destinationSource: 'json',
			destinationsJson,
			options: { optedOut: '={{ $json.out[0] }}' },
		});
		await bench.run(parameters, [{ phones: [phone(1), phone(2)], out: ['no', 'yes'] }]);
		expect(bench.dialed).toEqual([]);
	});

	it('G11 Opted Out asks the first of several phones of a contact, and the second is the number: not called', async () => {
		const options = { optedOut: '={{ $json.contacts[0].phones[0].out }}' };
		await bench.run(bulk({ destination: '={{ $json.contacts[0].phones[1].phone }}', options }), [
			{ contacts: [{ phones: both }] },
		]);
		expect(bench.dialed).toEqual([]);
	});

	it('Opted Out asks the contact of whom one of several phones is the number: called', async () => {
		const options = { optedOut: '={{ $json.contacts[0].out }}' };
		const people = [
			{ out: 'no', phones: both },
			{ out: 'yes', phones: [] },
		];
		const run = await bench.run(
			bulk({ destination: '={{ $json.contacts[0].phones[1].phone }}', options }),
			[{ contacts: people }],
		);
		expect(run.json.map(({ status }) => status)).toEqual(['initiated']);
	});

	it('G11 No-Call Dates takes the first of several dates of the contact: not called', async () => {
		const options = { noCallDates: '={{ $json.contacts[0].closed[0] }}' };
		const people = [{ phone: '+12125550123', closed: ['2020-12-25', ...around] }];
		await bench.run(bulk({ destination: '={{ $json.contacts[0].phone }}', options }), [
			{ contacts: people },
		]);
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		[
			'G11 Time Zone',
			{
				options: {
					callingHours: { window: [{ days: ['mon'], from: '00:00', to: '24:00' }] },
					timeZone: '={{ $json.contacts[0].tz }}',
				},
			},
		],
		[
			'G12 Country of Numbers Without +',
			{ countries: ['DE', 'AT'], defaultCountry: '={{ $json.contacts[0].country }}' },
		],
	])('%s takes another entry than that of the number: not called', async (_, parameters) => {
		const people = [
			{ phone: '0171 2345678', country: 'DE', tz: 'Europe/Berlin' },
			{ phone: '0664 1234567', country: 'AT', tz: 'Asia/Tokyo' },
		];
		const run = await bench.run(
			bulk({ countries: ['DE'], ...parameters, destination: '={{ $json.contacts[1].phone }}' }),
			[{ contacts: people }],
		);
		expect(shown(run).message).toMatch(
			/ takes one entry of the list "contacts", and others say something else$/,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('the second contact is told about the first: called', async () => {
		const promptVariables = assignments({ name: '={{ $json.contacts[0].name }}' });
		const parameters = bulk({ destination: '={{ $json.contacts[1].phone }}', promptVariables });
		await bench.run(parameters, [{ contacts }]);
		expect(spoken()).toEqual([[phone(2), 'Ada']]);
	});
});

describe('Webhook, Split Out, Outbound Calls: a field that is dragged in from the webhook is that of its first entry', () => {
	const behind: Partial<RunRequest> = {
		listBefore: [{ body: { contacts } }],
		listTaken: 'inTurns',
		rowsFrom: [0, 0],
	};

	it('G11 Opted Out: nobody is called', async () => {
		await bench.run(
			bulk({ options: { optedOut: '={{ $("List").item.json.body.contacts[0].opted_out }}' } }),
			contacts,
			behind,
		);
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		'$("List").item',
		'$("List").first()',
		'$("List").last()',
		'$("List").all()[0]',
		'$("List").itemMatching(0)',
		'$node["List"]',
	])('Prompt Variables, by %s: nobody hears the name of another', async (of) => {
		const promptVariables = assignments({ name: `={{ ${of}.json.body.contacts[0].name }}` });
		await bench.run(bulk({ promptVariables }), contacts, behind);
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		['agentNumber', 'Agent Number', { callerNumber: '+15550100099' }],
		['callerNumber', 'Caller Number', { agentNumber: 'tsip-1' }],
	])('%s: nobody is called by the agent of another', async (field, label, more) => {
		const parameters = bulk({
			...more,
			[field]: '={{ $("List").item.json.body.contacts[0].agent }}',
		});
		const people = contacts.map((each, n) => ({ ...each, agent: `+1555010009${n}` }));
		const run = await bench.run(parameters, people, {
			...behind,
			listBefore: [{ body: { contacts: people } }],
		});
		expect(shown(run).message).toMatch(
			new RegExp(`^${label} takes one entry of the list "body.contacts"`),
		);
		expect(bench.dialed).toEqual([]);
	});

	it.each<[string, (n: number) => object, string, string]>([
		[
			'with a + before it',
			(n) => ({ phone: phone(n).slice(1), name: `Ada ${n}` }),
			'={{ "+" + $json.phone }}',
			'name',
		],
		[
			'without blanks',
			(n) => ({ phone: ` ${phone(n)} `, name: `Ada ${n}` }),
			'={{ $json.phone.trim() }}',
			'name',
		],
		[
			'of a number',
			(n) => ({ phone: Number(phone(n).slice(1)), name: `Ada ${n}` }),
			'=+{{ $json.phone }}',
			'name',
		],
		[
			'that stands deeper',
			(n) => ({ person: { name: `Ada ${n}` }, tel: { mobile: phone(n) } }),
			'={{ $json.tel.mobile }}',
			'person.name',
		],
	])(
		'Prompt Variables, of rows whose destination is one %s: nobody hears the name of another',
		async (_, personOf, destination, name) => {
			const people = [1, 2].map((n) => personOf(n) as IDataObject);
			const promptVariables = assignments({
				name: `={{ $("List").item.json.body.contacts[0].${name} }}`,
			});
			await bench.run(bulk({ destination, promptVariables }), people, {
				...behind,
				listBefore: [{ body: { contacts: people } }],
			});
			expect(bench.dialed).toEqual([]);
		},
	);

	it.each(['item', 'first()'])(
		'G12 Country of Numbers Without +, by %s: no stranger is called',
		async (item) => {
			const of = [
				{ phone: '0171 2345678', country: 'DE' },
				{ phone: '0664 1234567', country: 'AT' },
			];
			const defaultCountry = `={{ $("List").${item}.json.body.contacts[0].country }}`;
			await bench.run(bulk({ countries: ['DE', 'AT'], defaultCountry }), of, {
				...behind,
				listBefore: [{ body: { contacts: of } }],
			});
			expect(bench.dialed).toEqual([]);
		},
	);

	it('G12 Destination, where each row has a mode of its own: nobody hears the name of another', async () => {
		const people = contacts.map((each, index) => ({
			...each,
			mode: index === 0 ? 'dryRun' : 'live',
		}));
		const destination = '={{ $("List").item.json.body.contacts[0].phone }}';
		await bench.run(bulk({ mode: '={{ $json.mode }}', destination }), people, {
			...behind,
			listBefore: [{ body: { contacts: people } }],
		});
		expect(bench.dialed).toEqual([]);
	});

	it('Remember People By: nobody is taken for another', async () => {
		const parameters = bulk({
			calledBefore: 'skip',
			options: { callOnceKey: '={{ $("List").item.json.body.contacts[0].name }}' },
		});
		expect(shown(await bench.run(parameters, contacts, behind)).message).toMatch(
			/^Remember People By takes one entry of the list "body.contacts"/,
		);
	});

	it.each([
		['by the entry', '={{ $("List").item.json.body.contacts[0].name }}', {}],
		[
			'by the item',
			'={{ $("List").first().json.name }}',
			{ listBefore: contacts, rowsFrom: [0, 1] },
		],
	])(
		'the words that destinations of a list have of their own, %s: nobody hears the name of another',
		async (_, name, more) => {
			const own = { phone: '={{ $json.phone }}', promptVariables: assignments({ name }) };
			await bench.run(
				bulk({ destinationSource: 'list', destinationList: { destination: [own] } }),
				contacts,
				{ ...behind, ...more },
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('a row that comes from a webhook of its own may name the first entry', async () => {
		const webhooks = contacts.map((each) => ({
			body: { contacts: [each, { ...each, name: 'another' }] },
		}));
		const promptVariables = assignments({
			name: '={{ $("List").item.json.body.contacts[0].name }}',
		});
		await bench.run(bulk({ promptVariables }), contacts, {
			...behind,
			listBefore: webhooks,
			rowsFrom: [0, 1],
		});
		expect(spoken()).toEqual([
			[phone(1), 'Ada'],
			[phone(2), 'Bob'],
		]);
	});
});

describe('one row at a time, as a Filter leaves it or a loop hands it on: the second of two people of a webhook', () => {
	const zones = ['Asia/Tokyo', 'America/New_York'];
	const both = contacts.map((each, n) => ({ ...each, tz: zones[n]!, country: ['DE', 'AT'][n]! }));
	const behind = (people: IDataObject[] = both): Partial<RunRequest> => ({
		listBefore: [{ body: { contacts: people } }],
		listTaken: 'inTurns',
		rowsFrom: [0],
	});
	const first = '$("List").item.json.body.contacts[0]';
	const windows = {
		callingHours: {
			window: [
				{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' },
			],
		},
	};

	it.each<[string, INodeParameters]>([
		[
			'does not hear the name of the first',
			{ promptVariables: assignments({ name: `={{ ${first}.name }}` }) },
		],
		[
			'is not called by the clock of the first',
			{ options: { ...windows, timeZone: `={{ ${first}.tz }}` } },
		],
		[
			'is not taken for the first',
			{ calledBefore: 'skip', options: { callOnceKey: `={{ ${first}.name }}` } },
		],
		['is not called at the number of the first', { destination: `={{ ${first}.phone }}` }],
	])('%s', async (_, parameters) => {
		const run = await bench.run(bulk(parameters), both.slice(1), behind());
		expect(shown(run).message).toMatch(
			/ takes one entry of the list "body\.contacts", and others say something else$/,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('G12 is no stranger of the country of the first', async () => {
		const people = both.map((each, n) => ({
			...each,
			phone: ['0171 2345678', '0664 1234567'][n]!,
		}));
		await bench.run(
			bulk({ countries: ['DE', 'AT'], defaultCountry: `={{ ${first}.country }}` }),
			people.slice(1),
			behind(people),
		);
		expect(bench.dialed).toEqual([]);
	});

	it('does not hear the first name of a list beside the numbers', async () => {
		const body = { phones: both.map((each) => each.phone), names: ['Ada', 'Bob'] };
		const promptVariables = assignments({ name: '={{ $("List").item.json.body.names[0] }}' });
		await bench.run(bulk({ promptVariables }), [{ phone: phone(2) }], {
			...behind(),
			listBefore: [{ body }],
		});
		expect(bench.dialed).toEqual([]);
	});

	it('the first one is called, by the first entry', async () => {
		const options = { ...windows, timeZone: `={{ ${first}.tz }}` };
		const parameters = bulk({
			destination: `={{ ${first}.phone }}`,
			promptVariables: assignments({ name: `={{ ${first}.name }}` }),
			options,
		});
		await bench.run(parameters, both.slice(0, 1), behind());
		expect(spoken()).toEqual([[phone(1), 'Ada']]);
	});

	it('an alert about both of them is told to somebody else', async () => {
		const promptVariables = assignments({ name: `={{ ${first}.name }}` });
		await bench.run(bulk({ promptVariables }), [{ phone: phone(7) }], behind());
		expect(spoken()).toEqual([[phone(7), 'Ada']]);
	});
});

describe('an entry of a list that is not that of the destinations speaks for all of them', () => {
	const alerts = [{ summary: 'The disk is full' }, { summary: 'The fan is hot' }];

	it('the first of two alerts of a webhook, for two people on call', async () => {
		const promptVariables = assignments({
			text: '={{ $("List").item.json.body.alerts[0].summary }}',
		});
		await bench.run(bulk({ promptVariables }), contacts, {
			listBefore: [{ body: { alerts } }],
			listTaken: 'inTurns',
			rowsFrom: [0, 0],
		});
		expect(bench.dialed).toHaveLength(2);
	});

	it('the same, for two numbers that were typed', async () => {
		const destinationList = { destination: contacts.map(({ phone: typed }) => ({ phone: typed })) };
		const promptVariables = assignments({ text: '={{ $json.body.alerts[0].summary }}' });
		await bench.run(bulk({ destinationSource: 'list', destinationList, promptVariables }), [
			{ body: { alerts } },
		]);
		expect(bench.dialed).toHaveLength(2);
	});

	it.each(['', 'n/a'])(
		'the first of two alerts, where one of two people on call has the phone "%s": the other one is called',
		async (none) => {
			const promptVariables = assignments({
				text: '={{ $("List").item.json.body.alerts[0].summary }}',
			});
			const more: Partial<RunRequest> = {
				listBefore: [{ body: { alerts } }],
				listTaken: 'inTurns',
				rowsFrom: [0, 0],
			};
			const run = await bench.run(
				bulk({ promptVariables }),
				[{ phone: phone(1) }, { phone: none }],
				more,
			);
			expect(run.json.map(({ status }) => status)).toEqual(['initiated', 'invalid']);
		},
	);

	it('the first article of an order that has two phone numbers, one of them empty', async () => {
		const order = {
			billing: phone(1),
			shipping: '',
			line_items: [{ title: 'Lamp' }, { title: 'Bulb' }],
		};
		const promptVariables = assignments({ article: '={{ $json.line_items[0].title }}' });
		await bench.run(
			bulk({
				destinationSource: 'json',
				destinationsJson: '={{ [$json.billing, $json.shipping] }}',
				promptVariables,
			}),
			[order],
		);
		expect(bench.dialed).toHaveLength(1);
	});

	it('the first article of an order that has two phone numbers', async () => {
		const order = {
			billing: phone(1),
			shipping: phone(2),
			line_items: [{ title: 'Lamp' }, { title: 'Bulb' }],
		};
		const promptVariables = assignments({ article: '={{ $json.line_items[0].title }}' });
		await bench.run(
			bulk({
				destinationSource: 'json',
				destinationsJson: '={{ [$json.billing, $json.shipping] }}',
				promptVariables,
			}),
			[order],
		);
		expect(bench.dialed).toHaveLength(2);
	});
});

it.each([
	['optedOut', 'out', ['do_not_call', 'initiated']],
	['noCallDates', 'closed', ['outside_hours', 'initiated']],
])(
	'G11 what the entry says of which the destination comes holds: %s',
	async (option, column, statuses) => {
		const closed = [-1, 0, 1]
			.map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
			.join();
		const rows = [0, 1].map((n) => ({
			addresses: [
				{
					phone: `+1212555012${n}`,
					out: n === 0 ? 'yes' : 'no',
					closed: n === 0 ? closed : '2020-12-25',
				},
				{ phone: `+1212555013${n}`, out: 'perhaps', closed: '2020-12-26' },
			],
		}));
		const parameters = bulk({
			destination: '={{ $json.addresses[0].phone }}',
			options: { [option]: `={{ $json.addresses[0].${column} }}` },
		});
		expect((await bench.run(parameters, rows)).json.map(({ status }) => status)).toEqual(statuses);
	},
);

it('G11 No-Call Dates takes one date of the list in a cell: nobody is called, because the others count as well', async () => {
	const around = [-1, 0, 1].map((days) =>
		new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
	);
	const rows = [{ phone: '+12125550123', holidays: ['2020-12-25', ...around] }];
	const run = await bench.run(bulk({ options: { noCallDates: '={{ $json.holidays[0] }}' } }), rows);
	expect(shown(run).message).toBe(
		'No-Call Dates takes one entry of the list "holidays", and others say something else',
	);
	expect(bench.dialed).toEqual([]);
	const whole = await bench.run(bulk({ options: { noCallDates: '={{ $json.holidays }}' } }), rows);
	expect(whole.json.map(({ status }) => status)).toEqual(['outside_hours']);
});
