import { callingHours } from '../domain/hours/callingHours';
import { readCallingWindows, WHOLE_WEEK } from '../domain/hours/callingWindows';
import type { Region } from '../domain/phone/countries';
import { haveColumn } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { isBlank } from '../domain/fields';
import { type DoNotCall, type PeopleOf, readDoNotCall } from '../domain/doNotCall';
import { readPhoneNumber, recognizePhoneNumber } from '../domain/phone/phone';
import { fail, ok } from '../domain/problem';
import type { RightToCall } from '../domain/rightToCall';
import type { Execution } from '../execution/execution';
import { holdsExpression, tryRead } from '../execution/parameters';
import type { RunParameters } from '../execution/runParameters';
import type { Slices } from '../execution/slices';
import { mayBeEmpty, missingColumn, saysNothing } from './missingColumn';
import { partOfList } from './oneOfMany';
import { unreadDates } from './datesRead';
import { fieldsOfList } from './fieldsOfCells';
import { chosenOtherwise } from './otherSpellings';
import { leftEmpty, listCutOff, stepThatSaysNothing } from './stepsBelieved';

const DO_NOT_CALL = 'options.doNotCall';
const CHECK =
	'Check the name of the column in that option. If it is right, and your list leaves empty cells out, write || false behind the column.';
const EMPTY: DoNotCall = new Set();

export interface RightToCallRead extends Omit<RightToCall, 'optedOut' | 'optedOutEarlier'> {
	isListEmpty: boolean;
	asksWhoOptedOut: boolean;
	asksTimeZone: boolean;
	zoneOfAll: string | undefined;
}

/** Reads the options about whom it is right to call, and when. Who opted out is known only once the rows are. `region`: of numbers without +. */
export async function readRightToCall(
	execution: Execution,
	read: RunParameters,
	slices: Slices,
	region: Region | undefined,
): Promise<RightToCallRead> {
	const { parameters, timeZone } = execution;
	const windows = read.parsed('options.callingHours', 'Calling Hours', readCallingWindows);
	const hasDates = parameters.raw('options.noCallDates') !== undefined;
	const unknown = read.choice('options.unknownTimeZone', 'Unknown Time Zone', [
		'doNotCall',
		'workflow',
	]);
	const zone = parameters.raw('options.timeZone');
	const list = read.parsed<{ value: unknown }>(DO_NOT_CALL, 'Do Not Call', (value) => {
		const part =
			stepThatSaysNothing(execution, DO_NOT_CALL, 'Do Not Call') ??
			leftEmpty(execution, DO_NOT_CALL, 'Do Not Call') ??
			listCutOff(execution, DO_NOT_CALL, 'Do Not Call') ??
			partOfList(execution, DO_NOT_CALL, 'Do Not Call', value);
		if (part) return fail(part);
		const missing = missingColumn(execution, DO_NOT_CALL, 'Do Not Call', CHECK);
		if (missing) return fail(missing);
		const isEmpty =
			[value].flat().every(saysNothing) && holdsExpression(parameters.raw(DO_NOT_CALL));
		return ok({ value: isEmpty ? emptyList(execution, value) : value });
	});
	const chosen =
		list &&
		((await slices.through(chosenOtherwise(execution, DO_NOT_CALL, 'Do Not Call'))) ??
			unreadDates(execution, DO_NOT_CALL, 'Do Not Call', true) ??
			(await slices.through(fieldsOfList(execution, DO_NOT_CALL, 'Do Not Call', list.value))));
	if (chosen) read.problem ??= chosen;
	const listed = list && (await slices.through(readDoNotCall(list.value, peopleOf(region))));
	if (listed?.ok === false) read.problem ??= listed.error;
	const doNotCall = listed?.ok ? listed.value : undefined;
	return {
		hours: windows || hasDates ? callingHours(windows ?? WHOLE_WEEK) : undefined,
		unknownZones: unknown === 'workflow' ? [timeZone] : [],
		doNotCall: doNotCall ?? EMPTY,
		isListEmpty: doNotCall?.size === 0,
		asksTimeZone: zone !== undefined,
		zoneOfAll: zoneOfAll(execution),
		asksWhoOptedOut: parameters.raw('options.optedOut') !== undefined,
	};
}

/** What cannot be read comes to undefined (n8n behaviour); a cell that is there, and a list, may hold nothing. */
const emptyList = (execution: Execution, value: unknown): '' | undefined =>
	value !== undefined && mayBeEmpty(execution, DO_NOT_CALL, value) ? '' : undefined;

/** A time zone that was typed for all rows, also for those without a column that no row has. */
function zoneOfAll({ input, parameters }: Execution): string | undefined {
	const stored = parameters.raw('options.timeZone');
	const { columns } = readingOf(stored);
	const isThere =
		columns.length === 0 ||
		columns.some(({ step, path }) => step !== undefined || haveColumn(input, path));
	if (holdsExpression(stored) && isThere) return undefined;
	const zone = tryRead(() => ok(parameters.perItem<unknown>('options.timeZone', '')(0)));
	return zone.ok && typeof zone.value === 'string' && !isBlank(zone.value) ? zone.value : undefined;
}

/**
 * As the rows' numbers are read. What nobody can have, such as a number that a formula has put a + before, is refused: whom it stands for would be called. One without
 * its + may have lost it.
 */
function peopleOf(region: Region | undefined): PeopleOf {
	return (cell) => {
		const read = recognizePhoneNumber(cell, region);
		if (!read.ok) return read;
		const { person } = read.value;
		const international = String(cell).includes('+')
			? undefined
			: readPhoneNumber(`+${String(cell).replace(/\D/g, '')}`);
		return ok(
			international?.ok && international.value.isValid
				? [person, international.value.person]
				: [person],
		);
	};
}
