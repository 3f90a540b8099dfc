import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Fields } from '../domain/fields';
import { type Asked, type ReadSteps, readSteps } from './readSteps';
import { type RowOrigins, rowOrigins } from './rowOrigins';

/** The steps before the node, as far as its expressions may name them. */
export interface EarlierSteps extends ReadSteps, RowOrigins {
	/** All items of a step, or of the input; none where the host does not tell them. */
	itemsOf(step: string | undefined): readonly Fields[];
}

interface StepProxy {
	all(): INodeExecutionData[];
	itemMatching(row: number): INodeExecutionData | undefined;
}

export function earlierSteps(context: IExecuteFunctions): EarlierSteps {
	// The host makes a new one each time, which takes longer than most questions.
	let proxy: { $: (step: string, wholeItems: true) => StepProxy } | undefined;
	const ask = <T>(step: string, question: (proxy: StepProxy) => T): T | undefined =>
		ifTold(() => {
			proxy ??= context.getWorkflowDataProxy(0) as unknown as NonNullable<typeof proxy>;
			return question(proxy.$(step, true));
		});
	const asked: Asked = {
		before: () => ifTold(() => context.getInputSourceData().previousNode),
		all: (step) => ask(step, (proxy) => proxy.all()),
		matching(step, rows) {
			const items = ask(step, (proxy) => rows.map((row) => proxy.itemMatching(row)));
			return items?.every((item) => item !== undefined) ? items : undefined;
		},
	};
	const itemsOf = (step: string | undefined): readonly Fields[] =>
		(step === undefined ? context.getInputData() : (asked.all(step) ?? [])).map(({ json }) => json);
	return { itemsOf, ...readSteps(context, asked), ...rowOrigins(context, itemsOf, asked) };
}

/** The host throws where it does not know a step, or not whose items they are. */
function ifTold<T>(asked: () => T): T | undefined {
	try {
		return asked();
	} catch {
		return undefined;
	}
}
