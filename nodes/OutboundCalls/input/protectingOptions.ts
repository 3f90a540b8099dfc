import { readingOf } from '../domain/expression/reading';
import type { Problem } from '../domain/problem';
import type { RawRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { holdsExpression } from '../execution/parameters';
import { KEY, OF_EACH_ROW } from './labels';
import { mayBeEmpty, missingColumn, saysNothing } from './missingColumn';
import { oneForAllRows } from './oneOfMany';
import { leftEmpty, listCutOff, stepThatSaysNothing } from './stepsBelieved';
import { knowsByKey } from './stored';

/** Why nobody may be called: an option of each row says nothing of the rows. */
export function answeredOnce(execution: Execution): Problem | undefined {
	for (const [name, label] of Object.entries(OF_EACH_ROW)) {
		const problem =
			stepThatSaysNothing(execution, `options.${name}`, label) ??
			(asksList(execution.parameters.raw(`options.${name}`))
				? leftEmpty(execution, `options.${name}`, label)
				: undefined) ??
			listCutOff(execution, `options.${name}`, label) ??
			oneForAllRows(execution, `options.${name}`, label);
		if (problem) return problem;
	}
	return undefined;
}

/** What a row's own cell says is looked at row by row (`fittingBehind.ts`). */
const asksList = (stored: unknown): boolean => readingOf(stored).lists.size > 0;

/** Options that protect people. Where a column in one is misspelt, nobody would be protected. */
const PROTECTING = {
	optedOut: OF_EACH_ROW.optedOut,
	noCallDates: OF_EACH_ROW.noCallDates,
	...KEY,
} as const;
type Protecting = keyof typeof PROTECTING;

/** Finds the option that is to protect people and protects nobody: it needs a column that is not there, or comes to nothing in every row. */
export class ProtectingOptions {
	private readonly names: readonly Protecting[];
	/** What those came to that have come to nothing in all rows so far. */
	private readonly unsaid: Map<Protecting, unknown>;

	/** `isRemembered`: people, by a key. Who opted out is known by it, too. */
	constructor(
		private readonly execution: Execution,
		isRemembered: boolean,
	) {
		const { parameters } = execution;
		const isRead = (name: Protecting): boolean =>
			name !== 'callOnceKey' || isRemembered || knowsByKey(parameters);
		this.names = (Object.keys(PROTECTING) as Protecting[]).filter(
			(name) => holdsExpression(parameters.raw(`options.${name}`)) && isRead(name),
		);
		this.unsaid = new Map(this.names.map((name) => [name, undefined]));
	}

	see(row: RawRow): void {
		for (const [name, before] of this.unsaid) {
			if (!saysNothing(row[name])) this.unsaid.delete(name);
			else this.unsaid.set(name, before ?? row[name]);
		}
	}

	/** Why nobody may be called. */
	get problem(): Problem | undefined {
		const optedOut = this.execution.parameters.raw('options.optedOut');
		if (typeof optedOut === 'string' && optedOut.trim() === '')
			return { message: 'Opted Out is empty', remedy: NO_COLUMN };
		for (const name of this.names) {
			const label = PROTECTING[name];
			const option = `options.${name}`;
			const isEmpty =
				this.unsaid.has(name) && !mayBeEmpty(this.execution, option, this.unsaid.get(name));
			const remedy = REMEDIES[name];
			const missing =
				stepThatSaysNothing(this.execution, option, label) ??
				listCutOff(this.execution, option, label) ??
				missingColumn(this.execution, option, label, remedy) ??
				(isEmpty ? { message: `${label} is empty in every row`, remedy } : undefined);
			if (missing) return missing;
		}
		return undefined;
	}
}

const NO_COLUMN = 'Drag the column that says who opted out into that option, or remove the option.';
const CHECK = 'Check the name of the column in that option.';
const OTHERWISE = 'If it is right, and your list leaves empty cells out, write';
const REMEDIES: Record<Protecting, string> = {
	optedOut: `${CHECK} ${OTHERWISE} {{ $json.opted_out || "no" }} there, with the name of your column.`,
	noCallDates: `${CHECK} ${OTHERWISE} {{ $json.no_call || [] }} there, with the name of your column.`,
	callOnceKey: `${CHECK} Without it, the keys would be others, and people who were called might be called again. ${OTHERWISE} {{ $json.date || $json.phone }} there, with the name of your column.`,
};
