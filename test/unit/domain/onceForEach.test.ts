import { DateTime } from 'luxon';
import { readOnceForEach } from '../../../nodes/OutboundCalls/domain/onceForEach';
import cases from './cases.json';

const valueOf = (cell: unknown): string => {
	const read = readOnceForEach(cell);
	if (!read.ok) throw new Error(read.error.message);
	return read.value;
};

const NINE = '2026-12-01T09:00:00.000+01:00';

it.each<[string, unknown, unknown]>([
	['capitals', 'INV-7', 'inv-7'],
	['blanks around it', '  inv-7\u00a0\n', 'inv-7'],
	['invisible characters', '\u200einv\u200b-\u00ad7\u0000\ufeff', 'inv-7'],
	['the way an accent is stored', 'Zu\u0308rich', 'z\u00fcrich'],
	['a number or its text', 42, '42'],
	['the offset of a date', NINE, '2026-12-01T08:00:00.000Z'],
	['a date or its text', new Date(NINE), NINE],
	['a date of {{ $json.day.toDateTime() }} or its text', DateTime.fromISO(NINE), NINE],
	['the zone of a date', DateTime.fromISO(NINE, { zone: 'Asia/Tokyo' }), new Date(NINE)],
	[
		'a date inside a text, before and after n8n stores it',
		'Reminder Tue Dec 01 2026 09:00:00 GMT+0100 (Central European Standard Time)',
		'Reminder 2026-12-01T08:00:00.000Z',
	],
])('the value stays the same whatever is %s', (_, one, other) => {
	expect(valueOf(one)).toBe(valueOf(other));
});

it.each<[unknown, string]>([
	[new Date(NINE), '2026-12-01T08:00:00.000Z'],
	['2026-12-01', '2026-12-01'],
	['2026-99-99T09:00:00Z', '2026-99-99t09:00:00z'],
	['Spring  Check', 'spring  check'],
	[0, '0'],
	['x'.repeat(500), 'x'.repeat(500)],
])('%p is remembered as %j', (cell, expected) => {
	expect(valueOf(cell)).toBe(expected);
});

it.each<[string, unknown, unknown]>([
	['two appointments on one day', '2026-12-01T08:00:00.000Z', '2026-12-01T08:30:00.000Z'],
	['two invoices', 'INV-7', 'INV-71'],
])('%s are two values', (_, one, other) => {
	expect(valueOf(one)).not.toBe(valueOf(other));
});

it.each<[string, unknown, string, string]>([
	...(cases.onceForEachInvalid as Array<[string, unknown, string, string]>),
	['a date of n8n that does not exist', DateTime.invalid('x'), 'no value', 'column names'],
	['a number that does not exist', NaN, 'no value', 'column names'],
	['501 characters', 'x'.repeat(501), 'more than 500 characters', 'shorter'],
])('a value that many rows may share makes the row invalid: %s', (_, cell, message, remedy) => {
	const read = readOnceForEach(cell);
	expect(read).toMatchObject({ ok: false, error: {} });
	if (read.ok) return;
	expect(read.error.message).toMatch(/^the value of Once for Each /);
	expect(read.error.message).toMatch(new RegExp(message));
	expect(read.error.remedy).toMatch(new RegExp(remedy));
});
