import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { Send } from '../domain/api/exchange';
import { type Checked, ok, problem, thrownReason } from '../domain/values';
import { type Credential, CREDENTIAL, type Execution } from '../execution/execution';
import { type Account, accountOf } from './account';
import { checkBaseUrl, checkToken } from './credential';
import { maskedTexts } from './maskedTexts';
import { isNotOpened, networkCode } from './networkErrors';

/** The API, with the credential of one run. */
export interface Api {
	send: Send;
	account: Account;
}

/**
 * Opens the one place that talks to the API; `send` never rejects for what the network or the API
 * does. n8n behavior: `ignoreHttpStatusErrors` keeps the host from sending again after a 401;
 * `disableFollowRedirect` keeps the token from another host; with `credentialsDecrypted` the host
 * does not read the credential again, so nothing is awaited between the last judgment of a row and
 * its request.
 */
export async function openApi({
	requestContext: context,
	signal,
}: Execution): Promise<Checked<Api>> {
	const credential = await readCredential(context);
	if (!credential.ok) return credential;
	const { baseUrl, apiToken, callbackSecret } = credential.value;
	const base = checkBaseUrl(baseUrl);
	if (!base.ok) return base;
	const token = checkToken(apiToken);
	if (!token.ok) return token;
	const decrypted = { id: '', name: CREDENTIAL, type: CREDENTIAL, data: { ...credential.value } };
	const fit = maskedTexts(apiToken, callbackSecret);
	const account = accountOf(base.value, token.value);

	const ask: Send = async ({ purpose, path, query, body, timeoutMs }) => {
		const options: IHttpRequestOptions = {
			method: purpose === 'read' ? 'GET' : 'POST',
			url: `${base.value}${path}`,
			...(query && { qs: query }),
			// As text: the host's HTTP client copies an object without names such as `constructor`.
			...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
			json: true,
			// Not parsed by the host: it is bounded first (`maskedTexts`).
			encoding: 'text',
			timeout: timeoutMs,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		const deadline = openDeadline(context, signal, timeoutMs);
		try {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				deadline.context,
				CREDENTIAL,
				options,
				{ credentialsDecrypted: decrypted },
			)) as IN8nHttpFullResponse;
			const retryAfter = response.headers['retry-after'];
			return {
				kind: 'answer',
				status: response.statusCode,
				body: fit(response.body),
				...(typeof retryAfter === 'string' && { retryAfter }),
			};
		} catch (thrown) {
			const code = deadline.isOver() ? 'ETIMEDOUT' : networkCode(thrown);
			return { kind: isNotOpened(thrown) ? 'notOpened' : 'noAnswer', code };
		}
	};
	const send: Send = async (request) => {
		const returned = account.leave(request.purpose);
		const exchange = await ask(request);
		returned(exchange);
		return exchange;
	};
	return ok({ send, account });
}

/** Never rejects. */
async function readCredential(context: IExecuteFunctions) {
	try {
		return ok(await context.getCredentials<Credential>(CREDENTIAL, 0));
	} catch (thrown) {
		return problem(
			`The credential could not be read${thrownReason(thrown)}`,
			'Choose the credential again in this node, or save it again.',
		);
	}
}

/**
 * The `this` of n8n's request helper for one request, and whether its time is over. n8n behavior:
 * the option `timeout` bounds only the silence between two bytes, so that a body that drips
 * outlasts it, and the helper listens only to the signal of its context. So it gets a context whose
 * signal also ends with the time.
 */
function openDeadline(
	context: IExecuteFunctions,
	signal: AbortSignal | undefined,
	timeoutMs: number,
) {
	const time = AbortSignal.timeout(timeoutMs);
	const ends = signal ? AbortSignal.any([time, signal]) : time;
	return {
		context: Object.create(context, {
			getExecutionCancelSignal: { value: () => ends },
		}) as IExecuteFunctions,
		isOver: () => time.aborted,
	};
}
