import {
	dateOf,
	NO_DATES,
	readNoCallDates,
} from '../../../../nodes/OutboundCalls/domain/hours/noCallDates';

const dates = (value: unknown) => {
	const checked = readNoCallDates(value);
	return checked.ok ? [...checked.value].map(dateOf) : checked.error;
};

describe('dates on which nobody is called', () => {
	it.each<[string, unknown, string[]]>([
		['one', '2026-12-25', ['2026-12-25']],
		[
			'with commas',
			'2026-12-25, 2026-12-26,2027-01-01',
			['2026-12-25', '2026-12-26', '2027-01-01'],
		],
		[
			'with semicolons, spaces and line breaks',
			'2026-12-25; 2026-12-26\r\n2027-01-01 2027-01-06\n',
			['2026-12-25', '2026-12-26', '2027-01-01', '2027-01-06'],
		],
		['a list', ['2026-12-25', ' 2026-12-26 '], ['2026-12-25', '2026-12-26']],
		['a list of lists as text', ['2026-12-25,2026-12-26', ''], ['2026-12-25', '2026-12-26']],
		['one twice', '2026-12-25,2026-12-25', ['2026-12-25']],
		['a leap day', '2028-02-29', ['2028-02-29']],
		['none', '', []],
		['an empty list', [], []],
		['null', null, []],
	])('%s', (_, value, expected) => {
		expect(dates(value)).toEqual(expected);
	});

	it('the same text comes to the same set, so that verdicts can be kept by it', () => {
		const [one, other] = ['2026-12-25', '2026-12-25'].map((text) => readNoCallDates(text));
		expect(one).toBe(other);
		expect(readNoCallDates(['2026-12-25', '2026-12-26'])).toBe(
			readNoCallDates(['2026-12-25', '2026-12-26']),
		);
		expect(readNoCallDates(' ')).toEqual({ ok: true, value: NO_DATES });
		for (let n = 0; n < 1_000; n++) readNoCallDates(`${2_000 + n}-01-01`);
		expect(dates('2026-12-25')).toEqual(['2026-12-25']);
	});
});

describe('what is no date is refused: a holiday misread is a person called on it', () => {
	it.each<[string, unknown, string, string]>([
		[
			'a German date',
			'25.12.2026',
			'"25.12.2026", which is not a date like 2026-12-25',
			'year, month and day',
		],
		['an American date', '12/25/2026', '"12/25/2026"', 'year, month and day'],
		['one of several', '2026-12-25, 26.12.2026', '"26.12.2026"', 'year, month and day'],
		['digits without dashes', '20261225', '"20261225"', 'year, month and day'],
		['a date in words', '25-Dec-2026', '"25-Dec-2026"', 'year, month and day'],
		[
			'an instant',
			'2026-12-25T00:00:00.000Z',
			'"2026-12-25T00:00:00.000Z"',
			'the date of the person called',
		],
		['a date with a time', '2026-12-25 09:00', '"09:00"', 'year, month and day'],
		['a day that no calendar has', '2026-02-30', '"2026-02-30"', 'no such day'],
		['the 29th of a February without one', '2026-02-29', '"2026-02-29"', 'no such day'],
		['a thirteenth month', '2026-13-01', '"2026-13-01"', 'no such day'],
		['a range', '2026-12-24..2026-12-31', '"2026-12-24..2026-12-31"', 'year, month and day'],
		['a sheet’s number', 46_381, '"46381"', 'year, month and day'],
		['a Date', new Date(0), '1970-01-01T00:00:00.000Z', 'year, month and day'],
		['an object', {}, '"{}"', 'year, month and day'],
		['a number in a list', ['2026-12-25', 1], '"1"', 'year, month and day'],
		['a field that does not exist', undefined, 'came to nothing', 'Check the field'],
		['one in a list', ['2026-12-25', undefined], 'came to nothing', 'Check the field'],
	])('%s', (_, value, message, remedy) => {
		expect(dates(value)).toEqual({
			message: expect.stringContaining(message),
			remedy: expect.stringContaining(remedy),
		});
	});
});
