import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Fields } from '../domain/fields';
import { hostOf, typeOfStep } from './host';

/** The steps before the node, as far as its expressions may name them. */
export interface EarlierSteps {
	/** All items of a step, or of the input; none where the host does not tell them. */
	itemsOf(step: string | undefined): readonly Fields[];
	/**
	 * Whether it is deactivated, or went on after it could not do its work: then it has passed on what it was given, or one item
	 * that says why (n8n behaviour).
	 */
	couldNotWork(step: string): boolean;
	/** Whether it brings no list because a step before it, which reads the list, could not work. */
	couldNotBeRead(step: string): boolean;
	/** The step that read its items, where that has stopped at its Limit; undefined where nothing says so. A limit of one is chosen, not forgotten. */
	cutOffBy(step: string): { step: string; limit: number } | undefined;
	/** Whether each item of it holds what many say. */
	bringsTogether(step: string): boolean;
	/** Whether each row comes from the item at its own place, or from the first or the last one. Where the host does not tell: from that at its place, if there are as many as rows. */
	isOwn(step: string | undefined, at: 'place' | 0 | -1): boolean;
	/** Whether rows come from several of its items. */
	comeFromSeveral(step: string | undefined): boolean;
	/**
	 * Whether all rows come from one item of it because a step between them took no other: one with Execute Once on (n8n behaviour), a Limit.
	 * Of a list whose items have their turns, such as offices, all rows of a day or a round may come from one item, which is theirs.
	 */
	isTakenOnce(step: string): boolean;
}

interface StepProxy {
	all(): INodeExecutionData[];
	itemMatching(row: number): { json: Fields } | undefined;
}

const ANY_DEPTH = -1;

const LIMIT = 'n8n-nodes-base.limit';

const AGGREGATE = /^n8n-nodes-base\.(?:aggregate|summarize)$/;

/** Steps that read nothing: what they give is of the steps before them. */
const PASSING_ON =
	/^n8n-nodes-base\.(?:aggregate|code|crypto|dateTime|filter|function|functionItem|if|itemLists|limit|merge|noOp|removeDuplicates|renameKeys|set|sort|splitInBatches|splitOut|summarize|switch|wait)$/;

/** At the beginning and at the end: each takes the host some microseconds, and one that is missing moves all behind it. */
const MOST_LOOKED_AT = 500;

export function earlierSteps(context: IExecuteFunctions): EarlierSteps {
	const rows = context.getInputData();
	/** What the host says of a step; `otherwise` where it does not know it, or not whose items they are. */
	const ask = <T>(step: string, question: (proxy: StepProxy) => T, otherwise: T): T => {
		const { $ } = context.getWorkflowDataProxy(0) as unknown as { $: (step: string, wholeItems: true) => StepProxy };
		try {
			return question($(step, true));
		} catch {
			return otherwise;
		}
	};
	const itemsOf = (step: string): readonly Fields[] => ask(step, (proxy) => proxy.all().map(({ json }) => json), []);
	const bringsTogether = (step: string): boolean => AGGREGATE.test(typeOfStep(hostOf(context), step) ?? '');
	/** A dry run that cleans the numbers of a list has a row for the empty item, too. */
	const isOurs = (step: string): boolean => typeOfStep(hostOf(context), step) === context.getNode().type;
	/** The steps that read what it passes on. */
	const readersOf = (step: string, seen = new Set<string>()): string[] => {
		const host = hostOf(context);
		if (seen.has(step)) return [];
		seen.add(step);
		const parents = PASSING_ON.test(typeOfStep(host, step) ?? '') || isOurs(step) ? host.workflow?.getParentNodes?.(step, 'main', 1) : undefined;
		return parents ? parents.flatMap((each) => readersOf(each, seen)) : [step];
	};
	const couldNotWork = (step: string): boolean => {
		const { workflow, runExecutionData } = hostOf(context);
		const run = runExecutionData?.resultData?.runData[step]?.at(-1);
		const { disabled, onError } = workflow?.nodes?.[step] ?? {};
		if (disabled === true || run?.error !== undefined) return true;
		const outputs = run?.data?.main ?? [];
		// What went wrong is on the last one, and the first one has nothing, or the empty item of Always Output Data.
		if (onError === 'continueErrorOutput' && outputs.slice(1).at(-1)?.length && outputs[0]?.every(({ json }) => isEmptyItem(json))) return true;
		return ask(
			step,
			(proxy) => {
				const items = proxy.all();
				return items.length > 0 && items.every(saysWhyNot);
			},
			false,
		);
	};
	/** What rows come from, by their places; undefined where the host does not tell. */
	const ownOf = (step: string | undefined): Map<number, Fields> | undefined => {
		const places = [...rows.keys()].filter((row) => row < MOST_LOOKED_AT || row >= rows.length - MOST_LOOKED_AT);
		if (step === undefined) return new Map(places.map((row) => [row, rows[row]!.json]));
		const find = (proxy: StepProxy): Map<number, Fields> => {
			const own = new Map<number, Fields>();
			for (const row of places) own.set(row, proxy.itemMatching(row)!.json);
			return own;
		};
		return ask(step, find, undefined);
	};
	const comeFromSeveral = (step: string | undefined): boolean => new Set(ownOf(step)?.values()).size > 1;
	return {
		itemsOf: (step) => (step === undefined ? rows.map(({ json }) => json) : itemsOf(step)),
		couldNotWork,
		couldNotBeRead: (step) => (bringsTogether(step) || isOurs(step) || itemsOf(step).every(isEmptyItem)) && readersOf(step).some(couldNotWork),
		cutOffBy(step) {
			const host = hostOf(context);
			for (const name of readersOf(step)) {
				// The host has filled in what nobody has touched, such as Limit = 50.
				const { returnAll, limit } = host.workflow?.nodes?.[name]?.parameters ?? {};
				const items = itemsOf(name).length;
				if (returnAll === false && typeof limit === 'number' && limit > 1 && items > 0 && items % limit === 0) return { step: name, limit };
			}
			return undefined;
		},
		bringsTogether,
		isOwn(step, at) {
			const items = step === undefined ? rows.map(({ json }) => json) : itemsOf(step);
			const own = ownOf(step);
			if (!own) return at !== 'place' || items.length === rows.length;
			return [...own].every(([row, json]) => json === items.at(at === 'place' ? row : at));
		},
		comeFromSeveral,
		isTakenOnce(step) {
			if (comeFromSeveral(step)) return false;
			const host = hostOf(context);
			const { workflow } = host;
			const own = context.getNode().name;
			const behind = (name: string, depth = ANY_DEPTH): string[] => workflow?.getChildNodes?.(name, 'main', depth) ?? [];
			const inLoop = behind(own);
			const between = new Set([step]);
			for (const name of between) for (const next of behind(name, 1)) if (next !== own) between.add(next);
			// A step that is in a loop with the node has each item in turn, unless the loop reads them anew.
			const seesAll = (name: string): boolean => name !== step && behind(name).includes(own) && (!inLoop.includes(name) || inLoop.includes(step));
			// A single row behind a Limit is likely the one that it let through.
			const takesOne = (name: string): boolean =>
				workflow?.nodes?.[name]?.executeOnce === true || (rows.length > 1 && typeOfStep(host, name) === LIMIT);
			return [...between].some((name) => takesOne(name) && seesAll(name));
		},
	};
}

const isEmptyItem = (fields: Fields): boolean => Object.keys(fields).length === 0;

/** Of an item that n8n gives in place of others: it has nothing but a message. */
const saysWhyNot = ({ json, error: thrown }: INodeExecutionData): boolean =>
	thrown !== undefined ||
	(json.error !== undefined && json.error !== null && Object.keys(json).every((name) => name === 'error' || name === 'message'));
