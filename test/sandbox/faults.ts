import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';
import type { PagesMode, ResultsMode } from './mangled';
import type { Route } from './types';

interface Matching {
	/** without it: every request under the base path */
	route?: Route;
	/** skips that many matching requests first */
	after?: number;
	/** applies to that many matching requests; without it, to all */
	times?: number;
	/** 0..1, drawn from the sandbox's seed */
	probability?: number;
}

type Form = 'plain' | 'allowance';

export type FaultRule = Matching &
	(
		| { kind: 'latency'; ms: number }
		/** `header: false` keeps an allowance's wait in `details.retry_after` alone */
		| { kind: 'rateLimited'; form?: Form; retryAfter?: number | string; header?: boolean }
		| { kind: 'unavailable'; form?: Form; retryAfter?: number | string }
		| { kind: 'gateway'; status?: number; retryAfter?: number | string }
		| { kind: 'resetBefore' | 'resetAfter' | 'hangBefore' | 'hangAfter' }
		/** `cut`: the connection ends inside the body; otherwise a complete answer with half the JSON */
		| { kind: 'truncated'; cut?: boolean }
		| { kind: 'redirect'; status?: 301 | 302 | 303 | 307 | 308; location?: string }
		| { kind: 'empty'; status?: number; place?: boolean }
		| {
				kind: 'respond';
				status?: number;
				headers?: Record<string, string>;
				/** text is sent as it is, anything else as JSON */
				body?: unknown;
				place?: boolean;
		  }
		| { kind: 'results'; mode: ResultsMode }
		/** the answer begins at once and then drips, a blank every 50 ms, before it is whole */
		| { kind: 'drip'; ms: number }
		/** what a batch's page says of itself */
		| { kind: 'pages'; mode: PagesMode }
		| { kind: 'unauthorized' | 'forbidden' | 'accountLocked' | 'dailyLimit' }
	);

export type FaultKind = FaultRule['kind'];
export type Fault<K extends FaultKind> = Extract<FaultRule, { kind: K }>;

const matchingKeys = ['kind', 'route', 'after', 'times', 'probability'];

/** Every kind with its own keys. */
export const faultKeys: Record<FaultKind, readonly string[]> = {
	latency: ['ms'],
	rateLimited: ['form', 'retryAfter', 'header'],
	unavailable: ['form', 'retryAfter'],
	gateway: ['status', 'retryAfter'],
	...{ resetBefore: [], resetAfter: [], hangBefore: [], hangAfter: [] },
	truncated: ['cut'],
	redirect: ['status', 'location'],
	empty: ['status', 'place'],
	respond: ['status', 'headers', 'body', 'place'],
	results: ['mode'],
	drip: ['ms'],
	pages: ['mode'],
	...{ unauthorized: [], forbidden: [], accountLocked: [], dailyLimit: [] },
};

/** @throws Error when `value` is no fault rule: otherwise a mistyped rule would make a test pass unnoticed */
export function faultRuleFrom(value: unknown): FaultRule {
	const rule = (value ?? {}) as Record<string, unknown>;
	const kind = String(rule.kind);
	if (!Object.hasOwn(faultKeys, kind))
		throw new Error(`There is no fault "${kind}". Faults: ${Object.keys(faultKeys).join(', ')}`);
	const keys = [...matchingKeys, ...faultKeys[kind as FaultKind]];
	const stranger = Object.keys(rule).find((key) => !keys.includes(key));
	if (stranger) throw new Error(`Fault "${kind}" has no "${stranger}". It has: ${keys.join(', ')}`);
	return rule as unknown as FaultRule;
}

/** Decides which request meets which fault. Each rule counts all requests of its route; the first willing rule wins. */
export class FaultPlan {
	private rules: Array<{
		rule: FaultRule;
		seen: number;
		applied: number;
		random: ReturnType<typeof mersenne>;
	}> = [];

	constructor(private readonly seed: number) {}

	add(rule: FaultRule): void {
		const random = mersenne(this.seed + this.rules.length);
		this.rules.push({ rule: faultRuleFrom(rule), seen: 0, applied: 0, random });
	}

	clear(): void {
		this.rules = [];
	}

	get all(): FaultRule[] {
		return this.rules.map(({ rule }) => rule);
	}

	next(route: Route | undefined): FaultRule | undefined {
		let chosen: FaultRule | undefined;
		for (const entry of this.rules) {
			const { route: only, after = 0, times = Infinity, probability } = entry.rule;
			if (only !== undefined && only !== route) continue;
			// Drawn for every request, even if another rule wins, so that the sequence depends on the seed alone.
			const drawn = probability === undefined || uniformFloat64(entry.random) < probability;
			if (entry.seen++ < after || entry.applied >= times || !drawn || chosen) continue;
			entry.applied++;
			chosen = entry.rule;
		}
		return chosen;
	}
}
