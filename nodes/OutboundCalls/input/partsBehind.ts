import { valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { isBlank } from '../domain/fields';
import type { Execution } from '../execution/execution';
import type { PerItem } from '../execution/parameters';
import { madeOf } from './readings';

export const KEY_OPTION = 'options.callOnceKey';
export const OPTED_OUT = 'options.optedOut';

/** What keeps a person from being called. */
export const PROTECT = [KEY_OPTION, 'options.timeZone', 'options.noCallDates', OPTED_OUT];

/** What fits any text. */
const OF_TEXT =
	/\.(?:concat|endsWith|includes|normalize|pad(?:End|Start)|replace(?:All)?|slice|startsWith|substring|to(?:Lower|Upper)Case|toString|trim(?:End|Start)?)\(/g;
/** These are others in an Edit Fields than here. */
const OF_PLACE = /\$(?:input|item|items|itemIndex|node|position|prevNode|runIndex)\b/;

/** Of another step than the one before: it may be anything. */
const UNKNOWN = 0;

/** Throws where an Edit Fields has made a column that keeps people from being called of a cell that its expression does not fit: then n8n leaves it empty, without a word. */
export function partsBehind({ parameters, steps, input }: Execution, phones: readonly unknown[]): PerItem<unknown> {
	const named = [...phones, ...PROTECT.map((name) => parameters.raw(name))];
	const checks = named
		.flatMap((of) => readingOf(of).columns.map((column) => ({ of, column })))
		.flatMap(({ of, column }) => {
			const made = column.takes === 'ofRow' && column.step === undefined ? madeOf(steps, column) : undefined;
			if (made?.inside.length !== 0 || typeof made.stored !== 'string') return [];
			const stored = made.stored.replace(/\$json\b|\$input\.item\.json\b/g, () => `$(${JSON.stringify(made.step)}).item.json`);
			const said = (row: number): unknown => valuesAt(input[row], column.path)[0] ?? undefined;
			const check = parameters.inAllParts(stored, said, { step: made.by, stored: made.stored });
			if (check === said || OF_PLACE.test(stored)) return [];
			const { columns } = readingOf(made.stored);
			const isOfText = !/\.\w+\(/.test(made.stored.replace(OF_TEXT, '('));
			const isKey = of === parameters.raw(KEY_OPTION);
			return (row: number): void => {
				const item = steps.itemOf(made.step, row);
				const cells = item && columns.every(({ step }) => step === undefined) ? columns.flatMap(({ path }) => valuesAt(item, path)) : [UNKNOWN];
				const fits = isOfText && cells.every((cell) => typeof cell === 'string');
				// An empty cell says nothing, but for a part of a key.
				if (item && !(fits && said(row) !== undefined) && (isKey || !cells.every(isBlank))) check(row);
			};
		});
	return (row) => {
		for (const check of checks) check(row);
	};
}
