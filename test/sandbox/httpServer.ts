import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { type Answer, htmlPage, invalid, Refusal } from './refusals';
import { violationText } from './schema';

/** Fastify, made to behave like the API: no coercion, its own error bodies, an HTML page for unknown paths. */
export function newServer(): FastifyInstance {
	const app = Fastify({
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 1000 },
		// Where the API says string, it takes only strings. Coercion would hide that.
		ajv: {
			customOptions: {
				coerceTypes: false,
				removeAdditional: false,
				useDefaults: false,
				strictTypes: false,
			},
		},
	});
	app.decorateRequest('seen');
	app.decorateRequest('fault');
	app.decorateRequest('finish');
	app.decorateRequest('hang');
	app.decorateRequest('dialedPhones');
	app.removeAllContentTypeParsers();
	// Anything that is not JSON stays text. The schemas refuse it, but only after the token was checked.
	app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
		done(null, bodyFrom(String(text), request.headers['content-type']));
	});
	app.setNotFoundHandler((_, reply) => sendAnswer(reply, htmlPage(404, 'Not Found')));
	app.setErrorHandler((error: FastifyError | Refusal, _, reply) => {
		if (error instanceof Refusal) return sendAnswer(reply, error.answer);
		if (error.validation) return sendAnswer(reply, invalid(violationText(error.validation)));
		const status = error.statusCode ?? 500;
		return sendAnswer(reply, { status, body: { success: false, error: error.message } });
	});
	return app;
}

/** JSON as its type says, anything else as text; nothing for an empty body. */
export function bodyFrom(text: string, contentType = ''): unknown {
	if (text === '') return undefined;
	if (!/^application\/json\b/i.test(contentType)) return text;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

export function sendAnswer(
	reply: FastifyReply,
	{ status, headers = {}, body }: Answer,
): FastifyReply {
	return reply.code(status).headers(headers).send(body);
}
