import { countOfUnreadDates } from '../domain/expression/datesMade';
import { valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { type Column, isOfRow } from '../domain/expression/values';
import { isBlank } from '../domain/fields';
import { quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import { ENDED, Misread, OF_ITEM, type PerItem } from '../execution/parameters';
import { madeOfAll, OF_PLACE } from './fittingBehind';
import type { Reader } from './oneOfMany';
import { madeOf } from './readings';

const noDate = (label: string, cell: string): Problem => ({
	message: `${label} makes no date of ${cell}`,
	remedy: 'Write it in the form of the other dates.',
});

const isUnread = (
	{ parameters }: Pick<Reader, 'parameters'>,
	count: string,
	row: number,
): boolean => Number(parameters.comesTo(count, row)) > 0;

/** `read`, of such an option, that throws where its expression, or that of an Edit Fields, makes no date of a cell that has something in it. */
export function datesRead(
	execution: Execution,
	name: string,
	label: string,
	read: PerItem<unknown>,
): PerItem<unknown> {
	const { parameters, steps, input } = execution;
	const stored = parameters.raw(name);
	const { columns } = readingOf(stored);
	const own = {
		count: countOfUnreadDates(stored, ENDED),
		taken: columns,
		from: undefined as string | undefined,
	};
	const made = columns.filter(isOfRow).flatMap((column) => {
		const by = madeOf(steps, column);
		if (!by || by.inside.length > 0 || OF_PLACE.test(String(by.stored).replace(OF_ITEM, '')))
			return [];
		const here = String(by.stored).replace(
			OF_ITEM,
			() => `$(${JSON.stringify(by.step)}).item.json`,
		);
		return [
			{
				count: countOfUnreadDates(here, ENDED),
				taken: readingOf(by.stored).columns,
				from: by.step,
			},
		];
	});
	const checks = [own, ...made].flatMap(({ count, ...of }) =>
		count === undefined ? [] : [{ count, ...of }],
	);
	if (checks.length === 0) return read;
	const cellsIn = (row: number, taken: readonly Column[], from: string | undefined): unknown[] =>
		taken
			.filter(isOfRow)
			.flatMap(({ step = from, path }) =>
				valuesAt(step === undefined ? input[row] : steps.itemOf(step, row), path),
			);
	return (row) => {
		const value = read(row);
		const unread = checks.find(({ count }) => isUnread(execution, count, row));
		if (!unread) return value;
		const taken = cellsIn(row, unread.taken, unread.from);
		const cells = taken.filter((each) => !isBlank(each));
		const isKnown = taken.length > 0 && unread.taken.every(isOfRow);
		if (isKnown && cells.length === 0) return value;
		throw new Misread(
			noDate(`the option ${label}`, isKnown && cells.length === 1 ? quoted(cells[0]) : 'a cell'),
		);
	};
}

/** Why a list in an option may lack somebody, or a day: it is made of dates, or chosen by them, here or in an Edit Fields, and a cell is none. `isOwn`: looked at here, too. */
export function unreadDates(
	reader: Reader,
	name: string,
	label: string,
	isOwn: boolean,
): Problem | undefined {
	const stored = reader.parameters.raw(name);
	const codes = readingOf(stored).columns.flatMap((column) => {
		const made = isOfRow(column) ? undefined : madeOf(reader.steps, column);
		return made ? [madeOfAll(reader, made)] : [];
	});
	const counts = [...(isOwn ? [stored] : []), ...codes].flatMap(
		(code) => countOfUnreadDates(code, ENDED) ?? [],
	);
	return counts.some((count) => isUnread(reader, count, 0))
		? { ...noDate(label, 'a cell'), field: true }
		: undefined;
}
