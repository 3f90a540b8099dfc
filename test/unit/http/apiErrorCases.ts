import type {
	ApiProblem,
	Exchange,
	Subject,
} from '../../../nodes/OutboundCalls/domain/api/exchange';

const BATCH = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';

export const subject: Subject = {
	purpose: 'bulkCall',
	agentNumber: '+15550001000',
	batchId: BATCH,
	callRecordId: '1042',
	timeoutMs: 60_000,
};
export const reading: Subject = { ...subject, purpose: 'read' };
export const canceling: Subject = { ...subject, purpose: 'cancel' };
export const calling: Subject = { ...subject, purpose: 'placeCall' };
const first: Subject = { ...subject, apiAnswered: false };

export const own = (
	status: number,
	error: string,
	more: object = {},
	retryAfter?: string,
): Exchange => ({ kind: 'answer', status, body: { success: false, error, ...more }, retryAfter });
const bare = (status: number, body: unknown, retryAfter?: string): Exchange => ({
	kind: 'answer',
	status,
	body,
	retryAfter,
});
const allowance = (what: string, details: object): Exchange =>
	bare(what === 'exceeded' ? 429 : 503, {
		error: what === 'exceeded' ? 'mf-core:rate-limit-exceeded' : 'mf-core:rate-limiter-unavailable',
		message: 'm',
		details,
	});
const notOpened = (code: string): Exchange => ({ kind: 'notOpened', code });
const noAnswer = (code: string): Exchange => ({ kind: 'noAnswer', code });

const HTML = '<!DOCTYPE html>\n<html></html>';
const DASHBOARD = /outbound calls page of your dashboard/;
const BASE_URL = /Base URL.*\/api\/v1\/outbound/;
const BEFORE_CALLING = /dashboard before you call these numbers again/;

export type RefusalCase = [
	happened: string,
	Exchange,
	Subject,
	message: RegExp,
	remedy: RegExp,
	facts?: Partial<ApiProblem>,
];

/** Several texts, statuses or codes with the same meaning. */
const each = <T>(
	values: T[],
	happened: string,
	exchange: (value: T) => Exchange,
	...rest: [Subject, RegExp, RegExp, Partial<ApiProblem>?]
): RefusalCase[] =>
	values.map((value) => [`${happened} (${JSON.stringify(value)})`, exchange(value), ...rest]);

const byText: RefusalCase[] = [
	...each(
		[
			'Destination must be in E.164 international format starting with +',
			'caller_number is not registered.',
			'Missing prompt_variables keys: , ',
		],
		'a 400 that the API explains itself',
		(text) => own(400, text),
		subject,
		/did not accept.*\(.*\w\W*\)$/,
		/field that this text names/,
		{ httpCode: 400 },
	),
	[
		'one missing prompt variable',
		own(400, 'Missing prompt_variables keys: name'),
		{ ...subject, sentVariables: ['Name', 'other'] },
		/needs the prompt variable "name", which was not sent/,
		/Prompt Variables.*capitals\. You sent "Name"\.$/,
		{ httpCode: 400, missingVariables: ['name'] },
	],
	[
		'an agent',
		own(404, 'Agent not found or not accessible'),
		subject,
		/No agent.*"\+15550001000"/,
		/SIP ID/,
		{ reach: 'agent' },
	],
	['a batch', own(404, 'Batch not found'), reading, new RegExp(`batch.*"${BATCH}"`), /batch_id/],
	...each(
		['Consent not found', 'Consent not found: its agent not found'],
		'a call record',
		(text) => own(404, text),
		canceling,
		/No call record.*"1042"/,
		/consent_id/,
		{ gone: true },
	),
	...each(
		[400, 404, 409, 422, 500],
		'an already placed call with any status',
		(status) => own(status, 'Call already placed for this consent'),
		canceling,
		/already placed.*no longer be cancelled/,
		/If Already Placed/,
		{ alreadyPlaced: true },
	),
];

const byStatus: RefusalCase[] = [
	['401', own(401, 'Invalid'), subject, /token is missing/, DASHBOARD, { reach: 'run' }],
	['403', own(403, 'Not enabled'), subject, /calling is not enabled/, DASHBOARD, { reach: 'run' }],
	['404', own(404, 'Nothing here'), reading, /found nothing.*\(Nothing here\)/, BASE_URL],
	['410', own(410, 'Removed'), subject, /no longer offers/, /Update this node/, { reach: 'run' }],
	...each<[string, string?]>(
		[['Daily call limit reached'], ['Enough for today', 'daily_limit']],
		'422 for the daily limit',
		([text, type]) => own(422, text, { error_type: type }),
		subject,
		/daily call limit.*reached/,
		/tomorrow.*higher daily limit/,
		{ reach: 'run' },
	),
	...each<[string, string?]>(
		[['Account is locked'], ['LOCKED'], ['No calls', 'account_locked']],
		'422 for a locked account',
		([text, type]) => own(422, text, { error_type: type }),
		subject,
		/account is locked/,
		DASHBOARD,
		{ reach: 'run' },
	),
	...each(
		['Not carried out', 'It was already placed'],
		'422 for another reason',
		(text) => own(422, text),
		subject,
		/did not carry it out/,
		DASHBOARD,
		{ reach: 'agent' },
	),
	[
		'422 with a category that nobody knows',
		own(422, 'Not carried out', { error_type: 'concurrency', detail: 'Ask for more lines.' }),
		subject,
		/did not carry it out \(Not carried out\)/,
		DASHBOARD,
		{ reach: 'run', apiAdds: 'The API adds: Ask for more lines, error_type concurrency.' },
	],
	...each(
		[429, 422],
		'the outbound rate limit',
		(status) =>
			own(status, 'Later', { error_type: 'rate_limit', detail: 'See the dashboard.' }, '90'),
		subject,
		/outbound calling limit is reached/,
		/Try again in 90 seconds\.$/,
		{
			retryAfterMs: 90_000,
			apiAdds: 'The API adds: See the dashboard, error_type rate_limit.',
		},
	),
	...each(
		[{}, 7, null, '', ' ', '__proto__', 'constructor'],
		'429 with odd additions',
		(odd) => own(429, 'Too many', { error_type: odd, detail: odd, details: { policy: odd } }),
		subject,
		/outbound calling limit is reached/,
		/Try again in a few minutes/,
		{ httpCode: 429 },
	),
	[
		'429 of an allowance',
		allowance('exceeded', { policy: 'outbound_read', retry_after: 7 }),
		subject,
		/request allowance is used up/,
		/Try again in 7 seconds/,
		{ retryAfterMs: 7_000, apiAdds: 'The API adds: policy outbound_read.' },
	],
	[
		'503 of an allowance that nobody knows',
		allowance('unavailable', { policy: 'api_write' }),
		subject,
		/could not check your account’s request allowance$/,
		/Try again/,
		{ apiAdds: 'The API adds: policy api_write.' },
	],
	['503', own(503, 'Try shortly'), subject, /temporarily unavailable/, /Try again/],
	...each(
		[
			own(409, 'Agent not found.'),
			own(500, 'Agent not found.'),
			own(503, 'Agent not found', { call_id: 'c-1' }),
		],
		'a refusal that does not prove that nobody was called',
		(exchange) => exchange,
		calling,
		/\(Agent not found\), so the call may have been placed$/,
		BEFORE_CALLING,
	),
];

const foreign: RefusalCase[] = [
	['a page', bare(502, HTML), reading, /web page.*502/, BASE_URL],
	['a page for calls', bare(404, HTML), subject, /may have been placed$/, BEFORE_CALLING],
	['a page at a wrong address', bare(404, HTML), first, /web page.*404\)$/, /^Check the Base URL/],
	[
		'a page for a cancellation',
		bare(502, HTML),
		canceling,
		/may or may not be cancelled$/,
		BASE_URL,
		{ unanswered: true },
	],
	['a page with 429', bare(429, HTML, '5'), reading, /web page/, BASE_URL, { retryAfterMs: 5_000 }],
	['an empty body', bare(504, ''), reading, /an empty body.*504/, BASE_URL],
	['a gateway’s JSON', bare(403, { message: 'No' }), reading, /other data.*403/, BASE_URL],
	['a redirect', bare(302, ''), reading, /redirects to another address/, BASE_URL],
];

const network: RefusalCase[] = [
	[
		'a timeout of a bulk call',
		noAnswer('ECONNABORTED'),
		subject,
		/within 60 seconds.*calls may have been placed/,
		BEFORE_CALLING,
		{ unanswered: true },
	],
	['a timeout of a cancellation', noAnswer('ETIMEDOUT'), canceling, /may or may not/, /Timeout/],
	['a reset of a call', noAnswer('ECONNRESET'), calling, /call may have been/, BEFORE_CALLING],
	['no server', notOpened('ECONNREFUSED'), subject, /refused the connection/, BASE_URL],
	['no such name', notOpened('ENOTFOUND'), subject, /name could not be found/, /server’s name/],
	...each(
		['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
		'no secure connection',
		notOpened,
		subject,
		/certificate/,
		/certificate/,
	),
	...each(['EPROTO', 'ECONNRESET'], 'no TLS', notOpened, subject, /TLS/, /port[^]*https/),
	['a forbidden address', notOpened('SsrfBlockedIpError'), subject, /does not allow/, /public/],
	...each(
		['ERR_SOCKET_CONNECTION_TIMEOUT', 'ENETUNREACH'],
		'no way there',
		notOpened,
		subject,
		/could not be reached/,
		/network/,
	),
];

/** What the API, a gateway or the network did → what happened, what to do, and what the node may conclude. */
export const refusals: RefusalCase[] = [...byText, ...byStatus, ...foreign, ...network];
