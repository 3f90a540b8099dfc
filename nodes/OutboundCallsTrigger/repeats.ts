import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { isObject } from '../OutboundCalls/domain/json';

/** How many callbacks are remembered: enough for those that are delivered again within minutes or hours. */
const REMEMBERED = 1_000;

/** Deliveries that this process is handling: the host saves the static data only after the webhook. */
const recent = new Map<string, Set<string>>();

/** Where a node keeps what came: `staticData` outlives the process, `place` tells the nodes of a process apart. */
export interface Remembered {
	staticData: IDataObject;
	place: string;
}

/** Whether the same callback of that call came before; remembers it if not, as a digest. Another callback of the same call is no repeat. */
export function isRepeat(
	{ staticData, place }: Remembered,
	callId: string,
	content: unknown,
): boolean {
	const digest = createHash('sha256')
		.update(JSON.stringify([callId, sorted(content)]))
		.digest('base64')
		.slice(0, 22);
	const stored = Array.isArray(staticData.callIds) ? (staticData.callIds as string[]) : [];
	const here = recent.get(place) ?? new Set<string>();
	recent.set(place, here);
	if (here.has(digest) || stored.includes(digest)) return true;
	here.add(digest);
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
