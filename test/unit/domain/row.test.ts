import { problem, ok } from '../../../nodes/OutboundCalls/domain/problem';
import { isBatchId, isCallRecordId } from '../../../nodes/OutboundCalls/domain/limits';
import { checkRow, type RawRow } from '../../../nodes/OutboundCalls/domain/row';
const raw = (more: Partial<RawRow> = {}): RawRow => ({
	itemIndex: 4,
	destination: '+15551110001',
	agentNumber: '+15550001000',
	callerNumber: '',
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
		['may have an agent without the plus', { agentNumber: '15550001000' }, { agentNumber: '15550001000' }],
		['may have an agent from a number cell', { agentNumber: 15550001000 }, { agentNumber: '15550001000' }],
		['loses spaces around the agent', { agentNumber: ' +15550001000 ' }, {}],
		[
			'may have a SIP agent with a caller',
			{ agentNumber: 't-sales', callerNumber: '+15550009999' },
			{ agentNumber: 't-sales', callerNumber: '+15550009999' },
		],
		['may have a caller with a phone agent', { callerNumber: '+15550009999' }, { callerNumber: '+15550009999' }],
		['has its variables as text', { variables: ok([['amount', 5]]) }, { variables: { amount: '5' } }],
		['has its own ID as text', { externalCallId: 1042 }, { externalCallId: '1042' }],
		['has no ID where the field is empty', { externalCallId: ' ' }, {}],
		['may have a number of any length', { destination: '+1' }, { destination: '+1' }],
	])('%s', (_, more, expected) => {
		expect(rowOf(more)).toEqual({ itemIndex: 4, position: 7, destination: '+15551110001', agentNumber: '+15550001000', ...expected });
	});
});

describe('a row whose number is cleaned', () => {
	const cleaned = (more: Partial<RawRow>, cleaning = {}) => checkRow(raw(more), 7, cleaning);

	it('shows what stood in the sheet when it was changed', () => {
		expect(cleaned({ destination: '+1 555 1110001' })).toMatchObject({
			ok: true,
			value: { destination: '+15551110001', originalDestination: '+1 555 1110001' },
		});
		expect(cleaned({ destination: 15551110001 }, { defaultCountryCode: '1' })).toMatchObject({ value: { originalDestination: '15551110001' } });
	});

	it('shows nothing more when it was not', () => {
		expect(cleaned({})).toEqual({ ok: true, value: expect.not.objectContaining({ originalDestination: expect.anything() }) });
	});

	it.each<[string, string, object | undefined, RegExp, RegExp | undefined]>([
		['a national number, without Clean Numbers', '0171 2345678', undefined, /turn on Clean Numbers together with Default Country Code/, undefined],
		['a national number, with Clean Numbers alone', '0171 2345678', {}, /Or set the option Default Country Code, like 49/, /turn on/],
		['a word', 'Ada', undefined, /like \+14155550123\.$/, /Clean Numbers/],
		['an international number with a space behind', '+491712345678 ', undefined, /turn on Clean Numbers in the options/, /Country Code/],
		[
			'a national number with a space behind',
			'0171 2345678 ',
			undefined,
			/turn on Clean Numbers together with Default Country Code in the options/,
			undefined,
		],
		['a word with a space behind', 'Ada ', undefined, /turn on Clean Numbers in the options/, /Country Code/],
	])('says which option would mend %s', (_, destination, cleaning, remedy, notThis) => {
		const checked = checkRow(raw({ destination }), 7, cleaning);
		const said = checked.ok ? '' : checked.error.problem.remedy;
		expect(said).toMatch(remedy);
		if (notThis) expect(said).not.toMatch(notThis);
	});
});

describe('Call Once remembers a row by', () => {
	it.each<[string, unknown, string | undefined]>([
		['nothing when it is off', undefined, undefined],
		['its number when no key is given', '', '+15551110001'],
		['its number when the key is blank', ' ', '+15551110001'],
		['its key', ' invoice-7 ', 'invoice-7'],
		['a key from a number cell', 4711, '4711'],
		['a key that is a big integer', 4711n, '4711'],
		['its number when the key is no text', { id: 7 }, '+15551110001'],
	])('%s', (_, callOnceKey, expected) => {
		expect(rowOf({ callOnceKey }).callOnceKey).toBe(expected);
	});

	it.each<[string, unknown, string, string]>([
		['a key with the number in it, however the sheet spells the number', '0171 2345678', 'spring-0171 2345678', 'spring-+491712345678'],
		['the same key for another spelling', '+49 (0)171-2345678', 'spring-+49 (0)171-2345678', 'spring-+491712345678'],
		['a key with a number that has blanks around it', ' 0171 2345678 ', '0171 2345678 spring', '+491712345678 spring'],
		['a key with a number cell', 1712345678, '1712345678/2026', '+491712345678/2026'],
		['a key without the number', '0171 2345678', 'invoice-7', 'invoice-7'],
	])('%s', (_, destination, callOnceKey, expected) => {
		const checked = checkRow(raw({ destination, callOnceKey }), 0, { defaultCountryCode: '49' });
		expect(checked.ok && checked.value.callOnceKey).toBe(expected);
	});
});

describe('a row that must not be sent names the field and the remedy', () => {
	it.each<[string, Partial<RawRow>, RegExp, RegExp]>([
		['empty', { destination: '' }, /destination is empty/, /Destination/],
		['null', { destination: null }, /destination is empty/, /Destination/],
		['missing', { destination: undefined }, /destination is empty/, /Destination/],
		['blank', { destination: ' \t' }, /destination is empty/, /Destination/],
		['without plus', { destination: '15551110001' }, /destination "15551110001".*international/, /leading \+/],
		['a JSON number', { destination: 15551110001 }, /destination "15551110001".*international/, /leading \+/],
		['with a leading zero', { destination: '0555 123' }, /destination "0555 123"/, /leading \+/],
		['with spaces', { destination: '+1 555 111' }, /destination "\+1 555 111"/, /digits only/],
		['with dashes', { destination: '+1-555-111' }, /destination/, /digits only/],
		['a plus alone', { destination: '+' }, /destination "\+"/, /leading \+/],
		['with a line break behind', { destination: '+15551110001\n' }, /space or a line break/, /Remove it/],
		['with a space before', { destination: ' +15551110001' }, /space or a line break/, /Remove it/],
		['with other digits', { destination: '+١٢٣' }, /international/, /digits only/],
		['a list', { destination: ['+15551110001'] }, /destination is a list or an object, not a phone number/, /Pick the field/],
		['an object', { destination: { phone: '+1' } }, /list or an object/, /Pick the field/],
		['the agent empty', { agentNumber: '' }, /agent number is empty/, /Agent Number/],
		['the agent null', { agentNumber: null }, /agent number is empty/, /Agent Number/],
		['the agent a word', { agentNumber: 'Reminder' }, /agent number "Reminder".*neither a phone number nor a SIP ID/, /SIP ID/],
		['the agent with spaces', { agentNumber: '+1 555' }, /agent number "\+1 555"/, /SIP ID/],
		['a SIP agent without caller', { agentNumber: 't-sales' }, /"t-sales".*needs a caller number/, /Caller Number/],
		['a caller without plus', { callerNumber: '1555' }, /caller number "1555"/, /leading \+/],
		['a caller that is a word', { callerNumber: 'me' }, /caller number "me"/, /leading \+/],
		['variables that were not readable', { variables: problem('the reason', 'The remedy.') }, /^the reason$/, /^The remedy\.$/],
		['a variable that is an object', { variables: ok([['a', {}]]) }, /"a" holds an object/, /Pick one field/],
	])('%s', (_, more, message, remedy) => {
		const checked = checkRow(raw(more), 7);
		expect(checked.ok).toBe(false);
		if (checked.ok) return;
		expect(checked.error).toMatchObject({ itemIndex: 4, position: 7 });
		expect(checked.error.problem.message).toMatch(message);
		expect(checked.error.problem.remedy).toMatch(remedy);
	});

	it('true in the destination column is shown, not called empty', () => {
		const checked = checkRow(raw({ destination: true }), 0);
		expect(checked.ok ? '' : checked.error.problem.message).toContain('true');
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
