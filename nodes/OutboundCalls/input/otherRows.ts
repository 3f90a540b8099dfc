import { readingOf } from '../domain/expression/reading';
import { leavesOf } from '../domain/json';
import type { Problem } from '../domain/problem';
import type { CheckedRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { ofGuessedItem } from './guessedItems';
import { KEY, NUMBERS_OF_OURS, OF_EACH_ROW, SETTINGS } from './labels';
import { numbersOfRows } from './numbersOfRows';
import { entriesOfRows, type Says } from './oneEntry';
import { ofOtherRows, ofUnknownItem } from './oneOfMany';
import {
	type DestinationSource,
	storedOwnVariables,
	storedPhones,
	storedVariables,
	type VariablesFrom,
} from './stored';
import { letThroughUnasked, stepThatSaysNothing } from './stepsBelieved';

/** Why nobody may be called: a Filter or a Sort has moved the rows, and each would be called by what another one says, or hear it. */
export function otherRows(
	execution: Execution,
	source: DestinationSource,
	variables: VariablesFrom,
	checked: readonly CheckedRow[],
): Problem | undefined {
	const { parameters } = execution;
	const labelled = (labels: Record<string, string>): Labelled =>
		Object.entries(labels).map(([name, label]) => [[parameters.raw(name)], label]);
	const destination: Labelled = [[storedPhones(parameters, source), 'Destination']];
	const settings = labelled(SETTINGS);
	const words: Labelled = [
		[
			[
				...storedVariables(parameters, variables),
				...(source === 'list' ? storedOwnVariables(parameters) : []),
			],
			'Prompt Variables',
		],
	];
	const ofRows = [...destination, ...labelled(NUMBERS_OF_OURS), ...settings, ...words];
	const named = labelled({
		'options.callOnceKey': KEY.callOnceKey,
		'options.externalCallId': 'External Call ID',
	});
	const options = labelled(
		Object.fromEntries(
			Object.entries(OF_EACH_ROW).map(([name, label]) => [`options.${name}`, label]),
		),
	);
	const ofRun = [
		'countries',
		'calledBefore',
		...Object.keys(parameters.raw('options') ?? {}).map((name) => `options.${name}`),
	];
	const others: Labelled = ofRun.map((name) => [
		leavesOf(parameters.raw(name)),
		`The option ${inWords(name)}`,
	]);
	const ofTool =
		execution.isTool &&
		(firstOf([...ofRows, ...named, ...options], (stored, label) =>
			ofUnknownItem(execution, stored, label),
		) ??
			firstOf(others, (stored, label) => ofUnknownItem(execution, stored, label, true)));
	if (ofTool) return ofTool;
	const ofOthers = firstOf(ofRows, (stored, label) => ofOtherRows(execution, stored, label));
	if (ofOthers) return ofOthers;
	const numbers = numbersOfRows(execution.steps, storedPhones(parameters, source), checked);
	const said = [...labelled(NUMBERS_OF_OURS), ...settings];
	const guessed = firstOf([...said, ...words, ...named, ...options], (stored, label) =>
		ofGuessedItem(execution, numbers, stored, label),
	);
	if (guessed) return guessed;
	const entries = entriesOfRows(execution, numbers);
	for (const [option, label] of Object.entries(OF_EACH_ROW)) {
		const stored = [parameters.raw(`options.${option}`)];
		const problem =
			option === 'timeZone'
				? entries.ofSeveral(stored, label, 'setting')
				: entries.ofAnother(stored, label, option === 'optedOut');
		if (problem) return problem;
	}
	const takenByAll: ReadonlyArray<readonly [Labelled, Says]> = [
		[source === 'items' ? destination : [], 'destination'],
		[said, 'setting'],
		[[...words, ...named], 'words'],
	];
	for (const [each, says] of takenByAll) {
		const problem = firstOf(each, (stored, label) => entries.ofSeveral(stored, label, says));
		if (problem) return problem;
	}
	// An alarm to a number that somebody typed is made, whatever a Filter could not ask.
	const isOfRows = storedPhones(parameters, source).some(
		(stored) => readingOf(stored).columns.length > 0,
	);
	return (
		(isOfRows ? letThroughUnasked(execution) : undefined) ??
		stepThatSaysNothing(execution, 'mode', SETTINGS.mode) ??
		stepThatSaysNothing(execution, 'defaultCountry', SETTINGS.defaultCountry)
	);
}

/** `options.maxCalls`: "max calls" */
const inWords = (name: string): string =>
	name.slice(name.indexOf('.') + 1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

type Labelled = ReadonlyArray<readonly [stored: unknown[], label: string]>;

/** What is found in the first of them that has something to say. */
function firstOf(
	all: Labelled,
	ask: (stored: unknown[], label: string) => Problem | undefined,
): Problem | undefined {
	for (const [stored, label] of all) {
		const problem = ask(stored, label);
		if (problem) return problem;
	}
	return undefined;
}
