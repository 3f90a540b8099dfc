import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import {
	AGENT,
	bulk,
	CALLER,
	pairs,
	phone,
	place,
	shown,
	SIP_AGENT,
	text,
} from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const GERMAN = '+491712345678';
const sheet = (...phones: unknown[]): IDataObject[] =>
	phones.map((each) => ({ phone: each }) as IDataObject);

const CHOOSE =
	'Choose the country under “Country of Numbers Without +”, or write the number with + and its country code.';
const E164 =
	'. Write the number with a leading + and the country code, digits only, like +14155550123.';
const COLUMN =
	': it has no digits. Check that Destination takes the column with the phone numbers.';
const DATE =
	': it looks like a date. Check that Destination takes the column with the phone numbers. If it does, set the column to plain text in your sheet and enter the number again, with + and its country code.';
const AMOUNT =
	': it is written as an amount. Set the column to plain text in your sheet and enter the number again, with + and its country code.';
const COUNTRY = 'Use a code such as DE, or a calling code such as 49.';
const ONE = '. Leave one phone number in the cell, and nothing else.';
const CORRECT =
	'Correct it. If it is newer than the numbering plans, write it with + and digits only, like +14155550123.';

const operations: Array<[string, (more?: INodeParameters) => INodeParameters]> = [
	['Bulk Call', bulk],
	['Place Call', place],
];

describe.each(operations)('%s: numbers as people write them', (_, operation) => {
	it('are called in international format, and the original is shown where it was changed', async () => {
		const written = [
			phone(0),
			'+1 (415) 555-0123',
			'0171 2345678',
			491712345679,
			` +491712345670\u00a0`,
		];
		const { items, called, error } = await bench.run(
			operation({ defaultCountry: 'DE', options: { parallelRequests: 1 } }),
			sheet(...written),
		);
		expect(error).toBeUndefined();
		expect(bench.dialed).toEqual([
			phone(0),
			'+14155550123',
			GERMAN,
			'+491712345679',
			'+491712345670',
		]);
		expect(items.map(({ json }) => [json.destination, json.original_destination])).toEqual([
			[phone(0), undefined],
			['+14155550123', '+1 (415) 555-0123'],
			[GERMAN, '0171 2345678'],
			['+491712345679', '491712345679'],
			['+491712345670', ' +491712345670\u00a0'],
		]);
		expect(items[0]?.json).not.toHaveProperty('original_destination');
		expect(items.map(({ json }) => json.success)).toEqual(Array(5).fill(true));
		expect(pairs(called)).toEqual([0, 1, 2, 3, 4]);
	});

	it.each<[string, unknown]>([
		['spaces', '+49 171 2345678'],
		['00', '0049 171 2345678'],
		['brackets', '+49 (0)171 2345678'],
		['a space around it', ` ${GERMAN}`],
		['a line break behind it', `${GERMAN}\n`],
		['an apostrophe before it', `'${GERMAN}`],
	])('an international number needs no country: %s', async (__, value) => {
		const { called } = await bench.run(operation(), sheet(value));
		expect(bench.dialed).toEqual([GERMAN]);
		expect(called.map(({ json }) => [json.destination, json.original_destination])).toEqual([
			[GERMAN, value],
		]);
	});

	it.each<[string, unknown]>([
		['a national number', '0171 2345678'],
		['a national number with a space before it', ' 0171 2345678'],
		['an international number without its plus', '491712345678'],
		['a number cell', 491712345678],
	])(
		'without a country nobody is called by a number that has none, and the reason names the field: %s',
		async (__, value) => {
			const { called, notCalled, error } = await bench.run(operation(), sheet(phone(0), value));
			expect(error).toBeUndefined();
			expect(bench.dialed).toEqual([phone(0)]);
			expect(pairs(called)).toEqual([0]);
			expect(pairs(notCalled)).toEqual([1]);
			const named = text(value).trim();
			expect(notCalled.map(({ json }) => [json.status, json.reason, json.destination])).toEqual([
				['invalid', `The destination "${named}" has no country code. ${CHOOSE}`, text(value)],
			]);
		},
	);

	it('G1 when no row can be called the run ends with a message that names the first row and the field', async () => {
		const { message, description } = shown(
			await bench.run(operation(), sheet('0171 2345678', '0172 2345678')),
		);
		expect(message).toBe(
			'None of the 2 rows can be called. Row 1: the destination "•••• •••5678" has no country code',
		);
		expect(description).toBe(`${CHOOSE} Nobody was called.`);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each<[string, unknown, string?]>([
		['a date', '15.01.2024', DATE],
		['a date with a short year', '10/12/24', DATE],
		['a date as sheets store it', 45306, DATE],
		['a decimal', '1712345678.0', AMOUNT],
		['a decimal with a plus', '+491712345678.0', AMOUNT],
		['a number with a fraction', 1712345678.5, AMOUNT],
		['an exponent', '4.91712E+11', AMOUNT],
		['an extension', '0171 2345678 x12', ONE],
		['two numbers', '0171 2345678, 0172 2345678', ONE],
		['a number with a word', '0171 2345678 (Ada)', ONE],
		['a word', 'Ada', COLUMN],
		['a cell of more than 100 characters', `0171${' '.repeat(100)}2345678`],
	])('what is no phone number calls nobody: %s', async (__, value, remedy = E164) => {
		const { notCalled, error } = await bench.run(
			operation({ defaultCountry: 'DE' }),
			sheet('0171 2345678', value),
		);
		expect(error).toBeUndefined();
		expect(bench.dialed).toEqual([GERMAN]);
		expect(pairs(notCalled)).toEqual([1]);
		expect(notCalled[0]?.json.status).toBe('invalid');
		expect(notCalled[0]?.json.reason).toBe(
			`The destination "${text(value).replace(/\s+/g, ' ')}" is not a phone number${remedy}`,
		);
	});

	it('is dialed as people of its country dial it, or not at all', async () => {
		const rows: Array<[country: string, written: unknown, outcome: string]> = [
			['DE', '+49 (0171) 2345678', GERMAN],
			[
				'DE',
				'1712345678.0',
				'The destination "1712345678.0" is not a phone number: it is written as an amount.',
			],
			[
				'DE',
				'0171 23',
				'The destination "0171 23" is not a valid number with the country code +49.',
			],
			[
				'DE',
				'14155550123',
				'The destination "14155550123" is not a valid number with the country code +49.',
			],
			['DE', '4921112345', 'The destination "4921112345" may be +494921112345 or +4921112345.'],
			['DE', '030 1234567/68', 'The destination "030 1234567/68" is not a phone number.'],
			['AT', '0664/123456', '+43664123456'],
			['GB', '(07400) 123456', '+447400123456'],
			['HU', '06 20 123 4567', '+36201234567'],
			['RU', '8 (912) 345-67-89', '+79123456789'],
			['KZ', '8 771 000 99 98', '+77710009998'],
			['LT', '8 612 34567', '+37061234567'],
			['IT', '06 6982 1234', '+390669821234'],
			['AR', '011 15-2345-6789', '+5491123456789'],
			['BR', '0 21 11 96123-4567', '+5511961234567'],
			['CI', '01 23 45 67 89', '+2250123456789'],
			['PL', '+48 (0) 512 345 678', '+48512345678'],
			['US', '011 49 171 2345679', '+491712345679'],
			[
				'US',
				'0415 555 0123',
				'The destination "0415 555 0123" is not a valid number with the country code +1.',
			],
			[
				'',
				'+1 (555) 010-1001',
				'The destination "+1 (555) 010-1001" is not a valid number with the country code +1.',
			],
			['', phone(0), phone(0)],
			['', '+4901712345680', '+491712345680'],
		];
		const { items, error } = await bench.run(
			operation({ defaultCountry: '={{ $json.country }}' }),
			rows.map(([country, written]) => ({ country, phone: written as string })),
		);
		expect(error).toBeUndefined();
		const outcomes = items.map(({ json, pairedItem }) => [
			(pairedItem as { item: number }).item,
			json.status === 'invalid'
				? text(json.reason).split(/(?<=\.) (?=[A-Z])/)[0]
				: json.destination,
		]);
		expect(outcomes.sort(([a], [b]) => Number(a) - Number(b))).toEqual(
			rows.map(([, , outcome], item) => [item, outcome]),
		);
		expect([...bench.dialed].sort()).toEqual(
			rows
				.map(([, , outcome]) => outcome)
				.filter((outcome) => outcome.startsWith('+'))
				.sort(),
		);
	});

	it('a number that is not valid is told with the remedy', async () => {
		const { message, description } = shown(await bench.run(operation(), sheet('+49 171 23')));
		expect(message).toMatch(/is not a valid number with the country code \+49$/);
		expect(description).toBe(`${CORRECT} Nobody was called.`);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('a value that JSON cannot hold ends nothing', async () => {
		const { called, notCalled } = await bench.run(
			operation({ destination: '={{ BigInt($json.phone) }}', defaultCountry: 'DE' }),
			sheet('1712345678', '45'),
		);
		expect(called.map(({ json }) => [json.destination, json.original_destination])).toEqual([
			[GERMAN, '1712345678'],
		]);
		expect(notCalled.map(({ json }) => [json.status, json.destination])).toEqual([
			['invalid', '45'],
		]);
	});

	it('numbers that are written differently are one number', async () => {
		const { json } = await bench.run(
			operation({ defaultCountry: '49' }),
			sheet(GERMAN, '0171 2345678', '0049 171 2345678'),
		);
		expect(bench.dialed).toEqual([GERMAN]);
		expect(
			json.map(({ status, reason, destination, original_destination }) => [
				status,
				reason,
				destination,
				original_destination,
			]),
		).toEqual([
			['initiated', null, GERMAN, undefined],
			['duplicate', 'Same number as row 1', GERMAN, '0171 2345678'],
			['duplicate', 'Same number as row 1', GERMAN, '0049 171 2345678'],
		]);
	});

	describe('the country', () => {
		it.each<[string, unknown]>([
			['of the list', 'DE'],
			['in small letters', 'de'],
			['as a calling code', '49'],
			['as a number', 49],
			['with a plus', '+49'],
			['with zeros', '0049'],
			['with blanks', ' 49 '],
		])('is taken %s', async (__, country) => {
			await bench.run(operation({ defaultCountry: country as string }), sheet('0171 2345678'));
			expect(bench.dialed).toEqual([GERMAN]);
		});

		it('may differ from row to row', async () => {
			const rows = [
				{ phone: '0171 2345678', country: 'DE' },
				{ phone: '(415) 555-0123', country: '1' },
				{ phone: '06 12 34 56 78', country: 'fr' },
				{ phone: '0171 2345678', country: '' },
				{ phone: '0171 2345678', country: 'Germny' },
				{ phone: phone(5), country: 'Germny' },
			];
			const { items, called, notCalled, error } = await bench.run(
				operation({ defaultCountry: '={{ $json.country }}', options: { parallelRequests: 1 } }),
				rows,
			);
			expect(error).toBeUndefined();
			expect(bench.dialed).toEqual([GERMAN, '+14155550123', '+33612345678', phone(5)]);
			expect(pairs(called)).toEqual([0, 1, 2, 5]);
			expect(notCalled.map(({ json, pairedItem }) => [pairedItem, json.reason])).toEqual([
				[{ item: 3 }, `The destination "0171 2345678" has no country code. ${CHOOSE}`],
				[
					{ item: 4 },
					`“Country of Numbers Without +” is "Germny", which is not a country code. ${COUNTRY}`,
				],
			]);
			expect(pairs(items)).toEqual([0, 1, 2, 3, 4, 5]);
		});

		it.each(['Germny', '0', '12345', 'XX'])(
			'that is none (%j) ends the run with a message when it keeps all rows back',
			async (country) => {
				const { message, description } = shown(
					await bench.run(
						operation({ defaultCountry: country }),
						sheet('0171 2345678', '0172 2345678'),
					),
				);
				expect(message).toBe(
					`“Country of Numbers Without +” is "${country}", which is not a country code`,
				);
				expect(description).toBe(`${COUNTRY} Nobody was called.`);
				expect(bench.sandbox.requests).toEqual([]);
			},
		);

		it('by its name is told the code', async () => {
			const { message, description } = shown(
				await bench.run(operation({ defaultCountry: 'Germany' }), sheet('0171 2345678')),
			);
			expect(message).toBe(
				'“Country of Numbers Without +” is "Germany", which is not a country code',
			);
			expect(description).toBe('Use its code, DE. Nobody was called.');
			expect(bench.sandbox.requests).toEqual([]);
		});

		it('that is an object or a very long text is told, and not shown in full', async () => {
			const rows = [{ country: { code: 'DE' } }, { country: 'DE'.repeat(100_000) }].map((row) => ({
				...row,
				phone: '0171 2345678',
			}));
			const { notCalled } = await bench.run(operation({ defaultCountry: '={{ $json.country }}' }), [
				...rows,
				{ phone: phone(0), country: null },
			]);
			expect(notCalled.map(({ json }) => json.reason)).toEqual([
				`“Country of Numbers Without +” is "{"code":"DE"}", which is not a country code. ${COUNTRY}`,
				`“Country of Numbers Without +” is "${'DE'.repeat(28)}D…", which is not a country code. ${COUNTRY}`,
			]);
			expect(bench.dialed).toEqual([phone(0)]);
		});

		it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
			'that is none is told for each row that needs it with %s',
			async (onError) => {
				const { notCalled, errorItems } = await bench.run(
					operation({ defaultCountry: 'Germny' }),
					sheet(phone(0), '0171 2345678', '0172 2345678'),
					{
						onError,
					},
				);
				expect(errorItems).toEqual([]);
				expect(
					notCalled.map(({ json, pairedItem }) => [pairedItem, json.status, json.reason]),
				).toEqual(
					[1, 2].map((item) => [
						{ item },
						'invalid',
						`“Country of Numbers Without +” is "Germny", which is not a country code. ${COUNTRY}`,
					]),
				);
				expect(bench.dialed).toEqual([phone(0)]);
			},
		);
	});

	it('agent and caller may be written with spaces and the like', async () => {
		await bench.run(operation({ agentNumber: '+1 (555) 000-1000' }), sheet(phone(0)));
		await bench.run(
			operation({ agentNumber: SIP_AGENT, callerNumber: '+1 555 000-9999' }),
			sheet(phone(1)),
		);
		expect(
			bench.sandbox.journal.map(({ agentNumber, callerNumber }) => [agentNumber, callerNumber]),
		).toEqual([
			[AGENT, undefined],
			[SIP_AGENT, CALLER],
		]);
	});

	it('the country is for destinations, never for the agent', async () => {
		const { message } = shown(
			await bench.run(
				operation({ agentNumber: '0555 0001000', defaultCountry: 'DE' }),
				sheet('0171 2345678'),
			),
		);
		expect(message).toMatch(/05550001000/);
		expect(bench.bodies<IDataObject>().map(({ agent_number }) => agent_number)).toEqual([
			'05550001000',
		]);
		expect(bench.dialed).toEqual([]);
	});

	it('the country is for destinations, never for the caller', async () => {
		const parameters = {
			agentNumber: SIP_AGENT,
			callerNumber: '0171 2345678',
			defaultCountry: 'DE',
		};
		const { message } = shown(await bench.run(operation(parameters), sheet('0171 2345678')));
		expect(message).toBe(
			'Caller Number holds "0171 2345678", which is not a phone number with its country code',
		);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

it('numbers of a list and of JSON are cleaned too', async () => {
	await bench.run(
		bulk({
			destinationSource: 'list',
			destinationList: { destination: [{ phone: '+49 171 2345678' }] },
		}),
	);
	await bench.run(
		bulk({
			destinationSource: 'json',
			destinationsJson: '["0172 2345678", {"phone": "+49-173-2345678"}]',
			defaultCountry: 'DE',
		}),
	);
	expect(bench.dialed).toEqual([GERMAN, '+491722345678', '+491732345678']);
});

it('all input fields as variables leave out the number, cleaned or not', async () => {
	await bench.run(bulk({ variablesFrom: 'input' }), [{ phone: '+49 171 2345678', name: 'Ada' }]);
	expect(bench.sandbox.journal.map(({ variables }) => variables)).toEqual([{ name: 'Ada' }]);
});

describe('nine digits in Italy that begin with 3, as its former mobile numbers and as fixed lines whose zero a table has lost', () => {
	const italian = (options: INodeParameters = {}): INodeParameters =>
		bulk({ countries: ['IT'], options });

	it.each([331123456, 351234567, 391234567])(
		'%d is not called, because it may be either',
		async (number) => {
			const run = await bench.run(italian(), sheet(number, '+390669821234'));
			expect(run.json[0]!.reason).toMatch(`may be +39${number} or +390${number}`);
			expect(bench.dialed).toEqual(['+390669821234']);
		},
	);

	it('are called where the number says which: with its zero, with +39, or with ten digits', async () => {
		await bench.run(
			italian({ parallelRequests: 1 }),
			sheet('0331 123456', '+39 331 123456', '331 1234567'),
		);
		expect(bench.dialed).toEqual(['+390331123456', '+39331123456', '+393311234567']);
	});

	it('G11 in Do Not Call they call nobody', async () => {
		await bench.run(italian({ doNotCall: '331123456' }), sheet('0331 123456'));
		expect(bench.dialed).toEqual([]);
	});
});

it('G4 Retry recognises a number that was written differently', async () => {
	bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1, times: 1 });
	const parameters = bulk({ options: { parallelRequests: 1 } });
	const rows = sheet(...Array.from({ length: 12 }, (_, n) => `+49 171 ${2345600 + n}`));
	const stopped = await bench.run(parameters, rows);
	expect(stopped.error).toBeDefined();
	const retried = await bench.run(
		parameters,
		rows.map(({ phone: written }) => ({ phone: text(written).replaceAll(' ', '-') })),
		{ retryOf: stopped },
	);
	expect(retried.called).toHaveLength(12);
	expect(bench.dialed).toHaveLength(12);
	expect(bench.sandbox.doubleDialed()).toEqual([]);
});

it('G8 the memory of people called knows the cleaned number', async () => {
	await bench.run(bulk({ calledBefore: 'skip' }), sheet('+49 171 2345678'));
	const { called, notCalled } = await bench.run(
		bulk({ calledBefore: 'skip' }),
		sheet('0049-171-2345678'),
	);
	expect(called).toEqual([]);
	expect(
		notCalled.map(({ json }) => [json.status, json.destination, json.original_destination]),
	).toEqual([['already_called', GERMAN, '0049-171-2345678']]);
	expect(store.size).toBe(1);
	expect(bench.dialed).toEqual([GERMAN]);
});
