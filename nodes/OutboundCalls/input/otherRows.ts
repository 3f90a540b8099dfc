import { readingOf } from '../domain/expression/reading';
import type { Problem } from '../domain/problem';
import type { CheckedRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { mostOfOne } from '../execution/rowOrigins';
import type { EarlierSteps } from '../execution/earlierSteps';
import { KEY, NUMBERS_OF_OURS, SETTINGS } from './labels';
import { ofOtherRows, oneEntry, type SharedItems } from './oneOfMany';
import { type DestinationSource, storedOwnVariables, storedPhones, storedVariables, type VariablesFrom } from './readRows';
import { stepThatSaysNothing } from './stepsBelieved';

/** Why nobody may be called: a Filter or a Sort has moved the rows, and each would be called by what another one says, or hear it. */
export function otherRows(
	execution: Execution,
	source: DestinationSource,
	variables: VariablesFrom,
	checked: readonly CheckedRow[],
): Problem | undefined {
	const { parameters, steps } = execution;
	const labelled = (labels: Record<string, string>): Labelled => Object.entries(labels).map(([name, label]) => [[parameters.raw(name)], label]);
	const destination: Labelled = [[storedPhones(parameters, source), 'Destination']];
	/** What each row may say otherwise than the others of its list. */
	const ofEach: Labelled = [
		...labelled(SETTINGS),
		[[...storedVariables(parameters, variables), ...(source === 'list' ? storedOwnVariables(parameters) : [])], 'Prompt Variables'],
	];
	for (const [stored, label] of [...destination, ...labelled(NUMBERS_OF_OURS), ...ofEach]) {
		const problem = ofOtherRows(execution, stored, label);
		if (problem) return problem;
	}
	const shared = sharedItems(steps, checked);
	for (const [stored, label] of [
		...(source === 'items' ? destination : []),
		...ofEach,
		[[parameters.raw('options.callOnceKey')], KEY.callOnceKey],
	] as const) {
		const columns = stored.flatMap((each) => readingOf(each).columns);
		const problem = oneEntry(execution, columns, label, shared);
		if (problem) return problem;
	}
	return stepThatSaysNothing(execution, 'mode', SETTINGS.mode) ?? stepThatSaysNothing(execution, 'defaultCountry', SETTINGS.defaultCountry);
}

type Labelled = ReadonlyArray<readonly [stored: unknown[], label: string]>;

function sharedItems(steps: EarlierSteps, checked: readonly CheckedRow[]): SharedItems {
	const rows = checked.map((each) => (each.ok ? each.value : each.error));
	let ends: Set<string> | undefined;
	return {
		rowsOf: (step) => (step === undefined ? mostOfOne(rows.map(({ itemIndex }) => itemIndex)) : steps.mostRowsOf(step)),
		holdsDestination(digits) {
			ends ??= new Set(rows.map(({ destination }) => destination.slice(-LOCAL_DIGITS)));
			for (let at = 0; at + LOCAL_DIGITS <= digits.length; at++) if (ends.has(digits.slice(at, at + LOCAL_DIGITS))) return true;
			return false;
		},
	};
}

/** So many digits stand at the end of a number, however its beginning is written. */
const LOCAL_DIGITS = 6;
