import type { IExecuteFunctions } from 'n8n-workflow';
import type { Fields } from '../domain/fields';
import { hostOf } from './host';

/** The steps before the node, as far as its expressions may name them. */
export interface EarlierSteps {
	/** All items of a step; none where the host does not tell them. */
	itemsOf(step: string): readonly Fields[];
	/** Whether a step behind it has Execute Once on: then all rows come from its first item (n8n behaviour). */
	isReadOnceBehind(step: string): boolean;
}

const ANY_DEPTH = -1;

export const earlierSteps = (context: IExecuteFunctions): EarlierSteps => ({
	itemsOf(step) {
		const { $ } = context.getWorkflowDataProxy(0) as unknown as { $: (step: string, wholeItems: true) => { all(): Array<{ json: Fields }> } };
		try {
			return $(step, true)
				.all()
				.map(({ json }) => json);
		} catch {
			return [];
		}
	},
	isReadOnceBehind(step) {
		const { workflow } = hostOf(context);
		const own = context.getNode().name;
		const behind = (name: string): string[] => workflow?.getChildNodes?.(name, 'main', ANY_DEPTH) ?? [];
		return behind(step).some((name) => name !== own && workflow?.nodes?.[name]?.executeOnce === true && behind(name).includes(own));
	},
});
