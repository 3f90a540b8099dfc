import { asksForDates, type DatesMade, datesMade } from '../domain/expression/datesMade';
import { valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { type Column, isOfRow } from '../domain/expression/values';
import { countEntries } from '../domain/doNotCall';
import { isBlank } from '../domain/fields';
import { quoted } from '../domain/format';
import { readNoCallDates } from '../domain/hours/noCallDates';
import { leavesOf } from '../domain/json';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import { ENDED, Misread, OF_ITEM, type PerItem } from '../execution/parameters';
import { madeOfAll, OF_PLACE } from './fittingBehind';
import type { Reader } from './oneOfMany';
import { isOptedOut, isSameText } from './otherSpellings';
import { madeOf } from './readings';
import { KEY, NO_CALL_DATES, OPTED_OUT, TIME_ZONE } from './stored';

const noDate = (label: string, cell: string): Problem => ({
	message: `${label} makes no date of ${cell}`,
	remedy: 'Write it in the form of the other dates.',
});

/** Another date may stand in for one that cannot be read. */
const hasAsManyDays = (value: unknown, meant: unknown): boolean => {
	const [said, wanted] = [readNoCallDates(value), readNoCallDates(meant)];
	return !said.ok || (wanted.ok && wanted.value.size <= said.value.size);
};

/** Without a date, a key is shorter; another text may stand in for it. */
const isAsLong = (value: unknown, meant: unknown): boolean => String(value).trim().length + 4 >= String(meant).trim().length;

/** Whether an option does as well as it would with all dates in it. */
const DOES = { [OPTED_OUT]: isOptedOut, [NO_CALL_DATES]: hasAsManyDays, [TIME_ZONE]: isSameText, [KEY]: isAsLong };

/** `read`, of such an option, that throws where its expression, or that of an Edit Fields, makes no date of a cell that has something in it, and would come to something else. */
export function datesRead(execution: Execution, name: keyof typeof DOES, label: string, read: PerItem<unknown>): PerItem<unknown> {
	const { parameters, steps, input } = execution;
	const stored = parameters.raw(name);
	const { columns } = readingOf(stored);
	// Another answer may stand in for a date, which cannot be compared to it.
	const mayStandIn = name === OPTED_OUT || name === TIME_ZONE;
	const datesIn = (code: unknown): DatesMade | undefined => (mayStandIn && asksForDates(code) ? undefined : datesMade(code, ENDED));
	const own = datesIn(stored);
	const checks = own ? [{ ...own, columns, step: undefined as string | undefined, option: (value: unknown, _row: number) => value }] : [];
	for (const column of columns.filter(isOfRow)) {
		const made = madeOf(steps, column);
		if (!made || made.inside.length > 0 || OF_PLACE.test(String(made.stored).replace(OF_ITEM, ''))) continue;
		const here = String(made.stored).replace(OF_ITEM, () => `$(${JSON.stringify(made.step)}).item.json`);
		const dates = datesIn(here);
		const isOfItem = column.step === undefined && column.path.length === 1;
		const option = (value: unknown, row: number): unknown =>
			(isOfItem ? parameters.wouldBe(stored, row, { [column.path[0]!]: value }) : undefined) ?? true;
		if (dates) checks.push({ ...dates, columns: readingOf(made.stored).columns, step: made.step, option });
	}
	if (checks.length === 0) return read;
	const cellsIn = (row: number, taken: readonly Column[], from: string | undefined): unknown[] =>
		taken.filter(isOfRow).flatMap(({ step = from, path }) => valuesAt(step === undefined ? input[row] : steps.itemOf(step, row), path));
	const isUnread = (stored: string, row: number): boolean => Number(parameters.comesTo(stored, row)) > 0;
	return (row) => {
		const value = read(row);
		const unread = checks.find(
			({ countUnread, withDays, option }) =>
				isUnread(countUnread, row) &&
				withDays.some((would) => {
					const meant = parameters.comesTo(would, row);
					return meant !== undefined && !DOES[name](value, option(meant, row));
				}),
		);
		if (!unread) return value;
		const cells = cellsIn(row, unread.columns, unread.step).filter((each) => !isBlank(each));
		throw new Misread(noDate(`the option ${label}`, cells.length === 1 ? quoted(cells[0]) : 'a cell'));
	};
}

const isFilled = (value: unknown): boolean => !isBlank(value) && value !== false;

/** Why a list in an option may lack somebody, or a day: it is made of dates, or chosen by them, here or in an Edit Fields, and a cell is none. `value`: a list of people. */
export function unreadDates(reader: Reader, name: string, label: string, value?: unknown): Problem | undefined {
	const { parameters, steps } = reader;
	const stored = parameters.raw(name);
	/** Whether an expression comes to less than it would with all dates in it. */
	const isLess = (code: unknown, count: (value: unknown) => number): boolean => {
		const dates = datesMade(code, ENDED);
		if (!dates || !(Number(parameters.comesTo(dates.countUnread, 0)) > 0)) return false;
		const is = count(parameters.comesTo(String(code), 0));
		return dates.withDays.some((would) => count(parameters.comesTo(would, 0)) > is);
	};
	const isMadeOfLess = (column: Column): boolean => {
		const made = isOfRow(column) ? undefined : madeOf(steps, column);
		return made !== undefined && isLess(madeOfAll(reader, made), (all) => leavesOf(all).filter(isFilled).length);
	};
	const isShort = value !== undefined && !asksForDates(stored) && isLess(stored, countEntries);
	return isShort || readingOf(stored).columns.some(isMadeOfLess) ? { ...noDate(label, 'a cell'), field: true } : undefined;
}
