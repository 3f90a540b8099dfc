import type { FastifyInstance } from 'fastify';
import { carriesOut } from './faultAnswers';
import type { FaultRule } from './faults';
import { bodyFrom } from './httpServer';
import type { OwnAnswer } from './types';

/** Reports each answer that the API itself could give. Must be called before the hooks that spoil answers are added. */
export function tellOwnAnswers(
	app: FastifyInstance,
	basePath: string,
	tell: (answer: OwnAnswer) => void | Promise<void>,
): void {
	app.addHook('onSend', async (request, reply, payload) => {
		if (!request.is404 && !request.routeOptions.config.control && isOwn(request.fault)) {
			const headers = reply.getHeaders();
			await tell({
				method: request.method,
				path: request.url.slice(basePath.length),
				status: reply.statusCode,
				headers,
				body: bodyFrom(typeof payload === 'string' ? payload : '', String(headers['content-type'])),
			});
		}
		return payload;
	});
}

/** An answer is the API's own until a fault spoils it, and some faults answer as the API itself would. */
function isOwn(fault: FaultRule | undefined): boolean {
	if (!fault || carriesOut(fault)) return true;
	switch (fault.kind) {
		case 'gateway':
		case 'redirect':
		case 'empty':
		case 'respond':
			return false;
		case 'rateLimited':
		case 'unavailable':
			// The API gives whole seconds. Other values are there on purpose, to see whether a client misreads them.
			return /^\d+$/.test(String(fault.retryAfter ?? 0));
		default:
			return true;
	}
}
