import {
	type Checked,
	fail,
	fieldProblem,
	isBlank,
	ok,
	type Problem,
	quoted,
	textOf,
} from '../domain/values';
import type { ChoiceOf } from '../domain/panelDefaults';
import { variablesFromJson } from '../domain/promptVariables';
import { type RawRow, UNREAD } from '../domain/row';
import type { Execution } from '../execution/execution';
import { type PerItem, tryRead } from '../execution/parameters';
import {
	type Assignments,
	type DestinationEntry,
	destinationsFromJson,
	fieldsHolding,
	nothingToCall,
	variablesFromAssignments,
	variablesFromInput,
} from './rowSources';

type Entries = Checked<Array<readonly [string, unknown]>>;

const NO_VARIABLES: Entries = ok([]);

/** For rows that had not been read when the execution was stopped. */
export const STOPPED = fieldProblem('The execution was stopped', 'Execute again to call.');

interface RowSettings {
	source: ChoiceOf<'destinationSource'>;
	variablesFrom: ChoiceOf<'variablesFrom'>;
	/** People Called Before is Once for Each. */
	isOnceForEach: boolean;
	/** ISO code of numbers without +, if no country is set for them. */
	country: string | undefined;
}

/** The rows of a run, read from the parameters one after the other and not yet checked. */
export function* readRows(execution: Execution, settings: RowSettings): Generator<RawRow> {
	const { source, isOnceForEach } = settings;
	let position = 0;
	const fields = fieldsOfRows(execution, settings);
	const entries = entriesOf(execution, source);
	const variables = sharedVariables(execution, settings.variablesFrom);
	const seen = new Set<string>();
	for (let itemIndex = 0; itemIndex < execution.input.length; itemIndex++) {
		let failed = whyNoRow(execution, itemIndex);
		// Each field by itself: whose row it is, and whether they opted out, matters to other rows
		// even if another field cannot be read.
		const read = <T>(field: PerItem<T>, otherwise: T): T => {
			if (failed === STOPPED) return otherwise;
			const value = tryRead(() => ok(field(itemIndex)));
			if (value.ok) return value.value;
			failed ??= value.error;
			return otherwise;
		};
		const destinations = read(entries, [{ phone: '', variables: NO_VARIABLES }]);
		// n8n reads a list for each input item (n8n behavior). The same list with the same variables is
		// read once.
		if (source !== 'items' && !failed) {
			const list = JSON.stringify([destinations, tryRead(() => variables(itemIndex, ''))]);
			if (seen.has(list)) continue;
			seen.add(list);
		}
		const shared = {
			itemIndex,
			optedOut: read(fields.optedOut, fields.mayOptOut ? UNREAD : undefined),
			agentNumber: read(fields.agentNumber, ''),
			callerNumber: read(fields.callerNumber, ''),
			country: read(fields.country, ''),
			externalCallId: read(fields.externalCallId, ''),
			...(isOnceForEach && { onceForEach: { value: read(fields.onceForEach, '') } }),
			timeZone: read(fields.timeZone, UNREAD),
			noCallDates: read(fields.noCallDates, UNREAD),
		};
		for (const { phone, variables: own } of destinations) {
			position++;
			yield {
				...shared,
				rowNumber: source === 'items' ? execution.rowNumber(itemIndex) : position,
				destination: phone,
				variables: failed ? fail(failed) : tryRead(() => merged(variables(itemIndex, phone), own)),
			};
		}
	}
}

/**
 * Why an item makes no row that can be called: the execution was stopped, or n8n put what went
 * wrong in its place.
 */
function whyNoRow({ signal, failedItem }: Execution, itemIndex: number): Problem | undefined {
	if (signal?.aborted) return STOPPED;
	const why = failedItem(itemIndex);
	return why === undefined
		? undefined
		: {
				message: `a node before this one could not process this row: ${quoted(why)}`,
				remedy: 'Correct the row, or keep such rows away with a Filter.',
			};
}

/** What is read for each row, apart from its number and its words. */
function fieldsOfRows({ parameters }: Execution, { country }: RowSettings) {
	const chosen = parameters.raw('options.defaultCountry');
	// An empty expression is "=" (n8n behavior).
	const isChosen = !isBlank(chosen) && chosen !== '=';
	const cell = (name: string) => parameters.perItem(name);
	return {
		agentNumber: cell('agentNumber'),
		callerNumber: cell('callerNumber'),
		country: isChosen ? cell('options.defaultCountry') : () => country,
		externalCallId: cell('options.externalCallId'),
		onceForEach: cell('onceForEach'),
		timeZone: cell('rules.timeZone'),
		noCallDates: cell('rules.noCallDates'),
		optedOut: cell('optedOut'),
		mayOptOut: !isBlank(parameters.raw('optedOut')),
	};
}

function entriesOf(
	{ parameters }: Execution,
	source: RowSettings['source'],
): PerItem<DestinationEntry[]> {
	if (source === 'items') {
		const destination = parameters.perItem('destination');
		return (itemIndex) => [{ phone: destination(itemIndex), variables: NO_VARIABLES }];
	}
	if (source === 'list') {
		const list = parameters.perItem<{
			destination?: Array<{ phone?: unknown; promptVariables?: Assignments }>;
		}>('destinationList');
		return (itemIndex) => {
			const destinations = list(itemIndex).destination ?? [];
			if (destinations.length === 0)
				return [{ phone: '', variables: nothingToCall('the list of destinations is empty') }];
			return destinations.map(({ phone, promptVariables }) => ({
				phone,
				variables: ok(variablesFromAssignments(promptVariables)),
			}));
		};
	}
	const json = parameters.perItem('destinationsJson');
	return (itemIndex) => {
		const entries = destinationsFromJson(json(itemIndex));
		return entries.ok ? entries.value : [{ phone: '', variables: entries }];
	};
}

/** Fields to Leave Out may have so many characters. */
const MAX_NAMES_LENGTH = 10_000;

/** The prompt variables that an item gives to each of its destinations. */
function sharedVariables(
	{ input, parameters }: Execution,
	from: RowSettings['variablesFrom'],
): (itemIndex: number, destination: unknown) => Entries {
	if (from === 'json') {
		const json = parameters.perItem('promptVariablesJson');
		return (itemIndex) => variablesFromJson(json(itemIndex));
	}
	if (from === 'input') {
		const leftOut = parameters.perItem('fieldsToLeaveOut');
		return (itemIndex, destination) => {
			const fields = input[itemIndex]!;
			const without = fieldsHolding(fields, destination);
			const names = textOf(leftOut(itemIndex), MAX_NAMES_LENGTH) ?? '';
			for (const name of names.split(',')) without.add(name.trim());
			return variablesFromInput(fields, without);
		};
	}
	const assignments = parameters.perItem<Assignments>('promptVariables');
	return (itemIndex) => ok(variablesFromAssignments(assignments(itemIndex)));
}

/** A destination's own variables override shared ones of the same name. */
function merged(shared: Entries, own: Entries): Entries {
	if (!own.ok) return own;
	return shared.ok ? ok([...shared.value, ...own.value]) : shared;
}
