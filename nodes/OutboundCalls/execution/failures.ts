import type { IExecuteFunctions, INodeExecutionData, ITaskData } from 'n8n-workflow';
import { type Path, valuesAt } from '../domain/expression/path';
import { isBlank } from '../domain/fields';
import { hostOf, typeOfStep } from './host';

/**
 * What n8n hands on in place of what a step could not bring, where its On Error is Continue:
 * - its input, if it could not begin;
 * - an item that says why, and the columns of the row with it, on an error output;
 * - of a Data Table whose database breaks off, the very item that it was given, without a word.
 */
export interface Failures {
	/** Whether nothing of what a step gives is its own. */
	asAWhole(step: string): boolean;
	/** Whether some of it is not. */
	inPart(step: string): boolean;
	/** Of a step that could not work for some items: whether that is why a column says nothing. Undefined where it could for all of them. */
	ofColumn(step: string, path: Path): FailureOf | undefined;
	/** What its last run was given. */
	inputOf(step: string): readonly INodeExecutionData[];
}

interface FailureOf {
	step: string;
	/** `given`: what that step gave for a row, if the host tells; `item`: that in which the column is. */
	isOf(given: INodeExecutionData | undefined, item: INodeExecutionData): boolean;
}

const DATA_TABLE = 'n8n-nodes-base.dataTable';

/** `itemsOf`: what a step gives. */
export function failuresOf(context: IExecuteFunctions, itemsOf: (step: string) => readonly INodeExecutionData[]): Failures {
	const runsOf = (step: string): ITaskData[] => hostOf(context).runExecutionData?.resultData?.runData[step] ?? [];
	const runOf = (step: string): ITaskData | undefined => runsOf(step).at(-1);
	const nodeOf = (step: string) => hostOf(context).workflow?.nodes?.[step];
	const inputOf = (step: string): INodeExecutionData[] =>
		(runOf(step)?.source ?? []).flatMap((source) => {
			const { previousNode, previousNodeRun = 0, previousNodeOutput = 0 } = source ?? {};
			return previousNode === undefined ? [] : (runsOf(previousNode)[previousNodeRun]?.data?.main?.[previousNodeOutput] ?? []);
		});
	/** On Error is Continue, with an output for what went wrong or without. */
	const goesOn = (step: string): boolean => {
		const { onError, continueOnFail } = nodeOf(step) ?? {};
		return onError === undefined ? continueOnFail === true : onError !== 'stopWorkflow';
	};
	/** What went wrong is on the last output. */
	const errorOutputOf = (step: string): readonly INodeExecutionData[] =>
		nodeOf(step)?.onError === 'continueErrorOutput' ? (runOf(step)?.data?.main?.slice(1).at(-1) ?? []) : [];
	/** Whether an item of a step is the very one that it was given, or like one: then it may have read a row that was entered before. */
	const givenTo = (step: string): { isGiven: (item: INodeExecutionData) => boolean; isLike: (item: INodeExecutionData) => boolean } => {
		const isTable = goesOn(step) && typeOfStep(hostOf(context), step) === DATA_TABLE && nodeOf(step)?.parameters?.operation === 'get';
		const input = isTable ? inputOf(step).map(({ json }) => json) : [];
		const given = new Set<unknown>(input);
		let texts: Set<string> | undefined;
		// An empty item may be that of Always Output Data.
		const isLike = (item: INodeExecutionData): boolean =>
			isTable && !isEmptyItem(item) && (texts ??= new Set(input.map((json) => JSON.stringify(json)))).has(JSON.stringify(item.json));
		// Stored data are other objects; each row of a table has its time.
		const isGiven = (item: INodeExecutionData): boolean => given.has(item.json) || (!Object.hasOwn(item.json, 'createdAt') && isLike(item));
		return { isGiven, isLike };
	};
	return {
		inputOf,
		asAWhole(step) {
			const run = runOf(step);
			if (run?.error !== undefined) return true;
			// The first output has nothing then, or the empty item of Always Output Data.
			if (errorOutputOf(step).length > 0 && run?.data?.main?.[0]?.every(isEmptyItem)) return true;
			const items = itemsOf(step);
			const { isGiven, isLike } = givenTo(step);
			return items.length > 0 && (items.every(saysWhyNot) || items.every((item) => isGiven(item) || isLike(item)));
		},
		inPart(step) {
			const { isGiven } = givenTo(step);
			return errorOutputOf(step).length > 0 || (goesOn(step) && itemsOf(step).some((item) => saysWhyNot(item) || isGiven(item)));
		},
		ofColumn(step, path) {
			const { isGiven } = givenTo(step);
			const couldNotBegin = runOf(step)?.error !== undefined;
			const errors = errorOutputOf(step);
			const isGone = (item: INodeExecutionData): boolean => saysWhyNot(item) || isGiven(item);
			if (!couldNotBegin && errors.length === 0 && !(goesOn(step) && itemsOf(step).some(isGone))) return undefined;
			const says = new Set(errors.map(({ json }) => json));
			return {
				step,
				isOf(given, item) {
					const told = given ?? item;
					if (isGiven(told) || saysWhyNot(item)) return true;
					if (!valuesAt(item.json, path).every(isBlank)) return false;
					if (saysWhyNot(told)) return true;
					// What the row had itself stands beside why.
					const isWhy = given ? couldNotBegin || says.has(given.json) : !isBlank(item.json.error);
					return isWhy && !Object.hasOwn(told.json, path[0] ?? '');
				},
			};
		},
	};
}

export const isEmptyItem = ({ json }: INodeExecutionData): boolean => Object.keys(json).length === 0;

/** What n8n's steps put beside the message. */
const OF_ERROR = /^(?:cause|context|description|error|errorCode|fields|httpCode|message|messages|stack|statusCode)$/;

/** Of an item that n8n gives in place of others: it has nothing but a message. */
const saysWhyNot = ({ json, error: thrown }: INodeExecutionData): boolean =>
	thrown !== undefined || (json.error !== undefined && json.error !== null && Object.keys(json).every((name) => OF_ERROR.test(name)));
