import { valuesAt } from '../domain/expression/path';
import { type Reading, readingOf } from '../domain/expression/reading';
import { formatCount, quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { Reader } from './oneOfMany';

// What a step says is not believed where it could not do its work, or stopped before the end of its list: n8n hands on what there is, as if it were all.

/** The steps whose lists it takes, be it as many items or as one that holds what many say. */
const listsIn = ({ lists, columns }: Reading, steps: Reader['steps']): Array<string | undefined> => [
	...lists,
	...columns.flatMap(({ step }) => (step !== undefined && steps.bringsTogether(step) ? [step] : [])),
];

/** Why an option cannot be believed: a step that it names has not said what it says otherwise. */
export function stepThatSaysNothing({ parameters, steps }: Reader, name: string, label: string): Problem | undefined {
	const reading = readingOf(parameters.raw(name));
	const step =
		[...reading.steps].find((each) => steps.couldNotWork(each)) ?? listsIn(reading, steps).find((each) => each && steps.couldNotBeRead(each));
	return step === undefined
		? undefined
		: {
				message: `${label} takes what the step ${quoted(step)} says, which is deactivated, or could not do its work`,
				remedy: 'Activate that step, or look at what it says, and execute again.',
				field: true,
			};
}

/** Why the list in an option may not be the whole one: the step that reads it stops at its Limit, which is 50 unless somebody changes it (n8n behaviour), or a Limit stands behind that one. */
export function listCutOff({ parameters, steps }: Reader, name: string, label: string): Problem | undefined {
	const reading = readingOf(parameters.raw(name));
	// One item may hold the whole list, such as the newest of several.
	const holdsList = (step: string): boolean =>
		steps.itemsOf(step).length > 1 ||
		reading.columns.some((column) =>
			steps
				.itemsOf(step)
				.flatMap((fields) => valuesAt(fields, column.path))
				.some(Array.isArray),
		);
	for (const step of listsIn(reading, steps)) {
		const cut = step === undefined ? undefined : steps.cutOffBy(step);
		if (cut && !(cut.limit === 1 && holdsList(step!)))
			return {
				message: `${label} takes the list of the step ${quoted(cut.step)}, which stops at its Limit of ${formatCount(cut.limit)}`,
				remedy: 'Switch on Return All there, or take the step out if it is a Limit: otherwise, whoever stands behind it would be called.',
				field: true,
			};
	}
	return undefined;
}
