/** What is left of the option Max Retry Wait: one bound on all waits of a run that answers cause. Waits at the same time count once. */
export class Patience {
	private heldUntil = -Infinity;
	private waitedMs = 0;

	/** In milliseconds. */
	constructor(private readonly maxWaitMs: number) {}

	/** Takes a wait on, until `wanted` or as far as the bound allows: until when. Undefined when not even `least` fits, or nothing is left. */
	take(now: number, least: number | undefined, wanted: number): number | undefined {
		const start = Math.max(now, this.heldUntil);
		const left = this.maxWaitMs - this.waitedMs;
		const isDemanded = least !== undefined && least > now;
		if (isDemanded ? least - start > left : left <= 0) return undefined;
		const extra = Math.min(Math.max(wanted - start, 0), left);
		this.waitedMs += extra;
		this.heldUntil = start + extra;
		return this.heldUntil;
	}
}
