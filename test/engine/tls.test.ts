import { createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { generate } from 'selfsigned';
import { storeForEach } from './helpers/durableStore';
import { shown, statuses } from './helpers/outcomes';
import { goesOn } from './helpers/onError';
import { bulk, contacts } from './helpers/workflows';
import { workbench } from './helpers/workbench';

const bench = workbench();
const store = storeForEach();
const servers: Server[] = [];

/** The Base URL of a server of this process. */
async function listening(server: Server): Promise<string> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `https://127.0.0.1:${(server.address() as { port: number }).port}/api/v1/outbound`;
}

const closing = (when: (socket: Socket) => void) => createPlainServer(when);

afterEach(() => {
	for (const server of servers.splice(0)) server.close();
});

const run = async (baseUrl: string, more = {}) =>
	await bench.run(bulk({ calledBefore: 'skip' }), contacts(3), {
		api: { baseUrl, token: bench.sandbox.token },
		...more,
	});

describe('G3 a TLS handshake that never completed placed nothing, and enters nobody', () => {
	it.each<[string, () => Server]>([
		[
			'plain HTTP at that port',
			() => closing((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n'))),
		],
		[
			'a server that closes at once',
			() => closing((socket) => socket.on('data', () => socket.end())),
		],
	])('%s', async (_, server) => {
		const before = store.size;
		const { message, description } = shown(await run(await listening(server())));
		expect(message).toMatch(/TLS/);
		expect(description).toMatch(/Base URL[^]*port/);
		expect(store.size).toBe(before);
	});
});

it('G3 a TLS stream that broke after the request was read may have placed the calls', async () => {
	const { private: key, cert } = generate([{ name: 'commonName', value: '127.0.0.1' }]);
	const trusted = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
	process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
	try {
		const plain = new Set<Socket>();
		const server = createTlsServer({ key, cert }, (secure) =>
			secure.on('data', () => {
				for (const socket of plain) socket.write('no longer TLS');
			}),
		);
		server.on('connection', (socket: Socket) => plain.add(socket));
		const { json } = await run(await listening(server), goesOn);
		expect(statuses(json)).toEqual(Array(3).fill('unknown'));
	} finally {
		if (trusted === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
		else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trusted;
	}
});
