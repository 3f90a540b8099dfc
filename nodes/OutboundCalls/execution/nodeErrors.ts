import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { plainText } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { ApiProblem } from '../http/apiErrors';

/**
 * An API problem as n8n shows it. `message` replaces the problem's own where the row has to be named. No item
 * index goes along: the host counts from 0 and would put "[item 1]" behind our "Row 2".
 */
export function apiError(node: INode, why: ApiProblem, message: string): NodeApiError {
	const description = why.apiAdds ? `${why.remedy} ${why.apiAdds}` : why.remedy;
	const options = {
		message,
		description,
		...(why.httpCode === undefined ? {} : { httpCode: String(why.httpCode) }),
		...(why.cause === undefined
			? {}
			: {
					// Read by newer hosts only.
					failure: {
						cause: why.cause,
						...(why.retryAfterMs === undefined ? {} : { retryAfterMs: why.retryAfterMs }),
					},
				}),
	};
	return withOwnWords(new NodeApiError(node, { message }, options), message, description);
}

/** Something in the workflow that has to be changed before anything can be sent. */
export function operationError(
	node: INode,
	{ remedy }: Problem,
	message: string,
): NodeOperationError {
	const error = new NodeOperationError(node, message, { description: remedy });
	return withOwnWords(error, message, remedy);
}

/** The editor shows texts as HTML (n8n behavior): what an API or a sheet put into them must stay text, and plain. */
export const shownText = (text: string): string =>
	plainText(text).replace(/</g, '‹').replace(/>/g, '›');

/** The host replaces messages in which it finds a code of Node's, such as the EPERM in "superpermit". */
function withOwnWords<E extends NodeApiError | NodeOperationError>(
	error: E,
	message: string,
	description: string,
): E {
	error.message = shownText(message);
	error.description = shownText(description);
	error.messages = [];
	return error;
}
