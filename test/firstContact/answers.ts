import { type Exchange, isErrorBody } from '../../nodes/OutboundCalls/domain/api/exchange';
import { isOwnAnswer } from '../../nodes/OutboundCalls/domain/api/sendPolicy';
import { isObject } from '../../nodes/OutboundCalls/domain/values/untrustedValues';

/** Fields whose values say how the API works, and nothing of anybody. Of all others only the kind of value is shown. */
const TELLING: ReadonlySet<string> = new Set(
	'success status error error_type detail message policy retry_after consent_method auto_call_error total succeeded failed approved called total_pages current_page'.split(
		' ',
	),
);

const KINDS: Array<[RegExp, string]> = [
	[/^$/, '<empty text>'],
	[/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, '<UUID>'],
	[/^\+\d+$/, '<phone number>'],
	[/^\d{4}-\d{2}-\d{2}T/, '<date and time>'],
	[/^\d+$/, '<digits>'],
	[/^/, '<text>'],
];

/** The shape of a value as JSON, without what it says of people: its names, and a value only where its name is `telling`. */
export function outline(value: unknown, telling = TELLING): string {
	const shown = (name: string, each: unknown): unknown => {
		if (typeof each === 'number' && !telling.has(name)) return '<number>';
		if (typeof each !== 'string' || telling.has(name)) return each;
		return KINDS.find(([pattern]) => pattern.test(each))![1];
	};
	return JSON.stringify(value, shown);
}

/** An answer for the report: its status, its wait and its shape. */
export function said(exchange: Exchange): string {
	if (exchange.kind !== 'answer') return `no answer (${exchange.code})`;
	const { status, body, retryAfter } = exchange;
	return `${status}${retryAfter === undefined ? '' : `, Retry-After ${retryAfter}`} ${outline(body)}`;
}

export const bodyOf = (exchange: Exchange): Record<string, unknown> =>
	exchange.kind === 'answer' && isObject(exchange.body) ? exchange.body : {};

export const statusOf = (exchange: Exchange): number =>
	exchange.kind === 'answer' ? exchange.status : 0;

export const textOf = (exchange: Exchange): string => {
	const { error } = bodyOf(exchange);
	return typeof error === 'string' ? error : '';
};

/** Whether the API itself refused, with this status and text. */
export const isRefusal = (exchange: Exchange, status: number, text = /./): boolean =>
	statusOf(exchange) === status && isErrorBody(bodyOf(exchange)) && text.test(textOf(exchange));

export const isLimit = (exchange: Exchange): boolean =>
	isOwnAnswer(exchange) &&
	([422, 429, 503].includes(statusOf(exchange)) ||
		/"(?:rate_limited|temporarily_unavailable|locked)"/.test(JSON.stringify(bodyOf(exchange))));
