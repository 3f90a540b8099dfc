import type { RowOutcome } from '../domain/callOutcome';
import type { WaitUntil } from '../domain/callRecord';
import {
	formatCount,
	formatDuration,
	formatRows,
	listed,
	quoted,
	rowNames,
} from '../domain/format';
import { familiarFirst } from '../domain/hours/familiarZone';
import { outdatedZones } from '../domain/hours/outdatedZones';
import type { Judge } from '../domain/rightToCall';
import type { ChosenCountries } from '../domain/phone/chosenCountries';
import { timeZonesOf } from '../domain/phone/phone';
import { isoIn, offsetAt } from '../domain/hours/zoneTime';
import { whatIsSaid } from './whatIsSaid';
import { whereTo } from './whereTo';

/** The settings that it is about. */
interface Settings {
	callsPerMinute: number | undefined;
	callable: { countries: ChosenCountries };
	rightToCall: {
		hours: object | undefined;
		listed: number | undefined;
		asksWhoOptedOut: boolean;
		asksTimeZone: boolean;
		zoneOfAll: string | undefined;
	};
	limits: { stopWhenReached: boolean };
	waiting: { until: WaitUntil } | undefined;
}

const LEARNS_NOTHING =
	'Stop When Reached learns nothing of these calls: only a node whose Wait Until is Each Call Is Finished knows whom it has reached.';

/** What follows the totals: where the calls of a dry run lead, how long they would take, when the others may be called, and what to look at. `zone`: the workflow's. */
export function forecast(
	rows: readonly RowOutcome[],
	{ callsPerMinute, callable, rightToCall, limits, waiting }: Settings,
	judge: Judge | undefined,
	zone: string,
): string {
	return [
		toCorrect(rows),
		...whereTo(rows, callable.countries),
		...whatIsSaid(rows),
		pace(rows, callsPerMinute),
		later(rows, zone),
		rightToCall.listed === 0 ? 'The list in Do Not Call is empty.' : '',
		rightToCall.asksWhoOptedOut &&
		isServed(rows) &&
		!someoneOptedOut(rows)
			? 'By the column in Opted Out, nobody has opted out.'
			: '',
		rightToCall.asksTimeZone && !someoneHasZone(rows)
			? 'Time Zone is empty in every row, so each phone number’s own time zones are used. If your rows have time zones, it takes the wrong column.'
			: '',
		rightToCall.hours && rightToCall.zoneOfAll !== undefined
			? elsewhere(rows, rightToCall.zoneOfAll)
			: '',
		// A call that is dialed may still reach somebody.
		limits.stopWhenReached && waiting?.until !== 'finished' ? LEARNS_NOTHING : '',
		outdated(judge),
	]
		.filter((sentence) => sentence !== '')
		.map((sentence) => ` ${sentence}`)
		.join('');
}

/** Rows of a dry run that cannot be sent as they are. Where a field of the panel keeps all of them back, that is to be corrected. */
function toCorrect(rows: readonly RowOutcome[]): string {
	const fieldsServe = rows.some(({ row }) => row.isDry && !('problem' in row));
	const invalid = rows.flatMap(({ row }) =>
		row.isDry && 'problem' in row && (fieldsServe || !row.problem.field) ? [row.position] : [],
	);
	if (invalid.length === 0) return '';
	return `${rowNames(invalid)} ${invalid.length === 1 ? 'has' : 'have'} to be corrected.`;
}

/** Whether the settings serve at least one row: where they serve none, that is told, and nothing of what a column says. */
const isServed = (rows: readonly RowOutcome[]): boolean =>
	rows.some(
		({ outcome }) => !['invalid', 'refused', 'duplicate', 'same_number'].includes(outcome.status),
	);

/** A column that has nothing in it may be the wrong one. */
const someoneOptedOut = (rows: readonly RowOutcome[]): boolean =>
	rows.some(({ row }) => row.optedOut !== undefined);

const someoneHasZone = (rows: readonly RowOutcome[]): boolean =>
	rows.some(({ row }) => 'timeZones' in row || 'problem' in row);

/** A time zone that is typed for all rows may be that of whoever typed it. */
function elsewhere(rows: readonly RowOutcome[], typed: string): string {
	const now = Date.now();
	const known = new Map<readonly string[], boolean>();
	const people = new Map<string, string>();
	for (const { row } of rows) {
		if (!('person' in row) || !row.timeZones) continue;
		const byNumber = timeZonesOf(row.person);
		const own = offsetAt(row.timeZones[0]!, now);
		if (!known.has(byNumber))
			known.set(
				byNumber,
				byNumber.length > 0 && !byNumber.some((zone) => offsetAt(zone, now) === own),
			);
		if (known.get(byNumber)) people.set(row.person, familiarFirst(byNumber)[0]!);
	}
	if (people.size === 0) return '';
	const [example] = people.values();
	return `Time Zone is ${quoted(typed)} for every row, and ${formatCount(people.size)} of the numbers ${people.size === 1 ? 'is' : 'are'} of other time zones, such as ${example!}: Calling Hours are judged by the clocks that you typed. If these are yours, and not theirs, take the option out.`;
}

function pace(rows: readonly RowOutcome[], callsPerMinute: number | undefined): string {
	if (callsPerMinute === undefined) return '';
	const planned = rows.filter(
		({ outcome }) => outcome.status === 'dry_run' && outcome.called === 'no',
	).length;
	if (planned < 2) return '';
	return `At ${callsPerMinute} calls per minute this takes ${formatDuration(((planned - 1) * 60_000) / callsPerMinute)}.`;
}

function later(rows: readonly RowOutcome[], zone: string): string {
	let [waiting, never, first, last] = [0, 0, Infinity, -Infinity];
	const theirs = new Set<string>();
	for (const { outcome } of rows) {
		const hours =
			outcome.called === 'no' && outcome.status === 'outside_hours' ? outcome.hours : undefined;
		if (!hours) continue;
		if (hours.callableAt === null) {
			never++;
			continue;
		}
		waiting++;
		theirs.add(familiarFirst(hours.columns.time_zones)[0]!);
		first = Math.min(first, hours.callableAt);
		last = Math.max(last, hours.callableAt);
	}
	// All on the same clocks: those are meant. Else one clock for all of them.
	const [clocks, where] =
		theirs.size === 1 ? [[...theirs][0]!, 'their time'] : [zone, 'the time of this workflow'];
	const at = (instant: number): string => isoIn(clocks, instant).slice(0, 16).replace('T', ' ');
	const when = (): string =>
		first === last ? `from ${at(first)}` : `the first from ${at(first)}, the last from ${at(last)}`;
	return [
		waiting > 0
			? `${formatRows(waiting)} outside calling hours may be called later: ${when()} in ${clocks} (${where}).`
			: '',
		never > 0 ? `${formatRows(never)} may not be called within 14 days.` : '',
	]
		.filter((sentence) => sentence !== '')
		.join(' ');
}

function outdated(judge: Judge | undefined): string {
	const zones = judge ? outdatedZones([...judge.timeZones].flat()) : [];
	if (zones.length === 0) return '';
	return `This n8n has old time zone rules: clocks in ${listed(zones)} are an hour off. A newer Node.js knows better ones.`;
}
