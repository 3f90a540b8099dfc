import { entriesOf } from '../domain/doNotCall';
import { isPlace, valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import { isBlank } from '../domain/fields';
import { quoted, textIfAny } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import { type ColumnBehind, columnsBehind } from './readings';

// A column that is dragged in from an earlier step stands for one item of it (n8n behaviour). Where an option that protects people takes such a column, what the others say would protect nobody.

/** What an execution knows of parameters and of the steps that they name. */
export type Reader = Pick<Execution, 'parameters' | 'steps'>;

/** What the items of a step say in that column, in their order. */
function* saidIn({ steps }: Reader, { step, path }: Column): Generator<string> {
	const whole = step === undefined ? steps.wholeInput() : [];
	for (const fields of whole.length > 0 ? whole : steps.itemsOf(step))
		for (const value of valuesAt(fields, path)) yield textOf(value);
}

export const textOf = (value: unknown): string =>
	isBlank(value) ? '' : (textIfAny(value) ?? '').trim();

/** Whether they say more than one thing. */
export function differ(said: Iterable<string>): boolean {
	let first: string | undefined;
	for (const text of said) if ((first ??= text) !== text) return true;
	return false;
}

const nameOf = ({ step }: Column): string =>
	step === undefined ? 'its input' : `the step ${quoted(step)}`;
/** `$("Opted out").all()` */
const allOf = ({ step }: Column): string =>
	`${step === undefined ? '$input' : `$(${quoted(step)})`}.all()`;

/** The columns of the rows are whole cells; a place in a list in one of them is one of many. */
const isOneOfMany =
	({ steps }: Reader) =>
	({ step, takes, path }: Column): boolean =>
		takes !== 'each' && (step !== undefined || path.some(isPlace) || steps.wholeInput().length > 0);

/** One that the Edit Fields itself takes from an earlier step, and not from what it is given. */
const isNamed = ({ isGiven }: ColumnBehind): boolean => !isGiven;

/** Also of what an Edit Fields makes one for a row of. */
const columnsOf = ({ parameters, steps }: Reader, name: string): Column[] =>
	readingOf(parameters.raw(name)).columns.flatMap((column) => [
		column,
		...(column.takes === 'each' ? [] : columnsBehind(steps, column).filter(isNamed)),
	]);

/** Why the list in an option is not the whole one; undefined where nothing speaks against it. `value`: what it came to. */
export function partOfList(
	execution: Reader,
	name: string,
	label: string,
	value: unknown,
): Problem | undefined {
	const columns = columnsOf(execution, name).filter(isOneOfMany(execution));
	const listed = new Set(columns.length > 0 ? entriesOf(value).map(textOf) : []);
	const part = columns.find((column) => {
		const said = new Set(saidIn(execution, column));
		const hasEmpty = said.delete('');
		return (
			said.size > (hasEmpty ? 0 : 1) &&
			[...said].some((text) => entriesOf(text).some((entry) => !listed.has(String(entry))))
		);
	});
	return (
		part && {
			message: `${label} takes one item of ${nameOf(part)}, which has others`,
			remedy: `A column that is dragged in stands for one item. Let the expression take all of them: it begins with ${allOf(part)}, as the documentation shows.`,
			field: true,
		}
	);
}

/** Why an option that is read for each row says nothing of the rows: one item of a step would answer for all of them. */
export function oneForAllRows(execution: Reader, name: string, label: string): Problem | undefined {
	const column = columnsOf(execution, name).find(
		(each) => differ(saidIn(execution, each)) && answersForAll(execution.steps, each),
	);
	return (
		column && {
			message: `${label} takes the same item of ${nameOf(column)} for all rows, and its other items say something else`,
			remedy: `Take a column of the rows themselves; n8n’s Merge brings two lists together. A list of people who opted out belongs into Do Not Call, which knows all spellings of a number. If all items are meant for each row, such as holidays, let the expression take all of them: it begins with ${allOf(column)}.`,
			field: true,
		}
	);
}

/** Why a tool would say what is said of somebody else: n8n does not tell it which item the agent is at, and gives the first one for all (n8n behaviour). */
export function ofUnknownItem(
	execution: Reader,
	stored: readonly unknown[],
	label: string,
	isOfRun = false,
): Problem | undefined {
	// What holds for the whole run may be that of the first line of a table.
	const columns = stored
		.flatMap((each) => readingOf(each).columns)
		.filter(({ takes }) => takes !== 'each' && !(isOfRun && takes === 'one'));
	const ofInput = columns.some(({ step }) => step === undefined)
		? execution.steps.wholeInput()
		: [];
	const column = columns.find((each) =>
		differ(
			each.step === undefined
				? ofInput.flatMap((fields) => valuesAt(fields, each.path).map(textOf))
				: saidIn(execution, each),
		),
	);
	return (
		column && {
			message: `${label} takes an item of ${nameOf(column)}, which has others, and n8n does not tell a tool which one the agent is at`,
			remedy:
				column.step === undefined
					? 'Replace the AI Agent node with a new one, of version 3 or later, or let the agent have one item in each execution.'
					: 'Take the column of the item that the agent is given, as in {{ $json.phone }}, or let the agent have one item in each execution.',
			field: true,
		}
	);
}

/** Why what a row says would be said of somebody else: it takes another item of a step than the row comes from. `stored`: parameters with that label. */
export function ofOtherRows(
	execution: Reader,
	stored: readonly unknown[],
	label: string,
): Problem | undefined {
	const { steps } = execution;
	const isOther = (column: Column): boolean => {
		const { step, takes, at } = column;
		if (takes !== 'one') return takesOther(steps, column);
		return at === undefined ? steps.comeFromSeveral(step) : !steps.isOwn(step, at);
	};
	const differs = (column: Column): boolean =>
		differ([...saidIn(execution, column)].filter((said) => said !== ''));
	const column = stored
		.flatMap((each) => readingOf(each).columns)
		.find((each) => isOther(each) && differs(each));
	return (
		column && {
			message: `${label} takes an item of ${nameOf(column)} by its place, and the rows come from others of its items`,
			remedy: `Drag the column in once more: then the expression takes the item that the row comes from, ${itemOf(column)}.`,
			field: true,
		}
	);
}

/** `$("List").item` */
const itemOf = ({ step }: Column): string =>
	step === undefined ? '$json' : `$(${quoted(step)}).item`;

/** Whether it takes the item at the row's place from a step in which that is another row's: a Filter or a Sort between them moves the rows. */
const takesOther = (steps: Reader['steps'], { step, takes }: Column): boolean =>
	takes === 'samePlace' && step !== undefined && !steps.isOwn(step, 'place');

/** Whether an option goes by the place of a row. */
export const goesByPlace = (execution: Reader, name: string): boolean =>
	readingOf(execution.parameters.raw(name)).columns.some(
		(each) => takesOther(execution.steps, each) && differ(saidIn(execution, each)),
	);

function answersForAll(steps: Reader['steps'], column: Column): boolean {
	const { step, takes, at } = column;
	if (at === 'round') return !steps.isOwn(step, at);
	return (
		takes === 'one' ||
		takesOther(steps, column) ||
		(takes === 'ofRow' && step !== undefined && steps.isTakenOnce(step))
	);
}
