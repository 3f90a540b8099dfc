import type { ApiProblem } from '../domain/apiProblem';
import type { Checked, Result } from '../domain/problem';
import { forEachConcurrent } from '../execution/concurrency';
import type { Execution, OutputItem } from '../execution/execution';
import { groupBy, Items } from '../execution/items';
import { type ApiAccess, openApiAccess } from './apiAccess';
import type { Fields } from '../domain/untrustedValues';

/** What an item came to: any number of output rows, or why there are none. */
type ItemResult = Result<Fields[], ApiProblem>;

/**
 * Carries out each item, several at a time (or `concurrency`); items with the same key once, for
 * all of them.
 */
export async function eachItem<T>(
	execution: Execution,
	check: (itemIndex: number) => Checked<T>,
	carryOut: (run: ApiAccess, value: T) => Promise<ItemResult>,
	{ key, concurrency }: { key?: (value: T) => string; concurrency?: number } = {},
): Promise<OutputItem[]> {
	const items = await Items.read(execution, check);
	const run = await openApiAccess(execution);
	const jobs = key
		? [...groupBy(items.accepted, key).values()].map((group) => ({
				items: group.items,
				value: group.values[0]!,
			}))
		: items.accepted.map(({ itemIndex, value }) => ({ items: [itemIndex], value }));
	await forEachConcurrent(concurrency ?? run.concurrency, jobs.length, async (index) => {
		const job = jobs[index]!;
		const result = await carryOut(run, job.value);
		if (result.ok) items.add(job.items, result.value);
		else items.reject(job.items, result.error);
		return true;
	});
	return items.toOutput();
}
