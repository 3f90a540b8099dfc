import type { IDataObject } from 'n8n-workflow';
import { isObject, parsed } from '../OutboundCalls/domain/json';

/** What the host tells of a request, as far as it is read here. */
export interface CallbackRequest {
	contentType?: string;
	/** What the host made of the body: it reads JSON and forms, and leaves other types alone (n8n behaviour). */
	body?: unknown;
	rawBody?: { toString(encoding?: string): string };
	encoding?: string;
}

/** How many objects are searched for an ID: a callback is small, and a flood of nested ones must cost nothing. */
const MOST_SEARCHED = 1_000;

/** The body of a callback, whatever its type says: JSON also where it was sent as text, the fields of a form, else the text. */
export function bodyOf({ contentType = '', body, rawBody, encoding }: CallbackRequest): unknown {
	if (contentType.startsWith('multipart/')) return formOf(body);
	if (isObject(body) ? Object.keys(body).length > 0 : body !== undefined && body !== null && typeof body !== 'string') return body;
	const text = typeof body === 'string' ? body : (rawBody?.toString(encoding) ?? '');
	const value = parsed(text);
	return isObject(value) || Array.isArray(value) || value === null ? value : text;
}

/** n8n gives the fields and the files of a multipart form apart; of files only what they are is kept. */
function formOf(body: unknown): unknown {
	const { data, files } = isObject(body) ? body : {};
	const fields = isObject(data) ? data : {};
	if (!isObject(files) || Object.keys(files).length === 0) return fields;
	const described = Object.entries(files).map(([name, file]) => {
		const { originalFilename, mimetype, size } = (Array.isArray(file) ? (file as unknown[])[0] : file) as Record<string, unknown>;
		return [name, { name: originalFilename ?? null, type: mimetype ?? null, size: size ?? null }];
	});
	return { ...fields, files: Object.fromEntries(described) as object };
}

/** The first ID under that name, outermost first; a token that was not filled in (`%%call_id%%`) is none. */
function lifted(name: string, ...sources: unknown[]): string | undefined {
	const open: unknown[] = [...sources];
	for (let i = 0; i < open.length && i < MOST_SEARCHED; i++) {
		// Forms carry nested values as JSON text.
		const value = parsed(open[i]);
		// A list of several names several calls: none of them is the callback's own.
		if (Array.isArray(value) && value.length === 1) open.push((value as unknown[])[0]);
		if (!isObject(value)) continue;
		const id = value[name];
		const text = typeof id === 'number' ? String(id) : typeof id === 'string' ? id.trim() : '';
		if (text !== '' && !/^%%.*%%$/.test(text)) return text;
		for (const each of Object.values(value)) {
			if (typeof each === 'object' || (typeof each === 'string' && each.startsWith('{'))) open.push(each);
		}
	}
	return undefined;
}

/** A callback as an item, and the ID of its call, if it has a real one. */
export interface Callback {
	item: IDataObject;
	callId: string | undefined;
}

/**
 * A post-call callback as an item: everything that came, with `call_id` and `external_call_id` at the top
 * where they can be found. The payload is not shown by the API, so nothing is expected of it.
 */
export function readCallback(body: unknown, query: IDataObject): Callback {
	const single = Array.isArray(body) && body.length === 1 ? (body as unknown[])[0] : body;
	const callId = lifted('call_id', single, query);
	const externalCallId = lifted('external_call_id', single, query);
	const found = {
		...(callId === undefined ? {} : { call_id: callId }),
		...(externalCallId === undefined ? {} : { external_call_id: externalCallId }),
	};
	// n8n takes an item with a field named error for a failed one.
	const { error, ...rest } = (isObject(single) ? single : {}) as IDataObject;
	const item = {
		...found,
		...(Object.keys(query).length > 0 ? { query } : {}),
		...(isObject(single) ? rest : isNothing(body) ? {} : { body: body as string }),
		...(error === undefined ? {} : { callback_error: error }),
		...found,
	};
	return { item, callId };
}

const isNothing = (body: unknown): boolean => body === undefined || body === null || body === '';
