import type { IExecuteFunctions } from 'n8n-workflow';
import type { Fields } from '../domain/fields';
import { hostOf, typeOfStep } from './host';
import { LIMIT } from './readSteps';
import type { Asked } from './workflowSteps';

/** Which items of earlier steps the rows come from. */
export interface RowOrigins {
	/** Whether each row comes from the item at its own place, from the first or the last one, or from that at the number of the round. Where the host does not tell: from that at its place, if there are as many as rows. */
	isOwn(step: string | undefined, at: 'place' | 'round' | 0 | -1): boolean;
	/** Whether rows come from several of its items. */
	comeFromSeveral(step: string | undefined): boolean;
	/** Its items that rows come from, each with the places of its rows: all of one item, even if the host does not tell. Of long lists, of those at both ends. */
	rowsOfItems(step: string | undefined): ReadonlyMap<Fields, readonly number[]>;
	/**
	 * Whether all rows come from one item of it because a step between them took no other: one with Execute Once on (n8n behaviour), a Limit.
	 * Of a list whose items have their turns, such as offices, all rows of a day or a round may come from one item, which is theirs.
	 */
	isTakenOnce(step: string): boolean;
}

const ANY_DEPTH = -1;

/** At the beginning and at the end: each takes the host some microseconds, and one that is missing moves all behind it. */
const MOST_LOOKED_AT = 500;

/** `itemsOf`: all items of a step, or of the input. */
export function rowOrigins(
	context: IExecuteFunctions,
	itemsOf: (step: string | undefined) => readonly Fields[],
	asked: Asked,
): RowOrigins {
	const rows = context.getInputData();
	const places = [...rows.keys()].filter(
		(row) => row < MOST_LOOKED_AT || row >= rows.length - MOST_LOOKED_AT,
	);
	const known = new Map<string | undefined, readonly Fields[] | undefined>();
	/** What rows come from, in the order of their places; undefined where the host does not tell. */
	const ownOf = (step: string | undefined): readonly Fields[] | undefined => {
		if (!known.has(step))
			known.set(
				step,
				(step === undefined ? places.map((row) => rows[row]!) : asked.matching(step, places))?.map(
					({ json }) => json,
				),
			);
		return known.get(step);
	};
	const comeFromSeveral = (step: string | undefined): boolean => new Set(ownOf(step)).size > 1;
	return {
		isOwn(step, at) {
			const items = itemsOf(step);
			const own = ownOf(step);
			if (!own) return at !== 'place' || items.length === rows.length;
			const one = at === 'round' ? (context.getWorkflowDataProxy(0).$runIndex as number) : at;
			return own.every((json, n) => json === items.at(one === 'place' ? places[n]! : one));
		},
		comeFromSeveral,
		rowsOfItems(step) {
			const items = itemsOf(step);
			const own = ownOf(step) ?? (items.length === 1 ? places.map(() => items[0]!) : []);
			const found = new Map<Fields, number[]>();
			own.forEach((json, n) => {
				const of = found.get(json);
				if (of) of.push(places[n]!);
				else found.set(json, [places[n]!]);
			});
			return found;
		},
		isTakenOnce(step) {
			if (comeFromSeveral(step)) return false;
			const host = hostOf(context);
			const { workflow } = host;
			const own = context.getNode().name;
			const behind = (name: string, depth = ANY_DEPTH): string[] =>
				workflow?.getChildNodes?.(name, 'main', depth) ?? [];
			const inLoop = behind(own);
			const between = new Set([step]);
			for (const name of between)
				for (const next of behind(name, 1)) if (next !== own) between.add(next);
			// A step that is in a loop with the node has each item in turn, unless the loop reads them anew.
			const seesAll = (name: string): boolean =>
				name !== step &&
				behind(name).includes(own) &&
				(!inLoop.includes(name) || inLoop.includes(step));
			// A single row behind a Limit is likely the one that it let through.
			const takesOne = (name: string): boolean =>
				workflow?.nodes?.[name]?.executeOnce === true ||
				(rows.length > 1 && typeOfStep(host, name) === LIMIT);
			return [...between].some((name) => takesOne(name) && seesAll(name));
		},
	};
}
