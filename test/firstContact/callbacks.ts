import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { parsed } from '../../nodes/OutboundCalls/domain/values/untrustedValues';

/** One delivery of a post-call action. */
export interface Callback {
	method: string;
	contentType: string;
	headerNames: string[];
	/** Parsed, or the text as it came. */
	body: unknown;
}

export interface CallbackListener {
	port: number;
	received: Callback[];
	close(): Promise<void>;
}

/** Listens on this computer for what a post-call action sends; whoever uses it brings a tunnel. Any path and method is taken. */
export async function listenForCallbacks(port: number): Promise<CallbackListener> {
	const app = Fastify({ forceCloseConnections: true });
	const received: Callback[] = [];
	app.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string' },
		(_, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
	);
	app.addContentTypeParser(['application/json', '*'], { parseAs: 'string' }, (_, text, done) => {
		done(null, parsed(text));
	});
	app.all('/*', (request, reply) => {
		const { method, headers, body } = request;
		received.push({
			method,
			contentType: headers['content-type'] ?? '',
			headerNames: Object.keys(headers).sort(),
			body,
		});
		return reply.send({ received: true });
	});
	await app.listen({ host: '127.0.0.1', port });
	return { port: (app.server.address() as AddressInfo).port, received, close: () => app.close() };
}
