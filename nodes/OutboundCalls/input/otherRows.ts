import { isObject } from '../domain/json';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import { missingColumn } from './missingColumn';
import { ofOtherRows, stepThatSaysNothing } from './oneOfMany';
import { type DestinationSource, storedPhones, type VariablesFrom } from './readRows';

/** Fields that decide who is called, or whether anybody is, by their labels. */
const DECIDES = { mode: 'Mode', defaultCountry: 'Country of Numbers Without +', agentNumber: 'Agent Number', callerNumber: 'Caller Number' } as const;

/** Why nobody may be called: a Filter or a Sort has moved the rows, and each would be called by what another one says, or hear it. */
export function otherRows(execution: Execution, source: DestinationSource, variables: VariablesFrom): Problem | undefined {
	const { parameters } = execution;
	const stored = (name: string): unknown[] => [parameters.raw(name)];
	const labelled: Array<readonly [unknown[], string]> = [
		[storedPhones(parameters, source), 'Destination'],
		...Object.entries(DECIDES).map(([name, label]) => [stored(name), label] as const),
		[
			variables === 'input' ? [] : variables === 'json' ? stored('promptVariablesJson') : stored('promptVariables.assignments').flat().map(valueOf),
			'Prompt Variables',
		],
	];
	for (const [parameter, label] of labelled) {
		const problem = ofOtherRows(execution, parameter, label);
		if (problem) return problem;
	}
	return stepThatSaysNothing(execution, 'mode', DECIDES.mode) ?? stepThatSaysNothing(execution, 'defaultCountry', DECIDES.defaultCountry);
}

/** What is said above the table of columns that are not there: some are optional, such as one that says of a few rows that they are tests. */
export const withoutColumn = (execution: Execution): string =>
	(['mode', 'defaultCountry'] as const)
		.map((name) => missingColumn(execution, name, DECIDES[name], ''))
		.map((missing) => (missing ? ` ${missing.message}.` : ''))
		.join('');

const valueOf = (assignment: unknown): unknown => (isObject(assignment) ? assignment.value : undefined);
