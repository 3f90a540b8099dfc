import { type CallOutcome, heldBackOutcome } from '../domain/outcome';
import { formatCount } from '../domain/values';
import type { Row } from '../domain/row';

/**
 * Calls as many rows as Max Calls leaves, and the next ones in place of those that turn out not to
 * be called.
 */
export async function withinMaxCalls({
	rows,
	maxCalls = Infinity,
	called,
	call,
	outcomes,
}: {
	rows: readonly Row[];
	/** Undefined without the rule. */
	maxCalls: number | undefined;
	/** Calls that count by now. */
	called: () => number;
	/** Resolves with false if the run has ended. */
	call: (some: readonly Row[]) => Promise<boolean>;
	/** Gets the outcomes of rows beyond Max Calls, by position. */
	outcomes: Map<number, CallOutcome>;
}) {
	let next = 0;
	while (next < rows.length && called() < maxCalls) {
		const some = rows.slice(next, next + maxCalls - called());
		next += some.length;
		if (!(await call(some))) return;
	}
	const reason = `Max Calls (${formatCount(maxCalls)}) reached`;
	for (const { position } of rows.slice(next))
		outcomes.set(position, heldBackOutcome({ by: 'max_calls', reason }));
}
