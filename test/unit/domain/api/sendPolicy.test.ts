import {
	type Exchange,
	isErrorBody,
	type Purpose,
} from '../../../../nodes/OutboundCalls/domain/api/exchange';
import {
	type Classification,
	classifyExchange,
	isOwnAnswer,
} from '../../../../nodes/OutboundCalls/domain/api/sendPolicy';

const DONE: Classification = { kind: 'placed' };
const UNKNOWN: Classification = { kind: 'unknown' };
const REFUSED: Classification = { kind: 'refused', retryable: false };
const AGAIN: Classification = { kind: 'refused', retryable: true };

const OWN = { success: false, error: 'The API’s own text' };
const policy = 'outbound_bulk';
const exceeding = { message: 'm', details: { policy, retry_after: 5 } };
const EXCEEDED = { error: 'mf-core:rate-limit-exceeded', ...exceeding };
const unchecked = { message: 'm', details: { policy } };
const UNCHECKED = { error: 'mf-core:rate-limiter-unavailable', ...unchecked };
const HTML = '<!DOCTYPE html><html></html>';
const FINE = { success: true };

/** What a refusal with that status proves of a cancellation and a read, and of all requests. */
const UNTOUCHED = (status: number): [Classification, Classification] =>
	status === 429 || status === 503 ? [AGAIN, AGAIN] : [REFUSED, REFUSED];
const CALLED = (status: number) => [UNKNOWN, UNKNOWN, ...UNTOUCHED(status)] as const;
const REFUSING = (status: number) => [...UNTOUCHED(status), ...UNTOUCHED(status)] as const;
const ids = { destination: '+15551110001', consent_id: 1, error: null };
const started = { ...ids, success: true, status: 'initiated', call_sid: 'CA1' };
const undialed = { ...started, success: false, status: 'rate_limited', call_sid: null };

const NAMING = { ...OWN, call_id: 'c-1' };
const AMONG = { ...OWN, results: [undialed, started] };
const NOBODY = { ...OWN, call_id: null, results: [undialed, {}, 5] };

const answer = (status: number, body: unknown): Exchange => ({ kind: 'answer', status, body });

type Proofs = [Classification, Classification, Classification, Classification];
const each = (proof: Classification): Proofs => [proof, proof, proof, proof];
const unclear = (read: Classification): Proofs => [UNKNOWN, UNKNOWN, UNKNOWN, read];
const notOpened = (code: string): Exchange => ({ kind: 'notOpened', code });
const noAnswer = (code: string): Exchange => ({ kind: 'noAnswer', code });

/** What happened → what it proves for a bulk call, a single call, a cancellation, a read. */
const table: Array<[string, Exchange, ...Proofs]> = [
	['201 with the API’s answer', answer(201, FINE), DONE, DONE, DONE, REFUSED],
	['200 with the API’s answer', answer(200, FINE), DONE, DONE, DONE, DONE],
	['202 with the API’s answer', answer(202, FINE), DONE, DONE, DONE, REFUSED],
	// The only case in which a bulk call that "succeeded" placed nothing: by rule 4, only 201 places calls.
	['200 with the API’s own refusal', answer(200, OWN), REFUSED, DONE, DONE, REFUSED],
	['202 with the API’s own refusal', answer(202, OWN), REFUSED, DONE, DONE, REFUSED],
	['201 with the API’s own refusal', answer(201, OWN), DONE, DONE, DONE, REFUSED],
	['299 with the API’s answer', answer(299, FINE), DONE, DONE, DONE, REFUSED],
	['300 with the API’s answer', answer(300, FINE), ...unclear(REFUSED)],
	['101 with the API’s answer', answer(101, FINE), ...unclear(REFUSED)],
	['201 without a body', answer(201, ''), DONE, DONE, DONE, REFUSED],
	['201 with a page', answer(201, HTML), DONE, DONE, DONE, REFUSED],
	['201 with half an answer', answer(201, '{"success":tr'), DONE, DONE, DONE, REFUSED],
	['200 with half an answer', answer(200, '{"success":tr'), DONE, DONE, DONE, AGAIN],
	['200 with a page', answer(200, HTML), DONE, DONE, DONE, REFUSED],
	['200 without a body', answer(200, ''), DONE, DONE, DONE, REFUSED],
	['302', answer(302, ''), ...unclear(REFUSED)],
	['304', answer(304, undefined), ...unclear(REFUSED)],
	['302 with the API’s own body', answer(302, OWN), REFUSED, UNKNOWN, UNKNOWN, REFUSED],
	...[400, 401, 403, 404, 410, 422].flatMap((status): typeof table => [
		[`${status} with the API’s own body`, answer(status, OWN), ...each(REFUSED)],
		[`${status} with a page`, answer(status, HTML), ...unclear(REFUSED)],
		[`${status} without a body`, answer(status, ''), ...unclear(REFUSED)],
		[`${status} of a gateway`, answer(status, { message: 'Forbidden' }), ...unclear(REFUSED)],
	]),
	...[429, 503].flatMap((status): typeof table => [
		[`${status} with the API’s own body`, answer(status, OWN), ...each(AGAIN)],
		[`${status}, allowance`, answer(status, status === 429 ? EXCEEDED : UNCHECKED), ...each(AGAIN)],
		[`${status} with a page`, answer(status, HTML), ...unclear(AGAIN)],
		[`${status} without a body`, answer(status, ''), ...unclear(AGAIN)],
		[`${status} of a gateway`, answer(status, { error: 'upstream' }), ...unclear(AGAIN)],
		[`${status}, success`, answer(status, { success: true, error: 'x' }), ...unclear(AGAIN)],
		[`${status} with a list`, answer(status, [OWN]), ...unclear(AGAIN)],
	]),
	['500 with the API’s own body', answer(500, OWN), REFUSED, UNKNOWN, UNKNOWN, AGAIN],
	['418 with the API’s own body', answer(418, OWN), REFUSED, UNKNOWN, UNKNOWN, REFUSED],
	// Whatever else it says, a refusal that names a call is none.
	...[400, 422, 429, 503].flatMap((status): typeof table => [
		[`${status} that names a call`, answer(status, NAMING), ...CALLED(status)],
		[`${status} with a call among its results`, answer(status, AMONG), ...CALLED(status)],
		[`${status} with results not dialed`, answer(status, NOBODY), ...REFUSING(status)],
	]),
	['200, refusing, with a call among its results', answer(200, AMONG), DONE, DONE, DONE, REFUSED],
	['500 with a page', answer(500, HTML), ...unclear(AGAIN)],
	['504 without a body', answer(504, ''), ...unclear(AGAIN)],
	['a connection that was refused', notOpened('ECONNREFUSED'), ...each(AGAIN)],
	['a connection that never opened in time', notOpened('ETIMEDOUT'), ...each(AGAIN)],
	['a name server that is busy', notOpened('EAI_AGAIN'), ...each(AGAIN)],
	['a name that does not exist', notOpened('ENOTFOUND'), ...each(REFUSED)],
	['a certificate that has expired', notOpened('CERT_HAS_EXPIRED'), ...each(REFUSED)],
	['an address that is none', notOpened('ERR_INVALID_URL'), ...each(REFUSED)],
	['an address that the host forbids', notOpened('SsrfBlockedIpError'), ...each(REFUSED)],
	['a reset', noAnswer('ECONNRESET'), ...unclear(AGAIN)],
	['a timeout', noAnswer('ECONNABORTED'), ...unclear(AGAIN)],
];

const purposes: Purpose[] = ['bulkCall', 'placeCall', 'cancel', 'read'];

describe.each(purposes.map((purpose, column) => ({ purpose, column })))(
	'G3 after a $purpose',
	({ purpose, column }) => {
		it.each(
			table.map(([happened, exchange, ...proofs]) => {
				const proof = proofs[column]!;
				return { happened, exchange, proof, kind: proof.kind };
			}),
		)('$happened proves: $kind', ({ exchange, proof }) => {
			expect(classifyExchange(purpose, exchange)).toEqual(proof);
		});
	},
);

it('G3 a placement may be sent again only after the API’s own 429 or 503, or a connection that never opened', () => {
	for (const [happened, exchange] of table) {
		const provesNothingPlaced =
			exchange.kind === 'notOpened' ||
			(exchange.kind === 'answer' &&
				[429, 503].includes(exchange.status) &&
				isErrorBody(exchange.body));
		for (const purpose of ['bulkCall', 'placeCall'] as const) {
			const proof = classifyExchange(purpose, exchange);
			if (proof.kind === 'refused' && proof.retryable)
				expect([happened, provesNothingPlaced]).toEqual([happened, true]);
		}
	}
});

describe('G3 before the API itself has answered in a run', () => {
	const gateways = [{ message: 'no Route matched' }, { error: 'Not Found' }, { success: true }];
	const bodies = [HTML, '', null, undefined, [], ...gateways];
	it.each([404, 405, 407].flatMap((status) => bodies.map((body) => ({ status, body }))))(
		'$status with $body proves that a placement never came to it',
		({ status, body }) => {
			const exchange = answer(status, body);
			for (const purpose of ['bulkCall', 'placeCall'] as const) {
				expect(classifyExchange(purpose, exchange, false)).toEqual(REFUSED);
				expect(classifyExchange(purpose, exchange, true)).toEqual(UNKNOWN);
			}
			for (const purpose of ['cancel', 'read'] as const)
				expect(classifyExchange(purpose, exchange, false)).toEqual(
					classifyExchange(purpose, exchange),
				);
		},
	);

	it('everything else proves what it proves later', () => {
		for (const [happened, exchange, ...proofs] of table) {
			if (exchange.kind === 'answer' && [404, 405, 407].includes(exchange.status)) continue;
			expect([
				happened,
				...purposes.map((purpose) => classifyExchange(purpose, exchange, false)),
			]).toEqual([happened, ...proofs]);
		}
	});
});

it.each<[string, Exchange, boolean]>([
	['its refusal', answer(404, OWN), true],
	['its allowance', answer(429, EXCEEDED), true],
	['a placed bulk call', answer(201, FINE), true],
	['a placed call', answer(200, { call_id: 'c-1' }), true],
	['a call without an ID', answer(200, { call_id: null }), false],
	['a page', answer(404, HTML), false],
	['a gateway’s JSON', answer(404, { message: 'no Route matched' }), false],
	['somebody else’s success', answer(404, FINE), false],
	['nothing', answer(201, ''), false],
	['a connection that never opened', { kind: 'notOpened', code: 'ECONNREFUSED' }, false],
	['no answer', { kind: 'noAnswer', code: 'ECONNRESET' }, false],
])('whether the API itself answered: %s', (_, exchange, isOwn) => {
	expect(isOwnAnswer(exchange)).toBe(isOwn);
});
