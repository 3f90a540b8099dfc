import { type ColumnOfStep, columnsOfSteps, isBlank, valueAt } from '../domain/expressions';
import { entriesOf } from '../domain/doNotCall';
import { quoted, textIfAny } from '../domain/format';
import { type Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';

// A column that is dragged in from an earlier step stands for one item of it (n8n behaviour). Where an option that protects people takes
// such a column, what the other items say would protect nobody.

type Reader = Pick<Execution, 'parameters' | 'steps'>;

/** What the items of a step say in that column, each once. */
const saidIn = ({ steps }: Reader, { step, path }: ColumnOfStep): Set<string> =>
	new Set(steps.itemsOf(step).map((fields) => textOf(valueAt(fields, path)).trim()));

const textOf = (value: unknown): string => (isBlank(value) ? '' : (textIfAny(value) ?? ''));

/** Why the list in an option is not the whole one; undefined where nothing speaks against it. `value`: what it came to. */
export function partOfList(execution: Reader, name: string, label: string, value: unknown): Problem | undefined {
	const columns = columnsOfSteps(execution.parameters.raw(name));
	const listed = new Set(columns.length > 0 ? entriesOf(value).map((entry) => textOf(entry).trim()) : []);
	const part = columns.find((column) => {
		const said = [...saidIn(execution, column)].filter((text) => text !== '');
		return said.length > 1 && said.some((text) => entriesOf(text).some((entry) => !listed.has(String(entry).trim())));
	});
	return (
		part && {
			message: `${label} takes one item of the step ${quoted(part.step)}, which has others`,
			remedy: `A column that is dragged in stands for one item. Let the expression take all of them: it begins with $(${quoted(part.step)}).all(), as the documentation shows. Nobody is called before that.`,
			field: true,
		}
	);
}

/** Why an option that is read for each row says nothing of the rows: one item of an earlier step would answer for all of them. */
export function oneForAllRows(execution: Reader, name: string, label: string): Problem | undefined {
	const column = columnsOfSteps(execution.parameters.raw(name)).find(
		(each) => (!each.isOfRow || execution.steps.isReadOnceBehind(each.step)) && saidIn(execution, each).size > 1,
	);
	return (
		column && {
			message: `${label} takes the same item of the step ${quoted(column.step)} for all rows, and its other items say something else`,
			remedy: `Take a column of the rows themselves; n8n’s Merge brings two lists together. If all items are meant for each row, such as holidays, let the expression take all of them: it begins with $(${quoted(column.step)}).all(). Nobody is called before that.`,
			field: true,
		}
	);
}
