import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Account } from './account';
import { faultAfter, faultBefore } from './faultHooks';
import { newServer, sendAnswer } from './httpServer';
import { tellOwnAnswers } from './ownAnswers';
import { placingRoutes } from './placing';
import { recordRoutes } from './recordRoutes';
import { type Answer, forbidden, Refusal, removed, unauthorized } from './refusals';
import { Traffic } from './traffic';
import type { Sandbox, SandboxOptions } from './types';

const HOST = '127.0.0.1';
const BASE_PATH = '/api/v1/outbound';

/** Starts a stand-in for the Outbound Calls REST API on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const account = new Account(options);
	const { settings, journal } = account;
	const log = (line: string) => options.log?.(line.replaceAll(settings.token, '[token]'));
	const traffic = new Traffic(account.now, log);
	const app = newServer();

	const sandbox: Sandbox = {
		origin: '',
		baseUrl: '',
		get token() {
			return settings.token;
		},
		settings,
		journal,
		requests: traffic.requests,
		get inFlight() {
			return traffic.inFlight;
		},
		get mostInFlight() {
			return traffic.mostInFlight;
		},
		get hanging() {
			return traffic.hanging;
		},
		fault: (rule) => account.faults.add(rule),
		clearFaults: () => account.faults.clear(),
		get faults() {
			return account.faults.all;
		},
		destinationOutcome: account.destinationOutcome,
		callErrors: account.callErrors,
		addBatch: (batch) => account.addBatch(batch),
		reset() {
			account.reset();
			traffic.clear();
		},
		doubleDialed() {
			const once = new Set<string>();
			const again = journal.filter(({ phone }) => once.size === once.add(phone).size);
			return [...new Set(again.map(({ phone }) => phone))];
		},
		async close() {
			account.callbacks.close();
			await app.close();
		},
	};

	if (options.onOwnAnswer) tellOwnAnswers(app, BASE_PATH, options.onOwnAnswer);
	watchRequests(app, account, traffic, sandbox);
	await app.register(
		(api, _, done) => {
			apiRoutes(api, account);
			done();
		},
		{ prefix: BASE_PATH },
	);
	// For who watches from another process; no part of the API, so no token.
	app.get('/sandbox/journal', { config: { control: true } }, (_, reply) =>
		reply.send({ dials: sandbox.journal, doubleDialed: sandbox.doubleDialed() }),
	);
	await app.listen({ host: HOST, port: options.port ?? 0 });
	// Kept as text, so that a test can still send requests to a closed sandbox.
	sandbox.origin = `http://${HOST}:${(app.server.address() as AddressInfo).port}`;
	sandbox.baseUrl = `${sandbox.origin}${BASE_PATH}`;
	return sandbox;
}

function watchRequests(
	app: FastifyInstance,
	account: Account,
	traffic: Traffic,
	sandbox: Sandbox,
): void {
	app.addHook('onRequest', async (request, reply) => {
		if (request.routeOptions.config.control) return;
		if (request.url.startsWith(BASE_PATH))
			request.fault = account.faults.next(request.routeOptions.config.route);
		traffic.begin(request, reply);
	});
	app.addHook('preValidation', async (request, reply) => {
		if (request.seen) request.seen.body = request.body;
		return faultBefore(request, reply, sandbox.origin) ? reply : undefined;
	});
	app.addHook('onSend', async (request, reply, payload) => {
		const { seen } = request;
		if (!seen) return payload;
		seen.dialed = request.dialedPhones.length;
		// Counted from the moment the request came in, so that the sandbox's own work adds nothing to the latency.
		const leftMs = account.settings.latencyMs - reply.elapsedTime;
		if (leftMs > 0) await delay(leftMs, undefined, { ref: false });
		const sent = await faultAfter(request, reply, payload, sandbox.origin);
		// A client that left meanwhile never saw this status.
		if (!reply.raw.destroyed) seen.status = reply.statusCode;
		seen.retryAfter = reply.getHeader('retry-after');
		request.finish?.();
		return sent;
	});
}

function apiRoutes(api: FastifyInstance, account: Account): void {
	api.addHook('preValidation', (request, _, done) => {
		const answer = turnedAway(account, request);
		done(answer && new Refusal(answer));
	});
	placingRoutes(api, account);
	recordRoutes(api, account);
	api.post('/calls/place', (_, reply) => sendAnswer(reply, removed));
}

/** Checks that come before the body is read (Authentication; Errors). */
function turnedAway(
	{ settings, rateWindow, now }: Account,
	request: FastifyRequest,
): Answer | undefined {
	if (request.headers.authorization !== `Bearer ${settings.token}`) return unauthorized;
	if (!settings.callingEnabled) return forbidden;
	const { route } = request.routeOptions.config;
	const places = route === 'call' || route === 'bulk';
	return places ? rateWindow.enter(settings.rateLimit, now()) : undefined;
}
