import { quoted } from '../format';
import { type Checked, ok, problem } from '../problem';
import { hostNameOf } from './zoneTime';

/** The row has no zone of its own: its number decides. */
const NONE: readonly string[] = [];

const MOST_NAMES = 1_000;
const read = new Map<string, Checked<readonly string[]>>();

/**
 * The option Time Zone of a row: an IANA name, as a list of one zone, or none when it is empty. The same name gives the same list.
 * Abbreviations and offsets are refused although `Intl` takes some of them: EST knows no summer time, and Etc/GMT-5 is east of Greenwich.
 */
export function readTimeZone(cell: unknown): Checked<readonly string[]> {
	if (cell === null || cell === undefined) return ok(NONE);
	if (typeof cell !== 'string') return unknownZone(cell);
	const known = read.get(cell);
	if (known !== undefined) return known;
	const checked = check(cell);
	if (read.size >= MOST_NAMES) read.clear();
	if (cell.length <= LONGEST_NAME) read.set(cell, checked);
	return checked;
}

const LONGEST_NAME = 100;

function check(cell: string): Checked<readonly string[]> {
	const name = cell.trim().replace(/ /g, '_');
	if (name === '') return ok(NONE);
	if (!/^(?!etc\/gmt.)(?:[a-z_]+\/[a-z0-9_+\-/]+|utc)$/i.test(name)) return unknownZone(cell);
	const host = hostNameOf(name);
	if (host === undefined) return unknownZone(cell);
	// The host may have another name for the zone (Asia/Calcutta); the person who built the workflow sees their own.
	return ok([host.toLowerCase() === name.toLowerCase() ? host : name]);
}

const unknownZone = (cell: unknown): Checked<never> =>
	problem(
		`the option Time Zone is ${quoted(cell)}, which is not the name of a time zone`,
		'Use a name such as Europe/Berlin or America/New_York.',
	);
