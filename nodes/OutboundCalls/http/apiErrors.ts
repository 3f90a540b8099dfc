import {
	categoryOf,
	type ErrorBody,
	isErrorBody,
	nextStepOf,
	POLICIES,
	policyOf,
} from '../domain/errorBody';
import type { Exchange, Purpose } from '../domain/exchange';
import { formatDuration, listed, quoted } from '../domain/format';
import { isObject } from '../domain/json';
import { DESTINATIONS_PER_REQUEST } from '../domain/apiLimits';
import { demandedWaitMs } from '../domain/retryTiming';
import { classifyExchange, isLimit, neverArrived, NOT_HANDED_ON } from '../domain/sendPolicy';
import { isTlsCode } from './networkErrors';

/** Why the host may want to try again later (newer n8n versions show and use it). */
export type ProblemCause = 'rate-limited' | 'quota-exhausted' | 'temporarily-unavailable';

/** What the API, a gateway or the network refused, in words for the person who built the workflow. */
export interface ApiProblem {
	/** What happened: a whole sentence without the row. */
	message: string;
	/** What to do next. */
	remedy: string;
	/** What the API adds of where to go next, as a sentence of the remedy. */
	nextStep?: string;
	/** HTTP status, when there was an answer. */
	httpCode?: number;
	/** Who else would be refused as well: every other row with this agent and caller, or every row of the run. */
	ends?: 'group' | 'run';
	/** The call had been placed already when it was to be cancelled. */
	alreadyPlaced?: boolean;
	/** No such call record exists. */
	gone?: boolean;
	/** The request left and no answer came that says whether it was carried out. */
	unanswered?: boolean;
	/** Names of the prompt variables that the agent's prompt needs and the request lacked. */
	missingVariables?: string[];
	cause?: ProblemCause;
	/** The wait that the API asks for, in milliseconds. */
	retryAfterMs?: number;
}

/** What the refused request was about. */
export interface Subject {
	purpose: Purpose;
	agentNumber?: string;
	batchId?: string;
	callRecordId?: string;
	/** Names of the prompt variables that the request had. */
	sentVariables?: readonly string[];
	/** Of the request, in milliseconds. */
	timeoutMs: number;
	/** Whether the API itself answered before in this run; absent where that proves nothing. */
	apiAnswered?: boolean;
}

type Described = Omit<ApiProblem, 'httpCode'>;
type DescribeProblem = (
	body: ErrorBody,
	subject: Subject,
	retryAfterMs: number | undefined,
) => Described;

/** Turns anything but a carried-out request into one sentence and one remedy. Total: never throws. `now` in epoch milliseconds. */
export function apiProblem(exchange: Exchange, subject: Subject, now: number): ApiProblem {
	if (exchange.kind === 'notOpened') return connectionProblem(exchange.code);
	if (exchange.kind === 'noAnswer') return noAnswerProblem(exchange.code, subject);

	const { status, body } = exchange;
	if (status === 201 && isLimit(exchange)) return UNDIALED;
	const retryAfterMs = demandedWaitMs(exchange, now);
	const described =
		!isErrorBody(body) || status === 201
			? foreignAnswerProblem(exchange, subject)
			: isPlacing(subject.purpose) &&
				  classifyExchange(subject.purpose, exchange).kind === 'indeterminate'
				? provesNothing(status, body, subject)
				: refusal(status, body, subject, retryAfterMs);
	return {
		...described,
		httpCode: status,
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
	};
}

const isPlacing = (purpose: Purpose): boolean => purpose === 'bulkCall' || purpose === 'placeCall';

/** The API's own words, with a status that it does not document for a refusal, or beside a call. */
const provesNothing = (status: number, { error }: ErrorBody, { purpose }: Subject): Described => ({
	message: `The API’s answer does not prove that nobody was called (${sentence(error)}, status ${status}), ${unanswered[purpose]}`,
	remedy: `${checkDashboard(purpose)}${NOT_AGAIN}`,
});

/** Why the account pauses, as another request heard it: `demandedMs` is what is left of the wait that was asked for. */
export function pauseProblem(
	limit: Exchange & { kind: 'answer' },
	subject: Subject,
	demandedMs: number | undefined,
): ApiProblem {
	// Of its wait, only what is left counts.
	const body = {
		...(limit.body as Record<string, unknown>),
		details: { policy: policyOf(limit.body) },
	};
	const { kind, status } = limit;
	return apiProblem(
		{
			kind,
			status,
			body,
			...(demandedMs === undefined ? {} : { retryAfter: String(Math.ceil(demandedMs / 1_000)) }),
		},
		subject,
		0,
	);
}

/** What the API says of each row of a request, and would of further ones. */
const UNDIALED: ApiProblem = {
	message: 'The API can dial nobody for the moment',
	remedy: 'Try again in a few minutes.',
	cause: 'rate-limited',
};

function refusal(
	status: number,
	body: ErrorBody,
	subject: Subject,
	retryAfterMs: number | undefined,
): Described {
	const described = describe(status, body, subject)(body, subject, retryAfterMs);
	const next = sentence(nextStepOf(body));
	if (next === '') return described;
	const nextStep = `The API adds: ${next}.`;
	return { ...described, nextStep, remedy: `${described.remedy} ${nextStep}` };
}

/** A text that the API document fixes counts most, then its category, then what is known of texts and categories with that status, then the status. */
const describe = (status: number, body: ErrorBody, subject: Subject): DescribeProblem =>
	byText.find(
		([text, , isAbout]) => text.test(body.error) && (isAbout?.(subject.purpose) ?? true),
	)?.[1] ??
	byCategory.find(([category]) => category === categoryOf(body))?.[1] ??
	byStatusAndText[status]?.find(([matches]) =>
		matches(`${body.error} ${categoryOf(body)}`, subject),
	)?.[1] ??
	byStatus[status] ??
	otherProblem;

/** The API's text and, where it names one, its category. */
const quotedText = (body: ErrorBody): string => {
	const category = categoryOf(body);
	return `${sentence(body.error)}${category === '' ? '' : `, category ${quoted(category)}`}`;
};

const ALLOWANCE_FOR: Record<Purpose, string> = {
	bulkCall: 'placing calls in bulk',
	placeCall: 'placing single calls',
	read: 'reading batches',
	cancel: 'cancelling calls',
};

/** Which allowance is meant, in brackets; nothing where the API does not say it. */
function whichAllowance(body: ErrorBody): string {
	const policy = policyOf(body);
	if (policy === '') return '';
	const purpose = Object.hasOwn(POLICIES, policy) ? POLICIES[policy] : undefined;
	return ` (the one for ${purpose ? ALLOWANCE_FOR[purpose] : quoted(policy)})`;
}

const TOKEN_REMEDY =
	'Copy the API token from the outbound calls page of your dashboard into the credential. It is shown only once: if it is lost, rotate it there, which ends the earlier one.';
const ADDRESS_REMEDY = 'Check the Base URL in the credential: it ends in /api/v1/outbound.';

/** Refusals that the API document names by their text; the text counts more than the status, which is not always shown. */
const byText: Array<[RegExp, DescribeProblem, isAbout?: (purpose: Purpose) => boolean]> = [
	[
		/^Missing prompt_variables keys:.*[^\s,]/i,
		(body, { sentVariables = [] }) => {
			const names = missingVariables(body.error);
			const one = names.length === 1;
			const alike = names.flatMap((name) =>
				sentVariables.filter((sent) => sent !== name && sent.toLowerCase() === name.toLowerCase()),
			);
			const capitals =
				alike.length === 0
					? ''
					: ` Capitals count: ${listed(alike.map(quoted), 25)} ${alike.length === 1 ? 'was' : 'were'} sent.`;
			return {
				message: `The agent’s prompt needs ${one ? 'the prompt variable' : 'the prompt variables'} ${listed(names.map(quoted), 25)}, which ${one ? 'was' : 'were'} not sent`,
				remedy: `Add ${listed(
					names.map((name) => quoted(name).slice(1, -1)),
					25,
				)} under Prompt Variables, spelled exactly so, for example by dragging the column in and naming it so.${capitals}`,
				missingVariables: names,
			};
		},
	],
	[
		/already placed/i,
		() => ({
			message: 'The call was already placed, so it can no longer be cancelled',
			remedy:
				'Only calls that are not dialed yet can be cancelled. To treat this as a normal result, set the option If Already Placed to “Return It as a Result”.',
			alreadyPlaced: true,
		}),
		(purpose) => purpose === 'cancel',
	],
	[
		/agent not found/i,
		(_body, { agentNumber }) => ({
			message: `No agent on your account has the number ${quoted(agentNumber ?? '')}, or your token has no access to it`,
			remedy:
				'Check Agent Number: the agent’s phone number or its SIP ID (starting with t), not an internal ID.',
			ends: 'group',
		}),
		isPlacing,
	],
	[
		/batch not found/i,
		(_body, { batchId }) => ({
			message: `No batch with the ID ${quoted(batchId ?? '')} exists on your account`,
			remedy: 'Use the batch_id that Bulk Call returned, with the credential of the same account.',
		}),
		(purpose) => purpose === 'read',
	],
	[
		/consent not found/i,
		(_body, { callRecordId }) => ({
			message: `No call record with the ID ${quoted(callRecordId ?? '')} exists on your account`,
			remedy: 'Use the consent_id that Bulk Call returned, or the id of a record from Get Batch.',
			gone: true,
		}),
		(purpose) => purpose === 'cancel',
	],
	[
		/^mf-core:rate-limit-exceeded$/,
		(body, _subject, retryAfterMs) => ({
			message: `Your account’s request allowance is used up for the moment${whichAllowance(body)}`,
			remedy: comeBack(retryAfterMs),
			cause: 'rate-limited',
		}),
	],
	[
		/^mf-core:rate-limiter-unavailable$/,
		(body, _subject, retryAfterMs) => ({
			message: `The API could not check your request allowance just now, and carried nothing out${whichAllowance(body)}`,
			remedy: comeBack(retryAfterMs),
			cause: 'temporarily-unavailable',
		}),
	],
	[
		/E\.?164/i,
		(body) => ({
			message: `The API takes only phone numbers in international format (${sentence(body.error)})`,
			remedy:
				'Write each number with a leading + and the country code, digits only, like +14155550123.',
		}),
	],
];

/** The list of destinations, not a path into it ("destinations[3] must have between 10 and 15 digits"). */
const DESTINATIONS = /\bdestinations\b(?![[/.]\w)/i;
const TOO_MANY = new RegExp(`\\b(?:${DESTINATIONS_PER_REQUEST}|ten|too many)\\b`, 'i');
const MIXED_VARIABLES = /shared|per-destination|combine|mix/i;

/** The word by itself, not as in "blocked". */
const LOCKED = /(?<![a-z])lock(?:ed)?(?![a-z])/i;
const LIMIT = /daily|limit/i;

/** Refusals that the API document names by their category, whatever their status. */
const byCategory: Array<[category: string, DescribeProblem]> = [
	[
		'rate_limit',
		(_body, _subject, retryAfterMs) => ({
			message: 'Your account’s outbound calling limit is reached for the moment',
			remedy: comeBack(retryAfterMs),
			ends: 'run',
			cause: 'rate-limited',
		}),
	],
];

const NEWEST_VERSION = 'Update this node to its newest version';
const LOOK_FOR_REASON =
	'Look at the outbound calls page of your dashboard for the reason, or ask your provider.';

/** Refusals whose text the API document does not fix, told apart by words that it uses. */
const byStatusAndText: Record<
	number,
	Array<[matches: (text: string, subject: Subject) => boolean, DescribeProblem]>
> = {
	400: [
		[
			(text, { purpose }) =>
				purpose === 'bulkCall' && DESTINATIONS.test(text) && TOO_MANY.test(text),
			({ error }) => ({
				message: `The API takes at most ${DESTINATIONS_PER_REQUEST} destinations in one request (${sentence(error)})`,
				remedy: `${NEWEST_VERSION}: it sends no more. If it is, please report this.`,
			}),
		],
		[
			(text) => MIXED_VARIABLES.test(text),
			({ error }) => ({
				message: `The API does not take shared and per-destination variables together (${sentence(error)})`,
				remedy: `${NEWEST_VERSION}: it never mixes them. If it is, please report this.`,
			}),
		],
	],
	422: [
		[
			(text) => LOCKED.test(text),
			({ error }) => ({
				message: `Your account is locked for calling (${sentence(error)})`,
				remedy: LOOK_FOR_REASON,
				ends: 'run',
				cause: 'quota-exhausted',
			}),
		],
		[
			(text) => LIMIT.test(text),
			({ error }) => ({
				message: `The daily call limit of your account is reached (${sentence(error)})`,
				remedy:
					'Wait until tomorrow, or request a higher daily limit on the outbound calls page of your dashboard.',
				ends: 'run',
				cause: 'quota-exhausted',
			}),
		],
	],
};

const byStatus: Record<number, DescribeProblem> = {
	400: ({ error }) => ({
		message: `The API did not accept the request (${sentence(error)})`,
		remedy: 'Change the field that the text names. This request dialed nobody.',
	}),
	401: () => ({
		message: 'The API token is missing or not valid',
		remedy: TOKEN_REMEDY,
		ends: 'run',
	}),
	403: () => ({
		message: 'Outbound calling is not enabled for your account',
		remedy: 'Have it enabled on the outbound calls page of your dashboard or by your provider.',
		ends: 'run',
	}),
	404: (body) => ({
		message: `The API found nothing there (${sentence(body.error)})`,
		remedy: `Check the ID or number in this node. ${ADDRESS_REMEDY}`,
		ends: 'group',
	}),
	410: () => ({
		message: 'The API no longer offers this function',
		remedy: `${NEWEST_VERSION}. ${ADDRESS_REMEDY}`,
		ends: 'run',
	}),
	422: (body) => ({
		message: `The API understood the request but did not carry it out (${quotedText(body)})`,
		remedy: `This request dialed nobody. ${LOOK_FOR_REASON}`,
		// Only a limit has a category, and limits are the account's.
		ends: categoryOf(body) === '' ? 'group' : 'run',
		cause: 'quota-exhausted',
	}),
	429: (body, _subject, retryAfterMs) => ({
		message: `Your account’s outbound calling limit is reached for the moment${categoryOf(body) === '' ? '' : ` (${quotedText(body)})`}`,
		remedy: comeBack(retryAfterMs),
		cause: 'rate-limited',
	}),
	503: (_body, _subject, retryAfterMs) => ({
		message: 'Outbound calling is temporarily unavailable',
		remedy: comeBack(retryAfterMs),
		cause: 'temporarily-unavailable',
	}),
};

const otherProblem: DescribeProblem = (body) => ({
	message: `The API did not carry the request out (${sentence(body.error)})`,
	remedy: 'If the text does not help, try again later or ask your provider.',
});

/** The names in "Missing prompt_variables keys: name, amount". */
function missingVariables(text: string): string[] {
	return text
		.slice(text.indexOf(':') + 1)
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
}

const comeBack = (retryAfterMs: number | undefined): string =>
	retryAfterMs === undefined
		? 'Try again in a few minutes.'
		: `Try again in ${formatDuration(retryAfterMs)}.`;

/** A page, an empty body, a redirect or somebody else's JSON. */
function foreignAnswerProblem(
	exchange: Exchange & { kind: 'answer' },
	{ purpose, apiAnswered = true }: Subject,
): Described {
	const { status, body } = exchange;
	const answer =
		status >= 300 && status < 400
			? `redirects to another address (status ${status}), and redirects are not followed, to protect the token`
			: `answered with ${shapeOf(body)} instead of the API’s own answer (status ${status})`;
	if (neverArrived(purpose, exchange, apiAnswered)) {
		const proxy =
			status === 407
				? ' If it is right, a proxy in front of this n8n asks for a sign-in: ask whoever runs this n8n.'
				: '';
		return {
			message: `The server ${answer}`,
			remedy: `${ADDRESS_REMEDY} Nobody was called by this request.${proxy}`,
		};
	}
	// A server that knows no such path has cancelled nothing.
	const mayHaveCancelled = purpose === 'cancel' && !NOT_HANDED_ON.includes(status);
	return {
		message: `The server ${answer}${isPlacing(purpose) || mayHaveCancelled ? `, ${unanswered[purpose]}` : ''}`,
		remedy: `${checkDashboard(purpose)}${ADDRESS_REMEDY} If it is right, a gateway in front of the API may be busy: try again later.`,
		...(mayHaveCancelled ? { unanswered: true } : {}),
		...(status === 429
			? { cause: 'rate-limited' as const }
			: status >= 502
				? { cause: 'temporarily-unavailable' as const }
				: {}),
	};
}

function shapeOf(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'nothing';
	if (typeof body === 'string')
		return /^\s*</.test(body) ? 'a web page' : 'a text that could not be read';
	if (Array.isArray(body)) return 'a list';
	return isObject(body) ? 'other data' : 'a bare value';
}

const checkDashboard = (purpose: Purpose): string =>
	isPlacing(purpose)
		? 'Look at the outbound calls page of your dashboard before you call these numbers again. '
		: '';

const unanswered: Record<Purpose, string> = {
	bulkCall: 'so the calls may have been placed',
	placeCall: 'so the call may have been placed',
	cancel: 'so the call may or may not be cancelled',
	read: 'so nothing could be read',
};

const NOT_AGAIN = 'This node does not send it again, so that nobody is called twice.';

/** Codes of a request that took too long. */
const TIMED_OUT = ['ECONNABORTED', 'ETIMEDOUT'];

function noAnswerProblem(code: string, { purpose, timeoutMs }: Subject): ApiProblem {
	const timedOut = TIMED_OUT.includes(code);
	return {
		message: timedOut
			? `The API did not answer within ${formatDuration(timeoutMs)}, ${unanswered[purpose]}`
			: `The connection ended before the API’s answer was complete, ${unanswered[purpose]}`,
		remedy: isPlacing(purpose)
			? `${checkDashboard(purpose)}${NOT_AGAIN}`
			: `Try again; ${timedOut ? 'if it stays so, raise the option Timeout.' : 'if it stays so, check your network.'}`,
		unanswered: true,
		cause: 'temporarily-unavailable',
	};
}

const NO_ADDRESS = ['ERR_INVALID_URL', 'ERR_INVALID_PROTOCOL', 'ERR_UNSUPPORTED_PROTOCOL'];

/** Why a connection never opened, by its code: the first that matches. */
const connectionProblems: Array<
	[matches: (code: string) => boolean, message: string, remedy: string]
> = [
	[
		(code) => code === 'ECONNREFUSED',
		'The server refused the connection',
		`The API may be down, or the address is not right. ${ADDRESS_REMEDY}`,
	],
	[
		(code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN',
		'The server’s name could not be found',
		`${ADDRESS_REMEDY} Look for a typing slip in the server’s name.`,
	],
	[
		isTlsCode,
		'A secure connection to the server could not be made, because its certificate is not accepted',
		`${ADDRESS_REMEDY} If it is right, ask whoever runs the server to renew its certificate.`,
	],
	[
		(code) => code.startsWith('Ssrf'),
		'This n8n does not allow connections to that address',
		'Ask whoever runs this n8n to allow it, or use the API’s public address in the credential.',
	],
	[
		(code) => code === 'ERR_INVALID_CHAR',
		'The API token in the credential has a character that cannot be sent',
		TOKEN_REMEDY,
	],
	[
		(code) => NO_ADDRESS.includes(code),
		'The Base URL in the credential is not a web address',
		`It begins with https:// or http://. ${ADDRESS_REMEDY}`,
	],
	[
		() => true,
		'The server could not be reached',
		`Check the network of this n8n. ${ADDRESS_REMEDY}`,
	],
];

function connectionProblem(code: string): ApiProblem {
	const [, message, remedy] = connectionProblems.find(([matches]) => matches(code))!;
	return { message, remedy, cause: 'temporarily-unavailable' };
}

/** The API's text inside a sentence of ours: one line, no full stop, not endless. */
function sentence(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
	return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
