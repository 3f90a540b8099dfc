import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { ApiRequest, Send } from '../domain/exchange';
import { CREDENTIAL } from './credential';
import { isNotOpened, networkCode } from './networkErrors';

/**
 * The one place that talks to the API. Never throws for what the network or the API does.
 * n8n behaviour: `ignoreHttpStatusErrors` keeps the host from sending a second time on 401;
 * `disableFollowRedirect` keeps the token from travelling to another host.
 */
export async function openApi(context: IExecuteFunctions): Promise<Send> {
	const { baseUrl, apiToken } = await context.getCredentials<{ baseUrl: string; apiToken: string }>(CREDENTIAL);
	const base = baseUrl.trim().replace(/\/+$/, '');

	return async ({ method, path, query, body, timeoutMs }) => {
		const options: IHttpRequestOptions = {
			method,
			url: `${base}${path}`,
			json: true,
			timeout: timeoutMs,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		if (query) options.qs = query;
		if (body) Object.assign(options, withBody(body));
		try {
			const response = (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options)) as {
				statusCode: number;
				headers?: Record<string, unknown>;
				body: unknown;
			};
			const retryAfter = response.headers?.['retry-after'];
			return {
				kind: 'answer',
				status: response.statusCode,
				body: withoutSecret(response.body, apiToken),
				...(typeof retryAfter === 'string' ? { retryAfter } : {}),
			};
		} catch (thrown) {
			const code = networkCode(thrown);
			return { kind: isNotOpened(thrown) ? 'notOpened' : 'noAnswer', code };
		}
	};
}

/** Names that the host's HTTP client leaves out when it copies an object. Text it sends as it is. */
const NOT_COPIED = /"(?:__proto__|constructor|prototype)":/;

function withBody(body: NonNullable<ApiRequest['body']>): Partial<IHttpRequestOptions> {
	const text = JSON.stringify(body);
	return NOT_COPIED.test(text) ? { body: text, headers: { 'Content-Type': 'application/json' } } : { body };
}

/** An answer that quotes the token back must not carry it into outputs and messages. */
function withoutSecret(value: unknown, secret: string): unknown {
	if (typeof value === 'string') return secret && value.includes(secret) ? value.split(secret).join('***') : value;
	if (typeof value !== 'object' || value === null || !secret) return value;
	// One look at the whole text is cheaper than a walk, and nearly always enough.
	return JSON.stringify(value).includes(JSON.stringify(secret).slice(1, -1)) ? redacted(value, secret) : value;
}

function redacted(value: unknown, secret: string): unknown {
	return JSON.parse(JSON.stringify(value).split(JSON.stringify(secret).slice(1, -1)).join('***')) as unknown;
}
