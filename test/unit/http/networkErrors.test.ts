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

describe('G3 a connection counts as never opened only where that is certain', () => {
	it.each<[string, unknown, boolean, string]>([
		['refused', thrown({ code: 'ECONNREFUSED' }), true, 'ECONNREFUSED'],
		[
			'refused, two layers down',
			thrown({}, { name: 'AxiosError' }, { code: 'ECONNREFUSED' }),
			true,
			'ECONNREFUSED',
		],
		[
			'refused, as an errorResponse',
			{ errorResponse: { code: 'ECONNREFUSED' } },
			true,
			'ECONNREFUSED',
		],
		[
			'a name that does not exist',
			thrown({ code: 'ENOTFOUND' }, { code: 'ENOTFOUND' }),
			true,
			'ENOTFOUND',
		],
		['a name server that is busy', thrown({}, { code: 'EAI_AGAIN' }), true, 'EAI_AGAIN'],
		['no route', thrown({ code: 'EHOSTUNREACH' }), true, 'EHOSTUNREACH'],
		['an address that is none', thrown({ code: 'ERR_INVALID_URL' }), true, 'ERR_INVALID_URL'],
		[
			'a certificate of another server',
			thrown({}, { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }),
			true,
			'ERR_TLS_CERT_ALTNAME_INVALID',
		],
		[
			'a certificate that has expired',
			thrown({ code: 'CERT_HAS_EXPIRED' }),
			true,
			'CERT_HAS_EXPIRED',
		],
		[
			'a certificate that nobody signed',
			thrown({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
			true,
			'DEPTH_ZERO_SELF_SIGNED_CERT',
		],
		[
			'a timeout while connecting',
			thrown({ code: 'ETIMEDOUT', syscall: 'connect' }),
			true,
			'ETIMEDOUT',
		],
		[
			'no TLS on the other side',
			thrown({ code: 'EPROTO', message: 'SSL routines: wrong version number' }),
			true,
			'EPROTO',
		],
		[
			'an address that the host forbids',
			thrown({}, new SsrfBlockedIpError('blocked')),
			true,
			'SsrfBlockedIpError',
		],
		[
			'an address without https://, whose port axios takes for a protocol',
			thrown({}, { code: 'ERR_BAD_REQUEST', message: 'Unsupported protocol localhost:' }),
			true,
			'ERR_UNSUPPORTED_PROTOCOL',
		],
		[
			'the text of that alone',
			{ messages: ['Unsupported protocol localhost:'] },
			true,
			'ERR_UNSUPPORTED_PROTOCOL',
		],
		[
			'another request that axios does not like',
			thrown({ code: 'ERR_BAD_REQUEST', message: 'Request failed' }),
			false,
			'ERR_BAD_REQUEST',
		],
		[
			'a token that no header can carry',
			thrown({ code: 'ERR_INVALID_CHAR' }),
			true,
			'ERR_INVALID_CHAR',
		],
		[
			'several addresses, none of which opened',
			thrown({
				code: 'ETIMEDOUT',
				errors: [
					{ code: 'ETIMEDOUT', syscall: 'connect' },
					{ code: 'ENETUNREACH', syscall: 'connect' },
				],
			}),
			true,
			'ETIMEDOUT',
		],
		[
			'several addresses, one of which may have opened',
			thrown({
				code: 'ETIMEDOUT',
				errors: [{ code: 'ETIMEDOUT', syscall: 'connect' }, { code: 'ECONNRESET' }],
			}),
			false,
			'ETIMEDOUT',
		],
		['a group without members', thrown({ code: 'ETIMEDOUT', errors: [] }), false, 'ETIMEDOUT'],
		[
			'no route any more while reading',
			thrown({ code: 'EHOSTUNREACH', syscall: 'read' }),
			false,
			'EHOSTUNREACH',
		],
		[
			'no route any more while reading, as the host wraps it',
			thrown({ code: 'EHOSTUNREACH' }, { code: 'EHOSTUNREACH', syscall: 'read' }),
			false,
			'EHOSTUNREACH',
		],
		[
			'no route any more while writing',
			thrown({}, { code: 'ENETUNREACH', syscall: 'writev' }),
			false,
			'ENETUNREACH',
		],
		['a reset', thrown({ code: 'ECONNRESET' }), false, 'ECONNRESET'],
		[
			'a reset while reading',
			thrown({}, { code: 'ECONNRESET', syscall: 'read' }),
			false,
			'ECONNRESET',
		],
		[
			'a timeout of the whole request',
			thrown({ code: 'ECONNABORTED' }, { code: 'ECONNABORTED' }),
			false,
			'ECONNABORTED',
		],
		['a timeout while reading', thrown({ code: 'ETIMEDOUT', syscall: 'read' }), false, 'ETIMEDOUT'],
		['a timeout that does not say of what', thrown({ code: 'ETIMEDOUT' }), false, 'ETIMEDOUT'],
		['a connection that ended while writing', thrown({ code: 'EPIPE' }), false, 'EPIPE'],
		[
			'a handshake that ended otherwise',
			thrown({ code: 'EPROTO', message: 'bad record mac' }),
			false,
			'EPROTO',
		],
		[
			'an answer that is no HTTP',
			thrown({ code: 'HPE_INVALID_CONSTANT' }),
			false,
			'HPE_INVALID_CONSTANT',
		],
		[
			'Node’s text alone, as n8n 1.122 leaves it',
			{
				message: 'The service refused the connection',
				messages: ['connect ECONNREFUSED 127.0.0.1:1'],
			},
			true,
			'ECONNREFUSED',
		],
		[
			'the text of an unknown name alone',
			{ messages: ['getaddrinfo ENOTFOUND api.example'] },
			true,
			'ENOTFOUND',
		],
		[
			'the text of a timeout alone',
			{ messages: ['timeout of 1000ms exceeded'] },
			false,
			'ECONNABORTED',
		],
		['the text of a reset alone', { messages: ['read ECONNRESET'] }, false, 'UNKNOWN'],
		[
			'such a text beside another code',
			{ code: 'ECONNRESET', messages: ['connect ECONNREFUSED 127.0.0.1:1'] },
			false,
			'ECONNRESET',
		],
		[
			'such a text in the middle of another',
			new Error('after connect ECONNREFUSED'),
			false,
			'UNKNOWN',
		],
		['a code that is a number', thrown({ code: 500 }), false, 'UNKNOWN'],
		['text', 'ECONNREFUSED', false, 'UNKNOWN'],
		['null', null, false, 'UNKNOWN'],
		['nothing', undefined, false, 'UNKNOWN'],
		['an empty object', {}, false, 'UNKNOWN'],
	])('%s', (_, value, notOpened, code) => {
		expect(isNotOpened(value)).toBe(notOpened);
		expect(networkCode(value)).toBe(code);
	});

	it('a chain that leads back to itself comes to an end', () => {
		const loop: { cause?: unknown } = {};
		loop.cause = loop;
		expect(isNotOpened(loop)).toBe(false);
		expect(networkCode(loop)).toBe('UNKNOWN');
	});
});
