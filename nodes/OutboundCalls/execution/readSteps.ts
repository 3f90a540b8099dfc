import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Column } from '../domain/expression/values';
import { textIfAny } from '../domain/format';
import { failuresOf, isEmptyItem } from './failures';
import { hostOf, typeOfStep } from './host';

/** What became of the steps that lists are taken from. */
export interface ReadSteps {
	/**
	 * Whether it is deactivated, or went on after it could not do its work: then it has passed on what it was given, or one item
	 * that says why (n8n behaviour).
	 */
	couldNotWork(step: string): boolean;
	/** Whether it brings no list, or a part of one, because it or a step before it, which reads the list, could not work. */
	couldNotBeRead(step: string): boolean;
	/**
	 * The step that could not work for a row, so that a column of the row's item says nothing. Undefined where all of them could.
	 */
	cannotSay(column: Pick<Column, 'step' | 'path'>): ((row: number) => string | undefined) | undefined;
	/** The steps between the last one that read anything and the node that let a row through or not, each with its parameters, as they are stored. */
	decidingBefore(): Array<{ step: string; stored: unknown[] }>;
	/**
	 * The step that read its items, where that has stopped at its Limit, or the Limit that has left some out; undefined where nothing says so. A reader's limit
	 * of one is chosen, not forgotten.
	 */
	cutOffBy(step: string): { step: string; limit: number } | undefined;
	/** Whether each item of it holds what many say. */
	bringsTogether(step: string): boolean;
}

export const LIMIT = 'n8n-nodes-base.limit';

const AGGREGATE = /^n8n-nodes-base\.(?:aggregate|summarize)$/;
const MERGE = 'n8n-nodes-base.merge';
const DECIDING = /^n8n-nodes-base\.(?:filter|if|switch)$/;

/** Steps that read nothing: what they give is of the steps before them. */
const PASSING_ON =
	/^n8n-nodes-base\.(?:aggregate|code|compareDatasets|crypto|dateTime|executionData|filter|function|functionItem|html|if|itemLists|limit|markdown|merge|noOp|removeDuplicates|renameKeys|respondToWebhook|set|sort|splitInBatches|splitOut|summarize|switch|wait|xml)$/;

/** What the host says of steps; undefined where it does not know. */
export interface Asked {
	/** The step whose items are the input. */
	before(): string | undefined;
	all(step: string): readonly INodeExecutionData[] | undefined;
	/** Of which rows come. */
	matching(step: string, rows: readonly number[]): readonly INodeExecutionData[] | undefined;
}

export function readSteps(context: IExecuteFunctions, asked: Asked): ReadSteps {
	const itemsOf = (step: string): readonly INodeExecutionData[] => asked.all(step) ?? [];
	const nodeOf = (step: string) => hostOf(context).workflow?.nodes?.[step];
	const typeOf = (step: string): string => typeOfStep(hostOf(context), step) ?? '';
	const failures = failuresOf(context, itemsOf);
	const bringsTogether = (step: string): boolean => AGGREGATE.test(typeOf(step));
	/** A dry run, as one that cleans the numbers of a list, has a row for the empty item, too. Whom a node has called, it knows itself. */
	const isDryRun = (step: string): boolean => typeOf(step) === context.getNode().type && (nodeOf(step)?.parameters?.mode ?? 'dryRun') === 'dryRun';
	const passesOn = (step: string): boolean => PASSING_ON.test(typeOf(step)) || isDryRun(step);
	/** The step itself, and all that pass on to it what others read. */
	const upTo = (step: string): string[] => {
		const found = new Set([step]);
		for (const name of found)
			if (passesOn(name)) for (const parent of hostOf(context).workflow?.getParentNodes?.(name, 'main', 1) ?? []) found.add(parent);
		return [...found];
	};
	const isDisabled = (step: string): boolean => nodeOf(step)?.disabled === true;
	const asAWhole = (step: string): boolean =>
		failures.asAWhole(
			step,
			upTo(step).some((each) => failures.goesOn(each)),
		);
	const couldNotWork = (step: string): boolean => isDisabled(step) || asAWhole(step);
	/** Joins what several steps say of a row. */
	const joins = (step: string): boolean =>
		typeOf(step) === MERGE && !/^(?:append|chooseBranch)$/.test(textIfAny(nodeOf(step)?.parameters?.mode) ?? '');
	return {
		couldNotWork,
		couldNotBeRead(step) {
			const steps = upTo(step);
			// What they say is one item, or a row of ours, whatever they were given.
			const hides = steps.some((each) => bringsTogether(each) || typeOf(each) === MERGE || isDryRun(each)) || itemsOf(step).every(isEmptyItem);
			return steps.some((each) => asAWhole(each) || failures.inPart(each) || (hides && !passesOn(each) && isDisabled(each)));
		},
		cannotSay({ step, path }) {
			const input = context.getInputData();
			const from = step ?? asked.before();
			const steps = from === undefined ? [] : upTo(from);
			const failing = steps.flatMap((name) => failures.ofColumn(name, path) ?? []);
			if (failing.length === 0) return undefined;
			const isJoined = steps.some(joins);
			return (row) => {
				const itemOf = (name: string): INodeExecutionData | undefined => asked.matching(name, [row])?.[0];
				const item = step === undefined ? input[row] : itemOf(step);
				if (!item) return undefined;
				const found = failing.filter((failure) => failure.isOf(() => itemOf(failure.step), item, isJoined)).map((failure) => failure.step);
				// Of several, the one that the row comes from.
				return found.length < 2 ? found[0] : (found.find(itemOf) ?? found[0]);
			};
		},
		decidingBefore() {
			const before = asked.before();
			const deciding = before === undefined ? [] : upTo(before).filter((step) => DECIDING.test(typeOf(step)));
			return deciding.map((step) => ({ step, stored: textsIn(nodeOf(step)?.parameters) }));
		},
		cutOffBy(step) {
			for (const name of upTo(step)) {
				const items = itemsOf(name).length;
				if (typeOf(name) === LIMIT && items > 0 && failures.inputOf(name).length > items) return { step: name, limit: items };
				if (passesOn(name)) continue;
				// The host has filled in what nobody has touched, such as Limit = 50.
				const { returnAll, limit } = nodeOf(name)?.parameters ?? {};
				if (returnAll === false && typeof limit === 'number' && limit > 1 && items > 0 && items % limit === 0) return { step: name, limit };
			}
			return undefined;
		},
		bringsTogether,
	};
}

const textsIn = (value: unknown): unknown[] => (typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [value]);
