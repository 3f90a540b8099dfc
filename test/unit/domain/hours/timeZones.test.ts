import { timeZonesOf } from '../../../../nodes/OutboundCalls/domain/hours/timeZones';
import { corrections, zoneTable } from '../../../timeZones/zoneTable';

const sorted = (zones: readonly string[]): string[] => [...zones].sort();

it.each<[string, string, string[]]>([
	['a country of one zone', '+4930123456', ['Europe/Berlin']],
	['an area code of one zone', '+12125550123', ['America/New_York']],
	['several zones', '+12085550123', ['America/Denver', 'America/Los_Angeles', 'America/Boise']],
	['an area code newer than libphonenumber', '+12735550123', ['America/Toronto']],
	['a mobile number of Spain, Madrid first', '+34612345678', ['Europe/Madrid', 'Atlantic/Canary']],
	['a mobile number of Kazakhstan', '+77012345678', ['Asia/Almaty', 'Asia/Aqtobe']],
	['a mobile number of Brazil, by its area code', '+5511912345678', ['America/Sao_Paulo']],
	['a mobile number of Mexico, by its area code', '+526641234567', ['America/Tijuana']],
	['Manaus, listed as an exception', '+5592991234567', ['America/Sao_Paulo', 'America/Manaus']],
	['Algeria, which has no summer time', '+213551234567', ['Africa/Algiers']],
	['a number without a country', '+8001234567', []],
	['no number', '', []],
])('%s', (_, number, zones) => {
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
