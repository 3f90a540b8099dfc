import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { workbench } from './helpers/workbench';
import { bulk, place, shown } from './helpers/workflows';

const bench = workbench();
const GERMAN = '+4917612345678';
const AUSTRIAN = '+436641234567';
const JAMAICAN = '+18764567890';
const PREMIUM = '+19005550123';
const SATELLITE = '+881612345678';

const rows = (...phones: string[]) => phones.map((phone) => ({ phone }));
const statuses = (json: IDataObject[]): unknown[] => json.map(({ status }) => status);

describe.each([
	['Bulk Call', bulk],
	['Place Call', place],
])('G12 where it was meant to, with %s', (_, operation) => {
	it.each<[string, INodeParameters, RegExp]>([
		['no country', { countries: [] }, /Germany.*Austria.*Jamaica/],
		['an unknown code', { countries: ['DE', 'XX'] }, /"XX"/],
		['a name', { countries: ['Germany'] }, /Germany/],
		['Every Country beside others', { countries: ['any', 'DE'] }, /Every Country|any/],
	])('G1 %s chosen, by an AI tool as well: nobody is called', async (__, parameters, told) => {
		// n8n checks that a node's required field is filled in, and not a tool's.
		const run = await bench.run(operation(parameters), rows(GERMAN, AUSTRIAN, GERMAN, JAMAICAN), {
			alone: true,
		});
		const { message, description } = shown(run);
		expect(message).toMatch(/Countries That May Be Called/);
		expect(`${message} ${description}`).toMatch(told);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('only numbers of the chosen countries are called, and a dry run shows which', async () => {
		const people = rows(GERMAN, JAMAICAN, AUSTRIAN, SATELLITE);
		const parameters = operation({ countries: ['DE', 'AT'] });
		const { json } = await bench.run(parameters, people);
		expect(json.map(({ status, called }) => [status, called])).toEqual([
			['initiated', 'yes'],
			['not_allowed', 'no'],
			['initiated', 'yes'],
			['not_allowed', 'no'],
		]);
		expect(json[1]?.reason).toMatch(/Jamaica.*Countries That May Be Called/);
		expect([...bench.dialed].sort()).toEqual([AUSTRIAN, GERMAN].sort());
		const dry = await bench.run({ ...parameters, mode: 'dryRun' }, people);
		expect(statuses(dry.json)).toEqual(['dry_run', 'not_allowed', 'dry_run', 'not_allowed']);
		expect(dry.hints[0]?.message).toMatch(/Other countries: 2 rows.*Germany/);
	});

	it('special numbers are called in no country, unless the rule says so', async () => {
		const special = rows(PREMIUM, SATELLITE, '+447012345678');
		const { json } = await bench.run(operation(), special);
		expect(statuses(json)).toEqual(['not_allowed', 'not_allowed', 'not_allowed']);
		expect(bench.dialed).toEqual([]);
		await bench.run(operation({ rules: { specialNumbers: 'call' } }), special);
		expect([...bench.dialed].sort()).toEqual(special.map(({ phone }) => phone).sort());
	});

	it.each(['112', '911', '+49110', '08', '12345678901234567890'])(
		'emergency, short and impossible numbers are never called: %s',
		async (number) => {
			const parameters = { countries: ['DE'], rules: { specialNumbers: 'call' } };
			const { json } = await bench.run(operation(parameters), rows(number, GERMAN));
			expect(json[0]).toMatchObject({ called: 'no' });
			expect(bench.dialed).toEqual([GERMAN]);
		},
	);

	it('numbers without + are of the country if one is chosen; Country of Numbers Without + goes first', async () => {
		const national = rows('0176 12345678', AUSTRIAN);
		const status = async (parameters: INodeParameters) =>
			statuses((await bench.run(operation({ mode: 'dryRun', ...parameters }), national)).json);
		expect(await status({ countries: ['DE'] })).toEqual(['dry_run', 'not_allowed']);
		expect(await status({ countries: ['DE', 'AT'] })).toEqual(['invalid', 'dry_run']);
		expect(await status({ countries: ['any'] })).toEqual(['invalid', 'dry_run']);
		const defaultCountry = { options: { defaultCountry: 'DE' } };
		expect(await status({ countries: ['AT'], ...defaultCountry })).toEqual([
			'not_allowed',
			'dry_run',
		]);
	});

	it('where a column names the country of each number, a row without one has none, though only one is chosen', async () => {
		const { json } = await bench.run(
			operation({ countries: ['DE'], options: { defaultCountry: '={{ $json.land }}' } }),
			[
				{ phone: '0176 12345678', land: 'DE' },
				{ phone: '079 123 45 67', land: 'CH' },
				{ phone: '0176 12345679', land: '' },
				{ phone: '0176 12345670' },
			],
		);
		expect(statuses(json)).toEqual(['initiated', 'not_allowed', 'invalid', 'invalid']);
		expect(bench.dialed).toEqual([GERMAN]);
	});
});
