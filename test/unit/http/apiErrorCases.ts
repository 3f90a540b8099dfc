import type { ApiProblem, Subject } from '../../../nodes/OutboundCalls/http/apiErrors';
import type { Exchange } from '../../../nodes/OutboundCalls/domain/exchange';

export const NOW = Date.UTC(2026, 0, 31, 9, 0, 0);
const BATCH = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';

export const subject: Subject = { purpose: 'bulkCall', agentNumber: '+15550001000', batchId: BATCH, callRecordId: '1042', timeoutMs: 60_000 };
export const reading: Subject = { ...subject, purpose: 'read' };
export const cancelling: Subject = { ...subject, purpose: 'cancel' };
export const calling: Subject = { ...subject, purpose: 'placeCall' };

export const own = (status: number, error: string, more: object = {}, retryAfter?: string): Exchange => ({
	kind: 'answer',
	status,
	body: { success: false, error, ...more },
	retryAfter,
});
const bare = (status: number, body: unknown, retryAfter?: string): Exchange => ({ kind: 'answer', status, body, retryAfter });
const notOpened = (code: string): Exchange => ({ kind: 'notOpened', code });
const noAnswer = (code: string): Exchange => ({ kind: 'noAnswer', code });

const HTML = '<!DOCTYPE html>\n<html></html>';
const DASHBOARD = /outbound calls page of your dashboard/;
const BASE_URL = /Base URL.*\/api\/v1\/outbound/;

export type RefusalCase = [happened: string, Exchange, Subject, message: RegExp, remedy: RegExp, facts: Partial<ApiProblem>];

/** What the API, a gateway or the network did → what happened, what to do, and what the node may conclude. */
export const refusals: RefusalCase[] = [
	[
		'a number that is not E.164',
		own(400, 'Destination must be in E.164 international format starting with +'),
		subject,
		/international format.*Destination must be in E\.164/,
		/leading \+.*country code/,
		{ httpCode: 400 },
	],
	[
		'more than 10 destinations',
		own(400, 'destinations must NOT have more than 10 items'),
		subject,
		/at most 10/,
		/Update this node/,
		{ httpCode: 400 },
	],
	...['Too many destinations.', 'destinations may have ten entries at most', 'At most 10 destinations per request'].map((text): RefusalCase => [
		`more than 10 destinations (${text})`,
		own(400, text),
		subject,
		/at most 10/,
		/Update this node/,
		{ httpCode: 400 },
	]),
	...[
		'destination must have between 10 and 15 digits',
		'destinations[3] must have between 10 and 15 digits',
		'destinations/3/phone must have between 10 and 15 digits',
		'caller_number must have 10 digits',
	].map((text): RefusalCase => [
		`digits, not destinations, are counted (${text})`,
		own(400, text),
		subject,
		/did not accept.*digits/,
		/This request dialed nobody/,
		{ httpCode: 400 },
	]),
	[
		'one call cannot have more than 10 destinations',
		own(400, 'At most 10 destinations may be called per minute'),
		calling,
		/did not accept/,
		/This request dialed nobody/,
		{ httpCode: 400 },
	],
	[
		'one missing prompt variable',
		own(400, 'Missing prompt_variables keys: name'),
		subject,
		/needs the prompt variable "name", which was not sent/,
		/Add name under Prompt Variables/,
		{ httpCode: 400, missingVariables: ['name'] },
	],
	[
		'several missing prompt variables',
		own(400, 'Missing prompt_variables keys: name, amount,due_date'),
		subject,
		/"name", "amount" and "due_date".*were not sent/,
		/Add name, amount and due_date under Prompt Variables/,
		{ missingVariables: ['name', 'amount', 'due_date'] },
	],
	[
		'shared and own variables together',
		own(400, 'Shared prompt_variables cannot be combined with per-destination prompt_variables'),
		subject,
		/shared and per-destination variables together/,
		/Update this node/,
		{ httpCode: 400 },
	],
	[
		'another 400',
		own(400, 'caller_number is not registered.'),
		subject,
		/did not accept.*\(caller_number is not registered\)/,
		/This request dialed nobody/,
		{ httpCode: 400 },
	],
	['401', own(401, 'Missing or invalid API token'), subject, /token is missing or not valid/, DASHBOARD, { httpCode: 401, ends: 'run' }],
	['403', own(403, 'Not enabled'), subject, /calling is not enabled for your account/, /Have it enabled/, { httpCode: 403, ends: 'run' }],
	[
		'404 for an agent',
		own(404, 'Agent not found or not accessible'),
		subject,
		/No agent.*"\+15550001000"/,
		/phone number or its SIP ID/,
		{ httpCode: 404, ends: 'group' },
	],
	['404 for a batch', own(404, 'Batch not found'), reading, new RegExp(`No batch.*"${BATCH}"`), /batch_id/, { httpCode: 404 }],
	['404 for a call record', own(404, 'Consent not found'), cancelling, /No call record.*"1042"/, /consent_id/, { httpCode: 404 }],
	['another 404', own(404, 'Nothing here'), reading, /found nothing.*\(Nothing here\)/, BASE_URL, { httpCode: 404 }],
	...[400, 404, 409, 422, 500].map((status): RefusalCase => [
		`an already placed call with status ${status}`,
		own(status, 'Call already placed for this consent'),
		cancelling,
		/already placed.*no longer be cancelled/,
		/If Already Placed/,
		{ httpCode: status, alreadyPlaced: true },
	]),
	['410', own(410, 'This endpoint has been removed'), subject, /no longer offers/, /Update this node/, { httpCode: 410, ends: 'run' }],
	[
		'422 for the daily limit',
		own(422, 'Daily call limit reached', { error_type: 'daily_limit' }),
		subject,
		/daily call limit.*reached/,
		/tomorrow.*higher daily limit/,
		{ httpCode: 422, ends: 'run', cause: 'quota-exhausted' },
	],
	[
		'422 for a locked account',
		own(422, 'Account is locked'),
		subject,
		/account is locked.*\(Account is locked\)/,
		DASHBOARD,
		{ httpCode: 422, ends: 'run' },
	],
	...['Destination country blocked', 'Block list', 'Clock skew', 'Number unlocked'].map((text): RefusalCase => [
		`422 that speaks of no lock (${text})`,
		own(422, text),
		subject,
		/did not carry it out/,
		DASHBOARD,
		{ httpCode: 422, ends: 'group' },
	]),
	...['account_locked', 'Account lock is set', 'LOCKED'].map((text): RefusalCase => [
		`422 for a locked account (${text})`,
		own(422, text),
		subject,
		/account is locked/,
		DASHBOARD,
		{ httpCode: 422, ends: 'run' },
	]),
	['422 for another reason', own(422, 'Not carried out'), subject, /did not carry it out \(Not carried out\)/, /./, { httpCode: 422, ends: 'group' }],
	[
		'429 with Retry-After',
		own(429, 'Outbound rate limit exceeded. Please retry later.', { error_type: 'rate_limit', detail: 'See the dashboard.' }, '90'),
		subject,
		/outbound calling limit is reached/,
		/Try again in 90 seconds.*See the dashboard\./,
		{ httpCode: 429, cause: 'rate-limited', retryAfterMs: 90_000 },
	],
	[
		'429 without Retry-After',
		own(429, 'Outbound rate limit exceeded.'),
		subject,
		/limit is reached/,
		/Try again in a few minutes/,
		{ httpCode: 429 },
	],
	[
		'429 of the allowance',
		bare(429, { error: 'mf-core:rate-limit-exceeded', message: 'm', details: { policy: 'outbound_bulk', retry_after: 7 } }),
		subject,
		/request allowance is used up/,
		/Try again in 7 seconds/,
		{ httpCode: 429, cause: 'rate-limited', retryAfterMs: 7_000 },
	],
	['503', own(503, 'Try shortly'), subject, /temporarily unavailable/, /Try again/, { httpCode: 503, cause: 'temporarily-unavailable' }],
	[
		'503 of the allowance',
		bare(503, { error: 'mf-core:rate-limiter-unavailable', message: 'm', details: { policy: 'outbound_bulk' } }),
		subject,
		/could not check your request allowance/,
		/Try again/,
		{ httpCode: 503, cause: 'temporarily-unavailable' },
	],
	['500 with the API’s own text', own(500, 'Internal'), reading, /\(Internal\)/, /try again later/, { httpCode: 500 }],
	['a page', bare(502, HTML), reading, /web page.*status 502/, BASE_URL, { httpCode: 502, cause: 'temporarily-unavailable' }],
	['a page instead of calls', bare(502, HTML), subject, /web page.*status 502/, DASHBOARD, { httpCode: 502 }],
	['a page with 429', bare(429, HTML, '5'), reading, /web page/, BASE_URL, { httpCode: 429, cause: 'rate-limited', retryAfterMs: 5_000 }],
	['a page with 200', bare(200, HTML), reading, /web page.*status 200/, BASE_URL, { httpCode: 200 }],
	['an empty body', bare(504, ''), reading, /answered with nothing.*status 504/, BASE_URL, { httpCode: 504 }],
	['a null body', bare(500, null), reading, /answered with nothing/, BASE_URL, { httpCode: 500 }],
	['text', bare(500, 'Oops'), reading, /a text that could not be read/, BASE_URL, { httpCode: 500 }],
	['half of an answer', bare(200, '{"succ'), reading, /a text that could not be read/, BASE_URL, { httpCode: 200 }],
	['a list', bare(200, []), reading, /a list/, BASE_URL, { httpCode: 200 }],
	['a gateway’s JSON', bare(403, { message: 'Forbidden' }), reading, /other data.*status 403/, BASE_URL, { httpCode: 403 }],
	['a bare number', bare(200, 5), reading, /a bare value/, BASE_URL, { httpCode: 200 }],
	['a redirect', bare(302, ''), reading, /redirects to another address.*not followed/, BASE_URL, { httpCode: 302 }],
	[
		'a timeout of a bulk call',
		noAnswer('ECONNABORTED'),
		subject,
		/did not answer within 60 seconds.*calls may have been placed/,
		/dashboard.*not send it again/,
		{},
	],
	['a timeout of a single call', noAnswer('ETIMEDOUT'), calling, /did not answer.*call may have been placed/, /not send it again/, {}],
	['a timeout of a cancellation', noAnswer('ECONNABORTED'), cancelling, /may or may not be cancelled/, /Timeout/, {}],
	['a timeout of a read', noAnswer('ECONNABORTED'), reading, /nothing could be read/, /Timeout/, {}],
	['a reset of a bulk call', noAnswer('ECONNRESET'), subject, /connection ended.*calls may have been placed/, /not send it again/, {}],
	['a reset of a read', noAnswer('ECONNRESET'), reading, /connection ended.*nothing could be read/, /network/, {}],
	['a connection that is refused', notOpened('ECONNREFUSED'), subject, /refused the connection/, BASE_URL, {}],
	['a name that does not exist', notOpened('ENOTFOUND'), subject, /name could not be found/, /slip in the server’s name/, {}],
	['a name server that is busy', notOpened('EAI_AGAIN'), subject, /name could not be found/, BASE_URL, {}],
	...['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'EPROTO'].map((code): RefusalCase => [
		`no secure connection (${code})`,
		notOpened(code),
		subject,
		/secure connection.*certificate/,
		/certificate/,
		{},
	]),
	['an address that the host forbids', notOpened('SsrfBlockedIpError'), subject, /n8n does not allow/, /public address/, {}],
	['an address that is none', notOpened('ERR_INVALID_URL'), subject, /Base URL.*not a web address/, BASE_URL, {}],
	['an address without https://', notOpened('ERR_UNSUPPORTED_PROTOCOL'), subject, /Base URL.*not a web address/, /https:\/\//, {}],
	['a token that cannot be sent', notOpened('ERR_INVALID_CHAR'), subject, /API token.*a character that cannot be sent/, /dashboard/, {}],
	['a server that does not open in time', notOpened('ERR_SOCKET_CONNECTION_TIMEOUT'), subject, /could not be reached/, /network/, {}],
	['no network', notOpened('ENETUNREACH'), subject, /could not be reached/, /network/, {}],
];
