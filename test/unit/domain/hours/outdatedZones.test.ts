import {
	outdatedZones,
	SENTINEL_ZONES,
} from '../../../../nodes/OutboundCalls/domain/hours/outdatedZones';
import { offsetAt } from '../../../../nodes/OutboundCalls/domain/hours/zoneTime';

const JANUARY = Date.parse('2027-01-15T12:00:00Z');
const HOUR = 3_600_000;

it('a host with rules from before 2026 has Vancouver and Edmonton wrong in winter; one with newer rules has none wrong', () => {
	const isOld =
		offsetAt('America/Vancouver', JANUARY) !== -7 * HOUR ||
		offsetAt('America/Edmonton', JANUARY) !== -6 * HOUR;
	expect(outdatedZones()).toEqual(isOld ? ['America/Vancouver', 'America/Edmonton'] : []);
});

it('only zones that are asked about are named, each once', () => {
	expect(outdatedZones(['Europe/Berlin', 'Asia/Tokyo', 'Mars/Olympus'])).toEqual([]);
	expect(outdatedZones([])).toEqual([]);
	const twice = ['America/Vancouver', 'Europe/Berlin', 'America/Vancouver'];
	expect(outdatedZones(twice)).toEqual(
		outdatedZones().filter((zone) => zone === 'America/Vancouver'),
	);
});

it('the host knows each zone whose rules changed', () => {
	for (const zone of SENTINEL_ZONES)
		expect([zone, offsetAt(zone, JANUARY)]).toEqual([zone, expect.any(Number)]);
	expect(new Set(SENTINEL_ZONES).size).toBe(SENTINEL_ZONES.length);
});
