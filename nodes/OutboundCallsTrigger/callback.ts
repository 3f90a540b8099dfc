import type { IDataObject } from 'n8n-workflow';
import { createHash, timingSafeEqual } from 'node:crypto';
import { quoted } from '../OutboundCalls/domain/format';
import { isObject, parsed } from '../OutboundCalls/domain/values';

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

/**
 * How many objects are searched for an ID: a callback is small, and a flood of nested ones must
 * cost nothing.
 */
const MOST_SEARCHED = 1_000;

/**
 * The body of a callback, whatever its type says: JSON also where it was sent as text, the fields
 * of a form, else the text.
 */
export function bodyOf({ contentType = '', body, rawBody, encoding }: CallbackRequest): unknown {
	if (contentType.startsWith('multipart/')) return formOf(body);
	if (
		isObject(body)
			? Object.keys(body).length > 0
			: body !== undefined && body !== null && typeof body !== 'string'
	)
		return body;
	const text = typeof body === 'string' ? body : (rawBody?.toString(encoding) ?? '');
	const value = parsed(text);
	return isObject(value) || Array.isArray(value) || value === null ? value : text;
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
		const { originalFilename, mimetype, size } = (
			Array.isArray(file) ? (file as unknown[])[0] : file
		) as Record<string, unknown>;
		return [name, { name: originalFilename ?? null, type: mimetype ?? null, size: size ?? null }];
	});
	return { ...fields, files: Object.fromEntries(described) as object };
}

/** The spellings of an ID's name, the documented one first. */
const CALL_ID = ['call_id', 'callId'] as const;
const EXTERNAL_CALL_ID = ['external_call_id', 'externalCallId'] as const;

/**
 * What was found under a name: the first real ID, else the first token that the dashboard sent as
 * it stands.
 */
interface Lifted {
	id?: string;
	unfilled?: string;
}

/**
 * The first ID under one of the names, outermost first; a token that was not filled in
 * (`%%call_id%%`) is none.
 */
function lifted(names: readonly string[], ...sources: unknown[]): Lifted {
	const open: unknown[] = [...sources];
	let unfilled: string | undefined;
	for (let i = 0; i < open.length && i < MOST_SEARCHED; i++) {
		// Forms carry nested values as JSON text.
		const value = parsed(open[i]);
		// A list of several names several calls: none of them is the callback's own.
		if (Array.isArray(value) && value.length === 1) open.push((value as unknown[])[0]);
		if (!isObject(value)) continue;
		for (const name of names) {
			const text = idText(fieldNamed(name, value));
			if (isToken(text)) unfilled ??= text;
			else if (text !== '') return { id: text };
		}
		for (const each of Object.values(value)) {
			if (typeof each === 'object' || (typeof each === 'string' && each.startsWith('{')))
				open.push(each);
		}
	}
	return unfilled === undefined ? {} : { unfilled };
}

/**
 * A field of that name; else one of a form, which names its place as well: `metadata[call_id]`,
 * `metadata.call_id`.
 */
function fieldNamed(name: string, fields: Record<string, unknown>): unknown {
	if (Object.hasOwn(fields, name)) return fields[name];
	const placed = Object.keys(fields).find(
		(each) => each.endsWith(`[${name}]`) || each.endsWith(`.${name}`),
	);
	return placed === undefined ? undefined : fields[placed];
}

/** Larger numbers have lost digits on the way through JSON, and would name another call. */
const idText = (id: unknown): string =>
	Number.isSafeInteger(id) ? String(id) : typeof id === 'string' ? id.trim() : '';

const isToken = (text: string): boolean => /^%%.*%%$/.test(text);

/** A callback as an item, and the ID of its call, if it has a real one. */
export interface Callback {
	item: IDataObject;
	callId: string | undefined;
}

/**
 * The post-call callbacks that came with one request, as items: everything that came, with
 * `call_id` and `external_call_id` at the top where they can be found. A list of objects is one
 * callback for each of them. The payload is not shown by the API, so nothing is expected of it.
 */
export function readCallbacks(body: unknown, query: IDataObject): Callback[] {
	const isList = Array.isArray(body) && body.length > 0 && body.every(isObject);
	return (isList ? (body as unknown[]) : [body]).map((each) => readCallback(each, query));
}

function readCallback(body: unknown, query: IDataObject): Callback {
	const call = lifted(CALL_ID, body, query);
	const external = lifted(EXTERNAL_CALL_ID, body, query);
	// n8n takes an item with a field named error for a failed one.
	const { error, ...rest } = (isObject(body) ? body : {}) as IDataObject;
	const found = { ...foundAs(CALL_ID[0], call), ...foundAs(EXTERNAL_CALL_ID[0], external) };
	const notices = [call, external].flatMap(({ unfilled }) =>
		unfilled === undefined ? [] : [notFilledIn(unfilled)],
	);
	const item = {
		...found,
		...(Object.keys(query).length > 0
			? { [Object.hasOwn(rest, 'query') ? 'callback_query' : 'query']: query }
			: {}),
		...(isObject(body) ? rest : isNothing(body) ? {} : { body: body as string }),
		...(error === undefined ? {} : { callback_error: error }),
		...(notices.length > 0 ? { callback_notice: notices.join(' ') } : {}),
		...found,
	};
	return { item, callId: call.id };
}

/** Null for a token that was not filled in, so that no node takes it for an ID. */
const foundAs = (name: string, { id, unfilled }: Lifted): IDataObject =>
	id !== undefined ? { [name]: id } : unfilled !== undefined ? { [name]: null } : {};

const notFilledIn = (token: string): string =>
	`The dashboard sent ${quoted(token)} without filling it in, so nobody knows which call this is about. Check how the token is spelled in the post-call action (the one for the ID of the call is %%call_id%%), or ask your provider to fill it in.`;

const isNothing = (body: unknown): boolean => body === undefined || body === null || body === '';

/**
 * How many callbacks are remembered: enough for those that are delivered again within minutes or
 * hours.
 */
const REMEMBERED = 1_000;

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
 * Whether the same callback of that call came before; remembers it if not, as a digest. Another
 * callback of the same call is no repeat.
 */
export function recallOrRemember(
	{ staticData, place }: Remembered,
	callId: string,
	content: unknown,
): boolean {
	const key = createHash('sha256')
		.update(JSON.stringify([callId, sorted(content)]))
		.digest('base64')
		.slice(0, 22);
	const stored = Array.isArray(staticData.callIds) ? (staticData.callIds as string[]) : [];
	const here = recent.get(place) ?? new Set<string>();
	recent.set(place, here);
	if (here.has(key) || stored.includes(key)) return true;
	here.add(key);
	for (const oldest of here) {
		if (here.size <= REMEMBERED) break;
		here.delete(oldest);
	}
	// Also those of deliveries under way, whose own writes may not have been saved yet.
	staticData.callIds = [...new Set([...stored, ...here])].slice(-REMEMBERED);
	return false;
}

/** The order of an object's fields says nothing. */
function sorted(value: unknown, depth = 0): unknown {
	if (depth > DEEPEST) return value;
	if (Array.isArray(value)) return value.map((each) => sorted(each, depth + 1));
	if (!isObject(value)) return value;
	return {
		fields: Object.keys(value)
			.sort()
			.map((name) => [name, sorted(value[name], depth + 1)]),
	};
}

/** Whatever somebody sends must not end in a stack that overflows. */
const DEEPEST = 100;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Compares in a time that tells nothing about the secret, without spaces around it; an empty secret
 * lets nobody in.
 */
export const isSecret = (given: unknown, secret: string): boolean =>
	typeof given === 'string' &&
	hasText(secret) &&
	timingSafeEqual(digest(given.trim()), digest(secret.trim()));

/** Whether a secret was entered: blanks are none. */
export const hasText = (secret: string | undefined): boolean => (secret ?? '').trim() !== '';
