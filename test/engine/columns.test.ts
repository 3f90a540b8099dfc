import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { run } from './helpers/harness';
import { assignments, bulk } from './helpers/workflows';

/** What stands in the cells of sheets and in the fields of other systems. */
const cell = fc.oneof(
	fc.constantFrom(
		'+15550101001',
		'+15550101002',
		' +15550101003',
		'0171 2345678',
		'=1+1',
		'{{ $json.phone }}',
		'',
		'true',
		'null',
	),
	fc.string({ maxLength: 12 }),
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constantFrom(null, undefined),
	fc.constantFrom({ first: 'Ada' }, ['Ada'], new Date(0)),
);
/** Never live: nobody is called here. */
const mode = fc.constantFrom('dryRun', 'dryRun', 'dryRun', 'Live', '', null, undefined, 5, [
	'live',
]);
const country = fc.oneof(fc.constantFrom('DE', 'de', '49', 49, 'XX', ''), cell);
const sheet = fc.array(
	fc.record({ phone: cell, 'First Name': cell, amount: cell, mode, country }, { requiredKeys: [] }),
	{
		minLength: 1,
		maxLength: 8,
	},
);

/** The same fields, dragged in, and written in a way that only n8n can read. */
const dragged = bulk({
	mode: '={{ $json.mode }}',
	defaultCountry: '={{ $json.country }}',
	promptVariables: assignments({
		name: '={{ $json["First Name"] }}',
		amount: '={{ $json.amount }}',
		fixed: 'text',
	}),
});
const calculated = bulk({
	mode: '={{ ($json.mode) }}',
	defaultCountry: '={{ ($json.country) }}',
	destination: '={{ ($json.phone) }}',
	promptVariables: assignments({
		name: '={{ ($json["First Name"]) }}',
		amount: '={{ ($json.amount) }}',
		fixed: 'text',
	}),
});

const rowsOf = async (
	parameters: INodeParameters,
	items: IDataObject[],
): Promise<IDataObject[]> => {
	const { json } = await run({
		parameters,
		items,
		api: { baseUrl: 'http://127.0.0.1:9', token: 'token' },
		onError: 'continueRegularOutput',
	});
	return json;
};

describe('columns dragged into fields', () => {
	it('are read as n8n reads them, whatever stands in the rows', async () => {
		await fc.assert(
			fc.asyncProperty(sheet, async (rows) => {
				const items = rows as IDataObject[];
				expect(await rowsOf(dragged, items)).toEqual(await rowsOf(calculated, items));
			}),
			{ numRuns: 60 },
		);
	});

	it('are not read with a name that n8n refuses', async () => {
		const items = [
			{ phone: '+15550101001' },
			{ phone: '+15550101002', constructor: 'Ada' },
		] as unknown as IDataObject[];
		const parameters = bulk({
			mode: 'dryRun',
			promptVariables: assignments({ name: '={{ $json.constructor }}' }),
		});
		const [, second] = await rowsOf(parameters, items);
		expect(second!.status).toBe('invalid');
		expect(second!.reason).toMatch(/^An expression in this node could not be resolved/);
	});
});
