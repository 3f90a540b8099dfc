import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Fields } from '../domain/fields';
import { type ReadSteps, readSteps } from './readSteps';
import { type RowOrigins, rowOrigins } from './rowOrigins';

/** The steps before the node, as far as its expressions may name them. */
export interface EarlierSteps extends ReadSteps, RowOrigins {
	/** All items of a step, or of the input; none where the host does not tell them. */
	itemsOf(step: string | undefined): readonly Fields[];
}

interface StepProxy {
	all(): INodeExecutionData[];
	itemMatching(row: number): { json: Fields } | undefined;
}

export function earlierSteps(context: IExecuteFunctions): EarlierSteps {
	/** What the host says of a step; undefined where it does not know it, or not whose items they are. */
	const ask = <T>(step: string, question: (proxy: StepProxy) => T): T | undefined => {
		const { $ } = context.getWorkflowDataProxy(0) as unknown as { $: (step: string, wholeItems: true) => StepProxy };
		try {
			return question($(step, true));
		} catch {
			return undefined;
		}
	};
	const wholeItemsOf = (step: string): readonly INodeExecutionData[] => ask(step, (proxy) => proxy.all()) ?? [];
	const itemsOf = (step: string | undefined): readonly Fields[] =>
		(step === undefined ? context.getInputData() : wholeItemsOf(step)).map(({ json }) => json);
	return {
		itemsOf,
		...readSteps(context, wholeItemsOf),
		...rowOrigins(context, itemsOf, (step, rows) => ask(step, (proxy) => rows.map((row) => proxy.itemMatching(row)!.json))),
	};
}
