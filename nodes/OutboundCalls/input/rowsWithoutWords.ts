import type { Path } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { type Column, isOfRow } from '../domain/expression/values';
import { quoted } from '../domain/format';
import { fail, type Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import { isOfWhy } from '../execution/failures';
import { columnsBehind } from './readings';
import {
	type DestinationSource,
	KEY,
	NO_CALL_DATES,
	OPTED_OUT,
	storedPhones,
	storedVariables,
	TIME_ZONE,
	type VariablesFrom,
} from './stored';

/** What decides about a row: who is called, and whether anybody is. */
const DECIDE = [
	'mode',
	'agentNumber',
	'callerNumber',
	'defaultCountry',
	KEY,
	TIME_ZONE,
	NO_CALL_DATES,
	OPTED_OUT,
];

/** Why a row cannot be read, whatever its fields say: n8n gave, in place of its item or of one that decides about it, one that says why there is none (On Error = Continue), or an empty one, to go on without any (Always Output Data). */
export function rowsWithoutWords(
	{ input, parameters, steps, signal }: Execution,
	source: DestinationSource,
	from: VariablesFrom,
): (row: number) => Failed | undefined {
	const phones = storedPhones(parameters, source);
	const decide = [...phones, ...DECIDE.map((name) => parameters.raw(name))];
	// An alarm may ask what went wrong, and say it.
	const isWhy = ([name, ...rest]: Path): boolean =>
		name === 'error' && (rest.length === 0 || isOfWhy(rest));
	const isSaying = (column: Column): boolean => isOfRow(column) && !isWhy(column.path);
	// A number that somebody typed is no row's: the alarm is made, whatever an If could not ask.
	const isOfRows = phones.some((stored) => readingOf(stored).columns.length > 0);
	const ofFilters = (isOfRows ? steps.decidingBefore() : []).flatMap(({ step, stored }) =>
		stored
			.flatMap((each) => readingOf(each).columns)
			.map((column) => ({ ...column, step: column.step ?? step })),
	);
	const named = decide.flatMap((stored) => readingOf(stored).columns);
	// `false` of an Edit Fields may be that nothing was said.
	const behindNamed = named.flatMap((column) => columnsBehind(steps, column));
	const columns = [...named, ...behindNamed, ...ofFilters].filter(isSaying);
	const words = storedVariables(parameters, from)
		.flatMap((stored) => readingOf(stored).needed.flat())
		.filter(
			(column) =>
				column.step === undefined && isSaying(column) && (isOfRows || !isOfWhy(column.path)),
		);
	const isSaid = words.length > 0;
	// All fields of an item are words; of one that says why there is none, an alarm to a typed number may be made.
	const isAsked = isSaid || (from !== 'fields' && columns.length > 0);
	const cannotSay = [...columns, ...(isAsked ? [{ step: undefined, path: [] }] : [])].flatMap(
		(column) => steps.cannotSay(column) ?? [],
	);
	return (row) => {
		if (signal?.aborted) return fail(STOPPED);
		if (isSaid && Object.keys(input[row]!).length === 0) return fail(NO_ROW);
		for (const stepOf of cannotSay) {
			const step = stepOf(row);
			if (step !== undefined) return fail(nothingSaid(step));
		}
		return undefined;
	};
}

type Failed = { ok: false; error: Problem };

const NO_ROW: Problem = {
	message: 'the input item is empty, and prompt variables take columns of it',
	remedy: 'To call although there is no row, type them.',
};

const nothingSaid = (step: string): Problem => ({
	message: `the step ${quoted(step)} could not do its work for this row`,
	remedy: 'Look at what that step says, and execute again.',
});

/** Of the rows that had not been read when the execution was stopped. */
export const STOPPED: Problem = {
	message: 'The execution was stopped',
	remedy: 'Start it again to call.',
	field: true,
};
