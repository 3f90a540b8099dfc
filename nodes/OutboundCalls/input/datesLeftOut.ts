import { ENTRIES, valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { isBlank } from '../domain/fields';
import { quoted } from '../domain/format';
import { ok, type Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import { Misread, type PerItem, tryRead } from '../execution/parameters';
import { OF_EACH_ROW } from './labels';
import { columnsBehind, madeOf } from './readings';
import { NO_CALL_DATES } from './stored';

// An expression that turns cells into dates gives null, or nothing, for what is none in its form, without a word (n8n and Luxon behaviour).

/** What turns text into dates. */
const TURNED = /\bDateTime\b|\.(?:match|split|to(?:DateTime|ISO\w*|SQL\w*))\(/;
/** What leaves some out because it is meant to. */
const CHOSEN = /[<>]|\.(?:find|removeDuplicates|slice|unique)\(/;

/** Whether all that it is given is to come out as dates. */
const turnsAll = (stored: unknown): boolean =>
	typeof stored === 'string' &&
	TURNED.test(stored) &&
	!CHOSEN.test(stored.replaceAll('=>', '')) &&
	readingOf(stored).asked.every(({ word }) => word === undefined);

const REMEDY = 'Correct that cell, or let the expression read it.';

/** `read`, of No-Call Dates, that throws where a cell that is to be turned into dates has something in it, and comes to none. */
export function datesRead(execution: Execution, read: PerItem<unknown>): PerItem<unknown> {
	const { parameters, steps, input } = execution;
	const stored = parameters.raw(NO_CALL_DATES);
	const columns = readingOf(stored).columns.flatMap((column) => {
		const behind = turnsAll(madeOf(steps, column)?.stored) ? columnsBehind(steps, column) : [];
		return behind.length > 0 ? behind : turnsAll(stored) ? [column] : [];
	});
	// Of several, one may decide about the other.
	const [column, ...others] = columns;
	if (!column || others.length > 0 || column.takes !== 'ofRow' || column.path.includes(ENTRIES)) return read;
	return (row) => {
		const value = read(row);
		if (!isBlank(value)) return value;
		const { step, path } = column;
		const [cell] = valuesAt(step === undefined ? input[row] : steps.itemOf(step, row), path);
		if (isBlank(cell) || typeof cell === 'object') return value;
		throw new Misread({ message: `the option ${OF_EACH_ROW.noCallDates} makes no date of ${quoted(cell)}`, remedy: REMEDY });
	};
}

/** Why a list of No-Call Dates may lack a day: there are fewer than filled cells of which they are made. */
export function datesLeftOut({ parameters, steps }: Execution): Problem | undefined {
	const stored = parameters.raw(NO_CALL_DATES);
	const [column, ...others] = readingOf(stored).columns.filter(({ takes }) => takes === 'each');
	// Of several, one may decide about the others.
	if (!column || others.length > 0) return undefined;
	const made = madeOf(steps, column);
	const isMade = turnsAll(made?.stored);
	if (!isMade && !turnsAll(stored)) return undefined;
	const behind = columnsBehind(steps, column);
	if (isMade && behind.length !== 1) return undefined;
	const items = isMade ? made!.input() : steps.itemsOf(column.step);
	const filled = items.flatMap((item) => valuesAt(item, (isMade ? behind[0]! : column).path)).filter((cell) => !isBlank(cell)).length;
	const value = tryRead(() => ok([parameters.perItem<unknown>(NO_CALL_DATES, null)(0)].flat().join()));
	const dates = value.ok ? value.value.split(/[\s,;]+/).filter((date) => date !== '').length : filled;
	return dates < filled
		? { message: `${OF_EACH_ROW.noCallDates} makes dates of only ${dates} of ${filled} cells`, remedy: REMEDY, field: true }
		: undefined;
}
