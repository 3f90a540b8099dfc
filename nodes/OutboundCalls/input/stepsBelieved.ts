import { nameOf, type Path, valuesAt } from '../domain/expression/path';
import { type Reading, readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import { type Fields, isBlank } from '../domain/fields';
import { formatCount, quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { MadeColumn } from '../execution/madeColumns';
import { type Cut, isOfOne } from '../execution/readSteps';
import { isOneCode } from '../execution/parameters';
import { fitsList } from './fittingBehind';
import type { Reader } from './oneOfMany';
import { madeOf, readingsOf } from './readings';

// What a step says is not believed where it could not do its work, or stopped before the end of its list: n8n hands on what there is, as if it were all.

/** The steps whose lists it takes, be it as many items or as one that holds what many say. `before`: the one whose items are its input. */
const listsIn = (
	{ lists, columns }: Reading,
	steps: Reader['steps'],
	before?: string,
): Array<string | undefined> => {
	// A list in each of many items is the row's own.
	const isList = ({ step, takes, path }: Column): boolean => {
		if (steps.bringsTogether(step ?? before ?? '')) return true;
		if (step === undefined) return false;
		const items = steps.itemsOf(step);
		const isForAll = takes === 'one' || takes === 'each' || items.length === 1;
		return isForAll && items.some((fields) => valuesAt(fields, path).some(Array.isArray));
	};
	return [...lists, ...columns.flatMap((column) => (isList(column) ? [column.step] : []))].map(
		(step) => step ?? before,
	);
};

/** A deactivated Edit Fields that makes the column, where what it was given says nothing in one of that name. */
function whatIsOff(steps: Reader['steps'], column: Column): MadeColumn | undefined {
	const made = steps.madeOf(column);
	return made?.isOff && !someSay(steps.itemsOf(column.step), column.path) ? made : undefined;
}

const someSay = (items: readonly Fields[], path: Path): boolean =>
	items.some((fields) => valuesAt(fields, path).some((value) => !isBlank(value)));

/** What may leave a field empty on purpose: `a ? b : c`, `a || b`, `list.find(…)?.number`, `list[1]`. */
const CONDITION = /\?(?![.?])|&&|\|\||\?\?|[)\]]\?\.|\]\s*\}\}$/;

/** Why a list in an option may lack somebody: an Edit Fields has left a field empty, as its expression does not fit a cell, and n8n does not tell. */
export function leftEmpty(execution: Reader, name: string, label: string): Problem | undefined {
	const { parameters, steps } = execution;
	const isEmptied = (column: Column, made: MadeColumn): boolean => {
		const { stored, inside, input, output } = made;
		// What is only copied fits.
		if (typeof stored !== 'string' || !/\.\w+\(/.test(stored)) return false;
		const given = input();
		const gave = output();
		const { columns } = readingOf(stored, inside);
		if (
			!columns.some(({ step, path }) =>
				someSay(step === undefined ? given : steps.itemsOf(step), path),
			)
		)
			return false;
		// Each item is made of the one at its place, unless it is made of all.
		const isPaired =
			gave.length === given.length && columns.every(({ step }) => step === undefined);
		const isAsked = (place: number): boolean =>
			!isPaired || columns.some(({ path }) => someSay([given[place]!], path));
		// In a text, it leaves nothing in its place.
		const isLeft = (value: unknown): boolean =>
			isOneCode(stored) ? (value ?? null) === null : isBlank(value);
		if (!gave.some((fields, place) => valuesAt(fields, column.path).some(isLeft) && isAsked(place)))
			return false;
		const fits = fitsList(execution, made);
		return fits === undefined ? !CONDITION.test(stored) : !fits;
	};
	const takenBy = ({ columns }: Reading, step?: string): Column[] =>
		columns.map((column) => ({ ...column, step: column.step ?? step }));
	const taken = takenBy(readingOf(parameters.raw(name)));
	for (const column of taken) {
		const made = madeOf(steps, column);
		if (made && isEmptied(column, made))
			return {
				message: `${label} takes ${quoted(nameOf(column.path))}, which the step ${quoted(made.by)} has left empty where its expression does not fit a cell`,
				remedy: 'Let that expression allow for it, as in String($json.phone) for a number.',
				field: true,
			};
		// What an Aggregate brings together, an Edit Fields before it may have left empty.
		if (made?.isList && taken.length < MOST_TAKEN)
			taken.push(...takenBy(readingOf(made.stored, made.inside), made.step));
	}
	return undefined;
}

/** A loop leads back to itself. */
const MOST_TAKEN = 50;

/** Why an option cannot be believed: a step that it names has not said what it says otherwise. */
export function stepThatSaysNothing(
	{ parameters, steps }: Reader,
	name: string,
	label: string,
): Problem | undefined {
	for (const reading of readingsOf(steps, parameters.raw(name))) {
		const lists = listsIn(reading, steps, steps.before());
		const off = reading.columns.map((column) => whatIsOff(steps, column)).find((made) => made);
		const step =
			off?.by ??
			[...reading.steps].find((each) => steps.couldNotWork(each)) ??
			lists.find((each) => each && steps.couldNotBeRead(each));
		if (step !== undefined) return saysNothing(label, step);
		const named = [...reading.lists].filter((each) => each !== undefined);
		if (named.length > 0 && !named.some((each) => steps.hasRun(each)))
			return {
				message: `${label} takes the list of the step ${quoted(named[0]!)}, which has not run`,
				remedy: 'Let that step run before this one: connect it between the trigger and the rows.',
				field: true,
			};
	}
	return undefined;
}

/** Why rows cannot be believed to be those that were let through: a Filter, or a step that keeps out the rows of another one, asks a list that was not read. */
export function letThroughUnasked({ steps }: Reader): Problem | undefined {
	for (const { step: deciding, stored, without } of steps.decidingBefore()) {
		const label = `The step ${quoted(deciding)}`;
		const readings = stored.map((each) => readingOf(each));
		const lists = [...without, ...readings.flatMap((reading) => listsIn(reading, steps))].filter(
			(each) => each !== undefined,
		);
		// Why something went wrong may be asked.
		const asked = readings
			.flatMap(({ columns }) => columns)
			.filter(({ takes, path }) => takes === 'one' && path[0] !== 'error');
		const unread =
			lists.find((each) => steps.couldNotBeRead(each, true)) ??
			asked.flatMap(({ step }) => step ?? []).find((each) => steps.couldNotWork(each, true));
		if (unread !== undefined) return saysNothing(label, unread);
		// How many there are may be asked of a part of them.
		const named = lists.filter(
			(list) =>
				without.includes(list) ||
				readings.some(({ columns }) => columns.some(({ step }) => step === list)),
		);
		for (const each of named) {
			const cut = steps.cutOffBy(each);
			const isWhole = without.includes(each) || readings.some((reading) => reading.lists.has(each));
			if (cut && (isWhole ? !isOfOne(cut) : steps.gathersBehind(cut, each)))
				return cutOff(label, cut);
		}
	}
	return undefined;
}

const saysNothing = (label: string, step: string): Problem => ({
	message: `${label} takes what the step ${quoted(step)} says, which is deactivated, or could not do its work`,
	remedy: 'Activate that step, or look at what it says, and execute again.',
	field: true,
});

const CUTS: Record<Cut['how'], readonly [what: (limit: number) => string, remedy: string]> = {
	limit: [
		(limit) => `stops at its Limit of ${formatCount(limit)}`,
		'Switch on Return All there, or take the step out if it is a Limit: otherwise, whoever stands behind it would be called.',
	],
	once: [
		() => 'has Execute Once on and takes its first item alone',
		'Switch Execute Once off in the settings of that step: otherwise, whoever stands behind the first one would be called.',
	],
	firstMatch: [
		() => 'gives its first match alone',
		'Let it return all matches: otherwise, whoever stands behind the first one would be called.',
	],
};

function cutOff(label: string, { step, limit, how }: Cut): Problem {
	const [what, remedy] = CUTS[how];
	return {
		message: `${label} takes the list of the step ${quoted(step)}, which ${what(limit)}`,
		remedy,
		field: true,
	};
}

/** Whether a step makes a column of the first of its items, and others have something else there. */
function othersSay(steps: Reader['steps'], column: Column, step: string): boolean {
	const made = madeOf(steps, column);
	if (made?.by !== step) return false;
	const [first, ...others] = made.input();
	const said = (fields: Fields | undefined, { path }: Column): string =>
		JSON.stringify(valuesAt(fields, path));
	const isOther = (fields: Fields, of: Column): boolean =>
		someSay([fields], of.path) && said(fields, of) !== said(first, of);
	return readingOf(made.stored, made.inside).columns.some(
		(of) => of.step === undefined && others.some((fields) => isOther(fields, of)),
	);
}

/**
 * Why the list in an option may not be the whole one: the step that reads it stops at its Limit, which is 50 unless somebody changes it (n8n behaviour), or a Limit
 * stands behind that one. Where one item is taken, it is the same one, unless it is made of many.
 */
export function listCutOff(
	{ parameters, steps }: Reader,
	name: string,
	label: string,
): Problem | undefined {
	const before = steps.before();
	for (const reading of readingsOf(steps, parameters.raw(name))) {
		// One item may hold the whole list, such as the newest of several.
		const holdsList = (step: string): boolean =>
			steps.itemsOf(step).length > 1 ||
			reading.columns.some((column) =>
				steps
					.itemsOf(step)
					.flatMap((fields) => valuesAt(fields, column.path))
					.some(Array.isArray),
			);
		for (const step of listsIn(reading, steps, before)) {
			const cut = step === undefined ? undefined : steps.cutOffBy(step);
			if (!cut) continue;
			const isWhole = reading.lists.has(step) || (step === before && reading.lists.has(undefined));
			const isOfFirst =
				cut.how === 'once' && reading.columns.some((column) => othersSay(steps, column, cut.step));
			const isCut = isWhole && (!isOfOne(cut) || !holdsList(step!));
			if (isCut || isOfFirst || steps.gathersBehind(cut, step!)) return cutOff(label, cut);
		}
	}
	return undefined;
}
