import { contentOf } from '../domain/contentHash';
import { isOfRows } from '../domain/expression/parameter';
import { valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import { parsed } from '../domain/json';
import type { Problem } from '../domain/problem';
import type { CheckedRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { KEY, OF_EACH_ROW, SETTINGS } from './labels';
import { madeOf } from './readings';

const VARIABLES = ['promptVariables', 'promptVariablesJson'];

const LISTS = { list: 'destinationList', json: 'destinationsJson' } as const;

/** Why a list that is one parameter may not be called; undefined where the rows are the input's items. It is read for each of them (n8n behaviour). */
export function wholeList(
	{ parameters, steps, input, executesOnce }: Execution,
	source: 'items' | keyof typeof LISTS,
	callsEach: boolean,
	isRemembered: boolean,
	checked: readonly CheckedRow[],
): Problem | undefined {
	if (source === 'items') return undefined;
	const stored = parameters.raw(LISTS[source]);
	const reading = readingOf(stored);
	const isMadeOfAll = (column: Column): boolean => {
		const made = madeOf(steps, column);
		// A look-up in a list gives one cell.
		const isList = (): boolean =>
			input.some((fields) =>
				valuesAt(fields, column.path).some((value) => Array.isArray(parsed(value))),
			);
		return made !== undefined && readingOf(made.stored, made.inside).lists.size > 0 && isList();
	};
	const isOfAll = reading.lists.size > 0 || reading.columns.some(isMadeOfAll);
	// Its entries come from other items than the one that is read with it.
	const ofRow = {
		...OF_EACH_ROW,
		...(input.length > 1 || executesOnce ? { ...SETTINGS, ...(isRemembered ? KEY : {}) } : {}),
	};
	if (isOfAll)
		for (const [name, label] of Object.entries(ofRow))
			if (isOfRows([name, `options.${name}`].map((each) => parameters.raw(each))))
				return notOfList(label);
	// Two alerts may be alike, each in the words of its item.
	const mayRepeat =
		!isOfAll ||
		parameters.raw('variablesFrom') === 'input' ||
		isOfRows(VARIABLES.map((each) => parameters.raw(each)));
	return callsEach && (isOfAll || !isOfRows(stored)) && isCalledForEachItem(checked, mayRepeat)
		? FOR_EACH_ITEM
		: undefined;
}

/** Whether two items say the same to one person; `mayRepeat`: whether each further item does. */
function isCalledForEachItem(checked: readonly CheckedRow[], mayRepeat: boolean): boolean {
	const saidBy = new Map<string, number>();
	let isRepeated = false;
	for (const each of checked) {
		if (!each.ok) continue;
		const { person, itemIndex } = each.value;
		const says = person + contentOf(each.value);
		const by = saidBy.get(says) ?? itemIndex;
		saidBy.set(says, by);
		if (by !== itemIndex) isRepeated = true;
		else if (itemIndex > 0 && mayRepeat) return false;
	}
	return isRepeated;
}

const FOR_EACH_ITEM: Problem = {
	message: 'With Call Each Row, the list would be called once for each input item',
	remedy: 'Switch on Execute Once in the settings of this node.',
};

const notOfList = (label: string): Problem => ({
	message: `${label} is read from the input item, not from the list`,
	remedy: 'Set Destinations From to Input Items.',
});
