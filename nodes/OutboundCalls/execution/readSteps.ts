import type { IExecuteFunctions, INodeExecutionData, ISourceData } from 'n8n-workflow';
import type { Column } from '../domain/expression/values';
import type { Fields } from '../domain/fields';
import { textIfAny } from '../domain/format';
import { leavesOf } from '../domain/json';
import { keepsNothing, type Made, madeByAggregate, madeByEditFields } from './editFields';
import { failuresOf, isEmptyItem } from './failures';
import { hostOf, typeOfStep } from './host';

/** What became of the steps that lists are taken from. */
export interface ReadSteps {
	/** The one whose items are the input. */
	before(): string | undefined;
	/**
	 * Whether it is deactivated, or went on after it could not do its work: then it has passed on what it was given, or one item
	 * that says why (n8n behaviour).
	 */
	couldNotWork(step: string, isSure?: boolean): boolean;
	/** Whether it brings no list, or a part of one, because it or a step before it, which reads the list, could not work. `isSure`: nothing else is likely. */
	couldNotBeRead(step: string, isSure?: boolean): boolean;
	/**
	 * The step that could not work for a row, so that a column of the row's item says nothing. Undefined where all of them could.
	 */
	cannotSay(column: Pick<Column, 'step' | 'path'>): ((row: number) => string | undefined) | undefined;
	/**
	 * The steps between the last one that read anything and the node that let a row through or not, each with its parameters, as they are stored, and with the
	 * steps whose rows it keeps out, from which the rows do not come.
	 */
	decidingBefore(): Array<{ step: string; stored: unknown[]; without: string[] }>;
	/** What an Edit Fields makes a column of, with the items that it is given, and the step that gives them; undefined where no such step has made it. */
	madeOf(column: Pick<Column, 'step' | 'path'>): MadeColumn | undefined;
	hasRun(step: string): boolean;
	/** Whether a Code step stands before the node: where it makes new items, n8n guesses which they come from, by their places (n8n behaviour). */
	mayBePairedByPlace(): boolean;
	/**
	 * The step that read its items, where that has stopped at its Limit, or the Limit that has left some out; undefined where nothing says so. A reader's limit
	 * of one is chosen, not forgotten.
	 */
	cutOffBy(step: string): { step: string; limit: number } | undefined;
	/** Whether each item of it holds what many say. */
	bringsTogether(step: string): boolean;
}

export interface MadeColumn extends Made {
	by: string;
	/** It is deactivated, and has made nothing. */
	isOff: boolean;
	/** Of all of its items one. */
	isList: boolean;
	/** Which gives it its items. */
	step: string;
	input(): Fields[];
	/** How many of them its last run was given. */
	inLastRun(): number;
}

export const LIMIT = 'n8n-nodes-base.limit';

const LOOP = 'n8n-nodes-base.splitInBatches';
const BRINGING = 'n8n-nodes-base.aggregate';
const AGGREGATE = /^n8n-nodes-base\.(?:aggregate|summarize)$/;
const MERGE = 'n8n-nodes-base.merge';
const COMPARE = 'n8n-nodes-base.compareDatasets';
const DECIDING = /^n8n-nodes-base\.(?:compareDatasets|filter|if|merge|switch)$/;
const SET = 'n8n-nodes-base.set';
/** Steps that keep the columns of the items that they are given. */
const KEEPING =
	/^n8n-nodes-base\.(?:crypto|dateTime|executionData|filter|if|limit|noOp|removeDuplicates|respondToWebhook|sort|splitInBatches|switch|wait)$/;
const CODE = /^n8n-nodes-base\.(?:code|function|functionItem)$/;
/** Steps that make items of their own of what they are given. */
const MAKING = /^n8n-nodes-base\.(?:code|function|functionItem|set)$/;

/** Steps that read nothing: what they give is of the steps before them. */
const PASSING_ON =
	/^n8n-nodes-base\.(?:aggregate|code|compareDatasets|crypto|dateTime|executionData|filter|function|functionItem|html|if|itemLists|limit|markdown|merge|noOp|removeDuplicates|renameKeys|respondToWebhook|set|sort|splitInBatches|splitOut|summarize|switch|wait|xml)$/;

/** What the host says of steps; undefined where it does not know. */
export interface Asked {
	/** The step whose items are the input. */
	before(): string | undefined;
	/** Its output from which they come. */
	output(): number;
	all(step: string): readonly INodeExecutionData[] | undefined;
	/** Of which rows come. */
	matching(step: string, rows: readonly number[]): readonly INodeExecutionData[] | undefined;
}

export function readSteps(context: IExecuteFunctions, asked: Asked): ReadSteps {
	const itemsOf = (step: string): readonly INodeExecutionData[] => asked.all(step) ?? [];
	const nodeOf = (step: string) => hostOf(context).workflow?.nodes?.[step];
	const typeOf = (step: string): string => typeOfStep(hostOf(context), step) ?? '';
	/** Also the older one. */
	const isLimit = (step: string): boolean =>
		typeOf(step) === LIMIT || (typeOf(step) === 'n8n-nodes-base.itemLists' && nodeOf(step)?.parameters?.operation === 'limit');
	const failures = failuresOf(context, itemsOf);
	const bringsTogether = (step: string): boolean => AGGREGATE.test(typeOf(step));
	/** A dry run, as one that cleans the numbers of a list, has a row for the empty item, too. Whom a node has called, it knows itself. */
	const isDryRun = (step: string): boolean => typeOf(step) === context.getNode().type && (nodeOf(step)?.parameters?.mode ?? 'dryRun') === 'dryRun';
	const parametersOf = (step: string) => nodeOf(step)?.parameters ?? {};
	/** An Edit Fields that takes nothing of what it is given. */
	const isTyped = (step: string): boolean =>
		typeOf(step) === SET &&
		keepsNothing(parametersOf(step)) &&
		!leavesOf(parametersOf(step)).some((text) => typeof text === 'string' && text.startsWith('='));
	const passesOn = (step: string): boolean => (PASSING_ON.test(typeOf(step)) && !isTyped(step)) || isDryRun(step);
	/** The step whose items it was given. What a loop hands out in its rounds, it was given in its first run, and what it hands on when it is done, by its own end. */
	const sourceOf = (step: string, output = 0): ISourceData | undefined =>
		failures.sourceOf(step, typeOf(step) === LOOP && output !== ((nodeOf(step)?.typeVersion ?? 3) < 3 ? 1 : 0));
	const givenBy = (step: string): string | undefined => sourceOf(step)?.previousNode;
	const parentsOf = (step: string): string[] => hostOf(context).workflow?.getParentNodes?.(step, 'main', 1) ?? [];
	/** The step itself, and all that pass on to it what others read. */
	const upTo = (step: string): string[] => {
		const found = new Set([step]);
		for (const name of found) if (passesOn(name)) for (const parent of parentsOf(name)) found.add(parent);
		return [...found];
	};
	const isDisabled = (step: string): boolean => nodeOf(step)?.disabled === true;
	const asAWhole = (step: string, isSure = false): boolean =>
		failures.asAWhole(
			step,
			upTo(step).some((each) => failures.goesOn(each)),
			isSure,
		);
	const couldNotWork = (step: string, isSure?: boolean): boolean => isDisabled(step) || asAWhole(step, isSure);
	/** Joins what several steps say of a row. */
	const joins = (step: string): boolean =>
		typeOf(step) === MERGE && !/^(?:append|chooseBranch)$/.test(textIfAny(nodeOf(step)?.parameters?.mode) ?? '');
	return {
		before: () => asked.before(),
		couldNotWork,
		couldNotBeRead(step, isSure) {
			const steps = upTo(step);
			// What they say is one item, or a row of ours, whatever they were given.
			const isOfOwn = (each: string): boolean => bringsTogether(each) || typeOf(each) === MERGE || isDryRun(each) || MAKING.test(typeOf(each));
			const hides = steps.some((each) => passesOn(each) && isOfOwn(each)) || itemsOf(step).every(isEmptyItem);
			// A dry run that cleans the numbers of a list has found none in it.
			const findsNone = (each: string): boolean =>
				isDryRun(each) && itemsOf(each).every(({ json }) => json.status === 'invalid') && !failures.inputOf(each).every(isEmptyItem);
			return steps.some(
				(each) => findsNone(each) || asAWhole(each, isSure) || failures.inPart(each) || (hides && !passesOn(each) && isDisabled(each)),
			);
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
			const isOther = (parent: string): boolean => asked.matching(parent, [0]) === undefined;
			const keepsOut = (step: string): boolean => typeOf(step) === COMPARE || parametersOf(step).joinMode === 'keepNonMatches';
			return deciding.map((step) => ({ step, stored: leavesOf(parametersOf(step)), without: keepsOut(step) ? parentsOf(step).filter(isOther) : [] }));
		},
		madeOf({ step, path }) {
			const madeBy = (name: string): Made | undefined => {
				if (typeOf(name) === SET) return madeByEditFields(parametersOf(name), path);
				return typeOf(name) === BRINGING ? madeByAggregate(parametersOf(name), path) : undefined;
			};
			// What is deactivated hands on what it is given, but for one that would make this column.
			const keeps = (name: string): boolean => KEEPING.test(typeOf(name)) || isDryRun(name) || (isDisabled(name) && !madeBy(name));
			const before = (name: string | undefined, output: number): string | undefined => {
				// A loop leads back to itself.
				const seen = new Set<string>();
				for (let source: ISourceData | undefined; name !== undefined && keeps(name) && !seen.has(`${output} ${name}`); name = source?.previousNode) {
					seen.add(`${output} ${name}`);
					source = sourceOf(name, output);
					output = source?.previousNodeOutput ?? 0;
				}
				return name !== undefined && madeBy(name) ? name : undefined;
			};
			const by = step === undefined ? before(asked.before(), asked.output()) : (before(step, 0) ?? before(step, 1));
			const given = by === undefined ? undefined : givenBy(by);
			if (by === undefined || given === undefined) return undefined;
			const made = madeBy(by);
			return (
				made && {
					...made,
					by,
					isOff: isDisabled(by),
					isList: typeOf(by) === BRINGING,
					step: given,
					input: () => failures.inputsOf(by).map(({ json }) => json),
					inLastRun: () => failures.inputOf(by).length,
				}
			);
		},
		mayBePairedByPlace: () => upTo(asked.before() ?? '').some((step) => CODE.test(typeOf(step))),
		hasRun: (step) => hostOf(context).runExecutionData?.resultData?.runData[step] !== undefined || asked.all(step) !== undefined,
		cutOffBy(step) {
			for (const name of upTo(step)) {
				const items = itemsOf(name).length;
				if (isLimit(name) && items > 0 && failures.inputOf(name).length > items) return { step: name, limit: items };
				if (passesOn(name)) continue;
				// The host has filled in what nobody has touched, such as Limit = 50.
				const returnAll = typedIn(nodeOf(name)?.parameters?.returnAll);
				const limit = typedIn(nodeOf(name)?.parameters?.limit);
				if (returnAll === false && typeof limit === 'number' && limit > 1 && items > 0 && items % limit === 0) return { step: name, limit };
			}
			return undefined;
		},
		bringsTogether,
	};
}

/** A number or a yes or no, also where it stands in an expression by itself. */
function typedIn(stored: unknown): unknown {
	const [, typed] = (typeof stored === 'string' && /^=\s*(?:\{\{)?\s*(\d+|true|false)\s*(?:\}\})?\s*$/.exec(stored)) || [];
	return typed === undefined ? stored : (JSON.parse(typed) as unknown);
}
