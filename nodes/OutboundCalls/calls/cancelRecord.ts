import { type ApiProblem, isErrorBody } from '../domain/api/exchange';
import { fail, type Fields, isObject, numberOf, ok, type Result, without } from '../domain/values';
import { type ApiAccess, type SafeRequest, sendWithRetry } from '../http/apiAccess';
import { apiProblem } from '../http/apiErrors';

/** The API's answer to a cancelled call, or why it is not cancelled. */
export type CancelResult = Result<Fields, ApiProblem>;

/** Whether an answer names the record that was asked for as cancelled, as far as it says. */
const isCancelled = (body: Record<string, unknown>, asked: string) =>
	body.success === true &&
	(body.status ?? 'cancelled') === 'cancelled' &&
	// Numbers, because the host rounds IDs beyond 2^53.
	numberOf(body.id ?? asked) === numberOf(asked);

/** Cancels one call record. */
export async function cancelRecord(
	{ send, cancels, timeoutMs }: ApiAccess,
	callRecordId: string,
): Promise<CancelResult> {
	const path = `/consents/${encodeURIComponent(callRecordId)}/cancel`;
	const request: SafeRequest = { purpose: 'cancel', path, timeoutMs, callRecordId };
	const answer = await sendWithRetry(send, cancels, request);
	if (!answer.ok) return answer;
	const { body, status } = answer.value;
	if (isObject(body) && isCancelled(body, callRecordId))
		return ok(without(body as Fields, 'error'));
	// The API document does not show the status of a refused cancellation, so its text counts with
	// any status.
	if (isErrorBody(body)) return fail(apiProblem(answer.value, request));
	return fail({
		message: 'The answer does not say whether the call is cancelled',
		remedy: 'Read the call record with Get Batch, or cancel it again, which is safe.',
		httpCode: status,
		unanswered: true,
	});
}
