import { readingOf } from '../domain/expression/reading';
import type { Problem } from '../domain/problem';
import type { CheckedRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { mostOfOne } from '../execution/rowOrigins';
import { NUMBERS_OF_OURS, SETTINGS } from './labels';
import { oneEntry, ofOtherRows, stepThatSaysNothing } from './oneOfMany';
import { type DestinationSource, storedPhones, storedVariables, type VariablesFrom } from './readRows';

/** Why nobody may be called: a Filter or a Sort has moved the rows, and each would be called by what another one says, or hear it. */
export function otherRows(
	execution: Execution,
	source: DestinationSource,
	variables: VariablesFrom,
	checked: readonly CheckedRow[],
): Problem | undefined {
	const { parameters, steps } = execution;
	const stored = (name: string): unknown[] => [parameters.raw(name)];
	/** What each row may say otherwise than the others of its list. */
	const ofEach: Labelled = [
		...Object.entries(SETTINGS).map(([name, label]) => [stored(name), label] as const),
		[storedVariables(parameters, variables), 'Prompt Variables'],
	];
	const labelled: Labelled = [
		[storedPhones(parameters, source), 'Destination'],
		...Object.entries(NUMBERS_OF_OURS).map(([name, label]) => [stored(name), label] as const),
		...ofEach,
	];
	for (const [parameter, label] of labelled) {
		const problem = ofOtherRows(execution, parameter, label);
		if (problem) return problem;
	}
	const rowsOf = (step: string | undefined): number =>
		step === undefined ? mostOfOne(checked.map((row) => (row.ok ? row.value : row.error).itemIndex)) : steps.mostRowsOf(step);
	for (const [parameter, label] of ofEach) {
		const columns = parameter.flatMap((each) => readingOf(each).columns);
		const problem = oneEntry(execution, columns, label, rowsOf);
		if (problem) return problem;
	}
	return stepThatSaysNothing(execution, 'mode', SETTINGS.mode) ?? stepThatSaysNothing(execution, 'defaultCountry', SETTINGS.defaultCountry);
}

type Labelled = ReadonlyArray<readonly [unknown[], string]>;
