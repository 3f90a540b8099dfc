import type { FastifyInstance } from 'fastify';
import type { FaultRule } from './faults';
import { applySettings } from './settings';
import type { DestinationOutcome, ExistingBatch, Sandbox, Settings } from './types';

/** The sandbox's own switches for tests in another process; no part of the API, no token. */
export function controlRoutes(app: FastifyInstance, sandbox: Sandbox): void {
	const config = { control: true };

	app.get('/sandbox/journal', { config }, (_, reply) =>
		reply.send({
			dials: sandbox.journal,
			doubleDialed: sandbox.doubleDialed(),
			requests: sandbox.requests.length,
			inFlight: sandbox.inFlight,
			mostInFlight: sandbox.mostInFlight,
		}),
	);

	app.post<{ Body: FaultRule | FaultRule[] }>('/sandbox/faults', { config }, ({ body }, reply) => {
		for (const rule of [body].flat()) attempt(() => sandbox.fault(rule));
		return reply.send({ success: true });
	});

	app.delete('/sandbox/faults', { config }, (_, reply) => {
		sandbox.clearFaults();
		return reply.send({ success: true });
	});

	app.post<{ Body: DestinationOutcome & { phone: string } }>(
		'/sandbox/outcomes',
		{ config },
		({ body: { phone, ...outcome } }, reply) => {
			sandbox.destinationOutcome.set(phone, outcome);
			return reply.send({ success: true });
		},
	);

	app.post<{ Body: ExistingBatch }>('/sandbox/batches', { config }, ({ body }, reply) =>
		reply.send(sandbox.addBatch(body)),
	);

	app.post('/sandbox/reset', { config }, (_, reply) => {
		sandbox.reset();
		return reply.send({ success: true });
	});

	app.patch<{ Body: Partial<Settings> }>('/sandbox/settings', { config }, ({ body }, reply) => {
		attempt(() => applySettings(sandbox.settings, body, { ignoreOthers: false }));
		return reply.send({ success: true });
	});
}

/** A rule that makes no sense is a mistake in the test: it gets 400, with the reason. */
function attempt(action: () => void): void {
	try {
		action();
	} catch (error) {
		throw Object.assign(error as Error, { statusCode: 400 });
	}
}
