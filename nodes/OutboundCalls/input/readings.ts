import { type Reading, readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import type { MadeColumn } from '../execution/readSteps';
import type { Reader } from './oneOfMany';

/** What an Edit Fields has made a column of. */
export function madeOf(steps: Reader['steps'], column: Column): MadeColumn | undefined {
	const made = steps.madeOf(column);
	return made?.isOff ? undefined : made;
}

/** What an Edit Fields before the node makes a column of takes, named by the steps that it takes it from; undefined where none makes it. */
export function readingBehind(steps: Reader['steps'], column: Column): Reading | undefined {
	const made = madeOf(steps, column);
	if (!made) return undefined;
	const reading = readingOf(made.stored, made.inside);
	const named = (each: Column): Column => ({ ...each, step: each.step ?? made.step });
	return {
		steps: reading.steps,
		lists: new Set([...reading.lists].map((step) => step ?? made.step)),
		columns: reading.columns.map(named),
		needed: reading.needed.map((each) => each.map(named)),
	};
}

/** What a stored parameter takes, and what the Edit Fields before the node takes for it. */
export function readingsOf(steps: Reader['steps'], stored: unknown): Reading[] {
	const reading = readingOf(stored);
	return [reading, ...reading.columns.flatMap((column) => readingBehind(steps, column) ?? [])];
}
