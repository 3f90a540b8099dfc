import type { INodeParameters } from 'n8n-workflow';
import { workbench } from './helpers/workbench';
import { bulk, place, shown } from './helpers/workflows';

const bench = workbench();
const [GERMAN, AUSTRIAN, JAMAICAN, PREMIUM, SATELLITE] = [
	'+4917612345678',
	'+436641234567',
	'+18764567890',
	'+19005550123',
	'+881612345678',
];
const rows = (...phones: string[]) => phones.map((phone) => ({ phone }));
const operations: Array<[string, (more: INodeParameters) => INodeParameters]> = [
	['Bulk Call', bulk],
	['Place Call', place],
];

describe.each(operations)('G12 where it was meant to, with %s', (_, operation) => {
	it('as long as no country is chosen nobody is called, and the message names the countries of the rows', async () => {
		for (const countries of [[], null, '', '={{ [] }}']) {
			const run = await bench.run(
				operation({ countries }),
				rows(GERMAN, AUSTRIAN, GERMAN, JAMAICAN),
			);
			expect(shown(run).message).toBe('No country is chosen in Countries That May Be Called');
			expect(shown(run).description).toContain(
				'Germany 2, Austria 1, Jamaica 1: choose those that you want to call in Countries That May Be Called',
			);
		}
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each([
		['MC', '+37744123456', 'Kosovo'],
		['SI', '+38643123456', 'Kosovo'],
		['IE', '+3534890123456', 'United Kingdom'],
		['IL', '+972592123456', 'Palestinian Territories'],
		['IL', '+9720592123456', 'Palestinian Territories'],
		['RS', '+381028123456', 'Kosovo'],
		['FR', '+33690123456', 'Guadeloupe'],
		['FR', '0976 01 12 34', 'Guadeloupe'],
	])(
		'a phone that is reached through %s, %s, is called only where its own country is chosen, too',
		async (country, number, own) => {
			const { json } = await bench.run(operation({ countries: [country] }), rows(number));
			expect(json).toMatchObject([{ status: 'not_allowed', called: 'no' }]);
			expect(json[0]!.reason).toContain(own);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('a phone of San Marino is called where San Marino is chosen', async () => {
		const { json } = await bench.run(operation({ countries: ['SM'] }), rows('+3780549123456'));
		expect(json.map(({ called }) => called)).toEqual(['yes']);
	});

	it('a dry run needs no choice, and says that Live will', async () => {
		const { json, hints } = await bench.run(
			operation({ mode: 'dryRun', countries: [] }),
			rows(GERMAN, JAMAICAN),
		);
		expect(json.map(({ status }) => status)).toEqual(['dry_run', 'dry_run']);
		expect(hints[0]!.message).toContain(
			' Countries: Germany 1, Jamaica 1. None is chosen yet: choose those that you want to call in Countries That May Be Called before you set Mode to Live.',
		);
	});

	it('only numbers of the countries that were chosen are called, in a dry run as well', async () => {
		for (const countries of [['DE', 'AT'], '={{ ["DE", "AT"] }}', '={{ "de, at" }}']) {
			bench.reset();
			const { json } = await bench.run(
				operation({ countries }),
				rows(GERMAN, JAMAICAN, AUSTRIAN, SATELLITE),
			);
			expect(json.map(({ status, called }) => [status, called])).toEqual([
				['initiated', 'yes'],
				['not_allowed', 'no'],
				['initiated', 'yes'],
				['not_allowed', 'no'],
			]);
			expect(json[1]?.reason).toBe('Jamaica is not chosen in Countries That May Be Called.');
			expect(bench.dialed.sort()).toEqual([AUSTRIAN, GERMAN].sort());
		}
		const { json } = await bench.run(
			operation({ mode: 'dryRun', countries: ['DE'] }),
			rows(GERMAN, JAMAICAN),
		);
		expect(json.map(({ status }) => status)).toEqual(['dry_run', 'not_allowed']);
	});

	it('special numbers are called in no country, unless the option says so', async () => {
		const special = rows(PREMIUM, SATELLITE, '+447012345678');
		const { json } = await bench.run(operation({ countries: ['any'] }), special);
		expect(json.map(({ status }) => status)).toEqual(['not_allowed', 'not_allowed', 'not_allowed']);
		expect(bench.dialed).toEqual([]);
		await bench.run(
			operation({ countries: ['any'], options: { specialNumbers: 'call' } }),
			special,
		);
		expect(bench.dialed.sort()).toEqual(special.map(({ phone }) => phone).sort());
	});

	it.each<[string, unknown, string]>([
		['any beside others', ['any', 'DE'], 'Every Country beside others'],
		['nothing', '={{ $json.misspelt }}', 'came to nothing'],
		['null', '={{ null }}', 'came to nothing'],
		['an unknown code', '={{ ["DE", "XX"] }}', '"XX"'],
		['a name', '={{ "Germany" }}', 'Germany'],
		['an object', '={{ ({ DE: true }) }}', 'no list of countries'],
		[
			'another one for each row',
			'={{ [$json.phone === "+4917612345678" ? "DE" : "AT"] }}',
			'row 2',
		],
		['what a model says', "={{ $fromAI('countries', '', 'json') }}", 'is left to the AI model'],
	])('G1 %s calls nobody', async (__, countries, message) => {
		const run = await bench.run(
			operation({ countries: countries as string }),
			rows(GERMAN, AUSTRIAN),
		);
		expect(shown(run).message).toContain(message);
		const continued = await bench.run(
			operation({ countries: countries as string }),
			rows(GERMAN, AUSTRIAN),
			{ onError: 'continueRegularOutput' },
		);
		expect(continued.json.map(({ status }) => status)).toEqual(['refused', 'refused']);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('where a column names the country of each number, one without is of no country, though only one is chosen', async () => {
		const list = [
			{ phone: '0176 12345678', land: 'DE' },
			{ phone: '079 123 45 67', land: 'CH' },
			{ phone: '079 123 45 68', land: '' },
			{ phone: '079 123 45 69', land: null },
			{ phone: '079 123 45 70' },
			{ phone: AUSTRIAN, land: '' },
		];
		const { json } = await bench.run(
			operation({ countries: ['DE'], defaultCountry: '={{ $json.land }}' }),
			list,
		);
		expect(bench.dialed).toEqual([GERMAN]);
		expect(json.map(({ status }) => status)).toEqual([
			'initiated',
			'not_allowed',
			'invalid',
			'invalid',
			'invalid',
			'not_allowed',
		]);
		for (const { reason } of json.slice(2, 5)) expect(reason).toContain('has no country code');
		const emptied = await bench.run(
			operation({ mode: 'dryRun', countries: ['DE'], defaultCountry: '=' }),
			list.slice(0, 1),
		);
		expect(emptied.json.map(({ status }) => status)).toEqual(['dry_run']);
		const misspelt = await bench.run(
			operation({ countries: ['DE'], defaultCountry: '={{ $json.country }}' }),
			list.slice(0, 4),
		);
		expect(shown(misspelt).message).toContain('has no country code');
		expect(bench.dialed).toEqual([GERMAN]);
	});

	it('numbers without + are of the country, where one is chosen, and the field for it goes first', async () => {
		const national = rows('0176 12345678');
		await bench.run(operation({ countries: ['DE'] }), national);
		expect(bench.dialed).toEqual([GERMAN]);
		for (const countries of [['DE', 'AT'], ['any']]) {
			const { json } = await bench.run(operation({ countries }), [...national, ...rows(AUSTRIAN)]);
			expect(json[0]).toMatchObject({
				status: 'invalid',
				reason: expect.stringContaining('has no country code'),
			});
		}
		bench.reset();
		const other = await bench.run(
			operation({ countries: ['DE'], defaultCountry: 'AT' }),
			rows('0664 1234567', GERMAN),
		);
		expect(other.json.map(({ status }) => status)).toEqual(['not_allowed', 'initiated']);
	});

	it('as an AI tool, the model can change neither', async () => {
		const options = { specialNumbers: "={{ $fromAI('special') }}" };
		const { json } = await bench.run(operation({ countries: ['any'], options }), rows(PREMIUM), {
			asTool: true,
			onError: 'continueRegularOutput',
		});
		expect(json).toMatchObject([
			{
				status: 'refused',
				reason: expect.stringContaining('Special Numbers is left to the AI model'),
			},
		]);
		expect(bench.sandbox.requests).toEqual([]);
	});
});
