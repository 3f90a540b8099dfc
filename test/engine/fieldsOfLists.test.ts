import type { IDataObject, INode } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import { bulk, phone, shown } from './helpers/workflows';

// A field that a cell does not have is undefined, without a word (n8n behaviour). In a list, whoever stands there would be missing.

const bench = workbench();
storeForEach();

const rows = [0, 1, 2].map((n) => ({ phone: phone(n) }));
const holding = (held: unknown): IDataObject[] => [
	{ contact: { phone: phone(0), opted: 'yes' } },
	{ contact: held } as IDataObject,
];
const run = async (doNotCall: string, listBefore: IDataObject[]) =>
	await bench.run(bulk({ options: { doNotCall } }), rows, { listBefore });
/** The documentation's own expression. */
const documented = (field: string): string =>
	`={{ $('List').all().filter(item => Object.keys(item.json).length > 0 && item.json.${field} !== null).map(item => item.json.${field}) }}`;

describe('G11 Do Not Call of which one cell is no object', () => {
	itWithFunctions.each<[string, unknown]>([
		["={{ $('List').all().map((item) => item.json.contact.phone).filter(Boolean) }}", phone(1)],
		["={{ $('List').all().map((item) => item.json.contact.phone).filter(Boolean) }}", 15550101001],
		[
			"={{ $('List').all().map((item) => item.json.contact?.phone).join(', ') }}",
			[{ phone: phone(1) }],
		],
		[
			"={{ $('List').all().filter((item) => item.json.contact.opted === 'yes').map((item) => item.json.contact.phone) }}",
			'yes',
		],
	])('nobody is called: %s of %j', async (doNotCall, held) => {
		expect(shown(await run(doNotCall, holding(held))).message).toMatch(
			/^Do Not Call takes "contact\.\w+" of a cell that holds something else$/,
		);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions.each([
		"[...$('List').all().map((item) => item.json.contact.phone), '+15550109999', '+15550109998'].filter(Boolean)",
		"$('List').all().flatMap((item) => [item.json.contact?.phone, item.json.contact?.mobile]).filter(Boolean)",
		"$('List').all().flatMap((item) => item.json.contact.phones ?? []).filter(Boolean)",
		'$("List").all().map((item) => item.json.contact.phone).concat(["+15550109999"]).filter(Boolean)',
		"$('List')\n.all()\n.flatMap((item) => [item.json.contact.phone, item.json.contact.mobile]).filter(Boolean)",
		"$('List').all().filter((item) => item.json.contact.kind === 'mobile').map((item) => item.json.contact.phone)",
	])('also where something else in the list makes up for it: %s', async (list) => {
		const held = {
			kind: 'mobile',
			phone: phone(0),
			mobile: '+15550109997',
			phones: [phone(0), '+15550109996'],
		};
		expect(
			shown(await run(`={{ ${list} }}`, [{ contact: held }, { contact: phone(1) }])).message,
		).toMatch(/^Do Not Call takes "contact\.\w+" of a cell that/);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions('an entry of a list in a cell, too', async () => {
		const doNotCall =
			"={{ $('List').first().json.data.map((each) => each.contact.phone).filter(Boolean) }}";
		const data = [{ contact: { phone: phone(0) } }, { contact: phone(1) }];
		expect(shown(await run(doNotCall, [{ data }])).message).toBe(
			'Do Not Call takes "data.contact.phone" of a cell that holds something else',
		);
		expect(bench.dialed).toEqual([]);
	});

	it('and what an Aggregate leaves out of the list, too', async () => {
		const fieldsToAggregate = {
			fieldToAggregate: [{ fieldToAggregate: 'contact.phone', outputFieldName: 'phone' }],
		};
		const step: Partial<INode> = {
			type: 'n8n-nodes-base.aggregate',
			parameters: { fieldsToAggregate },
		};
		const listReads = { gives: 'its input', behind: { step } } as const;
		const options = { doNotCall: "={{ $('List').first().json.phone }}" };
		const gathered = await bench.run(bulk({ options }), rows, {
			listBefore: holding(phone(1)),
			listReads,
		});
		expect(shown(gathered).message).toBe(
			'The step "List" takes "contact.phone" of a cell that holds something else',
		);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions('one that is left out on purpose may hold what it likes', async () => {
		const doNotCall =
			"={{ $('List').all().filter((item) => item.json.kind === 'person').map((item) => item.json.contact.phone) }}";
		await run(doNotCall, [
			{ kind: 'person', contact: { phone: phone(0) } },
			{ kind: 'company', contact: phone(1) },
		]);
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
	});

	itWithFunctions('a number has no length', async () => {
		const doNotCall =
			"={{ $('List').all().filter((item) => item.json.phone.length > 0).map((item) => item.json.phone) }}";
		expect(shown(await run(doNotCall, [{ phone: phone(0) }, { phone: 15550101001 }])).message).toBe(
			'Do Not Call takes "phone.length" of a cell that holds something else',
		);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions.each<[string, unknown]>([
		[
			"={{ $('List').all().map((item) => item.json.contact?.phone ?? item.json.contact).filter(Boolean) }}",
			phone(1),
		],
		[
			"={{ $('List').all().map((item) => item.json.contact.phone).filter(Boolean) }}",
			{ phone: phone(1) },
		],
	])('one that is allowed for is on the list: %s of %j', async (doNotCall, held) => {
		await run(doNotCall, holding(held));
		expect(bench.dialed).toEqual([phone(2)]);
	});

	itWithFunctions('one that comes to an entry all the same is on the list', async () => {
		const doNotCall =
			"={{ $('List').all().map(({ json }) => json.phone.length === 10 ? '+1' + json.phone : '+' + json.phone) }}";
		await run(doNotCall, [{ phone: '5550101000' }, { phone: 15550101001 }]);
		expect(bench.dialed).toEqual([phone(2)]);
	});

	itWithFunctions.each<unknown>([null, '', {}, []])('an empty one is nobody: %j', async (held) => {
		await run(
			"={{ $('List').all().map((item) => item.json.contact?.phone).filter(Boolean) }}",
			holding(held),
		);
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
	});

	itWithFunctions('so it is where one Edit Fields takes it', async () => {
		const settings: Partial<INode> = {
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				assignments: {
					assignments: [
						{ id: '1', name: 'phone', value: '={{ $json.contact.phone }}', type: 'string' },
					],
				},
				gives: JSON.stringify([{ phone: phone(0) }, { phone: null }]),
			},
		};
		const listReads = { gives: [], settings };
		const edited = await bench.run(bulk({ options: { doNotCall: documented('phone') } }), rows, {
			listBefore: holding(phone(1)),
			listReads,
		});
		expect(shown(edited).message).toBe(
			'The step "List" takes "contact.phone" of a cell that holds something else',
		);
		expect(bench.dialed).toEqual([]);
	});
});
