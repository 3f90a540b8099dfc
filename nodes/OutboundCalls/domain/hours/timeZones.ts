import { quoted, textIfAny } from '../format';
import { type Checked, ok, problem } from '../problem';
import { ZONES_BY_PREFIX } from './timeZonePrefixes';
import { hostNameOf } from './zoneTime';

/** Read once, when the first number asks. */
let zonesByPrefix: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * The IANA zones of which a number (E.164) is in one, the best-known first, by its longest prefix
 * in the table; empty when none is known.
 */
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

/** Rows of one zone share a list, so that they can be compared. */
const lists = new Map<string, readonly string[]>();

/**
 * Time Zone of a row: an IANA name in any case ("us_slash_eastern", as CRMs write it, too), as a
 * list of one zone; none when it is empty. Offsets and abbreviations are rejected although `Intl`
 * takes some: EST has no summer time, and Etc/GMT-5 is east of Greenwich.
 */
export function readTimeZone(cell: unknown): Checked<readonly string[]> {
	const name = (textIfAny(cell ?? '') ?? '?')
		.trim()
		.replace(/_slash_/gi, '/')
		.replace(/ /g, '_');
	const isName = /^(?!etc\/gmt.)(?:[a-z_]+\/[a-z0-9_+\-/]+|utc)$/i.test(name);
	const host = isName ? hostNameOf(name) : undefined;
	if (name !== '' && host === undefined)
		return problem(
			`the rule Time Zone is ${quoted(cell)}, which is not the name of a time zone`,
			'Use a name such as Europe/Berlin or America/New_York.',
		);
	// The host may have an older name (Asia/Calcutta): the builder's own is shown, unless it is all
	// lower case.
	const isOwn = /[A-Z]/.test(name) && name.toLowerCase() !== host?.toLowerCase();
	const shown = isOwn ? name : (host ?? '');
	const list = lists.get(shown) ?? (shown === '' ? [] : [shown]);
	lists.set(shown, list);
	return ok(list);
}
