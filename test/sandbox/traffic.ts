import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FaultRule } from './faults';
import type { RecordedRequest, Route } from './types';

declare module 'fastify' {
	interface FastifyRequest {
		/** absent on the sandbox's own control routes */
		seen?: RecordedRequest;
		fault?: FaultRule;
		dialedPhones: string[];
		finish?: () => void;
		/** Nothing more will come of it until its client leaves. */
		hang?: () => void;
	}
	interface FastifyContextConfig {
		route?: Route;
		control?: boolean;
	}
}

/** Records each request, and how many are being answered at the same time. */
export class Traffic {
	readonly requests: RecordedRequest[] = [];
	inFlight = 0;
	mostInFlight = 0;
	hanging = 0;

	constructor(
		private readonly now: () => number,
		private readonly write: (line: string) => void,
	) {}

	begin(request: FastifyRequest, reply: FastifyReply): void {
		const seen: RecordedRequest = {
			index: this.requests.length,
			at: this.now(),
			method: request.method,
			path: request.url,
			route: request.routeOptions.config.route,
			headers: { ...request.headers },
			body: undefined,
			status: null,
			fault: request.fault?.kind,
			dialed: 0,
			until: Infinity,
		};
		this.requests.push(seen);
		this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
		request.seen = seen;
		request.dialedPhones = [];
		let open = true;
		request.finish = () => {
			if (!open) return;
			open = false;
			seen.until = this.requests.length;
			this.inFlight--;
			this.write(describe(seen, request.dialedPhones));
		};
		request.hang = () => {
			this.hanging++;
			reply.raw.once('close', () => this.hanging--);
		};
		reply.raw.once('close', () => {
			if (!reply.raw.writableFinished) seen.status = null;
			request.finish?.();
		});
	}

	clear(): void {
		// What they dial from now on is nobody's.
		for (const request of this.requests) request.index = -1;
		this.requests.length = 0;
		this.mostInFlight = this.inFlight;
	}
}

function describe(seen: RecordedRequest, phones: string[]): string {
	const dialed = phones.length === 0 ? 'dialed nothing' : `dialed ${phones.join(' ')}`;
	const fault = seen.fault ? ` (fault ${seen.fault})` : '';
	const time = new Date(seen.at).toISOString();
	return `${time} ${seen.method} ${seen.path} ${seen.status ?? 'cut'} ${dialed}${fault}`;
}
