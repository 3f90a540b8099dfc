import {
	type FaultRule,
	PAGES_MODES,
	RESULTS_MODES,
	type Route,
	type Sandbox,
	UNDIALED,
} from '../sandbox';
import type { Chance } from './random';
import type { Row } from './rows';
import type { Shape } from './shape';

/** Texts of the API as they should not be: with the token, with markup, and without end. */
const reasons = ({ token }: Shape): string[] => [
	'Not dialed',
	'Not dialed',
	`Not dialed with ${token}`,
	'<a href="https://evil.example">win</a>',
	`\u202eNot\r\n dialed\u0007 \u001b[2J${token.slice(0, 3)}\u200e${token.slice(3)}`,
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
				status: chance.of(UNDIALED),
				error: chance.of(reasons(shape)),
				times: chance.int(1, 2),
			});
		}
	}
	if (shape.pauses)
		sandbox.fault({
			...{ kind: 'rateLimited', route: routeOf(shape), form: chance.of(FORMS) },
			...{ after: chance.int(0, 1), times: chance.int(1, 2) },
			retryAfter: chance.of([600, 1_500, 2_700]),
		});
	for (let i = chance.int(0, shape.pauses ? 1 : 5); i > 0; i--)
		sandbox.fault(placementFault(chance, shape));
	for (let i = chance.int(0, 2); i > 0; i--) sandbox.fault(readFault(chance));
}

/** Longer than any run may take. */
const ENDLESS_DRIP_MS = 60_000;

/** Which requests a fault is about. */
const some = (chance: Chance): Pick<FaultRule, 'probability' | 'after' | 'times'> =>
	chance.is(0.5)
		? { probability: 0.1 + chance.next() * 0.5 }
		: { after: chance.int(0, 4), times: chance.int(1, 4) };

const FORMS = ['plain', 'allowance'] as const;
const routeOf = ({ operation }: Shape): Route => (operation === 'bulkCall' ? 'bulk' : 'call');

function placementFault(chance: Chance, shape: Shape): FaultRule {
	const route = routeOf(shape);
	const when = { route, ...some(chance) };
	const form = chance.of(FORMS);
	const place = chance.is(0.5);
	// What hangs costs seconds, and what waits for next to nothing must not become a storm.
	if (chance.is(0.01))
		return { kind: chance.of(['hangBefore', 'hangAfter'] as const), route, times: 1 };
	if (chance.is(0.01)) return { kind: 'drip', ms: ENDLESS_DRIP_MS, route, times: 1 };
	if (chance.is(0.01))
		return {
			...{ kind: 'rateLimited', route, form: 'allowance', header: false, retryAfter: 0.000001 },
			times: 20,
		};
	const odd = chance.of([null, [], 7, 'text', { message: 'busy' }, { results: 'none' }]);
	const refused = { success: false, error: chance.of(reasons(shape)), message: 'Try\u202e again' };
	// After other statuses than the documented ones, Place Call may have called; Bulk Call has not.
	const mayPlace = place && route === 'call';
	const own: FaultRule = {
		...{ kind: 'respond', ...when, status: chance.of([500, 502, 502, 504]) },
		...{ body: refused, place: mayPlace },
	};
	return chance.of<FaultRule>([
		...Array.from({ length: route === 'call' ? 6 : 1 }, () => own),
		{ kind: 'latency', ms: chance.int(1, 10), ...when },
		{
			kind: 'rateLimited',
			...when,
			form,
			retryAfter: chance.of([0, 20, 90, 600, 3_600, 'soon', -1]),
		},
		{ kind: 'unavailable', ...when, form, ...(place ? { retryAfter: 300 } : {}) },
		{ kind: 'gateway', ...when, status: chance.of([502, 503, 504, 429, 500, 404]) },
		{ kind: 'resetBefore', ...when },
		{ kind: 'resetAfter', ...when },
		{ kind: 'truncated', ...when, cut: place },
		{ kind: 'redirect', ...when, status: chance.of([301, 302, 307, 308] as const) },
		{ kind: 'empty', ...when, status: chance.of([200, 201, 500, 503]), place },
		{ kind: 'respond', ...when, status: chance.of([200, 201, 429, 503]), body: odd, place },
		{ kind: 'respond', ...when, status: chance.of([400, 401, 403, 422, 503]), body: refused },
		{ kind: 'results', ...when, mode: chance.of(RESULTS_MODES) },
		{ kind: 'unauthorized', ...when },
		{ kind: 'forbidden', ...when },
		{ kind: 'dailyLimit', ...when },
	]);
}

/** Faults of the reads while calls are waited for. */
function readFault(chance: Chance): FaultRule {
	const when = { route: 'batch' as const, ...some(chance) };
	if (chance.is(0.01)) return { kind: 'drip', ms: ENDLESS_DRIP_MS, route: 'batch', times: 1 };
	const noBatches = [null, [], 'text', { success: true }, { success: true, consents: [7, {}] }];
	const odd = chance.of(noBatches);
	return chance.of<FaultRule>([
		{ kind: 'gateway', ...when },
		{ kind: 'resetBefore', ...when },
		{ kind: 'truncated', ...when, cut: chance.is(0.5) },
		{ kind: 'rateLimited', ...when, retryAfter: chance.of([0, 60, 3_600]) },
		{ kind: 'unavailable', ...when },
		{ kind: 'redirect', ...when },
		{ kind: 'unauthorized', ...when },
		{ kind: 'respond', ...when, status: 404, body: { success: false, error: 'Batch not found' } },
		{ kind: 'respond', ...when, status: 200, body: odd },
		{ kind: 'pages', ...when, mode: chance.of(PAGES_MODES) },
	]);
}
