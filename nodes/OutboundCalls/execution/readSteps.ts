import type { IExecuteFunctions, INodeExecutionData, ITaskData } from 'n8n-workflow';
import { valuesAt } from '../domain/expression/path';
import type { Column } from '../domain/expression/values';
import { isBlank } from '../domain/fields';
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
	 * The step that could not work for a row, so that a column of the row's item says nothing: the item itself only says why, or the column is blank, and a step
	 * before could not. Undefined where all of them could.
	 */
	cannotSay(column: Pick<Column, 'step' | 'path'>): ((row: number) => string | undefined) | undefined;
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
const DATA_TABLE = 'n8n-nodes-base.dataTable';

/** Steps that read nothing: what they give is of the steps before them. */
const PASSING_ON =
	/^n8n-nodes-base\.(?:aggregate|code|crypto|dateTime|executionData|filter|function|functionItem|if|itemLists|limit|merge|noOp|removeDuplicates|renameKeys|respondToWebhook|set|sort|splitInBatches|splitOut|summarize|switch|wait)$/;

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
	const runOf = (step: string): ITaskData | undefined => hostOf(context).runExecutionData?.resultData?.runData[step]?.at(-1);
	const nodeOf = (step: string) => hostOf(context).workflow?.nodes?.[step];
	const typeOf = (step: string): string => typeOfStep(hostOf(context), step) ?? '';
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
	/** What its last run was given. */
	const inputOf = (step: string): INodeExecutionData[] =>
		(runOf(step)?.source ?? []).flatMap((source) => {
			const { previousNode, previousNodeRun = 0, previousNodeOutput = 0 } = source ?? {};
			const run = previousNode === undefined ? undefined : hostOf(context).runExecutionData?.resultData?.runData[previousNode]?.[previousNodeRun];
			return run?.data?.main?.[previousNodeOutput] ?? [];
		});
	/** On Error is Continue, with an output for what went wrong or without. */
	const goesOn = (step: string): boolean => {
		const { onError, continueOnFail } = nodeOf(step) ?? {};
		return onError === undefined ? continueOnFail === true : onError !== 'stopWorkflow';
	};
	/** What went wrong is on the last output. */
	const errorOutputOf = (step: string): readonly INodeExecutionData[] =>
		nodeOf(step)?.onError === 'continueErrorOutput' ? (runOf(step)?.data?.main?.slice(1).at(-1) ?? []) : [];
	const wentWrong = (step: string): boolean => errorOutputOf(step).length > 0;
	const couldNotWork = (step: string): boolean => {
		const run = runOf(step);
		if (nodeOf(step)?.disabled === true || run?.error !== undefined) return true;
		// The first output has nothing then, or the empty item of Always Output Data.
		if (wentWrong(step) && run?.data?.main?.[0]?.every(isEmptyItem)) return true;
		const items = itemsOf(step);
		if (items.length === 0) return false;
		if (items.every(saysWhyNot)) return true;
		if (!goesOn(step) || typeOf(step) !== DATA_TABLE || nodeOf(step)?.parameters?.operation !== 'get') return false;
		// Where its database breaks off, it passes on its very input (n8n behaviour).
		const input = inputOf(step);
		const given = new Set(input.map(({ json }) => JSON.stringify(json)));
		// An empty item may be that of Always Output Data.
		return items.every((item) => (isEmptyItem(item) ? input.some(({ json }) => json === item.json) : given.has(JSON.stringify(item.json))));
	};
	const couldNotInPart = (step: string): boolean => wentWrong(step) || (goesOn(step) && itemsOf(step).some(saysWhyNot));
	return {
		couldNotWork,
		couldNotBeRead(step) {
			const steps = upTo(step);
			// What they say is one item, or a row of ours, whatever they were given.
			const hides = steps.some((each) => bringsTogether(each) || typeOf(each) === MERGE || isDryRun(each)) || itemsOf(step).every(isEmptyItem);
			return steps.some((each) => (hides && !passesOn(each) && couldNotWork(each)) || couldNotInPart(each));
		},
		cannotSay({ step, path }) {
			const input = context.getInputData();
			const from = step ?? asked.before();
			const failing = from === undefined ? [] : upTo(from).filter(couldNotInPart);
			if (failing.length === 0) return undefined;
			const errors = new Set(failing.flatMap((name) => errorOutputOf(name).map(({ json }) => json)));
			return (row) => {
				const itemOf = (name: string): INodeExecutionData | undefined => asked.matching(name, [row])?.[0];
				const item = step === undefined ? input[row] : itemOf(step);
				if (!item) return undefined;
				const whyNot = (name: string): boolean => {
					const of = itemOf(name);
					if (of && saysWhyNot(of)) return true;
					// An error output has added why to what the row had itself.
					const addedTo = of ? (errors.has(of.json) ? of : undefined) : item;
					return addedTo !== undefined && !isBlank(addedTo.json.error) && !Object.hasOwn(addedTo.json, path[0] ?? '');
				};
				if (saysWhyNot(item)) return failing.find(whyNot) ?? failing[0];
				return valuesAt(item.json, path).every(isBlank) ? failing.find(whyNot) : undefined;
			};
		},
		cutOffBy(step) {
			for (const name of upTo(step)) {
				const items = itemsOf(name).length;
				if (typeOf(name) === LIMIT && items > 0 && inputOf(name).length > items) return { step: name, limit: items };
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

const isEmptyItem = ({ json }: INodeExecutionData): boolean => Object.keys(json).length === 0;

/** Of an item that n8n gives in place of others: it has nothing but a message. */
const saysWhyNot = ({ json, error: thrown }: INodeExecutionData): boolean =>
	thrown !== undefined ||
	(json.error !== undefined && json.error !== null && Object.keys(json).every((name) => name === 'error' || name === 'message'));
