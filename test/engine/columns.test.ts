import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { run } from './helpers/harness';
import { assignments, bulk } from './helpers/workflows';

/** What stands in the cells of sheets and in the fields of other systems. */
const cell = fc.oneof(
	fc.constantFrom('+15550101001', ' +15550101003', '0171 2345678', '=1+1', '{{ $json.phone }}', ''),
	fc.string({ maxLength: 12 }),
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constantFrom(null, undefined, { first: 'Ada' }, ['Ada'], new Date(0)),
);
const country = fc.oneof(fc.constantFrom('DE', 'de', '49', 49, 'XX', ''), cell);
const sheet = fc.array(
	fc.record({ phone: cell, 'First Name': cell, amount: cell, country }, { requiredKeys: [] }),
	{ minLength: 1, maxLength: 8 },
);

/** A dry run with the same columns, dragged in, or written in a way that only n8n can read. */
const fields = (column: (reference: string) => string): INodeParameters =>
	bulk({
		mode: 'dryRun',
		destination: column('$json.phone'),
		promptVariables: assignments({
			name: column('$json["First Name"]'),
			amount: column('$json.amount'),
			fixed: 'text',
		}),
		options: { defaultCountry: column('$json.country') },
	});

const rowsOf = async (
	parameters: INodeParameters,
	items: IDataObject[],
): Promise<IDataObject[]> => {
	const api = { baseUrl: 'http://127.0.0.1:9', token: 'token' };
	return (await run({ parameters, items, api, onError: 'continueRegularOutput' })).json;
};

it('columns dragged into fields are read as n8n reads them, whatever stands in the rows', async () => {
	const dragged = fields((reference) => `={{ ${reference} }}`);
	const calculated = fields((reference) => `={{ (${reference}) }}`);
	await fc.assert(
		fc.asyncProperty(sheet, async (rows) => {
			const items = rows as IDataObject[];
			expect(await rowsOf(dragged, items)).toEqual(await rowsOf(calculated, items));
		}),
		{ numRuns: 60 },
	);
});

it('a column with a name that n8n refuses makes its row invalid', async () => {
	const items = ['{"phone": "+15550101001"}', '{"phone": "+15550101002", "constructor": "Ada"}'];
	const promptVariables = assignments({ name: '={{ $json.constructor }}' });
	const rows = await rowsOf(
		bulk({ mode: 'dryRun', promptVariables }),
		items.map((item) => JSON.parse(item) as IDataObject),
	);
	expect(rows[1]).toMatchObject({
		status: 'invalid',
		reason: expect.stringMatching(/expression.*could not be/),
	});
});
