import { type Checked, ok } from '../domain/problem';
import { isBlank } from '../domain/fields';
import { textIfAny } from '../domain/format';
import { isObject } from '../domain/json';
import { valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { isOfRow } from '../domain/expression/values';
import { variablesFromJson } from '../domain/promptVariables';
import { hasLostDigits, type RawRow, UNREAD } from '../domain/row';
import {
	type Assignments,
	type DestinationEntry,
	destinationFields,
	destinationsFromJson,
	fieldsHolding,
	nothingToCall,
	variablesFromAssignments,
	variablesFromInput,
} from '../domain/rowSources';
import type { Execution } from '../execution/execution';
import { type Parameters, type PerItem, tryRead } from '../execution/parameters';
import { asWritten, OF_ROWS } from './otherSpellings';
import { datesRead } from './datesRead';
import { fieldsOfCells } from './fieldsOfCells';
import { fittingBehind } from './fittingBehind';
import { KEY as KEY_LABEL } from './labels';
import { columnsBehind } from './readings';
import { choosesNoCountry } from './regionOfAll';
import { rowsWithoutWords, STOPPED } from './rowsWithoutWords';
import {
	type DestinationSource,
	KEY,
	knowsByKey,
	type ListEntry,
	NO_CALL_DATES,
	OPTED_OUT,
	storedPhones,
	TIME_ZONE,
	type VariablesFrom,
} from './stored';

type Entries = Checked<Array<readonly [string, unknown]>>;

/** The rows of a run, read from the parameters one after the other and not yet checked. */
export function* readRows(
	execution: Execution,
	source: DestinationSource,
	variablesFrom: VariablesFrom,
	{ isRemembered, country }: { isRemembered: boolean; country: string | undefined },
): Generator<RawRow> {
	const { input } = execution;
	const fields = fieldsOfRows(execution, isRemembered, country);
	const entries = entriesOf(execution, source);
	const variables = sharedVariables(execution, variablesFrom);

	const whyNoRow = rowsWithoutWords(execution, source, variablesFrom);
	const cellsOf = cellsOfPhones(execution, source);

	for (let itemIndex = 0; itemIndex < input.length; itemIndex++) {
		let failed = whyNoRow(itemIndex);
		// Each field by itself: whose row it is, and whether they opted out, matters to other rows even if another field cannot be read.
		const read = <T>(field: PerItem<T>, otherwise: T): T => {
			// After a stop, no more expressions are resolved.
			if (failed?.error === STOPPED) return otherwise;
			const value = tryRead(() => ok(field(itemIndex)));
			if (value.ok) return value.value;
			failed ??= value;
			return otherwise;
		};
		const mode = read(fields.mode, undefined);
		const destinations = read(entries, undefined) ?? [unreadable(cellsOf(itemIndex))];
		const shared = {
			itemIndex,
			mode,
			isRemembered,
			optedOut: read(fields.optedOut, fields.mayOptOut ? UNREAD : undefined),
			agentNumber: read(fields.agentNumber, ''),
			callerNumber: read(fields.callerNumber, ''),
			country: read(fields.country, ''),
			externalCallId: read(fields.externalCallId, ''),
			callOnceKey: read(fields.callOnceKey, ''),
			timeZone: read(fields.timeZone, UNREAD),
			// Nobody knows on which, then.
			noCallDates: read(fields.noCallDates, undefined),
		};
		for (const [place, { phone, variables: own, cells = [] }] of destinations.entries()) {
			yield {
				...shared,
				...(destinations.length > 1 && { place }),
				destination: phone,
				cells: () => [...cells, ...(destinations.length === 1 ? cellsOf(itemIndex) : [])],
				variables: failed ?? tryRead(() => merged(variables(itemIndex, phone), own)),
			};
		}
	}
}

/** What is read for each row, apart from its number and its words. */
function fieldsOfRows(execution: Execution, isRemembered: boolean, country: string | undefined) {
	const { isEvaluation, parameters } = execution;
	const fitting = <T>(name: string, read: PerItem<T>, isWhole?: boolean): PerItem<T> =>
		fieldsOfCells(
			execution,
			parameters.raw(name),
			fittingBehind(execution, [parameters.raw(name)], read, isWhole),
		);
	const protecting = (name: keyof typeof OF_ROWS, read: PerItem<unknown>): PerItem<unknown> =>
		fitting(
			name,
			datesRead(execution, name, OF_ROWS[name].label, asWritten(execution, name, read)),
		);
	/** For a row that cannot be read: its person may have asked not to be called. */
	const mayOptOut = parameters.raw(OPTED_OUT) !== undefined;
	return {
		// n8n's Evaluations run a workflow for real.
		mode: isEvaluation ? () => 'dryRun' : parameters.perItem<unknown>('mode', 'dryRun'),
		agentNumber: parameters.perItem<unknown>('agentNumber', ''),
		callerNumber: parameters.perItem<unknown>('callerNumber', ''),
		// An expression may decide for each row: where it says nothing, nobody knows the country.
		country: choosesNoCountry(parameters)
			? () => country
			: parameters.perItem<unknown>('defaultCountry', ''),
		externalCallId: parameters.perItem<unknown>('options.externalCallId', ''),
		callOnceKey:
			isRemembered || knowsByKey(parameters)
				? keyOfCells(
						execution,
						fitting(
							KEY,
							datesRead(
								execution,
								KEY,
								KEY_LABEL.callOnceKey,
								parameters.perItem<unknown>(KEY, ''),
							),
							true,
						),
					)
				: () => '',
		timeZone: protecting(TIME_ZONE, parameters.perItem<unknown>(TIME_ZONE, '')),
		noCallDates: protecting(NO_CALL_DATES, parameters.perItem<unknown>(NO_CALL_DATES, null)),
		mayOptOut,
		optedOut: protecting(OPTED_OUT, answered(parameters)),
	};
}

/** A key of text alone, beside cells that are empty, is none: many people would have the same. So would they of text around a number that has lost its last digits: that is the key, then. */
function keyOfCells(
	{ input, parameters, steps }: Execution,
	read: PerItem<unknown>,
): PerItem<unknown> {
	const columns = readingOf(parameters.raw(KEY)).columns.flatMap((column) => {
		const behind = columnsBehind(steps, column);
		return behind.length > 0 ? behind : [column];
	});
	if (columns.length === 0 || columns.some(({ takes }) => takes !== 'ofRow')) return read;
	return (row) => {
		const key = read(row);
		const cells = columns.flatMap(({ step, path }) =>
			valuesAt(step === undefined ? input[row] : steps.itemOf(step, row), path),
		);
		return cells.find(hasLostDigits) ?? (isBlank(key) || cells.every(isBlank) ? '' : key);
	};
}

/** Whoever is not found in a list of another step has not opted out. */
function answered(parameters: Parameters): PerItem<unknown> {
	const read = parameters.perItem<unknown>(OPTED_OUT, '');
	const asksList = readingOf(parameters.raw(OPTED_OUT)).columns.some(
		({ step, takes }) => step && takes === 'each',
	);
	return asksList ? (itemIndex) => read(itemIndex) ?? null : read;
}

const NO_VARIABLES: Entries = ok([]);

/** One row stands for the destinations of an item that could not be read. */
const unreadable = (cells: readonly unknown[]): DestinationEntry => ({
	phone: cells.flatMap((cell) => (isBlank(cell) ? [] : (textIfAny(cell) ?? []))).join(' '),
	variables: NO_VARIABLES,
});

/** The cells of an item that its destinations are taken from; of a list in one, each of its entries. Whose they are, and who opted out, they may say. */
function cellsOfPhones(
	{ input, parameters, steps }: Execution,
	source: DestinationSource,
): (row: number) => unknown[] {
	const columns = storedPhones(parameters, source)
		.flatMap((stored) =>
			readingOf(stored).columns.flatMap((column) => [column, ...columnsBehind(steps, column)]),
		)
		.filter(isOfRow);
	return (row) =>
		columns
			.flatMap(({ step, path }) =>
				valuesAt(step === undefined ? input[row] : steps.itemOf(step, row), path),
			)
			.flatMap(entriesIn);
}

/** Of JSON that cannot be read, what stands between its signs. */
const entriesIn = (cell: unknown): unknown[] =>
	isObject(cell) || Array.isArray(cell)
		? Object.values(cell).flatMap((each) =>
				typeof each === 'object' ? JSON.stringify(each) : [each],
			)
		: typeof cell === 'string'
			? cell.split(/[[\]{}",;:\n]/)
			: [cell];

function entriesOf(execution: Execution, source: DestinationSource): PerItem<DestinationEntry[]> {
	const { parameters } = execution;
	if (source === 'list') return listEntries(execution);
	return fittingBehind(
		execution,
		storedPhones(parameters, source),
		source === 'items' ? oneEntry(parameters) : jsonEntries(parameters),
		true,
	);
}

function oneEntry(parameters: Parameters): PerItem<DestinationEntry[]> {
	const destination = parameters.perItem<unknown>('destination', '');
	return (itemIndex) => [{ phone: destination(itemIndex), variables: NO_VARIABLES }];
}

function listEntries(execution: Execution): PerItem<DestinationEntry[]> {
	const { parameters } = execution;
	const list = parameters.perItem<{ destination?: ListEntry[] }>('destinationList', {});
	let destinations: ListEntry[] = [];
	// Each by itself, so that an entry which cannot be read keeps nobody else from being called.
	const phones = storedPhones(parameters, 'list').map((stored, n) =>
		fittingBehind(
			execution,
			[stored],
			parameters.inAllParts(stored, () => destinations[n]?.phone),
			true,
		),
	);
	return (itemIndex) => {
		destinations = list(itemIndex).destination ?? [];
		return destinations.length > 0
			? destinations.map(({ phone, promptVariables }, n) => ({
					phone,
					variables: tryRead(() => {
						phones[n]?.(itemIndex);
						return ok(variablesFromAssignments(promptVariables));
					}),
				}))
			: [{ phone: '', variables: nothingToCall('the list of destinations is empty') }];
	};
}

function jsonEntries(parameters: Parameters): PerItem<DestinationEntry[]> {
	const json = parameters.perItem<unknown>('destinationsJson', '[]');
	return (itemIndex) => {
		const entries = destinationsFromJson(json(itemIndex));
		return entries.ok ? entries.value : [{ phone: '', variables: entries }];
	};
}

/** The prompt variables that an item gives to each of its destinations. */
function sharedVariables(
	{ input, parameters }: Execution,
	from: VariablesFrom,
): (itemIndex: number, destination: unknown) => Entries {
	if (from === 'json') {
		const json = parameters.perItem<unknown>('promptVariablesJson', '{}');
		return (itemIndex) => variablesFromJson(json(itemIndex));
	}
	if (from === 'input') {
		const named = destinationFields(parameters.raw('destination'));
		const leftOut = parameters.perItem<string | number | null>('fieldsToLeaveOut', '');
		return (itemIndex, destination) => {
			const fields = input[itemIndex]!;
			const without = new Set(named.size > 0 ? named : fieldsHolding(fields, destination));
			for (const name of String(leftOut(itemIndex) ?? '').split(',')) without.add(name.trim());
			return variablesFromInput(fields, without);
		};
	}
	const assignments = parameters.perItem<Assignments>('promptVariables', {});
	return (itemIndex) => ok(variablesFromAssignments(assignments(itemIndex)));
}

/** A destination's own variables override shared ones of the same name. */
function merged(shared: Entries, own: Entries): Entries {
	if (!shared.ok || !own.ok) return own.ok ? shared : own;
	return own.value.length === 0 ? shared : ok([...shared.value, ...own.value]);
}
