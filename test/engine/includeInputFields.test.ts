import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, place } from './helpers/workflows';

const bench = workbench();

/** The option as it is where nobody touched it. */
const asIs = (parameters: INodeParameters): INodeParameters => {
	const { includeInputFields: _off, ...options } = parameters.options as INodeParameters;
	return { ...parameters, options };
};

const operations = [
	['Bulk Call', bulk],
	['Place Call', place],
] as const;

describe.each(operations)('%s with Include Input Fields', (_, operation) => {
	it('left as it is, every row has the fields and files of its input, and the input is not changed', async () => {
		const rows: IDataObject[] = [...contacts(2), { phone: 'x', name: 'Bob', status: 'kept' }];
		const before = structuredClone(rows);
		const files = rows.map((__, n) => ({ letter: { data: 'aGk=', mimeType: 'a/b', id: `${n}` } }));
		const { items, json } = await bench.run(asIs(operation()), rows, { files });
		expect(json).toMatchObject([rows[0]!, rows[1]!, { name: 'Bob', input_status: 'kept' }]);
		expect(items.map(({ binary }) => binary)).toEqual(files);
		expect(rows).toEqual(before);
	});

	it('switched off, rows have none of them', async () => {
		const rows = [...contacts(1), { phone: 'x', name: 'Bob' }];
		const files = rows.map(() => ({ letter: { data: 'aGk=', mimeType: 'a/b' } }));
		const { items, json } = await bench.run(operation(), rows, { files });
		for (const row of json) expect(Object.keys(row).join(' ')).not.toMatch(/phone|name|amount/);
		expect(items.map(({ binary }) => binary)).toEqual([undefined, undefined]);
	});

	it('columns with names of ours come out as input_…, and none is lost', async () => {
		const row: IDataObject = {
			phone: phone(0),
			status: 'customer',
			input_status: 'old',
			called: 'no',
			reached: 'no',
			original_destination: 'Milan',
			agent_number: 'Bob',
			conversation_id: 5,
			Status: 'kept',
		};
		const { json } = await bench.run(asIs(operation()), [row]);
		expect(json[0]).toMatchObject({
			status: 'initiated',
			called: 'yes',
			destination: phone(0),
			success: true,
			input_status: 'customer',
			input_input_status: 'old',
			input_called: 'no',
			input_reached: 'no',
			input_original_destination: 'Milan',
			input_agent_number: 'Bob',
			input_conversation_id: 5,
			Status: 'kept',
		});
		for (const name of ['original_destination', 'agent_number', 'reached'])
			expect(json[0]).not.toHaveProperty(name);
	});

	it.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)(
		'G5 an input item with an error is invalid, and comes out once as input_error (%s)',
		async (onError) => {
			const rows = [
				{ phone: phone(0), error: 'Wrong size' },
				{ phone: phone(1), error: '' },
				{ phone: phone(2), error: null },
			];
			const { json, errorItems } = await bench.run(asIs(operation()), rows, {
				onError,
				retry: { tries: 3, waitMs: 0 },
			});
			expect(errorItems).toEqual([]);
			expect(json.map(({ status, input_error: error }) => [status, error])).toEqual([
				['invalid', 'Wrong size'],
				['initiated', ''],
				['initiated', null],
			]);
			expect(json[0]!.reason).toMatch(/Wrong size.*Filter/);
			for (const row of json) expect(row).not.toHaveProperty('error');
			expect(bench.dialed.sort()).toEqual([phone(1), phone(2)]);
		},
	);

	it('a duplicate has its own fields', async () => {
		const again = { phone: phone(1), name: 'Again' };
		const { json } = await bench.run(asIs(operation()), [...contacts(2), again]);
		expect(json[2]).toMatchObject({ status: 'duplicate', name: 'Again' });
		expect(json[2]).not.toHaveProperty('amount');
	});
});

it('Place Call: IDs of an earlier call in the row do not stand for this one', async () => {
	bench.sandbox.settings.singleCallIds = false;
	const earlier = { consent_id: 7, batch_id: 'b', call_sid: 'CA7' };
	const { json } = await bench.run(asIs(place()), [{ phone: phone(1), ...earlier }]);
	expect(json[0]).toMatchObject({ called: 'yes', input_consent_id: 7, input_call_sid: 'CA7' });
	for (const name of Object.keys(earlier)) expect(json[0]).not.toHaveProperty(name);
});
