import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { run } from './harness';
import { assignments, bulk } from './workflows';

/** What stands in the cells of sheets and in the fields of other systems. */
const cell = fc.oneof(
	fc.constantFrom('+15550101001', '+15550101002', ' +15550101003', '=1+1', '{{ $json.phone }}', '', 'true', 'null'),
	fc.string({ maxLength: 12 }),
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constantFrom(null, undefined),
	fc.constantFrom({ first: 'Ada' }, ['Ada'], new Date(0)),
);
const sheet = fc.array(fc.record({ phone: cell, 'First Name': cell, amount: cell }, { requiredKeys: [] }), { minLength: 1, maxLength: 8 });

/** The same fields, dragged in, and written in a way that only n8n can read. */
const dragged = bulk({
	promptVariables: assignments({ name: '={{ $json["First Name"] }}', amount: '={{ $json.amount }}', fixed: 'text' }),
});
const calculated = bulk({
	destination: '={{ ($json.phone) }}',
	promptVariables: assignments({ name: '={{ ($json["First Name"]) }}', amount: '={{ ($json.amount) }}', fixed: 'text' }),
});

const dryRun = async (parameters: INodeParameters, items: IDataObject[]): Promise<IDataObject[]> => {
	const { json } = await run({
		parameters: { ...parameters, options: { dryRun: true } },
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
				expect(await dryRun(dragged, items)).toEqual(await dryRun(calculated, items));
			}),
			{ numRuns: 60 },
		);
	});

	it('are not read with a name that n8n refuses', async () => {
		const items = [{ phone: '+15550101001' }, { phone: '+15550101002', constructor: 'Ada' }] as unknown as IDataObject[];
		const parameters = bulk({ promptVariables: assignments({ name: '={{ $json.constructor }}' }) });
		const [, second] = await dryRun(parameters, items);
		expect(second!.error).toMatch(/^Row 2: an expression in this node could not be resolved/);
	});
});
