import { NodeApiError, NodeOperationError, type INode, type INodeExecutionData } from 'n8n-workflow';
import type { Problem } from '../domain/problem';
import type { ApiProblem } from '../http/apiErrors';

/**
 * A refusal as n8n shows it. `message` replaces the refusal's own where the row has to be named. No item
 * index goes along: the host counts from 0 and would put "[item 1]" behind our "Row 2".
 */
export function apiError(node: INode, refusal: ApiProblem, message: string): NodeApiError {
	const options = {
		message,
		description: refusal.remedy,
		...(refusal.httpCode === undefined ? {} : { httpCode: String(refusal.httpCode) }),
		...(refusal.cause === undefined
			? {}
			: {
					// Read by newer hosts only.
					failure: {
						cause: refusal.cause,
						...(refusal.retryAfterMs === undefined ? {} : { retryAfterMs: refusal.retryAfterMs }),
					},
				}),
	};
	return withOwnWords(new NodeApiError(node, { message }, options), message, refusal.remedy);
}

/** Something in the workflow that has to be changed before anything can be sent. */
export function operationError(node: INode, finding: Problem, message: string): NodeOperationError {
	const error = new NodeOperationError(node, message, { description: finding.remedy });
	return withOwnWords(error, message, finding.remedy);
}

/** The host replaces messages in which it finds a code of Node's, such as the EPERM in "superpermit". */
function withOwnWords<E extends NodeApiError | NodeOperationError>(error: E, message: string, description: string): E {
	error.message = message;
	error.description = description;
	error.messages = [];
	return error;
}

/**
 * A row that could not be carried out, with On Error = Continue. All versions of n8n take an item whose
 * `json` holds nothing but `error` for a failed one. An `error` beside `json` would do so too, but n8n 2
 * then throws away the input fields that it adds on the error output (host fact).
 */
export const errorItem = ({ message, description }: NodeApiError | NodeOperationError, itemIndex: number): INodeExecutionData => ({
	// The table shows one text, so the remedy goes into it.
	json: { error: description ? `${message}. ${description}` : message },
	pairedItem: { item: itemIndex },
});
