import { isNotOpened, networkCode } from '../../../nodes/OutboundCalls/http/networkErrors';

const thrown = (layer: object, ...inner: object[]): object =>
	Object.assign(
		new Error('m'),
		inner.length > 0 ? { cause: thrown(inner[0]!, ...inner.slice(1)) } : {},
		layer,
	);

class SsrfBlockedIpError extends Error {
	override name = 'SsrfBlockedIpError';
}

const connecting = { code: 'ETIMEDOUT', syscall: 'connect' };
const noTls = { code: 'EPROTO', syscall: 'write' };
const closed = { code: 'ECONNRESET', host: 'example.com', port: 443, localAddress: '10.0.0.2' };
const both = { code: 'ETIMEDOUT', errors: [connecting, { ...connecting, code: 'ENETUNREACH' }] };

it.each<[string, string, unknown]>([
	['refused', 'ECONNREFUSED', thrown({ code: 'ECONNREFUSED' })],
	['refused, as an errorResponse', 'ECONNREFUSED', { errorResponse: { code: 'ECONNREFUSED' } }],
	['a name that does not exist', 'ENOTFOUND', thrown({ code: 'ENOTFOUND' })],
	['a name server that is busy', 'EAI_AGAIN', thrown({}, { code: 'EAI_AGAIN' })],
	['an expired certificate', 'CERT_HAS_EXPIRED', thrown({ code: 'CERT_HAS_EXPIRED' })],
	['a timeout while connecting', 'ETIMEDOUT', thrown(connecting)],
	['no TLS on the other side', 'EPROTO', thrown({ code: 'EPROTO' }, noTls)],
	['a handshake that the server ended', 'ECONNRESET', thrown({ code: 'ECONNRESET' }, closed)],
	['an address that n8n forbids', 'SsrfBlockedIpError', thrown({}, new SsrfBlockedIpError('x'))],
	['several addresses, none of which opened', 'ETIMEDOUT', thrown(both)],
	['Node’s text alone', 'ECONNREFUSED', { messages: ['connect ECONNREFUSED 127.0.0.1:1'] }],
])('G3 a connection that never opened: %s', (_, code, value) => {
	expect([isNotOpened(value), networkCode(value)]).toEqual([true, code]);
});

const reading = { code: 'EHOSTUNREACH', syscall: 'read' };
const oneOpened = { code: 'ETIMEDOUT', errors: [connecting, { code: 'ECONNRESET' }] };
const refusedText = 'connect ECONNREFUSED 127.0.0.1:1';

it.each<[string, string, unknown]>([
	['several addresses, one of which may have opened', 'ETIMEDOUT', thrown(oneOpened)],
	['a group without members', 'ETIMEDOUT', thrown({ code: 'ETIMEDOUT', errors: [] })],
	['no route any more while reading', 'EHOSTUNREACH', thrown({ code: 'EHOSTUNREACH' }, reading)],
	['a reset', 'ECONNRESET', thrown({ code: 'ECONNRESET' })],
	['a reset while reading', 'ECONNRESET', thrown({ ...closed, syscall: 'read' })],
	[
		'plain bytes after the handshake',
		'ERR_SSL_WRONG_VERSION_NUMBER',
		thrown({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }),
	],
	['TLS that broke while reading', 'EPROTO', thrown({ code: 'EPROTO', syscall: 'read' })],
	['a timeout of the whole request', 'ECONNABORTED', thrown({ code: 'ECONNABORTED' })],
	['a timeout while reading', 'ETIMEDOUT', thrown({ code: 'ETIMEDOUT', syscall: 'read' })],
	['the text of a timeout', 'ECONNABORTED', { messages: ['timeout of 1000ms exceeded'] }],
	['the text of a reset', 'UNKNOWN', { messages: ['read ECONNRESET'] }],
	['a text beside a code', 'ECONNRESET', { code: 'ECONNRESET', messages: [refusedText] }],
	['such a text in the middle of another', 'UNKNOWN', new Error(`after ${refusedText}`)],
	['a code that is a number', 'UNKNOWN', thrown({ code: 500 })],
	['nothing', 'UNKNOWN', undefined],
])('G3 a connection that may have opened: %s', (_, code, value) => {
	expect([isNotOpened(value), networkCode(value)]).toEqual([false, code]);
});

it('G3 a chain that leads back to itself comes to an end', () => {
	const loop: { cause?: unknown } = {};
	loop.cause = loop;
	expect(isNotOpened(loop)).toBe(false);
	expect(networkCode(loop)).toBe('UNKNOWN');
});
