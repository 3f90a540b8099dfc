import { valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { quoted } from '../domain/format';
import { saysNothing } from './missingColumn';
import type { Execution } from '../execution/execution';
import { Misread, type PerItem } from '../execution/parameters';
import { OF_EACH_ROW } from './labels';
import { columnsBehind, madeOf } from './readings';
import { NO_CALL_DATES } from './stored';

// What turns a cell into a date gives null for one in another form, without a word (Luxon behaviour). Looked at where nothing else may come to nothing: as the
// documentation writes it, or dragged in from an Edit Fields that does it so.

const CELL = String.raw`json(?:\.\w+|\[(?:"[^"]*"|'[^']*')\])+`;
const NOTHING = String.raw`\s*(?:(?:\?\?|\|\||:)\s*(?:''|""|null|\[\]))?\s*`;
const turned = (cell: string): string => String.raw`DateTime\.from\w+\(\s*${cell}[^()]*\)\.to(?:ISO|SQL)\w*\([^()]*\)${NOTHING}`;
/** `{{ DateTime.fromISO($json.day).toISODate() }}`, `{{ $json.day ? … : '' }}`, `{{ … ?? '' }}` */
const OF_ROW = new RegExp(String.raw`^=\{\{\s*(?:\$${CELL}\s*\?\s*)?${turned(String.raw`\$${CELL}`)}\}\}$`);
const DRAGGED = new RegExp(String.raw`^=\{\{\s*\$${CELL}${NOTHING}\}\}$`);

const is = (shape: RegExp, stored: unknown): boolean => typeof stored === 'string' && shape.test(stored);

const REMEDY = 'Correct that cell, or let the expression read it.';

/** `read`, of No-Call Dates, that throws where a cell that is turned into a date has something in it, and comes to none. */
export function datesRead(execution: Execution, read: PerItem<unknown>): PerItem<unknown> {
	const { parameters, steps, input } = execution;
	const stored = parameters.raw(NO_CALL_DATES);
	const columns = readingOf(stored).columns;
	const isMade = is(DRAGGED, stored) && columns.some((dragged) => is(OF_ROW, madeOf(steps, dragged)?.stored));
	const [column, ...others] = isMade ? columns.flatMap((dragged) => columnsBehind(steps, dragged)) : is(OF_ROW, stored) ? columns : [];
	// Of two, one may ask whether the other counts.
	if (!column || others.length > 0) return read;
	return (row) => {
		const value = read(row);
		const [cell] = valuesAt(column.step === undefined ? input[row] : steps.itemOf(column.step, row), column.path);
		if (!saysNothing(value) || saysNothing(cell) || !cell) return value;
		throw new Misread({ message: `the option ${OF_EACH_ROW.noCallDates} makes no date of ${quoted(cell)}`, remedy: REMEDY });
	};
}
