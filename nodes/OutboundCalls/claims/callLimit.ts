import type { IExecuteFunctions } from 'n8n-workflow';
import { formatCount } from '../domain/format';
import { retryTree } from '../execution/retryTree';
import type { ClaimStore } from './claimStore';

interface Kept {
	/** Calls that were started, or may have been, or are about to be. */
	outboundCallsStarted?: number;
}

/**
 * How many calls an execution may still start. The host keeps the count over rounds of a loop and an agent's uses of the tool. Retries
 * go on from the count of the execution that they continue, and know nothing of each other: there, each call takes a
 * numbered place that they all see.
 */
export class CallLimit {
	private readonly kept: Kept;
	private readonly tree: ReturnType<typeof retryTree>;
	/** Places that this retry holds, and those that it gave back. */
	private readonly held: number[] = [];
	private readonly free: number[] = [];
	private next: number;

	constructor(
		context: IExecuteFunctions,
		/** Undefined: there is no limit. */
		readonly most: number | undefined,
		private readonly store: ClaimStore,
	) {
		this.kept = context.getContext('node');
		this.tree = retryTree(context);
		this.next = (this.kept.outboundCallsStarted ?? 0) + 1;
	}

	/** Takes as many as are left, at most `calls`. What is under way at the same time cannot take the same ones. */
	async take(calls: number): Promise<number> {
		const started = this.kept.outboundCallsStarted ?? 0;
		const taken = this.most === undefined ? calls : Math.min(calls, Math.max(0, this.most - started));
		this.kept.outboundCallsStarted = started + taken;
		if (this.most === undefined || !this.tree.isRetry) return taken;
		const places = await this.places(taken, this.most);
		this.kept.outboundCallsStarted -= taken - places;
		return places;
	}

	/** Calls that were taken and certainly not started. */
	async giveBack(calls: number): Promise<void> {
		this.kept.outboundCallsStarted = (this.kept.outboundCallsStarted ?? 0) - calls;
		const places = this.held.splice(Math.max(0, this.held.length - calls));
		await this.store.forget(places.map((place) => this.key(place)));
		this.free.push(...places);
	}

	private async places(calls: number, most: number): Promise<number> {
		let taken = 0;
		while (taken < calls && (this.free.length > 0 || this.next <= most)) {
			const wanted: number[] = [];
			while (wanted.length < calls - taken && (this.free.length > 0 || this.next <= most)) wanted.push(this.free.shift() ?? this.next++);
			// Without a database there are no other retries either.
			const fresh = await this.store.hold(wanted.map((place) => this.key(place)));
			const ours = wanted.filter((place) => fresh.has(this.key(place)));
			this.held.push(...ours);
			taken += ours.length;
		}
		return taken;
	}

	private key = (place: number): string => `limit ${this.tree.id} ${place}`;
}

/** Why a row beyond the limit is not called. */
export const limitReached = (most: number): string => `Max Calls is ${formatCount(most)}, and so many were started`;
