import { readTimeZone } from '../../../../nodes/OutboundCalls/domain/hours/timeZones';
import cases from './cases.json';

const read = (cell: unknown) => {
	const checked = readTimeZone(cell);
	return checked.ok ? checked.value : `${checked.error.message}\n${checked.error.remedy}`;
};

it.each<[string, unknown, string[] | undefined]>([
	['a name', 'Europe/Berlin', ['Europe/Berlin']],
	['blanks around it', ' America/New_York\n', ['America/New_York']],
	['lower case', 'europe/berlin', ['Europe/Berlin']],
	['a space for the underscore', 'America/new york', ['America/New_York']],
	['a name that hosts know by an older one', 'Asia/Kolkata', ['Asia/Kolkata']],
	['the spelling of a CRM', 'america_slash_new_york', ['America/New_York']],
	['an older name in the spelling of a CRM', 'us_slash_eastern', ['America/New_York']],
	['an older name', 'Asia/Calcutta', ['Asia/Calcutta']],
	['an empty cell: the number decides', '', undefined],
	['null', null, undefined],
])('%s is a time zone', (_, cell, expected) => {
	expect(read(cell)).toEqual(expected);
});

it.each<[string, unknown]>([
	...(cases.noZones as Array<[string, unknown]>),
	['a very long text', `Europe/${'x'.repeat(10_000)}`],
])('%s makes the row invalid, and the remedy has an example', (_, cell) => {
	expect(read(cell)).toMatch(/Time Zone is ".{1,60}",[^]*Europe\/Berlin/);
});
