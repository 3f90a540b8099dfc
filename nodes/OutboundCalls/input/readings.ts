import { type Reading, readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import type { MadeColumn } from '../execution/madeColumns';
import type { Reader } from './oneOfMany';

/** What an Edit Fields has made a column of. */
export function madeOf(steps: Reader['steps'], column: Column): MadeColumn | undefined {
	const made = steps.madeOf(column);
	return made?.isOff ? undefined : made;
}

/** What a stored parameter takes, and what an Edit Fields before the node takes for its columns, as that names it. */
export function readingsOf(steps: Reader['steps'], stored: unknown): Reading[] {
	const reading = readingOf(stored);
	const made = reading.columns.flatMap((column) => madeOf(steps, column) ?? []);
	return [reading, ...made.map((each) => readingOf(each.stored, each.inside))];
}

export interface ColumnBehind extends Column {
	/** Of the items that the Edit Fields is given. */
	isGiven: boolean;
}

/** The columns that an Edit Fields takes to make one, by the steps that have them. */
export function columnsBehind(steps: Reader['steps'], column: Column): ColumnBehind[] {
	const made = madeOf(steps, column);
	const columns = made ? readingOf(made.stored, made.inside).columns : [];
	// Where it was given as many as that step has, each has its own.
	const isOwn = ({ step, takes }: Column): boolean =>
		takes === 'samePlace' && steps.itemsOf(step).length === made!.inLastRun();
	return columns
		.filter((each) => !isOwn(each))
		.map((each) => ({ ...each, step: each.step ?? made!.step, isGiven: each.step === undefined }));
}
