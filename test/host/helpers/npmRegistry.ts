import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { list } from 'tar';
import type { Host } from './host';
import type { Teardown } from './teardown';

const run = promisify(execFile);

/** n8n takes community nodes from nowhere else, unless somebody has paid for another registry (n8n behaviour). */
async function registryOf({ folder }: Host): Promise<string> {
	const service = path.join(
		folder,
		'node_modules/n8n/dist/modules/community-packages/community-packages.service.js',
	);
	const [, address] = /DEFAULT_REGISTRY = '([^']+)'/.exec(await readFile(service, 'utf8')) ?? [];
	return new URL(address!).hostname;
}

/** The public registry as one n8n and its npm see it: they are led here by a proxy, and nothing leaves this machine. */
export interface NpmRegistry {
	/** For n8n's environment. */
	env: Record<string, string>;
	/** The newest version from now on. */
	publish(tarball: string): Promise<{ version: string }>;
	/** How often a tarball was sent. */
	readonly downloads: number;
}

interface Version {
	manifest: { name: string; version: string };
	bytes: Buffer;
}

/** In place of the one that this n8n asks. `folder` is for its certificate, which n8n is told to trust. */
export async function openNpmRegistry(
	n8n: Host,
	folder: string,
	teardown: Teardown,
): Promise<NpmRegistry> {
	const host = await registryOf(n8n);
	const versions = new Map<string, Version>();
	let latest = '';
	let downloads = 0;

	const answer = ({ url = '/' }: IncomingMessage, response: ServerResponse): void => {
		const [name = '', of = '', file] = decodeURIComponent(new URL(url, `https://${host}`).pathname)
			.slice(1)
			.split('/');
		const found = versions.get(
			of === 'latest'
				? latest
				: of === '-'
					? (file ?? '').slice(`${name}-`.length, -'.tgz'.length)
					: of || latest,
		);
		if (!found || found.manifest.name !== name) {
			response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}');
			return;
		}
		if (of === '-') {
			downloads++;
			response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.bytes);
			return;
		}
		const all = Object.fromEntries(
			[...versions].map(([version, each]) => [version, described(each, host)]),
		);
		const body =
			of === '' ? { name, 'dist-tags': { latest }, versions: all } : described(found, host);
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	};

	const { key, cert, certFile } = await certificate(folder, host);
	const registry = createTlsServer({ key, cert }, answer);
	const proxy = createServer((_request, response) => response.writeHead(502).end());
	const open = new Set<Socket>();
	proxy.on('connect', ({ url }, socket: Socket) => {
		open.add(socket);
		socket.on('close', () => open.delete(socket));
		socket.on('error', () => socket.destroy());
		if (url !== `${host}:443`) {
			socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
			return;
		}
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		registry.emit('connection', socket);
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	teardown.add(async () => {
		for (const socket of open) socket.destroy();
		await new Promise((closed) => proxy.close(closed));
	});

	return {
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
			NODE_EXTRA_CA_CERTS: certFile,
		},
		async publish(tarball) {
			const manifest = await manifestIn(tarball);
			versions.set(manifest.version, { manifest, bytes: await readFile(tarball) });
			latest = manifest.version;
			return { version: latest };
		},
		get downloads() {
			return downloads;
		},
	};
}

/** A version as the registry describes it. */
const described = ({ manifest, bytes }: Version, host: string): object => ({
	...manifest,
	dist: {
		tarball: `https://${host}/${manifest.name}/-/${manifest.name}-${manifest.version}.tgz`,
		integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
		shasum: createHash('sha1').update(bytes).digest('hex'),
	},
});

async function manifestIn(tarball: string): Promise<Version['manifest']> {
	const parts: Buffer[] = [];
	await list({
		file: tarball,
		filter: (name) => name === 'package/package.json',
		onReadEntry: (entry) => entry.on('data', (part: Buffer) => parts.push(part)),
	});
	return JSON.parse(Buffer.concat(parts).toString()) as Version['manifest'];
}

async function certificate(
	folder: string,
	host: string,
): Promise<{ key: Buffer; cert: Buffer; certFile: string }> {
	const [keyFile, certFile] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [
		string,
		string,
	];
	const kind = [
		'req',
		'-x509',
		'-newkey',
		'ec',
		'-pkeyopt',
		'ec_paramgen_curve:prime256v1',
		'-nodes',
		'-days',
		'2',
	];
	const whose = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
	await run('openssl', [...kind, ...whose, '-keyout', keyFile, '-out', certFile]);
	return { key: await readFile(keyFile), cert: await readFile(certFile), certFile };
}
