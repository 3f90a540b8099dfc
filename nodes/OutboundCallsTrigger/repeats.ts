import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

/** How many calls are remembered: enough for callbacks that are delivered again within minutes or hours. */
const REMEMBERED = 1_000;

/** Deliveries that this process is handling: the host saves the static data only after the webhook. */
const recent = new Map<string, Set<string>>();

/**
 * Whether the call's callback came before; remembers it if not. `staticData` outlives the process.
 * `place` tells the nodes of a process apart.
 */
export function isRepeat(staticData: IDataObject, place: string, callId: string): boolean {
	// Whatever somebody sends as an ID, this much of it is kept.
	const digest = createHash('sha256').update(callId).digest('base64').slice(0, 22);
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
