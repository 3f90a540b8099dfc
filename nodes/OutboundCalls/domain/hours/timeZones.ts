import { ZONES_BY_PREFIX } from './timeZonePrefixes';

/** Read once, when the first number asks. */
let zonesByPrefix: ReadonlyMap<string, readonly string[]> | undefined;

/** The IANA zones of which a number (E.164) is in one, the best-known first, by its longest prefix in the table; empty when none is known. */
export function timeZonesOf(number: string): readonly string[] {
	zonesByPrefix ??= readTable();
	for (let end = number.length; end > 1; end--) {
		const zones = zonesByPrefix.get(number.slice(1, end));
		if (zones) return zones;
	}
	return [];
}

const readTable = (): Map<string, readonly string[]> =>
	new Map(
		ZONES_BY_PREFIX.split('\n').flatMap((line) => {
			const [zones = '', ...prefixes] = line.split(' ');
			const list = zones.split(',');
			return prefixes.map((prefix) => [prefix, list] as const);
		}),
	);
