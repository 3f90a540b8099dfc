import { NodeApiError, NodeOperationError, type INode, type INodeExecutionData } from 'n8n-workflow';
import type { Finding } from '../domain/finding';
import type { Refusal } from './refusal';

/** A refusal as n8n shows it. `message` replaces the refusal's own where the row has to be named. */
export function apiError(node: INode, refusal: Refusal, message: string, itemIndex?: number): NodeApiError {
	const options = {
		message,
		description: refusal.remedy,
		itemIndex,
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
export function findingError(node: INode, finding: Finding, message: string, itemIndex: number): NodeOperationError {
	const error = new NodeOperationError(node, message, { description: finding.remedy, itemIndex });
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
 * A row that could not be carried out, with On Error = Continue. n8n takes an item for a failed one by
 * `error` beside `json`, older versions by a `json` that holds nothing but `error`: both are set.
 */
export function errorItem(error: NodeApiError | NodeOperationError, itemIndex: number): INodeExecutionData {
	// The table shows the message alone, so the remedy goes into it.
	if (error.description) error.message = `${error.message}. ${error.description}`;
	return {
		json: { error: error.message },
		error,
		pairedItem: { item: itemIndex },
	};
}
