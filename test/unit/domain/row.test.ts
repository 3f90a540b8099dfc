import { problem, ok } from '../../../nodes/OutboundCalls/domain/problem';
import { isBatchId, isCallRecordId } from '../../../nodes/OutboundCalls/domain/apiLimits';
import { checkRow, type RawRow } from '../../../nodes/OutboundCalls/domain/row';
const raw = (more: Partial<RawRow> = {}): RawRow => ({
	itemIndex: 4,
	mode: 'live',
	destination: '+15551110001',
	agentNumber: '+15550001000',
	callerNumber: '',
	country: '',
	timeZone: '',
	noCallDates: null,
	optedOut: '',
	isRemembered: true,
	variables: ok([]),
	...more,
});

const rowOf = (more?: Partial<RawRow>) => {
	const checked = checkRow(raw(more), 7);
	if (!checked.ok) throw new Error(checked.error.problem.message);
	return checked.value;
};

describe('a row that may be sent', () => {
	it.each<[string, Partial<RawRow>, object]>([
		['has no more than it needs', {}, {}],
		['may be of a dry run', { mode: 'dryRun' }, { isDry: true }],
		[
			'may have an agent without the plus',
			{ agentNumber: '15550001000' },
			{ agentNumber: '15550001000' },
		],
		[
			'may have an agent from a number cell',
			{ agentNumber: 15550001000 },
			{ agentNumber: '15550001000' },
		],
		['loses spaces around the agent', { agentNumber: ' +15550001000 ' }, {}],
		['loses spaces and dashes inside the agent', { agentNumber: '+1 (555) 000-1000' }, {}],
		[
			'loses spaces inside the caller',
			{ callerNumber: '+1 555 000 9999' },
			{ callerNumber: '+15550009999' },
		],
		[
			'may have a caller with 00',
			{ callerNumber: '001 555 000 9999' },
			{ callerNumber: '+15550009999' },
		],
		[
			'keeps a SIP ID as it is',
			{ agentNumber: ' t-1 2-3 ', callerNumber: '+1' },
			{ agentNumber: 't-1 2-3', callerNumber: '+1' },
		],
		[
			'may have a SIP agent with a caller',
			{ agentNumber: 't-sales', callerNumber: '+15550009999' },
			{ agentNumber: 't-sales', callerNumber: '+15550009999' },
		],
		[
			'may have a caller with a phone agent',
			{ callerNumber: '+15550009999' },
			{ callerNumber: '+15550009999' },
		],
		[
			'has its variables as text',
			{ variables: ok([['amount', 5]]) },
			{ variables: { amount: '5' } },
		],
		['has its own ID as text', { externalCallId: 1042 }, { externalCallId: '1042' }],
		['has no ID where the field is empty', { externalCallId: ' ' }, {}],
		[
			'may be of no country, and special',
			{ destination: '+881612345678' },
			{
				destination: '+881612345678',
				person: '+881612345678',
				country: undefined,
				special: 'satellite',
			},
		],
	])('%s', (_, more, expected) => {
		const destination = '+15551110001';
		const plain = {
			itemIndex: 4,
			position: 7,
			isDry: false,
			destination,
			person: destination,
			country: 'US',
			agentNumber: '+15550001000',
		};
		expect(rowOf(more)).toEqual({ ...plain, ...expected });
	});
});

describe('a row whose number people wrote in their own way', () => {
	it.each<[string, Partial<RawRow>, string, string | undefined]>([
		['E.164 is sent as it is', {}, '+15551110001', undefined],
		['E.164 is sent as it is, whatever the country', { country: 'DE' }, '+15551110001', undefined],
		[
			'E.164 is sent as it is, even if the country is none',
			{ country: 'Germny' },
			'+15551110001',
			undefined,
		],
		['spaces', { destination: '+1 415 5550123' }, '+14155550123', '+1 415 5550123'],
		['a line break behind', { destination: '+14155550123\n' }, '+14155550123', '+14155550123\n'],
		[
			'00, even if the country is none',
			{ destination: '001 415 5550123', country: '?' },
			'+14155550123',
			'001 415 5550123',
		],
		[
			'a national number, with the country',
			{ destination: '0171 2345678', country: 'DE' },
			'+491712345678',
			'0171 2345678',
		],
		[
			'a national number, with the calling code',
			{ destination: '0171 2345678', country: '+49' },
			'+491712345678',
			'0171 2345678',
		],
		[
			'a national number, with the calling code from a number cell',
			{ destination: '0171 2345678', country: 49 },
			'+491712345678',
			'0171 2345678',
		],
		[
			'a national number, with a country in small letters',
			{ destination: '0171 2345678', country: ' de ' },
			'+491712345678',
			'0171 2345678',
		],
		['a number cell', { destination: 14155550123, country: 'US' }, '+14155550123', '14155550123'],
		['a big integer', { destination: 14155550123n, country: 'US' }, '+14155550123', '14155550123'],
	])('%s', (_, more, destination, originalDestination) => {
		const row = rowOf(more);
		expect(row).toMatchObject({
			itemIndex: 4,
			position: 7,
			destination,
			person: destination,
			country: destination.startsWith('+49') ? 'DE' : 'US',
		});
		expect(row.originalDestination).toBe(originalDestination);
	});
});

describe('the memory of people called knows a row by', () => {
	it.each<[string, unknown, string | undefined]>([
		['its number when no key is given', undefined, undefined],
		['its number when the key is empty', '', undefined],
		['its number when the key is blank', ' ', undefined],
		['its key', ' invoice-7 ', 'invoice-7'],
		['a key from a number cell', 4711, '4711'],
		['a key that is a big integer', 4711n, '4711'],
		['its number when there is no key', null, undefined],
	])('%s', (_, callOnceKey, expected) => {
		expect(rowOf({ callOnceKey }).callOnceKey).toBe(expected);
	});

	it.each([[{ id: 7 }], [[7]], [true], [Number.NaN]])(
		'no key at all when %p stands there: the row is not sent',
		(callOnceKey) => {
			const checked = checkRow(raw({ callOnceKey }), 0);
			expect(checked.ok ? '' : checked.error.problem.message).toMatch(
				/^the option Remember People By is .*, which is neither a text nor a number$/,
			);
		},
	);

	it.each<[string, unknown, string, string]>([
		[
			'a key with the number in it, however the sheet spells the number',
			'0171 2345678',
			'spring-0171 2345678',
			'spring+491712345678',
		],
		[
			'the same key for another spelling',
			'+49 (0)171-2345678',
			'spring-+49 (0)171-2345678',
			'spring+491712345678',
		],
		[
			'a key with a number that has blanks around it',
			' 0171 2345678 ',
			'0171 2345678 spring',
			'+491712345678 spring',
		],
		[
			'a key with the number twice',
			'0171 2345678',
			'0171 2345678/0171 2345678',
			'+491712345678+491712345678',
		],
		['a key with a number cell', 1712345678, '1712345678/2026', '+491712345678 2026'],
		[
			'a key with the number behind a date',
			1712345678,
			'202612011712345678',
			'20261201+491712345678',
		],
		[
			'the same key for another spelling',
			'0171 2345678',
			'202612010171 2345678',
			'20261201+491712345678',
		],
		[
			'a key with the number before a date',
			1712345678,
			'171234567820261201',
			'+491712345678 20261201',
		],
		[
			'a key with the country code, which the cell lacks',
			1712345678,
			'491712345678@c.us',
			'+491712345678 c.us',
		],
		[
			'a key with the apostrophe that keeps a sheet from calculating',
			"'0171 2345678",
			"'01712345678 2026-12-01",
			'+491712345678 2026-12-01',
		],
		['a key without the number', '0171 2345678', 'invoice-7', 'invoice-7'],
		[
			'a key with the number right behind a date',
			'0171 2345678',
			'2026-12-01+49 171 2345678',
			'2026-12-01+491712345678',
		],
		[
			'a key with the number, in brackets, right behind an ID',
			'0171 2345678',
			'7(0171) 2345678',
			'7+491712345678',
		],
		[
			'a key with a number that has a dash at its end',
			'0171 2345678-',
			'0171 2345678- 2026-12-01',
			'+491712345678 2026-12-01',
		],
		['a key with the number in brackets', '0171 2345678 ', 'C1 (0171 2345678 )', 'C1+491712345678'],
		['a key that is the number in brackets', '0171 2345678', '<0171 2345678>', '+491712345678'],
		[
			'a key with blanks beside what separates its parts',
			'0171 2345678',
			' C1 - 7 | 0171 2345678 /x_ y : z',
			'C1-7+491712345678 x_y:z',
		],
	])('%s', (_, destination, callOnceKey, expected) => {
		expect(rowOf({ destination, callOnceKey, country: 'DE' }).callOnceKey).toBe(expected);
	});

	it.each([
		...[
			'301234567',
			'4155552671',
			'20261201',
			'4711-2026001',
			'123-45-6789',
			'INV-0012345',
			'0012345678',
			'030',
			'12 345678',
		],
		...['550e8400-0123-41d4-a716-446655440000', '06 12 2026', '2026-12-01T08:00:00.123Z', 'A²'],
	])('%s as it is: an ID or a date', (callOnceKey) => {
		expect(rowOf({ destination: '+491712345678', callOnceKey, country: 'DE' }).callOnceKey).toBe(
			callOnceKey,
		);
	});

	it.each<[string, string]>([
		['\uff23\uff11', 'C1'],
		['A\ufe0f-\u31641', 'A-1'],
		['\u0661\u0662', '12'],
	])(
		'a key without what nobody sees, in one kind of letters and digits: %j',
		(callOnceKey, expected) => {
			expect(rowOf({ callOnceKey }).callOnceKey).toBe(expected);
		},
	);

	it.each([
		['lead-undefined', 'undefined'],
		['x_NaN', 'NaN'],
		['INV-null', 'null'],
		['+491712345678 [object Object]', '[object'],
		['spring Invalid DateTime', 'Invalid Date'],
		['A-1.23457E+17', '1.23457E+17'],
		['######', '####'],
	])('no key at all when it holds no value, which many rows may have: %s', (callOnceKey, none) => {
		const checked = checkRow(raw({ callOnceKey }), 0);
		expect(checked.ok ? '' : checked.error.problem.message).toBe(
			`the option Remember People By holds "${none}", which is no value`,
		);
	});

	it('no key at all when it is a number that has lost its last digits', () => {
		const checked = checkRow(raw({ callOnceKey: 12021000000000004 }), 0);
		expect(checked.ok ? '' : checked.error.problem.message).toMatch(
			/^the option Remember People By holds "12021000000000004", a number so long/,
		);
	});

	it.each([
		'Nan Goldin',
		'Ada Null',
		'nullable',
		'Firma null-acht',
		'undefinedly',
		'#1001',
		'invalid',
	])('a text like others: %s', (callOnceKey) => {
		expect(rowOf({ callOnceKey }).callOnceKey).toBe(callOnceKey);
	});
});

const COLUMN = 'Check that Destination takes the column with the phone numbers.';
const DATE =
	'Check that Destination takes the column with the phone numbers. If it does, set the column to plain text in your sheet and enter the number again, with + and its country code.';
const AMOUNT =
	'Set the column to plain text in your sheet and enter the number again, with + and its country code.';
const CALLER =
	'Write Caller Number with a leading + and the country code, like +14155550199. Country of Numbers Without + is for destinations only.';
const E164_REMEDY =
	'Write the number with a leading + and the country code, digits only, like +14155550123.';
const EMPTY =
	'Drag the column with the phone number into Destination, and check that the row has one.';
const CHOOSE =
	'Choose the country under “Country of Numbers Without +”, or write the number with + and its country code.';
const PICK = 'Pick the field that holds the number.';
const COUNTRY = 'Use a code such as DE, or a calling code such as 49.';
const ONE = 'Leave one phone number in the cell, and nothing else.';
const CORRECT =
	'Correct it. If it is newer than the numbering plans, write it with + and digits only, like +14155550123.';
const AGENT =
	'Enter the agent’s phone number, like +14155550100, or its SIP ID, which starts with the letter t.';

describe('a row that must not be sent names what is wrong and the remedy', () => {
	it.each<[string, Partial<RawRow>, string, string]>([
		['empty', { destination: '' }, 'the destination is empty', EMPTY],
		['null', { destination: null }, 'the destination is empty', EMPTY],
		['missing', { destination: undefined }, 'the destination is empty', EMPTY],
		['blank', { destination: ' \t' }, 'the destination is empty', EMPTY],
		[
			'blank, with a country',
			{ destination: ' ', country: 'DE' },
			'the destination is empty',
			EMPTY,
		],
		[
			'without plus',
			{ destination: '15551110001' },
			'the destination "15551110001" has no country code',
			CHOOSE,
		],
		[
			'a number cell',
			{ destination: 15551110001 },
			'the destination "15551110001" has no country code',
			CHOOSE,
		],
		[
			'a big integer',
			{ destination: 15551110001n },
			'the destination "15551110001" has no country code',
			CHOOSE,
		],
		[
			'national',
			{ destination: '0171 2345678' },
			'the destination "0171 2345678" has no country code',
			CHOOSE,
		],
		[
			'national, with a space behind',
			{ destination: '0171 2345678 ' },
			'the destination "0171 2345678" has no country code',
			CHOOSE,
		],
		[
			'national, with a country that is null',
			{ destination: '0171 2345678', country: null },
			'the destination "0171 2345678" has no country code',
			CHOOSE,
		],
		[
			'national, with a blank country',
			{ destination: '0171 2345678', country: ' ' },
			'the destination "0171 2345678" has no country code',
			CHOOSE,
		],
		[
			'national, with a country that is none',
			{ destination: '0171 2345678', country: 'Germny' },
			'“Country of Numbers Without +” is "Germny", which is not a country code',
			COUNTRY,
		],
		[
			'national, with a calling code that no country has',
			{ destination: '0171 2345678', country: 999 },
			'“Country of Numbers Without +” is "999", which is not a country code',
			COUNTRY,
		],
		[
			'national, with a country by its name',
			{ destination: '0171 2345678', country: 'germany' },
			'“Country of Numbers Without +” is "germany", which is not a country code',
			'Use its code, DE.',
		],
		...[
			['UK', 'GB'],
			['Usa', 'US'],
			['Great Britain', 'GB'],
		].map(
			([country, code]): [string, { destination: string; country: unknown }, string, string] => [
				`national, with ${country}`,
				{ destination: '0171 2345678', country },
				`“Country of Numbers Without +” is "${country}", which is not a country code`,
				`Use its code, ${code}.`,
			],
		),
		[
			'national, with an object for a country',
			{ destination: '0171 2345678', country: { code: 'DE' } },
			'“Country of Numbers Without +” is "{"code":"DE"}", which is not a country code',
			COUNTRY,
		],
		[
			'national, with a country of absurd length',
			{ destination: '0171 2345678', country: 'DE'.repeat(100_000) },
			`“Country of Numbers Without +” is "${'DE'.repeat(28)}D…", which is not a country code`,
			COUNTRY,
		],
		[
			'a word',
			{ destination: 'Ada' },
			'the destination "Ada" is not a phone number: it has no digits',
			COLUMN,
		],
		[
			'a word, with a country',
			{ destination: 'Ada ', country: 'DE' },
			'the destination "Ada" is not a phone number: it has no digits',
			COLUMN,
		],
		[
			'a word, with a country that is none',
			{ destination: 'Ada', country: 'Germny' },
			'the destination "Ada" is not a phone number: it has no digits',
			COLUMN,
		],
		[
			'a number of America’s in another form',
			{ destination: '49 171 2345678', country: 'US' },
			'the destination "49 171 2345678" is not a valid number with the country code +1',
			CORRECT,
		],
		[
			'a date',
			{ destination: '15.01.2024', country: 'DE' },
			'the destination "15.01.2024" is not a phone number: it looks like a date',
			DATE,
		],
		[
			'a date as a sheet stores it',
			{ destination: 45306, country: 'DE' },
			'the destination "45306" is not a phone number: it looks like a date',
			DATE,
		],
		[
			'a decimal',
			{ destination: '1712345678.0' },
			'the destination "1712345678.0" is not a phone number: it is written as an amount',
			AMOUNT,
		],
		[
			'a decimal, with a country',
			{ destination: '1712345678.0', country: 'DE' },
			'the destination "1712345678.0" is not a phone number: it is written as an amount',
			AMOUNT,
		],
		[
			'an exponent',
			{ destination: '4.91712E+11', country: 'DE' },
			'the destination "4.91712E+11" is not a phone number: it is written as an amount',
			AMOUNT,
		],
		[
			'an extension',
			{ destination: '+49 171 2345678 x12' },
			'the destination "+49 171 2345678 x12" is not a phone number',
			ONE,
		],
		[
			'two numbers in a cell',
			{ destination: '0171 2345678, 0172 2345678', country: 'DE' },
			'the destination "0171 2345678, 0172 2345678" is not a phone number',
			ONE,
		],
		[
			'too short',
			{ destination: '+1 555 11' },
			'the destination "+1 555 11" is not a valid number with the country code +1',
			CORRECT,
		],
		[
			'of nobody',
			{ destination: '+999 123' },
			'the destination "+999 123" is not a valid number of any country',
			CORRECT,
		],
		[
			'of absurd length',
			{ destination: `+${'1'.repeat(100_000)}` },
			`the destination "+${'1'.repeat(56)}…" is not a phone number`,
			E164_REMEDY,
		],
		[
			'what may be two numbers',
			{ destination: 4921112345, country: 'DE' },
			'the destination "4921112345" may be +494921112345 or +4921112345',
			'Write the one that is meant, with its +.',
		],
		[
			'of too few digits',
			{ destination: '0555-0' },
			'the destination "0555-0" is not a phone number: it has too few digits',
			E164_REMEDY,
		],
		[
			'of too few digits, with a country',
			{ destination: '01711', country: 'DE' },
			'the destination "01711" is not a phone number: it has too few digits',
			E164_REMEDY,
		],
		[
			'a plus alone',
			{ destination: '+' },
			'the destination "+" is not a phone number',
			E164_REMEDY,
		],
		[
			'digits in circles',
			{ destination: '+①②③' },
			'the destination "+①②③" is not a phone number',
			E164_REMEDY,
		],
		[
			'a number that is none',
			{ destination: Number.NaN },
			'the destination "NaN" is not a phone number: it has no digits',
			COLUMN,
		],
		['true', { destination: true }, 'the destination is "true", not a phone number', PICK],
		['false', { destination: false }, 'the destination is "false", not a phone number', PICK],
		[
			'a list',
			{ destination: ['+15551110001'] },
			'the destination is a list or an object, not a phone number',
			PICK,
		],
		[
			'an object',
			{ destination: { phone: '+1' } },
			'the destination is a list or an object, not a phone number',
			PICK,
		],
		[
			'the agent empty',
			{ agentNumber: '' },
			'Agent Number is empty',
			'Enter the agent’s phone number or its SIP ID in Agent Number.',
		],
		[
			'the agent null',
			{ agentNumber: null },
			'Agent Number is empty',
			'Enter the agent’s phone number or its SIP ID in Agent Number.',
		],
		[
			'the agent a word',
			{ agentNumber: 'Reminder' },
			'Agent Number holds "Reminder", which is neither a phone number nor a SIP ID',
			AGENT,
		],
		[
			'the agent with an extension',
			{ agentNumber: '+1 555 x5' },
			'Agent Number holds "+1 555 x5", which is neither a phone number nor a SIP ID',
			AGENT,
		],
		[
			'the agent a SIP ID with a capital',
			{ agentNumber: 'T-sales' },
			'Agent Number holds "T-sales", which is neither a phone number nor a SIP ID',
			AGENT,
		],
		[
			'a SIP agent without caller',
			{ agentNumber: 't-sales' },
			'Caller Number is empty, and the agent "t-sales" is a SIP ID, which needs one',
			'Enter a number registered on your account in Caller Number, like +14155550199.',
		],
		[
			'a caller without plus',
			{ callerNumber: '1555' },
			'Caller Number holds "1555", which is not a phone number with its country code',
			CALLER,
		],
		[
			'a national caller, to which the country does not apply',
			{ callerNumber: '0171 2345678', country: 'DE' },
			'Caller Number holds "0171 2345678", which is not a phone number with its country code',
			CALLER,
		],
		[
			'a caller that is a word',
			{ callerNumber: 'me' },
			'Caller Number holds "me", which is not a phone number with its country code',
			CALLER,
		],
		[
			'variables that were not readable',
			{ variables: problem('the reason', 'The remedy.') },
			'the reason',
			'The remedy.',
		],
		[
			'a variable that is an object',
			{ variables: ok([['a', {}]]) },
			'the prompt variable "a" holds an object, and only text, numbers, booleans and dates can be sent',
			'Pick one field of it, for example by dragging that field in, or join a list to one text.',
		],
	])('%s', (_, more, message, remedy) => {
		for (const mode of ['live', 'dryRun']) {
			const checked = checkRow(raw({ ...more, mode }), 7);
			expect(checked).toMatchObject({
				ok: false,
				error: {
					itemIndex: 4,
					position: 7,
					isDry: mode === 'dryRun',
					problem: { message, remedy },
				},
			});
		}
	});

	it.each<[string, boolean, boolean]>([
		['live', false, false],
		['Live', false, false],
		[' live \n', false, false],
		['DRYRUN', true, false],
		['Test', true, true],
	])('spaces around the mode and capitals in it do not matter: %j', (mode, isDry, isTest) => {
		expect(rowOf({ mode })).toMatchObject({ isDry, ...(isTest ? { isTest } : {}) });
	});

	it.each<[string, unknown, string]>([
		['a typing slip', 'Lve', 'Lve'],
		['one more word', 'live please', 'live please'],
		['an old name', 'dry_run', 'dry_run'],
		['nothing', undefined, 'nothing'],
		['null', null, 'null'],
		['empty', '', ''],
		['true', true, 'true'],
	])('a mode that is none is not taken for any: %s', (_, mode, named) => {
		const message = `Mode is "${named}", but it must be dryRun, test or live`;
		const remedy = 'Choose it from the list, or correct its expression.';
		expect(checkRow(raw({ mode }), 7)).toEqual({
			ok: false,
			error: {
				itemIndex: 4,
				position: 7,
				isDry: false,
				destination: '+15551110001',
				problem: { message, remedy, field: true },
			},
		});
	});

	it.each<[string, unknown, string]>([
		['text', ' 0555', ' 0555'],
		['a number', 45306, '45306'],
		['a big integer', 45306n, '45306'],
		['true', true, 'true'],
		['a list', ['+1'], '["+1"]'],
		['nothing', undefined, ''],
		['null', null, ''],
		['a function', () => 1, ''],
		['100 characters', 'x'.repeat(100), 'x'.repeat(100)],
		['more', 'x'.repeat(101), `${'x'.repeat(100)}…`],
	])('and shows what stood in the destination: %s', (_, destination, expected) => {
		expect(checkRow(raw({ destination }), 0)).toMatchObject({
			ok: false,
			error: { destination: expected },
		});
	});
});

describe('IDs that go into an address', () => {
	it.each<[string, boolean]>([
		['8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e', true],
		['8F14E45F-CEEA-4672-9D2C-3F1B7A1C0D4E', true],
		['00000000-0000-0000-0000-000000000000', true],
		['8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4', false],
		['8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e/../..', false],
		['8f14e45fceea46729d2c3f1b7a1c0d4e', false],
		['8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e\n', false],
		['', false],
	])('batch ID %j: %s', (id, expected) => {
		expect(isBatchId(id)).toBe(expected);
	});

	it.each<[string, boolean]>([
		['1', true],
		['9007199254740993', true],
		['0', false],
		['01', false],
		['-1', false],
		['1.5', false],
		['1e3', false],
		['1/cancel', false],
		['', false],
		['1\n', false],
		['12345678901234567890', false],
	])('call record ID %j: %s', (id, expected) => {
		expect(isCallRecordId(id)).toBe(expected);
	});
});
