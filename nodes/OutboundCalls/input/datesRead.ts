import { withDays } from '../domain/expression/datesMade';
import { valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { type Column, isOfRow } from '../domain/expression/values';
import { countEntries } from '../domain/doNotCall';
import { isBlank } from '../domain/fields';
import { quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import { Misread, OF_ITEM, type PerItem } from '../execution/parameters';
import { madeOfAll, OF_PLACE } from './fittingBehind';
import type { Reader } from './oneOfMany';
import type { OfRows } from './otherSpellings';
import { madeOf } from './readings';

const noDate = (label: string, cell: string): Problem => ({
	message: `${label} makes no date of ${cell}`,
	remedy: 'Write it in the form of the other dates.',
});

/** `read`, of such an option, that throws where its expression, or that of an Edit Fields, makes no date of a cell that has something in it, and would come to something else. */
export function datesRead(execution: Execution, name: string, { label, does }: OfRows, read: PerItem<unknown>): PerItem<unknown> {
	const { parameters, steps, input } = execution;
	const stored = parameters.raw(name);
	const { columns } = readingOf(stored);
	/** What the option would come to, were all dates read, and the cells that they are made of. */
	const checks = withDays(stored).map((would) => ({
		columns,
		step: undefined as string | undefined,
		would: (row: number) => parameters.comesTo(would, row),
	}));
	for (const column of columns.filter(isOfRow)) {
		const made = madeOf(steps, column);
		if (!made || made.inside.length > 0 || OF_PLACE.test(String(made.stored).replace(OF_ITEM, ''))) continue;
		const here = (code: string): string => code.replace(OF_ITEM, () => `$(${JSON.stringify(made.step)}).item.json`);
		for (const would of withDays(made.stored))
			checks.push({
				columns: readingOf(made.stored).columns,
				step: made.step,
				would(row) {
					const [is, other] = [String(made.stored), would].map((code) => parameters.comesTo(here(code), row));
					if (other === undefined || JSON.stringify(is) === JSON.stringify(other)) return undefined;
					const isOfItem = column.step === undefined && column.path.length === 1;
					return (isOfItem ? parameters.wouldBe(stored, row, { [column.path[0]!]: other }) : undefined) ?? true;
				},
			});
	}
	if (checks.length === 0) return read;
	const cellsIn = (row: number, taken: readonly Column[], from: string | undefined): unknown[] =>
		taken.filter(isOfRow).flatMap(({ step = from, path }) => valuesAt(step === undefined ? input[row] : steps.itemOf(step, row), path));
	return (row) => {
		const value = read(row);
		const unread = checks.find(({ would }) => {
			const meant = would(row);
			return meant !== undefined && !does(value, meant);
		});
		if (!unread) return value;
		const [cell, ...others] = cellsIn(row, unread.columns, unread.step).filter((each) => !isBlank(each));
		throw new Misread(noDate(`the option ${label}`, others.length > 0 ? 'a cell' : quoted(cell)));
	};
}

/** Why a list in an option may lack somebody, or a day: it is made of dates, or chosen by them, here or in an Edit Fields, and a cell is none. `value`: a list of people. */
export function unreadDates(reader: Reader, name: string, label: string, value?: unknown): Problem | undefined {
	const { parameters, steps } = reader;
	const stored = parameters.raw(name);
	const comesTo = (code: string): unknown => parameters.comesTo(code, 0);
	const isLonger = value !== undefined && withDays(stored).some((would) => countEntries(comesTo(would)) > countEntries(value));
	const isMadeOtherwise = (column: Column): boolean => {
		const made = isOfRow(column) ? undefined : madeOf(steps, column);
		const all = made && madeOfAll(reader, made);
		return all !== undefined && withDays(all).some((would) => JSON.stringify(comesTo(would) ?? comesTo(all)) !== JSON.stringify(comesTo(all)));
	};
	return isLonger || readingOf(stored).columns.some(isMadeOtherwise) ? { ...noDate(label, 'a cell'), field: true } : undefined;
}
