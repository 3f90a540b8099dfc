import type { IDataObject } from 'n8n-workflow';
import { sendWithRetry } from '../http/retry';
import type { ApiProblem } from '../http/apiErrors';
import { isObject } from '../domain/sendPolicy';
import type { Run } from '../execution/eachItem';

/** What became of the wish to cancel a call. */
export type CancelResult = { ok: true; body: IDataObject } | { ok: false; refusal: ApiProblem };

export async function cancelRecord({ send, pace, timeoutMs }: Run, callRecordId: string): Promise<CancelResult> {
	const path = `/consents/${encodeURIComponent(callRecordId)}/cancel`;
	const answer = await sendWithRetry(send, pace, { method: 'POST', path, timeoutMs }, { purpose: 'cancel', callRecordId, timeoutMs });
	if (!answer.ok) return answer;
	const { body, status } = answer;
	if (isObject(body) && body.success === true) {
		const { error: _none, ...rest } = body as IDataObject;
		return { ok: true, body: rest };
	}
	return {
		ok: false,
		refusal: {
			message: 'The answer does not say whether the call is cancelled',
			remedy: 'Look at the call record with Get Batch; cancelling it once more does no harm.',
			httpCode: status,
		},
	};
}
