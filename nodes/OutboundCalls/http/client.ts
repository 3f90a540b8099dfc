import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { ApiRequest, Send } from '../domain/exchange';
import { type Checked, ok } from '../domain/problem';
import { type Account, accountOf } from './account';
import { maskedTexts } from './maskedTexts';
import { checkBaseUrl, checkToken, type Credential, CREDENTIAL } from './credential';
import { openDeadline } from './deadline';
import { isNotOpened, networkCode } from './networkErrors';

/** The way to the API, with the credential of one run. */
export interface Api {
	send: Send;
	account: Account;
}

/**
 * The one place that talks to the API. What comes back never rejects for what the network or the API does.
 * n8n behaviour: `ignoreHttpStatusErrors` keeps the host from sending a second time on 401;
 * `disableFollowRedirect` keeps the token from travelling to another host; with `credentialsDecrypted` the host does
 * not read the credential again, so that nothing is waited for between a caller's last look at the clock and the request.
 */
export function openApi(context: IExecuteFunctions, credential: Credential): Checked<Api> {
	const base = checkBaseUrl(credential.baseUrl);
	if (!base.ok) return base;
	const token = checkToken(credential.apiToken);
	if (!token.ok) return token;
	const decrypted = { id: '', name: CREDENTIAL, type: CREDENTIAL };
	const fit = maskedTexts(credential.apiToken);
	const account = accountOf(base.value, token.value);

	const signal = (context as Partial<IExecuteFunctions>).getExecutionCancelSignal?.();

	const ask: Send = async ({ method, path, query, body, timeoutMs }) => {
		const options: IHttpRequestOptions = {
			method,
			url: `${base.value}${path}`,
			json: true,
			timeout: timeoutMs,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		if (query) options.qs = query;
		if (body) Object.assign(options, withBody(body));
		const deadline = openDeadline(context, timeoutMs);
		try {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				deadline.context,
				CREDENTIAL,
				options,
				{
					credentialsDecrypted: { ...decrypted, data: { ...credential } },
				},
			)) as {
				statusCode: number;
				headers?: Record<string, unknown>;
				body: unknown;
			};
			const retryAfter = response.headers?.['retry-after'];
			return {
				kind: 'answer',
				status: response.statusCode,
				body: fit(response.body),
				...(typeof retryAfter === 'string' ? { retryAfter } : {}),
			};
		} catch (thrown) {
			const code = deadline.isOver() ? 'ETIMEDOUT' : networkCode(thrown);
			return { kind: isNotOpened(thrown) ? 'notOpened' : 'noAnswer', code };
		} finally {
			deadline.close();
		}
	};
	const told: Send = async (request) => {
		const returned = account.leave(request.purpose);
		const exchange = await ask(request);
		returned(exchange);
		return exchange;
	};
	const send: Send = async (request) => {
		if (request.purpose !== 'read') return await told(request);
		// As long as others are ready to wait: whoever shares an answer waits no longer than for one of their own.
		const key = JSON.stringify([request.path, request.query, request.timeoutMs]);
		return await account.reads.read(key, signal, async () => await told(request));
	};
	return ok({ send, account });
}

/** Names that the host's HTTP client leaves out when it copies an object. Text it sends as it is. */
const NOT_COPIED = /"(?:__proto__|constructor|prototype)":/;

function withBody(body: NonNullable<ApiRequest['body']>): Partial<IHttpRequestOptions> {
	const text = JSON.stringify(body);
	return NOT_COPIED.test(text)
		? { body: text, headers: { 'Content-Type': 'application/json' } }
		: { body };
}
