import type { FaultRule, Sandbox, UndialedStatus } from '../sandbox';
import { Chance } from './random';
import type { Row } from './rows';
import type { Shape } from './shape';
import { strange } from './unseen';

const REFUSED_ROWS: readonly UndialedStatus[] = [
	'failed',
	'skipped',
	'locked',
	'rate_limited',
	'temporarily_unavailable',
];

/** Texts of the API as they should not be: with the token, with markup, and without end. */
const reasons = ({ token }: Shape): string[] => [
	'Not dialed',
	'Not dialed',
	`Not dialed with ${token}`,
	'<a href="https://evil.example">win</a>',
	'x'.repeat(50_000),
];

/** Disturbs what comes from now on, as the seed says. */
export function disturb(
	chance: Chance,
	shape: Shape,
	rows: readonly Row[],
	sandbox: Sandbox,
): void {
	for (const { number } of rows) {
		if (number !== undefined && chance.is(0.05)) {
			sandbox.destinationOutcome.set(number, {
				status: chance.of(REFUSED_ROWS),
				error: chance.of(reasons(shape)),
				times: chance.int(1, 2),
			});
		}
	}
	for (let i = chance.int(0, 5); i > 0; i--) sandbox.fault(placementFault(chance, shape));
	if (shape.isStrange) speakStrangely(new Chance(chance.seed + 6), shape, rows, sandbox);
	if (shape.isLate) sandbox.fault(lateFault(chance));
	else for (let i = chance.int(0, 2); i > 0; i--) sandbox.fault(readFault(chance));
}

/** Reasons and messages with characters that nobody sees, also in the middle of the token. */
function speakStrangely(
	chance: Chance,
	{ token }: Shape,
	rows: readonly Row[],
	sandbox: Sandbox,
): void {
	const texts = ['Not dialed', `Not dialed with ${token}`, `${token} is locked`];
	for (const { number } of rows) {
		const outcome = number === undefined ? undefined : sandbox.destinationOutcome.get(number);
		if (outcome && chance.is(0.5)) outcome.error = strange(chance, chance.of(texts));
	}
	if (!chance.is(0.4)) return;
	const body = {
		success: false,
		error: strange(chance, chance.of(texts)),
		message: strange(chance, 'Try again'),
	};
	sandbox.fault({
		kind: 'respond',
		route: chance.of(['bulk', 'call'] as const),
		after: chance.int(0, 3),
		times: 1,
		status: chance.of([400, 401, 403, 422, 429, 503]),
		body,
	});
}

const NOT_FOUND = { status: 404, body: { success: false, error: 'Batch not found' } };

/** Longer than any run may take. */
const ENDLESS_DRIP_MS = 60_000;

const RESULTS = [
	'reorder',
	'missing',
	'allMissing',
	'miscounted',
	'extra',
	'repeated',
	'noBatchId',
	'strangeStatus',
] as const;

function placementFault(chance: Chance, { token }: Shape): FaultRule {
	const when = {
		route: chance.of(['bulk', 'call'] as const),
		...(chance.is(0.5)
			? { probability: 0.1 + chance.next() * 0.5 }
			: { after: chance.int(0, 4), times: chance.int(1, 4) }),
	};
	return chance.of<() => FaultRule>([
		() => ({ kind: 'latency', ms: chance.int(1, 10), ...when }),
		() => ({
			kind: 'rateLimited',
			...when,
			form: chance.of(['plain', 'allowance'] as const),
			retryAfter: chance.of([0, 0, 3_600, 'soon', -1]),
		}),
		() => ({ kind: 'rateLimited', ...when, form: 'allowance', header: false, retryAfter: 0 }),
		() => ({ kind: 'unavailable', ...when, form: chance.of(['plain', 'allowance'] as const) }),
		() => ({ kind: 'gateway', ...when, status: chance.of([502, 503, 504, 429, 500, 404]) }),
		() => ({ kind: 'resetBefore', ...when }),
		() => ({ kind: 'resetAfter', ...when }),
		() => ({ kind: 'truncated', ...when, cut: chance.is(0.5) }),
		() => ({ kind: 'redirect', ...when, status: chance.of([301, 302, 307, 308] as const) }),
		() => ({
			kind: 'empty',
			...when,
			status: chance.of([200, 201, 500, 503]),
			place: chance.is(0.5),
		}),
		() => ({
			kind: 'respond',
			...when,
			status: chance.of([200, 201, 429, 503]),
			body: chance.of([null, [], 7, 'text', { message: 'busy' }, { results: 'none' }]),
			place: chance.is(0.5),
		}),
		() => ({
			kind: 'respond',
			...when,
			status: chance.of([401, 403, 422]),
			body: { success: false, error: `<b>Token ${token}</b> is locked` },
		}),
		() => ({ kind: 'results', ...when, mode: chance.of(RESULTS) }),
		() => ({ kind: 'unauthorized', ...when }),
		() => ({ kind: 'forbidden', ...when }),
		() => ({ kind: 'dailyLimit', ...when }),
		// As long as it is asked: a wait of next to nothing must not become a storm.
		...(chance.is(0.15)
			? [
					() =>
						({
							kind: 'rateLimited',
							route: when.route,
							form: 'allowance',
							header: false,
							retryAfter: 0.000001,
						}) satisfies FaultRule,
				]
			: []),
		// Each of these costs a second.
		...(chance.is(0.1)
			? [
					() =>
						({
							kind: chance.of(['hangBefore', 'hangAfter'] as const),
							route: when.route,
							times: 1,
						}) satisfies FaultRule,
				]
			: chance.is(0.15)
				? [
						() =>
							({
								kind: 'drip',
								ms: ENDLESS_DRIP_MS,
								route: when.route,
								times: 1,
							}) satisfies FaultRule,
					]
				: []),
	])();
}

/** Faults of the reads while calls are waited for. */
export function readFault(chance: Chance): FaultRule {
	const when = {
		route: 'batch' as const,
		...(chance.is(0.5)
			? { probability: chance.next() }
			: { after: chance.int(0, 3), times: chance.int(1, 4) }),
	};
	return chance.of<() => FaultRule>([
		() => ({ kind: 'gateway', ...when }),
		() => ({ kind: 'resetBefore', ...when }),
		() => ({ kind: 'truncated', ...when, cut: chance.is(0.5) }),
		() => ({ kind: 'rateLimited', ...when, retryAfter: chance.of([0, 3_600]) }),
		() => ({ kind: 'unavailable', ...when }),
		() => ({ kind: 'redirect', ...when }),
		() => ({ kind: 'unauthorized', ...when }),
		() => ({ kind: 'respond', ...when, ...NOT_FOUND }),
		() => ({
			kind: 'respond',
			...when,
			status: 200,
			body: chance.of([
				null,
				[],
				'text',
				{ success: true },
				{ success: true, consents: [null, 7, {}] },
			]),
		}),
		() => ({
			kind: 'pages',
			...when,
			mode: chance.of(['more', 'empty', 'repeated', 'none', 'lastMissing'] as const),
		}),
		...(chance.is(0.04)
			? [
					() =>
						({
							kind: 'drip',
							ms: ENDLESS_DRIP_MS,
							route: when.route,
							times: 1,
						}) satisfies FaultRule,
				]
			: []),
	])();
}

/** A batch or a record that is not visible at the first look. */
function lateFault(chance: Chance): FaultRule {
	return chance.of<FaultRule>([
		{ kind: 'respond', route: 'batch', times: 1, ...NOT_FOUND },
		{ kind: 'pages', route: 'batch', times: 1, mode: 'none' },
		{ kind: 'pages', route: 'batch', times: 1, mode: 'lastMissing' },
	]);
}
