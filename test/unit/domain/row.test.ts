import { ok } from '../../../nodes/OutboundCalls/domain/values/problem';
import { checkRow, type RawRow, type Row } from '../../../nodes/OutboundCalls/domain/row';

const raw = (more: Partial<RawRow> = {}): RawRow => ({
	itemIndex: 4,
	rowNumber: 9,
	destination: '+14155550101',
	agentNumber: '+15550001000',
	callerNumber: '',
	country: '',
	externalCallId: '',
	timeZone: '',
	noCallDates: null,
	optedOut: '',
	variables: ok([]),
	...more,
});

const sip = { agentNumber: 't-sales', callerNumber: '+15550009999' };
it.each<[string, Partial<RawRow>, Partial<Row>]>([
	['has its number and its place', {}, { position: 7, rowNumber: 9, person: '+14155550101' }],
	['has the caller of a SIP agent', sip, sip],
	[
		'shows what stood in the cell',
		{ destination: '+1 415 555 0101' },
		{ destination: '+14155550101', originalDestination: '+1 415 555 0101' },
	],
	[
		'is read in its country',
		{ destination: '01512 3456789', country: 'DE' },
		{ destination: '+4915123456789', country: 'DE', lacksPlus: true },
	],
	['has its Once for Each', { onceForEach: { value: ' INV-7 ' } }, { onceForEach: 'inv-7' }],
	['says that its person opted out', { optedOut: 'yes' }, { optedOut: true }],
	['has a time zone', { timeZone: 'europe/berlin' }, { timeZones: ['Europe/Berlin'] }],
])('a row that may be sent: %s', (_, more, expected) => {
	expect(checkRow(raw(more), 7)).toMatchObject({ ok: true, value: expected });
});

describe('a row that must not be sent names what is wrong', () => {
	it.each<[string, Partial<RawRow>, RegExp]>([
		['no number', { destination: '' }, /no phone number/],
		['an agent that is a word', { agentNumber: 'sales' }, /Agent Number.*"sales"/],
		['an agent without end', { agentNumber: '1'.repeat(2_000) }, /Agent Number/],
		['a SIP agent without caller', { agentNumber: 't-sales' }, /Caller Number/],
		['a caller without end', { callerNumber: `+${'1'.repeat(1_000)}` }, /Caller Number/],
		['a caller without +', { callerNumber: '5550009999' }, /Caller Number/],
		['a variable that is an object', { variables: ok([['name', {}]]) }, /"name"/],
		['an unreadable opt-out', { optedOut: 'perhaps' }, /Opted Out/],
		['an unknown time zone', { timeZone: 'Mars' }, /"Mars"/],
		['an ID without end', { externalCallId: 'x'.repeat(501) }, /External Call ID/],
		['no value of Once for Each', { onceForEach: { value: ' ' } }, /Once for Each/],
	])('%s', (_, more, expected) => {
		const checked = checkRow(raw(more), 7);
		expect(checked.ok ? '' : checked.error.problem.message).toMatch(expected);
		expect(checked.ok ? '' : checked.error.problem.remedy).not.toBe('');
	});

	it.each<[string, Partial<RawRow>, string[] | undefined]>([
		['an opt-out that cannot be read', { optedOut: 'perhaps' }, ['+14155550101']],
		[
			'an opt-out beside two numbers',
			{ optedOut: 'yes', destination: '+14155550101 / +14155550102' },
			['+14155550101', '+14155550102'],
		],
		['no opt-out', { agentNumber: '' }, undefined],
	])('G11 %s is known by the numbers of its cell', (_, more, expected) => {
		const checked = checkRow(raw(more), 7);
		expect(checked.ok ? [] : checked.error.optedOut).toEqual(expected);
	});
});
