import { isErrorBody } from '../domain/errorBody';
import type { Fields } from '../domain/fields';
import { isObject, without } from '../domain/json';
import { fail, ok, type Result } from '../domain/problem';
import type { Run } from '../execution/run';
import { apiProblem, type ApiProblem } from '../http/apiErrors';
import { sendWithRetry } from '../http/retry';

/** The API's answer to a cancelled call, or why it is not cancelled. */
export type CancelResult = Result<Fields, ApiProblem>;

/** Of the record that was asked for, as far as the answer says. */
const isCancelled = (
	{ id, status = 'cancelled' }: Record<string, unknown>,
	callRecordId: string,
): boolean =>
	status === 'cancelled' &&
	(!Number.isSafeInteger(Number(id ?? NaN)) || String(id) === callRecordId);

export async function cancelRecord(
	{ send, cancels, timeoutMs }: Run,
	callRecordId: string,
): Promise<CancelResult> {
	const path = `/consents/${encodeURIComponent(callRecordId)}/cancel`;
	const subject = { purpose: 'cancel' as const, callRecordId, timeoutMs };
	const answer = await sendWithRetry(
		send,
		cancels,
		{ purpose: 'cancel', method: 'POST', path, timeoutMs },
		subject,
	);
	if (!answer.ok) return answer;
	const { body, status } = answer.value;
	if (isObject(body) && body.success === true && isCancelled(body, callRecordId)) {
		return ok(without(body as Fields, 'error'));
	}
	// The HTTP status of the refusal is not shown by the API document, so its text counts with any of them.
	if (isErrorBody(body))
		return fail(apiProblem({ kind: 'answer', status, body }, subject, Date.now()));
	return fail({
		message: 'The answer does not say whether the call is cancelled',
		remedy: 'Look at the call record with Get Batch; cancelling it once more does no harm.',
		httpCode: status,
		unanswered: true,
	});
}
