import { callingHours } from '../domain/hours/callingHours';
import { readCallingWindows, WHOLE_WEEK } from '../domain/hours/callingWindows';
import type { Region } from '../domain/phone/countries';
import { isBlank } from '../domain/expressions';
import { type DoNotCall, readDoNotCall } from '../domain/doNotCall';
import { recognizePhoneNumber } from '../domain/phone/phone';
import { fail, ok, type Result } from '../domain/problem';
import type { RightToCall } from '../domain/rightToCall';
import type { Execution } from '../execution/execution';
import { holdsExpression } from '../execution/parameters';
import type { RunParameters } from '../execution/runParameters';
import { mayBeMisspelt } from './misspeltColumn';
import { partOfList, stepThatSaysNothing } from './oneOfMany';

const EMPTY: DoNotCall = new Set();

/** Reads the options about whom it is right to call, and when. Who opted out is known only once the rows are. `region`: of numbers without +. */
export function readRightToCall(
	execution: Execution,
	read: RunParameters,
	region: Region | undefined,
): Omit<RightToCall, 'optedOut' | 'optedOutEarlier'> & {
	isListEmpty: boolean;
	asksWhoOptedOut: boolean;
	asksTimeZone: boolean;
	zoneOfAll: string | undefined;
} {
	const { input, parameters, timeZone } = execution;
	const windows = read.parsed('options.callingHours', 'Calling Hours', readCallingWindows);
	const hasDates = parameters.raw('options.noCallDates') !== undefined;
	const unknown = read.choice('options.unknownTimeZone', 'Unknown Time Zone', ['doNotCall', 'workflow']);
	const zone = parameters.raw('options.timeZone');
	const doNotCall = read.parsed('options.doNotCall', 'Do Not Call', (value) => {
		const part =
			stepThatSaysNothing(execution, 'options.doNotCall', 'Do Not Call') ?? partOfList(execution, 'options.doNotCall', 'Do Not Call', value);
		if (part) return fail(part);
		if (mayBeMisspelt(execution, 'options.doNotCall')(value, input[0]!)) return readDoNotCall(undefined, asDestination(region));
		// A cell that is there may hold nothing.
		const isEmpty = isBlank(value) && holdsExpression(parameters.raw('options.doNotCall'));
		return readDoNotCall(isEmpty ? '' : value, asDestination(region));
	});
	return {
		hours: windows || hasDates ? callingHours(windows ?? WHOLE_WEEK) : undefined,
		unknownZones: unknown === 'workflow' ? [timeZone] : [],
		doNotCall: doNotCall ?? EMPTY,
		isListEmpty: doNotCall?.size === 0,
		asksTimeZone: zone !== undefined,
		zoneOfAll: typeof zone === 'string' && !holdsExpression(zone) && !isBlank(zone) ? zone : undefined,
		asksWhoOptedOut: parameters.raw('options.optedOut') !== undefined,
	};
}

/** As the rows' numbers are read. What nobody can have, such as a number that a formula has put a + before, is refused: whom it stands for would be called. */
function asDestination(region: Region | undefined): (cell: unknown) => Result<string, unknown> {
	return (cell) => {
		const read = recognizePhoneNumber(cell, region);
		return read.ok ? ok(read.value.person) : read;
	};
}
