import { type DoNotCall, type PeopleOf, readDoNotCall } from '../domain/doNotCall';
import { isBlank } from '../domain/fields';
import { callingHours } from '../domain/hours/callingHours';
import { readCallingWindows, WHOLE_WEEK } from '../domain/hours/callingWindows';
import type { Region } from '../domain/phone/countries';
import { readPhoneNumber, recognizePhoneNumber } from '../domain/phone/phone';
import { fail, ok } from '../domain/problem';
import type { RightToCall } from '../domain/rightToCall';
import type { Execution } from '../execution/execution';
import { holdsExpression } from '../execution/parameters';
import type { RunParameters } from '../execution/runParameters';
import type { Slices } from '../execution/slices';
import { isUnsaid, unsaid } from './protectingFields';

const EMPTY: DoNotCall = new Set();

export interface RightToCallRead extends Omit<RightToCall, 'optedOut'> {
	/** Numbers on the Do Not Call list; undefined without the option. */
	listed: number | undefined;
	asksWhoOptedOut: boolean;
	asksTimeZone: boolean;
	zoneOfAll: string | undefined;
}

/** Reads the settings of whom it is right to call, and when. Who opted out is known only once the rows are. `region`: of numbers without +. */
export async function readRightToCall(
	{ parameters, timeZone }: Execution,
	read: RunParameters,
	slices: Slices,
	region: Region | undefined,
): Promise<RightToCallRead> {
	const windows = read.parsed('options.callingHours', 'Calling Hours', readCallingWindows);
	const hasDates = parameters.raw('options.noCallDates') !== undefined;
	const unknown = read.choice('options.unknownTimeZone', 'Unknown Time Zone', ['doNotCall', 'workflow']);
	const zone = parameters.raw('options.timeZone');
	const list = read.parsed<{ value: unknown }>('options.doNotCall', 'Do Not Call', (value) =>
		isUnsaid(value) && holdsExpression(parameters.raw('options.doNotCall')) ? fail(unsaid('Do Not Call')) : ok({ value: value ?? '' }),
	);
	const listed = list && (await slices.through(readDoNotCall(list.value, peopleOf(region))));
	if (listed?.ok === false) read.problem ??= listed.error;
	const doNotCall = listed?.ok ? listed.value : undefined;
	return {
		hours: windows || hasDates ? callingHours(windows ?? WHOLE_WEEK) : undefined,
		unknownZones: unknown === 'workflow' ? [timeZone] : [],
		doNotCall: doNotCall ?? EMPTY,
		listed: doNotCall?.size,
		asksTimeZone: zone !== undefined,
		zoneOfAll: holdsExpression(zone) || isBlank(zone) ? undefined : String(zone),
		asksWhoOptedOut: parameters.raw('options.optedOut') !== undefined,
	};
}

/** As the rows' numbers are read. An entry without + may have lost it: then it stands for both readings. */
function peopleOf(region: Region | undefined): PeopleOf {
	return (cell) => {
		const read = recognizePhoneNumber(cell, region);
		if (!read.ok) return read;
		const { person } = read.value;
		const international = String(cell).includes('+') ? undefined : readPhoneNumber(`+${String(cell).replace(/\D/g, '')}`);
		return ok(international?.ok && international.value.isValid ? [person, international.value.person] : [person]);
	};
}
