import { readTimeZone } from '../../../../nodes/OutboundCalls/domain/hours/timeZoneOption';

const zones = (cell: unknown) => {
	const checked = readTimeZone(cell);
	return checked.ok ? checked.value : checked.error.message;
};

it.each<[string, unknown, string[]]>([
	['a name', 'Europe/Berlin', ['Europe/Berlin']],
	['with spaces around it', ' America/New_York\n', ['America/New_York']],
	['in lower case', 'europe/berlin', ['Europe/Berlin']],
	['with a space for the underscore', 'America/New York', ['America/New_York']],
	['three parts', 'America/Argentina/Ushuaia', ['America/Argentina/Ushuaia']],
	['a name that hosts know by an older one', 'Asia/Kolkata', ['Asia/Kolkata']],
	['UTC', 'UTC', ['UTC']],
	['UTC in lower case', 'utc', ['UTC']],
	['empty: by number', '', []],
	['blank: by number', '  ', []],
	['null: by number', null, []],
	['missing: by number', undefined, []],
])('%s', (_, cell, expected) => {
	expect(zones(cell)).toEqual(expected);
});

it.each<[string, unknown]>([
	['no place', 'Mars/Olympus'],
	['an abbreviation that knows no summer time', 'EST'],
	['another one', 'CET'],
	['an abbreviation of two zones', 'EST5EDT'],
	['an offset whose sign means the opposite', 'Etc/GMT-5'],
	['Greenwich', 'GMT'],
	['an offset', '+02:00'],
	['an offset from UTC', 'UTC+1'],
	['a city', 'Berlin'],
	['a country', 'Germany'],
	['what n8n means by its own', 'DEFAULT'],
	['a number', 1],
	['a list', ['Europe/Berlin']],
	['markup', '<b>/x'],
	['very long', `Europe/${'x'.repeat(10_000)}`],
])('%s is refused', (_, cell) => {
	expect(zones(cell)).toMatch(
		/^the option Time Zone is ".{1,60}", which is not the name of a time zone$/,
	);
	const checked = readTimeZone(cell);
	expect(checked.ok ? '' : checked.error.remedy).toContain('Europe/Berlin');
});

it('the same name comes to the same list, so that verdicts can be kept by it', () => {
	expect(zones('Europe/Berlin')).toBe(zones('Europe/Berlin'));
	for (let n = 0; n < 2_500; n++) readTimeZone(`Nowhere/Place_${n}`);
	expect(zones('Europe/Berlin')).toEqual(['Europe/Berlin']);
});
