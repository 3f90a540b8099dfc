import type { ISourceData } from 'n8n-workflow';
import type { Column } from '../domain/expression/values';
import type { Fields } from '../domain/fields';
import { keepsNothing, type Made, madeByAggregate, madeByEditFields } from './editFields';
import { type Asked, SET, type WorkflowSteps } from './workflowSteps';

export interface MadeColumn extends Made {
	by: string;
	/** It is deactivated, and has made nothing. */
	isOff: boolean;
	/** Of all of its items one. */
	isList: boolean;
	/** Which gives it its items. */
	step: string;
	input: () => Fields[];
	/** How many of them its last run was given. */
	inLastRun: () => number;
	/** What it gives. */
	output: () => Fields[];
}

/** What an Edit Fields makes a column of, with the items that it is given, and the step that gives them; undefined where no such step has made it. */
export type MadeOf = (column: Pick<Column, 'step' | 'path'>) => MadeColumn | undefined;

const AGGREGATE = 'n8n-nodes-base.aggregate';
/** Steps that keep the columns of the items that they are given. */
const KEEPING =
	/^n8n-nodes-base\.(?:crypto|dateTime|executionData|filter|if|limit|noOp|removeDuplicates|respondToWebhook|sort|splitInBatches|switch|wait)$/;

export function madeColumns(
	{ typeOf, parametersOf, isDisabled, sourcesOf, isDryRun, failures }: WorkflowSteps,
	asked: Asked,
): MadeOf {
	return ({ step, path }) => {
		const madeBy = (name: string): Made | undefined => {
			if (typeOf(name) === SET) return madeByEditFields(parametersOf(name), path);
			return typeOf(name) === AGGREGATE ? madeByAggregate(parametersOf(name), path) : undefined;
		};
		const isOtherSet = (name: string): boolean =>
			typeOf(name) === SET &&
			parametersOf(name).mode !== 'raw' &&
			!keepsNothing(parametersOf(name));
		// What is deactivated hands on what it is given, but for one that would make this column; an Edit Fields keeps those that it does not make.
		const keeps = (name: string): boolean =>
			KEEPING.test(typeOf(name)) ||
			isDryRun(name) ||
			((isDisabled(name) || isOtherSet(name)) && !madeBy(name));
		const before = (name: string | undefined, output: number): string | undefined => {
			// A loop leads back to itself.
			const seen = new Set<string>();
			for (
				let source: ISourceData | undefined;
				name !== undefined && keeps(name) && !seen.has(`${output} ${name}`);
				name = source?.previousNode
			) {
				seen.add(`${output} ${name}`);
				[source] = sourcesOf(name, output);
				output = source?.previousNodeOutput ?? 0;
			}
			return name !== undefined && madeBy(name) ? name : undefined;
		};
		const by =
			step === undefined
				? before(asked.source()?.previousNode, asked.source()?.previousNodeOutput ?? 0)
				: (before(step, 0) ?? before(step, 1));
		const given = by === undefined ? undefined : sourcesOf(by)[0]?.previousNode;
		if (by === undefined || given === undefined) return undefined;
		const made = madeBy(by);
		return (
			made && {
				...made,
				by,
				isOff: isDisabled(by),
				isList: typeOf(by) === AGGREGATE,
				step: given,
				input: () => failures.inputsOf(by).map(({ json }) => json),
				output: () => failures.outputsOf(by).map(({ json }) => json),
				inLastRun: () => failures.inputOf(by).length,
			}
		);
	};
}
