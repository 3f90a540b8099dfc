import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { carriesOut, faultAnswer } from './faultAnswers';
import { sendAnswer } from './httpServer';
import { type BatchPage, mangledPages, mangledResults } from './mangled';
import type { BulkAnswer } from './placing';

const NEVER = new Promise<never>(() => {});

/** Faults that keep the request from being carried out. Resolves to true when the request ends here. */
export function faultBefore(request: FastifyRequest, reply: FastifyReply, origin: string): boolean {
	const { fault, seen } = request;
	if (!fault) return false;
	if (fault.kind === 'hangBefore' || fault.kind === 'resetBefore') {
		reply.hijack();
		if (fault.kind === 'resetBefore') request.raw.socket.resetAndDestroy();
		else request.hang?.();
		return true;
	}
	const answer = carriesOut(fault) ? undefined : faultAnswer(fault, { route: seen?.route, origin });
	if (answer) void sendAnswer(reply, answer);
	return answer !== undefined;
}

/** Faults that spoil the answer of a request that was carried out. */
export async function faultAfter(
	request: FastifyRequest,
	reply: FastifyReply,
	payload: unknown,
	origin: string,
): Promise<unknown> {
	const { fault, seen } = request;
	if (!fault) return payload;
	const text = typeof payload === 'string' ? payload : '';
	switch (fault.kind) {
		case 'latency':
			await delay(fault.ms, undefined, { ref: false });
			return payload;
		case 'resetAfter':
			request.raw.socket.resetAndDestroy();
			return await NEVER;
		case 'hangAfter':
			request.hang?.();
			return await NEVER;
		case 'truncated':
			return fault.cut ? await cutOff(reply, text) : text.slice(0, Math.floor(text.length / 2));
		case 'results':
			if (seen?.route !== 'bulk' || reply.statusCode !== 201) return payload;
			return JSON.stringify(mangledResults[fault.mode](JSON.parse(text) as BulkAnswer));
		case 'pages':
			if (seen?.route !== 'batch' || reply.statusCode !== 200) return payload;
			return JSON.stringify(mangledPages[fault.mode](JSON.parse(text) as BatchPage));
		case 'drip':
			request.hang?.();
			return await drip(reply, text, fault.ms);
		default: {
			const answer = carriesOut(fault)
				? faultAnswer(fault, { route: seen?.route, origin })
				: undefined;
			if (!answer) return payload;
			reply.removeHeader('content-type').removeHeader('retry-after');
			reply.code(answer.status).headers(answer.headers ?? {});
			return typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
		}
	}
}

/** Announces the whole body, sends half of it and ends the connection. */
async function cutOff(reply: FastifyReply, text: string): Promise<never> {
	const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
	reply.raw.writeHead(reply.statusCode, headers);
	reply.raw.write(text.slice(0, Math.floor(text.length / 2)), () => reply.raw.socket?.destroy());
	return await NEVER;
}

const DRIP_MS = 50;

/** Never silent for long, so that only a bound on the whole answer ends it. */
async function drip(reply: FastifyReply, text: string, ms: number): Promise<never> {
	reply.raw.writeHead(reply.statusCode, { 'content-type': 'application/json' });
	for (let left = ms; left > 0 && !reply.raw.destroyed; left -= DRIP_MS) {
		reply.raw.write(' ');
		await delay(DRIP_MS, undefined, { ref: false });
	}
	reply.raw.end(text);
	return await NEVER;
}
