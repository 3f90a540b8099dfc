import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address at which nothing listens. */
export async function closedPort(): Promise<string> {
	const server = await listening();
	await server.close();
	return `http://127.0.0.1:${server.port}/api/v1/outbound`;
}

export const NAME_THAT_CANNOT_EXIST = 'https://outbound-calls.invalid/api/v1/outbound';

export interface OtherServer {
	origin: string;
	/** Requests that it got. */
	readonly received: string[];
	close(): Promise<void>;
}

/** Another server, to which the API's answer could redirect. */
export async function otherServer(answer = '{"success": true}'): Promise<OtherServer> {
	const server = await listening(answer);
	return {
		origin: `http://127.0.0.1:${server.port}`,
		received: server.received,
		close: server.close,
	};
}

async function listening(answer = '') {
	const received: string[] = [];
	const server = createServer((request, response) => {
		received.push(
			`${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''}`,
		);
		response.setHeader('content-type', 'application/json').end(answer);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		port,
		received,
		close: () =>
			new Promise<void>(
				(resolve) =>
					void server.close(() => {
						resolve();
					}),
			),
	};
}
