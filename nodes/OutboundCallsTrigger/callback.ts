import type { IDataObject } from 'n8n-workflow';
import { createHash, timingSafeEqual } from 'node:crypto';
import { boundedJson, idText, isBlank, isObject, parsed } from '../OutboundCalls/domain/values';

/** What the host tells of a request, as far as it is read here. */
export interface CallbackRequest {
	contentType?: string;
	/**
	 * What the host made of the body: it reads JSON and forms, and leaves other types alone (n8n
	 * behavior).
	 */
	body?: unknown;
	rawBody?: { toString(encoding?: string): string };
	encoding?: string;
}

/** What is larger comes out as the text that it was. */
const MAX_VALUES = 200_000;

/**
 * The body of a callback, whatever its type says: JSON also where it was sent as text, the fields
 * of a form, else the text.
 */
export function bodyOf(request: CallbackRequest): unknown {
	const { contentType = '', body } = request;
	if (contentType.startsWith('multipart/')) return formOf(body);
	const text = typeof body === 'string' ? body : rawText(request);
	if (boundedJson(text, MAX_VALUES) !== text) return text;
	const isRead = isObject(body)
		? Object.keys(body).length > 0
		: typeof body !== 'string' && !isBlank(body);
	const value = isRead ? body : parsed(text);
	return isRead || typeof value === 'object' ? value : text;
}

/** An encoding that Node.js does not know is read as UTF-8. */
function rawText({ rawBody, encoding }: CallbackRequest) {
	try {
		return rawBody?.toString(encoding) ?? '';
	} catch {
		return rawBody?.toString('utf8') ?? '';
	}
}

/**
 * n8n gives the fields and the files of a multipart form apart; of files only what they are is
 * kept.
 */
function formOf(body: unknown): unknown {
	const { data, files } = isObject(body) ? body : {};
	const fields = isObject(data) ? data : {};
	if (!isObject(files) || Object.keys(files).length === 0) return fields;
	const described = Object.entries(files).map(([name, file]) => {
		const first: unknown = Array.isArray(file) ? file[0] : file;
		const { originalFilename, mimetype, size } = isObject(first) ? first : {};
		return [name, { name: originalFilename ?? null, type: mimetype ?? null, size: size ?? null }];
	});
	return { ...fields, files: Object.fromEntries(described) as object };
}

/**
 * A field of the body, of its `metadata` (API document, "Events") or of the query; undefined for a
 * token that the dashboard did not fill in (`%%call_id%%`).
 */
function idNamed(name: string, ...sources: unknown[]) {
	return sources
		.map((source) => (isObject(source) ? idText(source[name]) : ''))
		.find((id) => id !== '' && !/^%%.*%%$/.test(id));
}

/** A callback as an item, and the ID of its call, if it has a real one. */
export type Callback = ReturnType<typeof readCallback>;

/**
 * The post-call callbacks that came with one request, as items: everything that came, with
 * `call_id` and `external_call_id` at the top if they came. A list of objects is one
 * callback for each of them. The payload is not shown by the API, so nothing is expected of it.
 */
export function readCallbacks(body: unknown, query: IDataObject): Callback[] {
	const isList = Array.isArray(body) && body.length > 0 && body.every(isObject) && isShort(body);
	return (isList ? (body as unknown[]) : [body]).map((each) => readCallback(each, query));
}

/** A longer list, or one with more fields in all, is one item, as it came; so is such an object. */
const MAX_ENTRIES = 1_000;
const MAX_FIELDS = 10_000;

function isShort(list: readonly unknown[]) {
	if (list.length > MAX_ENTRIES) return false;
	let fields = 0;
	for (const entry of list) {
		fields += Object.keys(entry as object).length;
		if (fields > MAX_FIELDS) return false;
	}
	return true;
}

function readCallback(body: unknown, query: IDataObject) {
	const fields = isObject(body) && isShort([body]) ? (body as IDataObject) : undefined;
	const { metadata } = isObject(body) ? body : {};
	const [callId, externalId] = ['call_id', 'external_call_id'].map((name) =>
		idNamed(name, body, metadata, query),
	);
	// n8n takes an item with a field named error for a failed one.
	const { error, ...rest } = fields ?? {};
	const found = {
		...(callId !== undefined && { call_id: callId }),
		...(externalId !== undefined && { external_call_id: externalId }),
	};
	const item: IDataObject = {
		...found,
		...(Object.keys(query).length > 0
			? { [Object.hasOwn(rest, 'query') ? 'callback_query' : 'query']: query }
			: {}),
		...(fields ? rest : isBlank(body) ? {} : { body: body as string }),
		...(error !== undefined && { callback_error: error }),
		...found,
	};
	return { item, callId };
}

/**
 * How many callbacks are remembered: enough for those that are delivered again within minutes or
 * hours.
 */
const MAX_REMEMBERED = 1_000;

/**
 * Deliveries that this process is handling: the host saves the static data only after the webhook.
 */
const recent = new Map<string, Set<string>>();

/**
 * Where a node keeps what came: `staticData` outlives the process, `place` tells the nodes of a
 * process apart.
 */
interface Remembered {
	staticData: IDataObject;
	place: string;
}

/**
 * The callbacks that did not come before; remembers them, as digests, in one write. Another
 * callback of the same call is no repeat, nor is one without a call's ID.
 */
export function withoutRepeats(
	{ staticData, place }: Remembered,
	callbacks: readonly Callback[],
): Callback[] {
	const stored = Array.isArray(staticData.callIds) ? (staticData.callIds as string[]) : [];
	const here = recent.get(place) ?? new Set<string>();
	recent.set(place, here);
	const known = new Set([...stored, ...here]);
	const before = known.size;
	const fresh = callbacks.filter(({ item, callId }) => {
		if (callId === undefined) return true;
		const key = digest(JSON.stringify([callId, item]))
			.toString('base64')
			.slice(0, 22);
		if (known.has(key)) return false;
		known.add(key);
		here.add(key);
		return true;
	});
	for (const oldest of here) {
		if (here.size <= MAX_REMEMBERED) break;
		here.delete(oldest);
	}
	// Also those of deliveries under way, whose own writes may not have been saved yet.
	if (known.size > before) staticData.callIds = [...known].slice(-MAX_REMEMBERED);
	return fresh;
}

const digest = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

/**
 * Compares in a time that tells nothing about the secret, without spaces around it; an empty secret
 * lets nobody in. A header arrives as one character for each byte (Node's behavior), so the bytes
 * are compared.
 */
export const isSecret = (given: unknown, secret = ''): boolean => {
	if (typeof given !== 'string' || !hasText(secret)) return false;
	const wanted = digest(secret.trim());
	const [asText, asBytes] = (['utf8', 'latin1'] as const).map((encoding) =>
		timingSafeEqual(digest(Buffer.from(given.trim(), encoding)), wanted),
	);
	return asText! || asBytes!;
};

/** Whether a secret was entered: blanks are none. */
export const hasText = (secret: string | undefined): boolean => (secret ?? '').trim() !== '';
