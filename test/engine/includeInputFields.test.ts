import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { workbench } from './workbench';
import { bulk, contacts, pairs, phone, place, text } from './workflows';

const bench = workbench();

const withInput: INodeParameters = { options: { includeInputFields: true } };
const operations: Array<[string, (more: INodeParameters) => INodeParameters]> = [
	['Bulk Call', bulk],
	['Place Call', place],
];

it('each row of Bulk Call has its input fields, and its call in the field call', async () => {
	const { items, json } = await bench.run(bulk(withInput), contacts(12));
	expect(json).toEqual(
		contacts(12).map((row, n) => {
			const dial = bench.sandbox.journal.find(({ phone: dialed }) => dialed === phone(n));
			return {
				...row,
				call: {
					destination: phone(n),
					success: true,
					status: 'initiated',
					reason: null,
					consent_id: dial?.consentId,
					call_sid: dial?.callSid,
					batch_id: dial?.batchId,
				},
			};
		}),
	);
	expect(pairs(items)).toEqual(contacts(12).map((_, n) => n));
});

it('each row of Place Call has its input fields, and the API’s answer in the field call', async () => {
	const { json } = await bench.run(place(withInput), contacts(2));
	const { json: without } = await bench.run(place(), contacts(2));
	expect(json.map(({ call: _, ...input }) => input)).toEqual(contacts(2));
	expect(json.map(({ call }) => Object.keys(call as IDataObject))).toEqual(without.map((answer) => Object.keys(answer)));
	expect(json[0]?.call).toMatchObject({ success: true, call_id: expect.any(String) });
});

describe.each(operations)('%s', (_, operation) => {
	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'a column named error becomes input_error, and the row is no failed one: %s',
		async (onError) => {
			const rows = [
				{ phone: phone(0), error: 'Wrong size', name: 'Ada' },
				{ phone: phone(1), name: 'Bob' },
			];
			const { json, errorItems } = await bench.run(operation(withInput), rows, { onError });
			expect(errorItems).toEqual([]);
			expect(json).toMatchObject([
				{ phone: phone(0), name: 'Ada', input_error: 'Wrong size', call: { success: true } },
				{ phone: phone(1), name: 'Bob', call: { success: true } },
			]);
			expect(json[0]).not.toHaveProperty('error');
			expect(json[1]).not.toHaveProperty('input_error');
		},
	);

	it('a column named error that is empty does no harm', async () => {
		const { json, error } = await bench.run(operation(withInput), [{ phone: phone(0), error: null }]);
		expect(error).toBeUndefined();
		expect(json[0]).not.toHaveProperty('error');
		expect(json[0]).toMatchObject({ call: { success: true } });
	});

	it('a sheet that names its number error as its first column is not called twice by Retry On Fail', async () => {
		const { json } = await bench.run(operation({ ...withInput, destination: '={{ $json.error }}' }), [{ error: phone(0) }], {
			retry: { tries: 3, waitMs: 0 },
		});
		expect(bench.dialed).toEqual([phone(0)]);
		expect(json).toMatchObject([{ input_error: phone(0), call: { success: true } }]);
	});

	it('a row that shares the call of an earlier one has its own fields', async () => {
		const { json } = await bench.run(operation(withInput), [...contacts(2), { phone: phone(1), name: 'Again' }]);
		expect(json[2]).toMatchObject({ phone: phone(1), name: 'Again', call: { status: 'duplicate' } });
		expect(bench.dialed).toEqual([phone(0), phone(1)]);
	});

	it('a failed row stays a failed one', async () => {
		const { items, errorItems } = await bench.run(operation(withInput), [{ phone: phone(0) }, { phone: 'x' }], { onError: 'continueErrorOutput' });
		expect(pairs(items)).toEqual([0]);
		expect(pairs(errorItems)).toEqual([1]);
		expect(text(errorItems[0]?.json.error)).toMatch(/^Row 2: /);
	});

	it('a dry run and cleaned numbers stand in the field call', async () => {
		const options = { includeInputFields: true, dryRun: true, cleanNumbers: true };
		const { json } = await bench.run(operation({ options }), [{ phone: '+49 171 2345678', name: 'Ada' }]);
		expect(json).toMatchObject([
			{
				phone: '+49 171 2345678',
				name: 'Ada',
				call: { destination: '+491712345678', original_destination: '+49 171 2345678', status: 'dry_run', request: 1 },
			},
		]);
		expect(Object.keys(json[0] ?? {})).toEqual(['phone', 'name', 'call']);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('the input itself is not changed', async () => {
		const rows = [{ phone: phone(0), error: 'kept' }];
		await bench.run(operation(withInput), rows);
		expect(rows).toEqual([{ phone: phone(0), error: 'kept' }]);
	});
});

it('a number that was not dialed keeps its fields, and the API’s reason stands in the field call', async () => {
	bench.sandbox.destinationOutcome.set(phone(0), { status: 'locked', error: 'Locked' });
	const { json, errorItems } = await bench.run(bulk(withInput), contacts(1), { onError: 'continueErrorOutput' });
	expect(errorItems).toEqual([]);
	expect(json).toMatchObject([{ ...contacts(1)[0], call: { success: false, status: 'locked', reason: 'Locked' } }]);
	expect(json[0]).not.toHaveProperty('error');
});

it.each<[string, INodeParameters]>([
	['a list', { destinationSource: 'list', destinationList: { destination: [{ phone: phone(0) }, { phone: phone(1) }] } }],
	['JSON', { destinationSource: 'json', destinationsJson: JSON.stringify([phone(0), phone(1)]) }],
])('each row of %s has the fields of the item that it comes from', async (_, source) => {
	const { items, json } = await bench.run(bulk({ ...source, ...withInput }), [{ campaign: 'spring' }]);
	expect(json).toMatchObject([
		{ campaign: 'spring', call: { destination: phone(0), status: 'initiated' } },
		{ campaign: 'spring', call: { destination: phone(1), status: 'initiated' } },
	]);
	expect(pairs(items)).toEqual([0, 0]);
});

it('JSON of several items: each row has the fields of its own item', async () => {
	const { json } = await bench.run(bulk({ destinationSource: 'json', destinationsJson: '={{ $json.phones }}', ...withInput }), [
		{ list: 'a', phones: [phone(0), phone(1)] },
		{ list: 'b', phones: [phone(2)] },
	]);
	expect(json.map(({ list, call }) => [list, (call as IDataObject).destination])).toEqual([
		['a', phone(0)],
		['a', phone(1)],
		['b', phone(2)],
	]);
});

it('without the option the input fields are not there', async () => {
	const { json } = await bench.run(bulk(), contacts(1));
	expect(json[0]).not.toHaveProperty('call');
	expect(json[0]).not.toHaveProperty('name');
});
