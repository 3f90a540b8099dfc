import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EXECUTION_HEADER } from '../engine/helpers/harness';

/** Moments in the life of a request, as Node.js announces them: the client sends it, the server has its head, the client has the whole answer. */
const CHANNELS = {
	left: 'http.client.request.start',
	arrived: 'http.server.request.start',
	answered: 'http.client.response.finish',
} as const;

export type Moment = keyof typeof CHANNELS;

export const MOMENTS = Object.keys(CHANNELS) as Moment[];

interface Announced {
	request: { headers?: Record<string, string | undefined>; getHeader?: (name: string) => unknown };
}

/** Calls `came` at that moment of each request of the execution with this mark. Returns what ends it. */
export function watch(moment: Moment, mark: string, came: () => void): () => void {
	const note = (message: unknown): void => {
		const { request } = message as Announced;
		// Behind what the client or the server is in the middle of.
		if ((request.getHeader?.(EXECUTION_HEADER) ?? request.headers?.[EXECUTION_HEADER]) === mark)
			queueMicrotask(came);
	};
	subscribe(CHANNELS[moment], note);
	return () => {
		unsubscribe(CHANNELS[moment], note);
	};
}
