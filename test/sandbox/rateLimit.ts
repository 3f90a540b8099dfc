import { type Answer, rateLimited } from './refusals';
import type { RateLimit } from './types';

/** Counts placement requests in fixed windows; a refused request does not count. */
export class RateWindow {
	private startedAt = -Infinity;
	private requests = 0;

	/** The 429 when the window is full; otherwise the request is counted in. */
	enter(limit: RateLimit | undefined, now: number): Answer | undefined {
		if (!limit) return undefined;
		if (now - this.startedAt >= limit.windowMs) {
			this.startedAt = now;
			this.requests = 0;
		}
		if (this.requests >= limit.requests) {
			const seconds = Math.max(1, Math.ceil((this.startedAt + limit.windowMs - now) / 1000));
			return rateLimited(seconds);
		}
		this.requests++;
		return undefined;
	}

	clear(): void {
		this.startedAt = -Infinity;
	}
}
