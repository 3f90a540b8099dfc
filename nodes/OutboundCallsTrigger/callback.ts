import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../OutboundCalls/domain/json';

type Source = Record<string, unknown>;

/** Forms carry nested values as JSON text. */
function asObject(value: unknown): Source {
	if (typeof value !== 'string') return isObject(value) ? value : {};
	try {
		const parsed: unknown = JSON.parse(value);
		return isObject(parsed) ? parsed : {};
	} catch {
		return {};
	}
}

/** The first of the sources that has an ID under that name; a token that was not filled in is none. */
function lifted(name: string, sources: readonly Source[]): string | undefined {
	for (const source of sources) {
		const value = source[name];
		const text = typeof value === 'number' ? String(value) : value;
		if (typeof text === 'string' && text !== '' && text !== `%%${name}%%`) return text;
	}
	return undefined;
}

/**
 * A post-call callback as an item: everything that came, with `call_id` and `external_call_id` at the top
 * where they can be found. The API does not document the payload, so nothing is expected of it.
 */
export function callbackItem(body: unknown, query: IDataObject): IDataObject {
	const single = Array.isArray(body) && body.length === 1 ? (body as unknown[])[0] : body;
	const fields = isObject(single) ? single : {};
	const metadata = asObject(fields.metadata);
	const callId = lifted('call_id', [fields, metadata, query]);
	const externalCallId = lifted('external_call_id', [fields, metadata, query]);
	const found = {
		...(callId === undefined ? {} : { call_id: callId }),
		...(externalCallId === undefined ? {} : { external_call_id: externalCallId }),
	};
	// n8n takes an item with a field named error for a failed one.
	const { error, ...rest } = fields as IDataObject;
	return {
		...found,
		...(Object.keys(query).length > 0 ? { query } : {}),
		...(isObject(single) ? rest : isNothing(body) ? {} : { body: body as string }),
		...(error === undefined ? {} : { callback_error: error }),
		...found,
	};
}

const isNothing = (body: unknown): boolean => body === undefined || body === null || body === '';
