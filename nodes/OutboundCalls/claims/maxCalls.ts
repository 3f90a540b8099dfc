/**
 * How many calls an execution may still start (Max Calls).
 *
 * A call is
 * - counted: before its row is claimed, together with those of all rows that are left, in what the host keeps for the execution over
 *   rounds of a loop and an agent's uses of the tool. In a retry it takes a place as well (`places.ts`), by the node's name and by its
 *   ID: a retry goes on from the count of the execution that it continues, and knows nothing of other retries, but they all see the
 *   places. A first execution takes none;
 * - given back: it certainly was not started. All of these go together, when the rows they were counted with are through.
 *
 * What is traded: when the process dies, the places of all these rows stay taken, also of those whose turn had not come, so that
 * other retries may find none left. The count is then what the host has stored of the execution, which may be nothing: a retry of
 * a first execution may then start as many calls again, and whom that one called is known by the memory alone.
 */
import { formatCount } from '../domain/format';
import { limitPlace } from '../domain/memoryKeys';
import type { FlowState } from '../execution/nodeState';
import type { RetryTree } from '../execution/execution';
import { Places } from './places';
import type { RunKeys } from './runKeys';

export class MaxCalls {
	private readonly places: Places;
	private readonly first: number;
	/** Places that this retry holds: of each call, one by each ID of the tree. */
	private readonly held: string[][] = [];

	constructor(
		private readonly execution: { flow: FlowState; tree: RetryTree },
		/** Undefined: there is no limit. */
		readonly most: number | undefined,
		keys: RunKeys,
	) {
		this.places = new Places(keys);
		this.first = this.started + 1;
	}

	/** Takes as many as are left, at most `calls`. What is under way at the same time cannot take the same ones. Rejects when the database cannot be used. */
	async take(calls: number): Promise<number> {
		if (this.most === undefined) {
			this.started += calls;
			return calls;
		}
		const { most } = this;
		const left = Math.min(calls, Math.max(0, most - this.started));
		this.started += left;
		if (!this.execution.tree.isRetry) return left;
		const places: string[][] = [];
		let free = 0;
		try {
			for (const id of this.execution.tree.ids)
				places.push(await this.places.take(() => this.from(id, most), places[0]?.length ?? left));
			free = places.at(-1)!.length;
		} finally {
			this.started -= left - free;
			await this.places.giveBack(places.flatMap((some) => some.splice(free)));
		}
		for (let call = 0; call < free; call++) this.held.push(places.map((some) => some[call]!));
		return free;
	}

	/** Calls that were taken and certainly not started. */
	async giveBack(calls: number): Promise<void> {
		this.started -= calls;
		await this.places.giveBack(this.held.splice(Math.max(0, this.held.length - calls)).flat());
	}

	private get started(): number {
		const { flow, tree } = this.execution;
		return Math.max(...tree.ids.map((id) => flow.outboundCallsStarted?.[id] ?? 0));
	}

	private set started(calls: number) {
		const { flow, tree } = this.execution;
		for (const id of tree.ids) (flow.outboundCallsStarted ??= {})[id] = calls;
	}

	private *from(tree: string, last: number): Generator<string> {
		for (let place = this.first; place <= last; place++) yield limitPlace(tree, place);
	}
}

/** Why a row beyond the limit is not called. */
export const maxCallsReached = (most: number): string =>
	`Max Calls is ${formatCount(most)}, which is used up in this execution, so nobody is called for this row`;
