import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Requests of this process by its own clock, in milliseconds, however late the server was to see them. */
export interface RequestsSeen {
	sent: number[];
	/** When the whole answer had come. */
	answered: Array<{ at: number; status: number }>;
}

const SENT = 'http.client.request.start';
const ANSWERED = 'http.client.response.finish';

/** Notes the requests that this process sends while `work` runs, as Node.js announces them. */
export async function withRequestsSeen(work: () => Promise<unknown>): Promise<RequestsSeen> {
	const seen: RequestsSeen = { sent: [], answered: [] };
	const noteSent = (): void => {
		seen.sent.push(performance.now());
	};
	const noteAnswered = (message: unknown): void => {
		seen.answered.push({
			at: performance.now(),
			status: (message as { response: { statusCode: number } }).response.statusCode,
		});
	};
	subscribe(SENT, noteSent);
	subscribe(ANSWERED, noteAnswered);
	try {
		await work();
	} finally {
		unsubscribe(SENT, noteSent);
		unsubscribe(ANSWERED, noteAnswered);
	}
	return seen;
}
