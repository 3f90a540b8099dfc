import { isObject } from '../domain/json';
import type { Assignments } from '../domain/rowSources';
import { holdsExpression, type Parameters } from '../execution/parameters';

/** Where the numbers of a run come from. */
export type DestinationSource = 'items' | 'list' | 'json';

/** Where the prompt variables of a run come from. */
export type VariablesFrom = 'fields' | 'input' | 'json';

/** An entry of the list of destinations. */
export interface ListEntry {
	phone?: unknown;
	promptVariables?: Assignments;
}

export const OPTED_OUT = 'options.optedOut';
export const KEY = 'options.callOnceKey';
export const TIME_ZONE = 'options.timeZone';
export const NO_CALL_DATES = 'options.noCallDates';

const PHONES = {
	items: 'destination',
	list: 'destinationList.destination',
	json: 'destinationsJson',
} as const;

/** The parameters that name the destinations, as they are stored. */
export function storedPhones(parameters: Parameters, source: DestinationSource): unknown[] {
	if (source !== 'list') return [parameters.raw(PHONES[source])];
	return storedList(parameters).map(({ phone }) => phone);
}

function storedList(parameters: Parameters): ListEntry[] {
	const stored = parameters.raw(PHONES.list);
	return Array.isArray(stored) ? (stored as ListEntry[]) : [];
}

/** The prompt variables that destinations of a list have of their own, as they are stored. */
export const storedOwnVariables = (parameters: Parameters): unknown[] =>
	storedList(parameters).flatMap((entry) => valuesOf(entry.promptVariables));

/** The parameters that say the prompt variables, as they are stored; none where they are all fields of the input. */
export function storedVariables(parameters: Parameters, from: VariablesFrom): unknown[] {
	if (from !== 'fields') return from === 'json' ? [parameters.raw('promptVariablesJson')] : [];
	return valuesOf(parameters.raw('promptVariables'));
}

const valuesOf = (variables: unknown): unknown[] =>
	isObject(variables)
		? [variables.assignments].flat().map((each) => (isObject(each) ? each.value : undefined))
		: [];

/** Whether people are known by the key where nobody is remembered by it: who opted out, and who is not to be called on a day of their own. */
export const knowsByKey = (parameters: Parameters): boolean =>
	parameters.raw(OPTED_OUT) !== undefined || holdsExpression(parameters.raw(NO_CALL_DATES));
