import { DateTime } from 'luxon';
import { readNoCallDates } from '../../../../nodes/OutboundCalls/domain/hours/noCallDates';
import cases from './cases.json';

const dates = (value: unknown) => {
	const checked = readNoCallDates(value);
	return checked.ok ? checked.value : `${checked.error.message}\n${checked.error.remedy}`;
};

it.each<[string, unknown, string]>([
	['a date', '2026-12-25', '2026-12-25'],
	['dates with commas', '2026-12-26, 2026-12-25,2026-12-25', '2026-12-25,2026-12-26'],
	['dates with other signs', '2026-12-25;\r\n2027-01-01 ', '2026-12-25,2027-01-01'],
	['a list', ['2026-12-25', ' 2026-12-26', ''], '2026-12-25,2026-12-26'],
	['dates with spaces', '2026-12-25 2026-12-26', '2026-12-25,2026-12-26'],
	['German dates', '24.12.2026, 1.1.2027', '2026-12-24,2027-01-01'],
	['a range', '2026-12-30 to 2027-01-01', '2026-12-30,2026-12-31,2027-01-01'],
	['a German range', '31.12.2026 - 01.01.2027; 3.10.2027', '2026-12-31,2027-01-01,2027-10-03'],
	['an empty cell', '', ''],
	['a date column, by the clock of the host', new Date(2026, 11, 25), '2026-12-25'],
	['a date column, by UTC', new Date('2026-12-25T00:00:00Z'), '2026-12-25'],
	['a date column as text', '2026-12-25T00:00:00.000Z', '2026-12-25'],
	['with offsets', '2026-12-25T00:00:00+01:00, 2026-12-26 00:00:00', '2026-12-25,2026-12-26'],
	['a date of n8n', DateTime.fromISO('2026-12-25', { zone: 'Pacific/Auckland' }), '2026-12-25'],
])('%s can be read', (_, value, expected) => {
	expect(dates(value)).toBe(expected);
});

it.each<[string, unknown, string]>([
	...(cases.noDates as Array<[string, unknown, string]>),
	['a date that is none', new Date('never'), '2026-12-25'],
])('%s makes the row invalid: a holiday misread is a person called on it', (_, value, expected) => {
	expect(dates(value)).toMatch(new RegExp(expected));
	expect(dates(value)).toMatch(/Write 2026-12-25 or 25\.12\.2026/);
});
