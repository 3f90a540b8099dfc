import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function closedPort(): Promise<string> {
	const server = await otherServer();
	await server.close();
	return `${server.origin}/api/v1/outbound`;
}

export const NAME_THAT_CANNOT_EXIST = 'https://outbound-calls.invalid/api/v1/outbound';

/** Another server, to which the API's answer could redirect, and the requests that it got. */
export async function otherServer() {
	const received: string[] = [];
	const server = createServer(({ method, url, headers }, response) => {
		received.push(`${method ?? ''} ${url ?? ''} ${headers.authorization ?? ''}`);
		response.setHeader('content-type', 'application/json').end('{"success": true}');
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		origin: `http://127.0.0.1:${port}`,
		received,
		async close(): Promise<void> {
			await once(server.close(), 'close');
		},
	};
}
