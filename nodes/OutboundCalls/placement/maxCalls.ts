import { type CallOutcome, heldBackOutcome } from '../domain/outcome';
import { formatCount } from '../domain/values/format';
import type { Row } from '../domain/row';

/**
 * Calls as many rows as Max Calls leaves, and the next ones in place of those that turn out not to
 * be called. Ends when `call` resolves with false; rows beyond Max Calls get their outcome.
 */
export async function withinMaxCalls(
	open: readonly Row[],
	most = Infinity,
	outcomes: Map<number, CallOutcome>,
	called: () => number,
	call: (some: readonly Row[]) => Promise<boolean>,
): Promise<void> {
	let next = 0;
	while (next < open.length && called() < most) {
		const some = open.slice(next, next + most - called());
		next += some.length;
		if (!(await call(some))) return;
	}
	const reason = `Max Calls (${formatCount(most)}) reached`;
	for (const { position } of open.slice(next))
		outcomes.set(position, heldBackOutcome({ by: 'max_calls', reason }));
}
