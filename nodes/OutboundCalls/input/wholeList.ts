import { contentOf } from '../domain/contentHash';
import { isOfRows } from '../domain/expression/parameter';
import { readingOf } from '../domain/expression/reading';
import type { Problem } from '../domain/problem';
import type { CheckedRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { OF_EACH_ROW } from './protectingOptions';

const LISTS = { list: 'destinationList', json: 'destinationsJson' } as const;

/** Why a list that is one parameter may not be called; undefined where the rows are the input's items. It is read for each of them (n8n behaviour). */
export function wholeList(
	{ parameters }: Execution,
	source: 'items' | keyof typeof LISTS,
	callsEach: boolean,
	checked: readonly CheckedRow[],
): Problem | undefined {
	if (source === 'items') return undefined;
	const stored = parameters.raw(LISTS[source]);
	// Its entries come from other items than the one that is read with it.
	if (readingOf(stored).lists.size > 0)
		for (const [name, label] of Object.entries(OF_EACH_ROW)) if (isOfRows(parameters.raw(`options.${name}`))) return notOfList(label);
	return callsEach && !isOfRows(stored) && isCalledForEachItem(checked) ? FOR_EACH_ITEM : undefined;
}

/** Whether each further item says what the first one has said. Their lists are the same, so that the first row of each tells. */
function isCalledForEachItem(checked: readonly CheckedRow[]): boolean {
	let item: number | undefined;
	let said: string | undefined;
	let isRepeated = false;
	for (const each of checked) {
		if (!each.ok || each.value.itemIndex === item) continue;
		const says = `${each.value.person} ${contentOf(each.value)}`;
		isRepeated = item !== undefined && says === said;
		if (item !== undefined && !isRepeated) return false;
		item = each.value.itemIndex;
		said = says;
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
