import type { ApiProblem } from '../domain/api/apiProblem';
import type { Checked, Result } from '../domain/values/problem';
import { forEachConcurrent } from '../execution/concurrency';
import type { Execution, OutputItem } from '../execution/execution';
import { groupBy, Items } from '../execution/items';
import type { RunParameters } from '../execution/runParameters';
import { type ApiAccess, openApiAccess } from '../http/apiAccess';
import type { Fields } from '../domain/values/untrustedValues';

/** What an item came to: any number of output rows, or why there are none. */
type ItemResult = Result<Fields[], ApiProblem>;

/**
 * Carries out each item, several at a time (or `concurrency`); items with the same key once, for
 * all of them. `read` has read the operation's own settings.
 */
export async function eachItem<T>(
	execution: Execution,
	read: RunParameters,
	check: (itemIndex: number) => Checked<T>,
	key: (value: T, itemIndex: number) => string,
	carryOut: (run: ApiAccess, value: T, itemIndex: number) => Promise<ItemResult>,
	concurrency?: number,
): Promise<OutputItem[]> {
	const run = await openApiAccess(execution, read);
	const items = await Items.read(execution, check);
	const jobs = [...groupBy(items.accepted, key).values()];
	await forEachConcurrent(concurrency ?? run.concurrency, jobs.length, async (index) => {
		const { items: together, values } = jobs[index]!;
		const result = await carryOut(run, values[0]!, together[0]!);
		if (result.ok) items.add(together, result.value);
		else items.reject(together, result.error);
		return true;
	});
	return items.toOutput();
}
