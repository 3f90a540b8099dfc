import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Column } from '../domain/expression/values';
import { type Fields, isBlank } from '../domain/fields';
import { textIfAny } from '../domain/format';
import { isObject, leavesOf } from '../domain/json';
import { isEmptyItem } from './failures';
import { type HostNode, hostOf } from './host';
import { madeColumns, type MadeOf } from './madeColumns';
import { type Asked, SET, type WorkflowSteps } from './workflowSteps';

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
	cannotSay(
		column: Pick<Column, 'step' | 'path'>,
	): ((row: number) => string | undefined) | undefined;
	/**
	 * The steps between the last one that read anything and the node that let a row through or not, each with its parameters, as they are stored, and with the
	 * steps whose rows it keeps out, from which the rows do not come.
	 */
	decidingBefore(): Array<{ step: string; stored: unknown[]; without: string[] }>;
	madeOf: MadeOf;
	hasRun(step: string): boolean;
	/** Whether a Code step stands before the node: where it makes new items, n8n guesses which they come from, by their places (n8n behaviour). */
	mayBePairedByPlace(): boolean;
	/**
	 * The step that read its items, where that has stopped at its Limit, or the one that has left some out: a Limit, or one that was given the first item alone
	 * (Execute Once). Undefined where nothing says so.
	 */
	cutOffBy(step: string): Cut | undefined;
	/** Whether each item of it holds what many say. */
	bringsTogether(step: string): boolean;
	/** Whether it, or a step behind the one that cuts a list off, may make one item of many. */
	gathersBehind(cut: Cut, step: string): boolean;
}

export interface Cut {
	step: string;
	/** How many items it has given. */
	limit: number;
	/** Stopped there; was given the first of several items; looked for one. */
	how: 'limit' | 'once' | 'firstMatch';
}

/** Somebody may have meant one, such as the newest. */
export const isOfOne = ({ how, limit }: Cut): boolean => how === 'limit' && limit === 1;

export const LIMIT = 'n8n-nodes-base.limit';

const AGGREGATE = /^n8n-nodes-base\.(?:aggregate|summarize)$/;
/** The older one of Aggregate, Limit, Split Out and others. */
const ITEM_LISTS = 'n8n-nodes-base.itemLists';
const SPLIT_OUT = 'n8n-nodes-base.splitOut';
const MERGE = 'n8n-nodes-base.merge';
const COMPARE = 'n8n-nodes-base.compareDatasets';
const DECIDING = /^n8n-nodes-base\.(?:compareDatasets|filter|if|merge|switch)$/;
const CODE = /^n8n-nodes-base\.(?:code|function|functionItem)$/;
/** Steps that make items of their own of what they are given. */
const MAKING = /^n8n-nodes-base\.(?:code|function|functionItem|set)$/;

export function readSteps(
	context: IExecuteFunctions,
	steps: WorkflowSteps,
	asked: Asked,
): ReadSteps {
	const {
		nodeOf,
		typeOf,
		parametersOf,
		isDisabled,
		parentsOf,
		itemsOf,
		isDryRun,
		passesOn,
		upTo,
		failures,
	} = steps;
	const before = (): string | undefined => asked.source()?.previousNode;
	/** Also the older one. */
	const isLimit = (step: string): boolean =>
		typeOf(step) === LIMIT ||
		(typeOf(step) === ITEM_LISTS && parametersOf(step).operation === 'limit');
	/** By its name, or as its input. */
	const takesAll = (step: string): boolean =>
		leavesOf(parametersOf(step)).some(
			(leaf) => typeof leaf === 'string' && /\.\s*all\(|\$items\b/.test(leaf),
		);
	/** Of what it is given, unless it takes all of it by its name. */
	const takesFirst = (step: string): boolean =>
		nodeOf(step)?.executeOnce === true &&
		failures.inputOf(step).length > 1 &&
		!leavesOf(parametersOf(step)).some(
			(leaf) => typeof leaf === 'string' && /\$\([^)]*\)\s*\.all\(|\$items\b/.test(leaf),
		);
	/** Not a Summarize that makes a row of each group. */
	const bringsTogether = (step: string): boolean =>
		AGGREGATE.test(typeOf(step)) && isBlank(parametersOf(step).fieldsToSplitBy);
	const asAWhole = (step: string, isSure = false): boolean =>
		failures.asAWhole(
			step,
			upTo(step).some((each) => failures.goesOn(each)),
			isSure,
		);
	const couldNotWork = (step: string, isSure?: boolean): boolean =>
		isDisabled(step) || asAWhole(step, isSure);
	const mergesBy = (step: string): string =>
		typeOf(step) === MERGE ? (textIfAny(parametersOf(step).mode) ?? 'append') : '';
	/** Puts lists one behind the other. */
	const appends = (step: string): boolean => mergesBy(step) === 'append';
	/** Joins what several steps say of a row. */
	const joins = (step: string): boolean => !/^(?:append|chooseBranch|)$/.test(mergesBy(step));
	return {
		before,
		couldNotWork,
		couldNotBeRead(step, isSure) {
			const sources = upTo(step);
			// What they say is one item, or a row of ours, whatever they were given.
			const isOfOwn = (each: string): boolean =>
				bringsTogether(each) ||
				typeOf(each) === MERGE ||
				isDryRun(each) ||
				MAKING.test(typeOf(each));
			const hides =
				sources.some((each) => passesOn(each) && isOfOwn(each)) || itemsOf(step).every(isEmptyItem);
			// A dry run that cleans the numbers of a list has found none in it.
			const findsNone = (each: string): boolean =>
				isDryRun(each) &&
				itemsOf(each).every(({ json }) => json.status === 'invalid') &&
				!failures.inputOf(each).every(isEmptyItem);
			return sources.some(
				(each) =>
					findsNone(each) ||
					asAWhole(each, isSure) ||
					failures.inPart(each) ||
					(hides && !passesOn(each) && isDisabled(each)),
			);
		},
		cannotSay({ step, path }) {
			const input = context.getInputData();
			const from = step ?? before();
			const sources = from === undefined ? [] : upTo(from);
			const failing = sources.flatMap((name) => failures.ofColumn(name, path) ?? []);
			if (failing.length === 0) return undefined;
			const isJoined = sources.some(joins);
			return (row) => {
				const itemOf = (name: string): INodeExecutionData | undefined =>
					asked.matching(name, [row])?.[0];
				const item = step === undefined ? input[row] : itemOf(step);
				if (!item) return undefined;
				const found = failing
					.filter((failure) => failure.isOf(() => itemOf(failure.step), item, isJoined))
					.map((failure) => failure.step);
				// Of several, the one that the row comes from.
				return found.length < 2 ? found[0] : (found.find(itemOf) ?? found[0]);
			};
		},
		decidingBefore() {
			const from = before();
			const deciding =
				from === undefined ? [] : upTo(from).filter((step) => DECIDING.test(typeOf(step)));
			const isOther = (parent: string): boolean => asked.matching(parent, [0]) === undefined;
			const keepsOut = (step: string): boolean =>
				typeOf(step) === COMPARE || parametersOf(step).joinMode === 'keepNonMatches';
			return deciding.map((step) => ({
				step,
				stored: leavesOf(parametersOf(step)),
				without: keepsOut(step) ? parentsOf(step).filter(isOther) : [],
			}));
		},
		madeOf: madeColumns(steps, asked),
		mayBePairedByPlace: () => upTo(before() ?? '').some((step) => CODE.test(typeOf(step))),
		hasRun: (step) =>
			hostOf(context).runExecutionData?.resultData?.runData[step] !== undefined ||
			asked.all(step) !== undefined,
		cutOffBy(step) {
			for (const name of upTo(step)) {
				const items = itemsOf(name).length;
				if (isLimit(name) && items > 0 && failures.inputOf(name).length > items)
					return { step: name, limit: items, how: 'limit' };
				if (passesOn(name) && takesFirst(name)) return { step: name, limit: 1, how: 'once' };
				if (passesOn(name)) continue;
				const limit = limitsOf(parametersOf(name)).find(
					(most) => most > 0 && items > 0 && items % most === 0,
				);
				if (limit !== undefined) return { step: name, limit, how: 'limit' };
				if (items === 1 && givesFirstMatch(nodeOf(name)))
					return { step: name, limit: 1, how: 'firstMatch' };
			}
			return undefined;
		},
		bringsTogether,
		gathersBehind(cut, step) {
			const beyond = new Set(upTo(cut.step));
			const behind = upTo(step).filter((each) => each === cut.step || !beyond.has(each));
			// What one item holds was taken apart, and is gathered again.
			if (isOfOne(cut) && behind.some((each) => typeOf(each) === SPLIT_OUT)) return false;
			// Code makes of one item what it likes.
			return behind.some(
				(each) =>
					bringsTogether(each) ||
					appends(each) ||
					typeOf(each) === ITEM_LISTS ||
					(typeOf(each) === SET && takesAll(each)) ||
					(CODE.test(typeOf(each)) && !isOfOne(cut)),
			);
		},
	};
}

/** Whether it is a Google Sheets that looks for one row: before its version 4.5, that is so unless somebody changes it (n8n behaviour). */
function givesFirstMatch(
	{ type, typeVersion = 1, parameters = {} }: HostNode = { type: '' },
): boolean {
	const options = isObject(parameters.options) ? parameters.options : {};
	if (type !== 'n8n-nodes-base.googleSheets' || typeVersion >= 4.5)
		return options.returnFirstMatch === true;
	return (
		isObject(parameters.filtersUI) &&
		Array.isArray(parameters.filtersUI.values) &&
		options.returnAllMatches !== 'returnAllMatches'
	);
}

/** How many items it reads at most. The host has filled in what nobody has touched, such as Limit = 50. Some steps have it among their options. */
function limitsOf({ returnAll, limit, options }: Fields): number[] {
	const { limit: most, maxRowCount } = isObject(options) ? options : {};
	return [typedIn(returnAll) === false ? limit : undefined, most, maxRowCount]
		.map(typedIn)
		.filter((each) => typeof each === 'number');
}

/** A number or a yes or no, also where it stands in an expression by itself. */
function typedIn(stored: unknown): unknown {
	const [, typed] =
		(typeof stored === 'string' &&
			/^=\s*(?:\{\{)?\s*(\d+|true|false)\s*(?:\}\})?\s*$/.exec(stored)) ||
		[];
	return typed === undefined ? stored : (JSON.parse(typed) as unknown);
}
