import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { workbench } from './helpers/workbench';
import { bulk, contacts, pairs, phone, place } from './helpers/workflows';

const bench = workbench();

/** The option as it is where nobody touched it. */
const asIs = (
	operation: (more: INodeParameters) => INodeParameters,
	more: INodeParameters = {},
): INodeParameters => {
	const { options, ...parameters } = operation(more);
	const { includeInputFields: _off, ...others } = options as IDataObject;
	return { ...parameters, options: others as INodeParameters };
};

const operations: Array<[string, (more?: INodeParameters) => INodeParameters, IDataObject]> = [
	['Bulk Call', bulk, { consent_id: null, call_sid: null, batch_id: null }],
	['Place Call', place, { call_id: null }],
];

it('each row of Bulk Call has the columns of its input between what became of it and the IDs', async () => {
	const { items, json } = await bench.run(asIs(bulk), contacts(12));
	expect(json.map((row) => Object.entries(row))).toEqual(
		contacts(12).map((row, n) => {
			const dial = bench.sandbox.journal.find(({ phone: dialed }) => dialed === phone(n));
			return Object.entries({
				status: 'initiated',
				called: 'yes',
				reason: null,
				destination: phone(n),
				...row,
				success: true,
				consent_id: dial?.consentId,
				call_sid: dial?.callSid,
				batch_id: dial?.batchId,
			});
		}),
	);
	expect(pairs(items)).toEqual(contacts(12).map((_, n) => n));
});

it.each(operations)(
	'each row of %s has the files of its input, unless its fields are left out',
	async (_, operation) => {
		const files = contacts(2).map(({ name }) => ({
			letter: { data: 'aGk=', mimeType: 'text/plain', fileName: name },
		}));
		const { items, called } = await bench.run(asIs(operation), contacts(2), { files });
		expect(items.map(({ binary }) => binary)).toEqual(files);
		expect(called.map(({ binary }) => binary)).toEqual(files);
		expect(
			(await bench.run(operation(), contacts(2), { files })).items.some(({ binary }) => binary),
		).toBe(false);
	},
);

it('each row of Place Call has the columns of its input, and the API’s answer', async () => {
	const { json } = await bench.run(asIs(place), contacts(2));
	expect(json.map((row) => Object.entries(row))).toEqual(
		contacts(2).map((row, n) => {
			const dial = bench.sandbox.journal.find(({ phone: dialed }) => dialed === phone(n));
			return Object.entries({
				status: 'initiated',
				called: 'yes',
				reason: null,
				destination: phone(n),
				...row,
				success: true,
				call_id: json[n]?.call_id,
				batch_id: dial?.batchId,
				consent_id: dial?.consentId,
			});
		}),
	);
	for (const { call_id } of json) expect(call_id).toEqual(expect.any(String));
});

describe.each(operations)('%s', (_, operation, noIds) => {
	it('a row that was not called has them, too', async () => {
		const { notCalled } = await bench.run(asIs(operation), [
			{ phone: phone(0), name: 'Ada' },
			{ phone: 'x', name: 'Bob' },
		]);
		expect(notCalled).toEqual([
			{
				json: {
					status: 'invalid',
					called: 'no',
					reason:
						'The destination "x" is not a phone number: it has no digits. Check that Destination takes the column with the phone numbers.',
					destination: 'x',
					phone: 'x',
					name: 'Bob',
					success: false,
					...noIds,
				},
				pairedItem: { item: 1 },
			},
		]);
	});

	it('a row of a dry run has them, and cleaned numbers beside the original', async () => {
		const { json } = await bench.run(asIs(operation, { mode: 'dryRun' }), [
			{ phone: '+49 171 2345678', name: 'Ada', success: 'soon' },
		]);
		expect(json.map((row) => Object.entries(row))).toEqual([
			Object.entries({
				status: 'dry_run',
				called: 'no',
				reason: null,
				destination: '+491712345678',
				original_destination: '+49 171 2345678',
				phone: '+49 171 2345678',
				name: 'Ada',
				input_success: 'soon',
				request: 1,
				agent_number: json[0]?.agent_number,
				caller_number: null,
				prompt_variables: {},
			}),
		]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('columns with names of ours come out as input_…, and none is lost', async () => {
		const row = {
			phone: phone(0),
			status: 'customer',
			input_status: 'old',
			called: 'no',
			reason: 'renewal',
			destination: 'Rome',
			original_destination: 'Milan',
			success: 'hoped for',
			error: 'Wrong size',
			request: 7,
			agent_number: 'Bob',
			Status: 'kept',
		};
		const { called, errorItems } = await bench.run(asIs(operation), [row], {
			onError: 'continueErrorOutput',
		});
		expect(errorItems).toEqual([]);
		expect(called).toHaveLength(1);
		const { json } = called[0]!;
		expect(json).toMatchObject({
			status: 'initiated',
			called: 'yes',
			reason: null,
			destination: phone(0),
			phone: phone(0),
			input_status: 'customer',
			input_input_status: 'old',
			input_reason: 'renewal',
			input_destination: 'Rome',
			input_original_destination: 'Milan',
			input_success: 'hoped for',
			input_error: 'Wrong size',
			input_request: 7,
			input_agent_number: 'Bob',
			Status: 'kept',
			success: true,
		});
		for (const name of ['error', 'original_destination', 'request', 'agent_number'])
			expect(json).not.toHaveProperty(name);
	});

	it('a column named __proto__ comes out as it is, and changes nothing else', async () => {
		const row = JSON.parse(`{"__proto__": {"status": "x"}, "phone": "${phone(0)}"}`) as IDataObject;
		const { called } = await bench.run(asIs(operation), [row]);
		const { json } = called[0]!;
		expect(Object.entries(json)).toContainEqual(['__proto__', { status: 'x' }]);
		expect(json.status).toBe('initiated');
		expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
	});

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'a column named error becomes input_error, and the row is no failed one: %s',
		async (onError) => {
			const rows = [
				{ phone: phone(0), error: 'Wrong size', name: 'Ada' },
				{ phone: phone(1), name: 'Bob' },
				{ phone: 'x', error: 'None', name: 'Eve' },
			];
			const { called, notCalled, errorItems } = await bench.run(asIs(operation), rows, { onError });
			expect(errorItems).toEqual([]);
			expect(
				called.map(({ json }) => [json.phone, json.name, json.input_error, json.success]),
			).toEqual([
				[phone(0), 'Ada', 'Wrong size', true],
				[phone(1), 'Bob', undefined, true],
			]);
			expect(notCalled.map(({ json }) => [json.status, json.name, json.input_error])).toEqual([
				['invalid', 'Eve', 'None'],
			]);
			for (const { json } of [...called, ...notCalled]) expect(json).not.toHaveProperty('error');
			expect(called[1]?.json).not.toHaveProperty('input_error');
		},
	);

	it('a column named error that is empty does no harm', async () => {
		const { json, error } = await bench.run(asIs(operation), [{ phone: phone(0), error: null }]);
		expect(error).toBeUndefined();
		expect(json[0]).not.toHaveProperty('error');
		expect(json[0]).toMatchObject({ input_error: null, success: true });
	});

	it('a sheet that names its number error as its first column is not called twice by Retry On Fail', async () => {
		const { json } = await bench.run(
			asIs(operation, { destination: '={{ $json.error }}' }),
			[{ error: phone(0) }],
			{
				retry: { tries: 3, waitMs: 0 },
			},
		);
		expect(bench.dialed).toEqual([phone(0)]);
		expect(json).toMatchObject([{ input_error: phone(0), success: true }]);
	});

	it('a row that shares the call of an earlier one has its own fields', async () => {
		const { json } = await bench.run(asIs(operation), [
			...contacts(2),
			{ phone: phone(1), name: 'Again' },
		]);
		expect(json[2]).toEqual({
			...json[1],
			status: 'duplicate',
			reason: 'Same number as row 2',
			name: 'Again',
			amount: undefined,
		});
		expect(json[2]).not.toHaveProperty('amount');
		expect(bench.dialed.sort()).toEqual([phone(0), phone(1)]);
	});

	it('the input itself is not changed', async () => {
		const rows = [{ phone: phone(0), error: 'kept', status: 'kept' }];
		await bench.run(asIs(operation), rows);
		expect(rows).toEqual([{ phone: phone(0), error: 'kept', status: 'kept' }]);
	});

	it('switched off, the rows have no column of the input', async () => {
		const { json } = await bench.run(operation({ options: { includeInputFields: false } }), [
			...contacts(1),
			{ phone: 'x', name: 'Bob' },
		]);
		for (const row of json)
			expect(Object.keys(row).filter((name) => /phone|name|amount/.test(name))).toEqual([]);
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'invalid']);
	});

	it('an expression in the option that differs by row calls nobody', async () => {
		const ended = await bench.run(
			operation({ options: { includeInputFields: '={{ $json.keep }}' } }),
			[
				{ phone: phone(0), keep: true },
				{ phone: phone(1), keep: false },
			],
		);
		expect(ended.error?.message).toBe(
			'Include Input Fields is "true" in row 1 and "false" in row 2, but it counts for the whole run',
		);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

it('a number that was not dialed keeps its fields beside the API’s reason', async () => {
	bench.sandbox.destinationOutcome.set(phone(0), { status: 'locked', error: 'Locked' });
	const { notCalled, called, errorItems } = await bench.run(asIs(bulk), contacts(1), {
		onError: 'continueErrorOutput',
	});
	expect([called, errorItems]).toEqual([[], []]);
	expect(notCalled.map(({ json }) => json)).toEqual([
		{
			status: 'locked',
			called: 'no',
			reason: 'Locked',
			destination: phone(0),
			...contacts(1)[0],
			success: false,
			consent_id: expect.any(Number) as number,
			call_sid: null,
			batch_id: expect.any(String) as string,
		},
	]);
});

it('Place Call: what the API answers for one row is a name of ours in all rows, so that a column means the same in each', async () => {
	const { called, notCalled } = await bench.run(asIs(place), [
		{ phone: phone(0), batch_id: 'A', eta: 'soon' },
		{ phone: 'x', batch_id: 'B', eta: 'later' },
	]);
	expect(called.map(({ json }) => [json.batch_id, json.input_batch_id, json.eta])).toEqual([
		[bench.sandbox.journal[0]?.batchId, 'A', 'soon'],
	]);
	expect(notCalled.map(({ json }) => [json.batch_id, json.input_batch_id, json.eta])).toEqual([
		[undefined, 'B', 'later'],
	]);
});

it('Place Call: the IDs of an earlier call in the row do not stand for this one, where the API’s answer has none', async () => {
	bench.sandbox.settings.singleCallIds = false;
	const earlier = {
		consent_id: 7,
		batch_id: '00000000-0000-4000-8000-000000000000',
		call_sid: 'CA7',
	};
	const { json } = await bench.run(asIs(place), [{ phone: phone(1), ...earlier }]);
	expect(json).toEqual([
		expect.objectContaining({
			called: 'yes',
			input_consent_id: 7,
			input_batch_id: earlier.batch_id,
			input_call_sid: 'CA7',
		}),
	]);
	for (const name of Object.keys(earlier)) expect(json[0]).not.toHaveProperty(name);
});

it('Bulk Call: names of fields that only a run that waits has are ours in every run', async () => {
	const row = {
		phone: phone(0),
		reached: 'no',
		settled: 'x',
		conversation_id: 5,
		auto_call_error: '',
	};
	const { json } = await bench.run(asIs(bulk), [row]);
	expect(json[0]).toMatchObject({
		input_reached: 'no',
		input_settled: 'x',
		input_conversation_id: 5,
		input_auto_call_error: '',
	});
	for (const name of ['reached', 'settled', 'conversation_id', 'auto_call_error'])
		expect(json[0]).not.toHaveProperty(name);
});

it.each<[string, INodeParameters]>([
	[
		'a list',
		{
			destinationSource: 'list',
			destinationList: { destination: [{ phone: phone(0) }, { phone: phone(1) }] },
		},
	],
	['JSON', { destinationSource: 'json', destinationsJson: JSON.stringify([phone(0), phone(1)]) }],
])('each row of %s has the fields of the item that it comes from', async (_, source) => {
	const { items, json } = await bench.run(asIs(bulk, source), [{ campaign: 'spring' }]);
	expect(json.map(({ status, destination, campaign }) => [status, destination, campaign])).toEqual([
		['initiated', phone(0), 'spring'],
		['initiated', phone(1), 'spring'],
	]);
	expect(pairs(items)).toEqual([0, 0]);
});

it('JSON of several items: each row has the fields of its own item', async () => {
	const { json } = await bench.run(
		asIs(bulk, { destinationSource: 'json', destinationsJson: '={{ $json.phones }}' }),
		[
			{ list: 'a', phones: [phone(0), phone(1)] },
			{ list: 'b', phones: [phone(2)] },
		],
	);
	expect(json.map(({ list, destination }) => [list, destination])).toEqual([
		['a', phone(0)],
		['a', phone(1)],
		['b', phone(2)],
	]);
});
