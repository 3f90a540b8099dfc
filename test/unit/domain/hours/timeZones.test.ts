import { timeZonesOf } from '../../../../nodes/OutboundCalls/domain/hours/timeZones';
import { corrections, zoneTable } from '../../../timeZones/zoneTable';
import cases from './cases.json';

const sorted = (zones: readonly string[]): string[] => [...zones].sort();

it.each(cases.zonesOfNumbers as Array<[string, string, string[]]>)('%s', (_, number, zones) => {
	expect(timeZonesOf(number)).toEqual(zones);
});

it.each([
	['+447400123456', ['Europe/London', 'Europe/Guernsey', 'Europe/Isle_of_Man', 'Europe/Jersey']],
	['+79161234567', ['Europe/Moscow', 'Europe/Kaliningrad', 'Asia/Kamchatka']],
	['+18005550123', ['America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu']],
])('%s may be anywhere in its country, and the best-known zone comes first', (number, some) => {
	expect(timeZonesOf(number)).toEqual(expect.arrayContaining(some));
	expect(timeZonesOf(number)[0]).toBe(some[0]);
});

describe('the table', () => {
	it('is what `npm run data:time-zones` makes of libphonenumber’s', () => {
		const table = zoneTable();
		expect(table.size).toBeGreaterThan(1_000);
		for (const [prefix, zones] of table)
			expect([prefix, ...sorted(timeZonesOf(`+${prefix}`))]).toEqual([prefix, ...zones]);
	});

	it.each(corrections)('is corrected: $why', ({ under, add }) => {
		for (const prefix of under)
			expect(timeZonesOf(`+${prefix}`)).toEqual(expect.arrayContaining(add));
	});

	it('has zones that this host knows', () => {
		for (const timeZone of new Set([...zoneTable().values()].flat()))
			expect(() => new Intl.DateTimeFormat('en-US', { timeZone })).not.toThrow();
	});
});
