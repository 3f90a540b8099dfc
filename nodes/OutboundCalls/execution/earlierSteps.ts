import type { IExecuteFunctions } from 'n8n-workflow';
import type { Fields } from '../domain/fields';
import { hostOf } from './host';

/** The steps before the node, as far as its expressions may name them. */
export interface EarlierSteps {
	/** All items of a step, or of the input; none where the host does not tell them. */
	itemsOf(step: string | undefined): readonly Fields[];
	/** Whether it is deactivated, or went on after it could not do its work: then it has passed on what it was given (n8n behaviour). */
	passesOnItsInput(step: string): boolean;
	/** Whether it has as many items as there are rows, so that the one at a row's place is likely the row's. */
	hasItemForEachRow(step: string): boolean;
	/** Whether several rows all come from one item of it, as behind a Limit. */
	isOneItemForAllRows(step: string): boolean;
	/** Whether a step between it and the node has Execute Once on: then all rows come from its first item (n8n behaviour). */
	isReadOnceBehind(step: string): boolean;
}

interface StepProxy {
	all(): Array<{ json: Fields }>;
	itemMatching(row: number): { json: Fields } | undefined;
}

const ANY_DEPTH = -1;

/** Each takes the host some microseconds. So many rows of one item are no lines of one order. */
const MOST_LOOKED_AT = 1_000;

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
	return {
		itemsOf: (step) => (step === undefined ? rows.map(({ json }) => json) : itemsOf(step)),
		passesOnItsInput(step) {
			const { workflow, runExecutionData } = hostOf(context);
			return workflow?.nodes?.[step]?.disabled === true || runExecutionData?.resultData?.runData[step]?.at(-1)?.error !== undefined;
		},
		hasItemForEachRow: (step) => itemsOf(step).length === rows.length,
		isOneItemForAllRows: (step) =>
			rows.length > 1 &&
			ask(
				step,
				(proxy) => {
					const first = proxy.itemMatching(0);
					return first !== undefined && rows.slice(0, MOST_LOOKED_AT).every((_, row) => proxy.itemMatching(row) === first);
				},
				false,
			),
		isReadOnceBehind(step) {
			const { workflow } = hostOf(context);
			const own = context.getNode().name;
			const behind = (name: string): string[] => workflow?.getChildNodes?.(name, 'main', ANY_DEPTH) ?? [];
			const between = (name: string): boolean => name !== own && behind(name).includes(own) && !behind(own).includes(name);
			return behind(step).some((name) => between(name) && workflow?.nodes?.[name]?.executeOnce === true);
		},
	};
}
