import type { ApiProblem } from '../domain/api/exchange';
import type { Checked, Fields, Result } from '../domain/values';
import { forEachConcurrent } from '../execution/concurrency';
import type { Execution, OutputItem } from '../execution/execution';
import { groupBy, Items } from '../execution/items';
import type { RunParameters } from '../execution/runParameters';
import { type ApiAccess, openApiAccess } from '../http/apiAccess';

/**
 * Carries out each item, several at a time (or `concurrency`); items with the same key once, for
 * all of them. `parameters` has read the operation's own settings.
 */
export async function eachItem<T>(
	execution: Execution,
	parameters: RunParameters,
	check: (itemIndex: number) => Checked<T>,
	key: (value: T, itemIndex: number) => string,
	carryOut: (api: ApiAccess, value: T, itemIndex: number) => Promise<Result<Fields[], ApiProblem>>,
	concurrency?: number,
): Promise<OutputItem[]> {
	const api = await openApiAccess(execution, parameters);
	const items = await Items.read(execution, check);
	const jobs = [...groupBy(items.accepted, key).values()];
	await forEachConcurrent(
		concurrency ?? api.concurrency,
		jobs,
		async ({ items: together, values }) => {
			const result = await carryOut(api, values[0]!, together[0]!);
			if (result.ok) items.add(together, result.value);
			else items.reject(together, result.error);
		},
	);
	return items.toOutput();
}
