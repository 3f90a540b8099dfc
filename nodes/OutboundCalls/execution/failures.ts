import type { IExecuteFunctions, INodeExecutionData, ISourceData, ITaskData } from 'n8n-workflow';
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
	/** Whether nothing of what a step gives is its own. `mayGoOn`: its On Error is Continue, or that of a step whose items it passes on. `isSure`: not only that a table gave what it was given, as it may have read it. */
	asAWhole(step: string, mayGoOn: boolean, isSure: boolean): boolean;
	/** Whether some of it is not. */
	inPart(step: string): boolean;
	/** Of a step that could not work for some items: whether that is why a column says nothing. Undefined where it could for all of them. */
	ofColumn(step: string, path: Path): FailureOf | undefined;
	goesOn(step: string): boolean;
	/** Where a run was given it; -1 is the last one. */
	sourcesOf(step: string, run: number): StepSource[];
	/** How often it has run. */
	runs(step: string): number;
	/** When a run began, in epoch milliseconds. */
	ranAt(step: string, run: number): number;
	/** What its last run was given. */
	inputOf(step: string): readonly INodeExecutionData[];
	/** What all of its runs were given, as in a loop. */
	inputsOf(step: string): readonly INodeExecutionData[];
	/** What all of its runs gave. */
	outputsOf(step: string): readonly INodeExecutionData[];
}

/** What gave items to an input of a step. */
export interface StepSource extends ISourceData {
	input: number;
}

interface FailureOf {
	step: string;
	/** `given`: what that step gave for a row, if the host tells; `item`: that in which the column is; `isJoined`: a Merge joins what it gave to the rows. */
	isOf(
		given: () => INodeExecutionData | undefined,
		item: INodeExecutionData,
		isJoined: boolean,
	): boolean;
}

interface Given {
	isTable: boolean;
	isGiven: (item: INodeExecutionData) => boolean;
	isLike: (item: INodeExecutionData) => boolean;
}

const DATA_TABLE = 'n8n-nodes-base.dataTable';

/** `itemsOf`: what a step gives. */
export function failuresOf(
	context: IExecuteFunctions,
	itemsOf: (step: string) => readonly INodeExecutionData[],
): Failures {
	const runsOf = (step: string): ITaskData[] =>
		hostOf(context).runExecutionData?.resultData?.runData[step] ?? [];
	const runOf = (step: string): ITaskData | undefined => runsOf(step).at(-1);
	const nodeOf = (step: string) => hostOf(context).workflow?.nodes?.[step];
	/** Stored data may have none. */
	const sourcesOf = (run: ITaskData | undefined): StepSource[] =>
		(run?.source ?? []).flatMap((source, input) => (source === null ? [] : [{ ...source, input }]));
	const givenIn = (run: ITaskData | undefined): INodeExecutionData[] =>
		sourcesOf(run).flatMap(
			({ previousNode, previousNodeRun = 0, previousNodeOutput = 0 }) =>
				runsOf(previousNode)[previousNodeRun]?.data?.main?.[previousNodeOutput] ?? [],
		);
	const inputOf = (step: string): INodeExecutionData[] => givenIn(runOf(step));
	/** On Error is Continue, with an output for what went wrong or without. */
	const goesOn = (step: string): boolean => {
		const { onError, continueOnFail } = nodeOf(step) ?? {};
		return onError === undefined ? continueOnFail === true : onError !== 'stopWorkflow';
	};
	/** What went wrong is on the last output. */
	const errorOutputOf = (step: string, run = runOf(step)): readonly INodeExecutionData[] =>
		nodeOf(step)?.onError === 'continueErrorOutput' ? (run?.data?.main?.slice(1).at(-1) ?? []) : [];
	/** Whether an item of a step is the very one that it was given, or like one: then it may have read a row that was entered before. */
	const givenTo = (step: string): Given => {
		const isTable =
			goesOn(step) &&
			typeOfStep(hostOf(context), step) === DATA_TABLE &&
			nodeOf(step)?.parameters?.operation === 'get';
		const input = isTable ? inputOf(step).map(({ json }) => json) : [];
		const given = new Set<unknown>(input);
		let texts: Set<string> | undefined;
		// An empty item may be that of Always Output Data.
		const isLike = (item: INodeExecutionData): boolean =>
			isTable &&
			!isEmptyItem(item) &&
			(texts ??= new Set(input.map((json) => JSON.stringify(json)))).has(JSON.stringify(item.json));
		// Stored data are other objects; each row of a table has its time.
		const isGiven = (item: INodeExecutionData): boolean =>
			given.has(item.json) || (!Object.hasOwn(item.json, 'createdAt') && isLike(item));
		return { isTable, isGiven, isLike };
	};
	/** What a step gave that is not its own, in all of its runs: behind a loop, rows come from any of its rounds. Undefined where it could work for all items. */
	const findGone = (
		step: string,
	): (Pick<Given, 'isGiven' | 'isTable'> & { says: ReadonlySet<unknown> }) | undefined => {
		if (!goesOn(step) && runOf(step)?.error === undefined) return undefined;
		const { isGiven, isTable } = givenTo(step);
		const runs = runsOf(step);
		const couldNotBegin = runs.filter(({ error }) => error !== undefined);
		const says = [
			...runs.flatMap((run) => errorOutputOf(step, run)),
			...couldNotBegin.flatMap(({ data }) => data?.main?.flat() ?? []),
		];
		const isGone = (item: INodeExecutionData): boolean => saysWhyNot(item) || isGiven(item);
		const isWhole =
			couldNotBegin.length === 0 &&
			says.length === 0 &&
			!runs.some((run) => run.data?.main?.[0]?.some(isGone));
		return isWhole
			? undefined
			: { isGiven, isTable, says: new Set(says.map((item) => item?.json)) };
	};
	const found = new Map<string, ReturnType<typeof findGone>>();
	const goneOf = (step: string): ReturnType<typeof findGone> => {
		if (!found.has(step)) found.set(step, findGone(step));
		return found.get(step);
	};
	return {
		goesOn,
		sourcesOf: (step, run) => sourcesOf(runsOf(step).at(run)),
		runs: (step) => runsOf(step).length,
		ranAt: (step, run) => runsOf(step)[run]?.startTime ?? 0,
		inputOf,
		inputsOf: (step) => runsOf(step).flatMap(givenIn),
		outputsOf: (step) => runsOf(step).flatMap(({ data }) => data?.main?.[0] ?? []),
		asAWhole(step, mayGoOn, isSure) {
			const run = runOf(step);
			if (run?.error !== undefined) return true;
			// The first output has nothing then, or the empty item of Always Output Data.
			if (errorOutputOf(step).length > 0 && run?.data?.main?.[0]?.every(isEmptyItem)) return true;
			const items = itemsOf(step);
			const { isGiven, isLike } = givenTo(step);
			return (
				items.length > 0 &&
				((mayGoOn && items.every(saysWhyNot)) ||
					items.every((item) => isGiven(item) || (!isSure && isLike(item))))
			);
		},
		inPart(step) {
			const { isGiven } = givenTo(step);
			return (
				errorOutputOf(step).length > 0 ||
				(goesOn(step) && itemsOf(step).some((item) => saysWhyNot(item) || isGiven(item)))
			);
		},
		ofColumn(step, path) {
			const gone = goneOf(step);
			if (!gone) return undefined;
			const { isGiven, isTable, says } = gone;
			return {
				step,
				isOf(given, item, isJoined) {
					if (saysWhyNot(item)) return true;
					// The host takes its time to tell whose item a row is.
					const isSilent = valuesAt(item.json, path).every(isBlank);
					if (!isSilent && !isTable) return false;
					const told = given();
					if (isGiven(told ?? item)) return true;
					if (!isSilent) return false;
					// What the row had itself stands beside why.
					if (told)
						return (
							saysWhyNot(told) || (says.has(told.json) && !Object.hasOwn(told.json, path[0] ?? ''))
						);
					return (
						!isBlank(item.json.error) || (isJoined && !Object.hasOwn(item.json, path[0] ?? ''))
					);
				},
			};
		},
	};
}

export const isEmptyItem = ({ json }: INodeExecutionData): boolean =>
	Object.keys(json).length === 0;

/** What n8n's steps put beside the message. */
const OF_ERROR =
	/^(?:cause|context|description|details|error|errorCode|fields|httpCode|message|messages|stack|statusCode)$/;

/** Whether a column is one of what a step says that could not work. */
export const isOfWhy = ([name]: Path): boolean => typeof name === 'string' && OF_ERROR.test(name);

/** Of an item that n8n gives in place of others: it has nothing but a message, which some steps leave out by mistake (`undefined`). An API may say that there is none. */
const saysWhyNot = ({ json, error: thrown }: INodeExecutionData): boolean =>
	thrown !== undefined ||
	('error' in json &&
		(json.error === undefined || (json.error !== false && !isBlank(json.error))) &&
		Object.keys(json).every((name) => isOfWhy([name])));
