/**
 * The table of the API's refusals: by the texts that the API document fixes, by category, by words,
 * by status.
 */
import {
	type ApiProblem,
	type ErrorBody,
	errorTypeOf,
	isPlacing,
	type RefusalReach,
	REFUSALS,
	type Subject,
} from '../domain/api/exchange';
import { formatDuration, listed, quoted } from '../domain/values';

type Describe = (body: ErrorBody, subject: Subject, retryAfterMs: number | undefined) => ApiProblem;

/**
 * What a refusal of the API means: its text counts most, then its category, then words in both,
 * then the status.
 */
export function refusal(
	status: number,
	body: ErrorBody,
	subject: Subject,
	retryAfterMs: number | undefined,
): ApiProblem {
	const category = errorTypeOf(body);
	const describe =
		byText.find(([text]) => text.test(body.error))?.[1] ??
		(category === 'rate_limit' ? callingLimit : undefined) ??
		(status === 422
			? of422.find(([words]) => words.test(`${body.error} ${category}`))?.[1]
			: undefined) ??
		byStatus[status] ??
		otherRefusal;
	return { reach: REFUSALS[status], ...describe(body, subject, retryAfterMs) };
}

/** The API's text inside a sentence of ours: one line, no full stop, bounded. */
export function sentence(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
	return line.length > 500 ? `${line.slice(0, 499)}…` : line;
}

/** What to do about an address that may be wrong. */
export const ADDRESS_REMEDY = 'Check the Base URL in the credential: it ends in /api/v1/outbound.';
/** The same, where the address may be right. */
export const ADDRESS_REMEDY_OR_LATER = `${ADDRESS_REMEDY} If it is right, try again later.`;
/** What to do when calls may have been placed. */
export const CHECK_DASHBOARD =
	'Check the outbound calls page of your dashboard before you call these numbers again.';
/** What to do when no time is named. */
export const LATER = 'Try again in a few minutes.';

/** A refusal of the whole run that ends by itself. */
const untilLater =
	(message: string): Describe =>
	(_body, _subject, retryAfterMs) => ({
		message,
		remedy: retryAfterMs === undefined ? LATER : `Try again in ${formatDuration(retryAfterMs)}.`,
		reach: 'run',
	});

/**
 * Texts that the API document fixes. They count with any status, because it is not always shown.
 */
const byText: Array<[RegExp, Describe]> = [
	[/^Missing prompt_variables keys:.*[^\s,]/i, missingVariables],
	[
		/already placed for this consent/i,
		() => ({
			message: 'The call was already placed and can no longer be cancelled',
			remedy:
				'To treat this as a normal result, set the option If Already Placed to “Return It as a Result”.',
			alreadyPlaced: true,
		}),
	],
	[
		/batch not found/i,
		(_body, { batchId }) => ({
			message: `No batch with the ID ${quoted(batchId ?? '')} exists on your account`,
			remedy: 'Use the batch_id from Bulk Call and the credential of the same account.',
		}),
	],
	[
		/consent not found/i,
		(_body, { callRecordId }) => ({
			message: `No call record with the ID ${quoted(callRecordId ?? '')} exists on your account`,
			remedy: 'Use the consent_id from Bulk Call or the id of a record from Get Batch.',
			gone: true,
		}),
	],
	[
		/agent not found/i,
		(_body, { agentNumber }) => ({
			message: `No agent on your account has the number ${quoted(agentNumber ?? '')}`,
			remedy: 'Set Agent Number to the agent’s phone number or its SIP ID (starting with t).',
			reach: 'agent',
		}),
	],
	[
		/^mf-core:rate-limit-exceeded$/,
		untilLater('Your account’s request allowance is used up for now'),
	],
	[
		/^mf-core:rate-limiter-unavailable$/,
		untilLater('The API could not check your account’s request allowance'),
	],
];

function missingVariables({ error }: ErrorBody, { sentVariables = [] }: Subject): ApiProblem {
	const names = error
		.slice(error.indexOf(':') + 1)
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
	const one = names.length === 1;
	const alike = sentVariables.filter((sent) =>
		names.some((name) => name !== sent && name.toLowerCase() === sent.toLowerCase()),
	);
	const sent = alike.length === 0 ? '' : ` You sent ${listed(alike.map(quoted), 25)}.`;
	return {
		message: `The agent’s prompt needs the prompt ${one ? 'variable' : 'variables'} ${listed(names.map(quoted), 25)}, which ${one ? 'was' : 'were'} not sent`,
		remedy: `Add ${one ? 'it' : 'them'} under Prompt Variables with exactly this spelling, including capitals.${sent}`,
		missingVariables: names,
		reach: 'row',
	};
}

const callingLimit = untilLater('Your account’s outbound calling limit is reached for now');

/** The word by itself, not as in "blocked". */
const LOCKED = /(?<![a-z])lock(?:ed)?(?![a-z])/i;
const LIMIT = /daily|limit/i;

const ASK_PROVIDER =
	'Look for the reason on the outbound calls page of your dashboard, or ask your provider.';

/** A locked account, or one at its limit, places no more calls. It may still cancel them. */
const ofAccount = ({ purpose }: Subject): RefusalReach => (isPlacing(purpose) ? 'run' : 'row');

/** What a 422 is about, by words in its text and category, which the API document does not fix. */
const of422: Array<[words: RegExp, Describe]> = [
	[
		LOCKED,
		({ error }, subject) => ({
			message: `Your account is locked for calling (${sentence(error)})`,
			remedy: ASK_PROVIDER,
			reach: ofAccount(subject),
		}),
	],
	[
		LIMIT,
		({ error }, subject) => ({
			message: `The daily call limit of your account is reached (${sentence(error)})`,
			remedy: 'Wait until tomorrow, or request a higher daily limit on your dashboard.',
			reach: ofAccount(subject),
		}),
	],
];

const byStatus: Partial<Record<number, Describe>> = {
	400: ({ error }) => ({
		message: `The API did not accept the request (${sentence(error)})`,
		remedy: 'Correct the field that this text names.',
	}),
	401: () => ({
		message: 'The API token is missing or not valid',
		remedy:
			'Copy the API token from the outbound calls page of your dashboard into the credential. If it is lost, rotate it there.',
	}),
	403: () => ({
		message: 'Outbound calling is not enabled for your account',
		remedy: 'Enable it on the outbound calls page of your dashboard, or ask your provider.',
	}),
	404: ({ error }) => ({
		message: `The API found nothing there (${sentence(error)})`,
		remedy: `Check the ID or number in this node. ${ADDRESS_REMEDY}`,
	}),
	410: () => ({
		message: 'The API no longer offers this function',
		remedy: `Update this node to the newest version. ${ADDRESS_REMEDY}`,
	}),
	422: (body, subject) => ({
		message: `The API understood the request but did not carry it out (${sentence(body.error)})`,
		remedy: ASK_PROVIDER,
		// Only limits have a category, and limits are the account's.
		...(errorTypeOf(body) === '' ? {} : { reach: ofAccount(subject) }),
	}),
	429: callingLimit,
	503: untilLater('Outbound calling is temporarily unavailable'),
};

const otherRefusal: Describe = ({ error }) => ({
	message: `The API did not carry out the request (${sentence(error)})`,
	remedy: 'If this text does not help, try again later or ask your provider.',
});
