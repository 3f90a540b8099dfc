import type { Fault, FaultKind, FaultRule } from './faults';
import {
	accountLocked,
	type Answer,
	dailyLimitReached,
	forbidden,
	htmlPage,
	rateLimited,
	retryAfterHeader,
	temporarilyUnavailable,
	unauthorized,
} from './refusals';
import type { Route } from './types';

export interface Circumstances {
	route: Route | undefined;
	origin: string;
}

// Limits, "Upcoming request allowances"
const policies: Record<Route, string> = {
	call: 'outbound_create',
	bulk: 'outbound_bulk',
	batch: 'outbound_read',
	cancel: 'outbound_cancel',
};

const policyOf = (route: Route | undefined) => policies[route ?? 'batch'];

function exhausted(rule: Fault<'rateLimited'>, { route }: Circumstances): Answer {
	if (rule.form !== 'allowance') return rateLimited(rule.retryAfter);
	const { retryAfter = 1, header = true } = rule;
	return {
		status: 429,
		headers: header ? retryAfterHeader(retryAfter) : {},
		body: {
			error: 'mf-core:rate-limit-exceeded',
			message: 'Request allowance exhausted',
			details: { policy: policyOf(route), retry_after: Number(retryAfter) },
		},
	};
}

function unavailable(rule: Fault<'unavailable'>, { route }: Circumstances): Answer {
	const headers = retryAfterHeader(rule.retryAfter);
	if (rule.form !== 'allowance') return { ...temporarilyUnavailable, headers };
	return {
		status: 503,
		headers,
		body: {
			error: 'mf-core:rate-limiter-unavailable',
			message: 'Request allowance could not be checked',
			details: { policy: policyOf(route) },
		},
	};
}

function gateway({ status = 502, retryAfter }: Fault<'gateway'>): Answer {
	const page = htmlPage(status, status === 504 ? 'Gateway Time-out' : 'Bad Gateway');
	return { ...page, headers: { ...page.headers, ...retryAfterHeader(retryAfter) } };
}

function respond({ status = 200, headers, body = '' }: Fault<'respond'>): Answer {
	const [type, text] =
		typeof body === 'string' ? ['text/html', body] : ['application/json', JSON.stringify(body)];
	return { status, headers: { 'content-type': `${type}; charset=utf-8`, ...headers }, body: text };
}

type Answers = { [K in FaultKind]?: (rule: Fault<K>, circumstances: Circumstances) => Answer };

const answers: Answers = {
	rateLimited: exhausted,
	unavailable,
	gateway,
	redirect: ({ status = 302, location }, { origin }) => ({
		status,
		headers: { location: location ?? `${origin}/redirected` },
		body: '',
	}),
	empty: ({ status = 200 }) => ({ status, body: '' }),
	respond,
	unauthorized: () => unauthorized,
	forbidden: () => forbidden,
	accountLocked: () => accountLocked,
	dailyLimit: () => dailyLimitReached,
};

/** The answer that this fault gives instead of the API's own, if it has one. */
export function faultAnswer(rule: FaultRule, circumstances: Circumstances): Answer | undefined {
	const answer = answers[rule.kind] as ((rule: FaultRule, c: Circumstances) => Answer) | undefined;
	return answer?.(rule, circumstances);
}

/** Whether the request is carried out although the fault replaces its answer. */
export function carriesOut(rule: FaultRule): boolean {
	return 'place' in rule && rule.place === true;
}
