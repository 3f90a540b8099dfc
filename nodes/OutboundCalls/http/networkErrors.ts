import type { ApiProblem } from '../domain/api/exchange';
import notOpenedCodes from './notOpenedCodes.json';
import { ADDRESS_REMEDY } from './refusals';

/**
 * Codes of a connection that never opened: the request cannot have reached the API.
 * Not among them: ECONNRESET, ECONNABORTED, ETIMEDOUT, EPIPE, which also happen after sending.
 */
const NOT_OPENED = new Set<unknown>(notOpenedCodes);

/**
 * System calls after the connection opened: a route can also break while the node waits for an
 * answer.
 */
const AFTER_CONNECTING = new Set<unknown>(['read', 'write', 'writev']);

/** The host's SSRF protection (n8n 2), by class name. */
const HOST_REFUSALS = new Set<unknown>(['SsrfBlockedIpError', 'SsrfBlockedHostnameError']);

/** Why a connection never opened, by its code: the first that matches. */
const connectionProblems: Array<[code: RegExp, message: string, remedy: string]> = [
	[/^ECONNREFUSED$/, 'The server refused the connection', `The API may be down. ${ADDRESS_REMEDY}`],
	[
		/^(?:ENOTFOUND|EAI_AGAIN)$/,
		'The server’s name could not be found',
		`${ADDRESS_REMEDY} Look for a typo in the server’s name.`,
	],
	[
		/^(?:EPROTO|ECONNRESET)$/,
		'The server does not speak TLS at this address, so no secure connection (https) was made',
		`${ADDRESS_REMEDY} Check its port, and whether the server offers https.`,
	],
	[
		/CERT|TLS|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH/,
		'The server’s certificate is not accepted, so no secure connection was made',
		`${ADDRESS_REMEDY} If it is right, ask its owner to renew the certificate.`,
	],
	[
		/^Ssrf/,
		'This n8n does not allow connections to that address',
		'Ask your n8n administrator to allow it, or use the API’s public address in the credential.',
	],
	[/^/, 'The server could not be reached', `Check the network of this n8n. ${ADDRESS_REMEDY}`],
];

/** Why a connection never opened, in words. */
export function connectionProblem(code: string): ApiProblem {
	const [, message, remedy] = connectionProblems.find(([codes]) => codes.test(code))!;
	return { message, remedy };
}

type Thrown = Record<string, unknown>;

/**
 * All layers of what was thrown, outermost first: the host wraps it (NodeApiError → AxiosError →
 * Node's own).
 */
function layers(thrown: unknown) {
	const found: Thrown[] = [];
	let layer = thrown;
	while (typeof layer === 'object' && layer !== null && found.length < 8) {
		const current = layer as Thrown;
		found.push(current);
		layer = current.cause ?? current.errorResponse;
	}
	return found;
}

/** Texts of Node and axios for a code: n8n 1.122 drops the cause, and with it the code. */
const TEXTS: Array<[RegExp, string | undefined]> = [
	[
		/^(?:connect|getaddrinfo) (ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)\b/,
		undefined,
	],
	[/^timeout of \d+ms exceeded/, 'ECONNABORTED'],
	[
		/^(?:certificate has expired|self.signed certificate|unable to verify the first certificate|unable to get (?:local )?issuer certificate|Hostname\/IP does not match certificate)/,
		'CERT_REJECTED',
	],
];

function codeInText(thrown: unknown) {
	const texts = layers(thrown).flatMap(({ message, messages }) => [
		message,
		...(Array.isArray(messages) ? (messages as unknown[]) : []),
	]);
	for (const text of texts.filter((each) => typeof each === 'string')) {
		for (const [pattern, code] of TEXTS) {
			const match = pattern.exec(text);
			if (match) return code ?? match[1];
		}
	}
	return undefined;
}

/** Node's or axios's code for what happened; "UNKNOWN" without one. */
export function networkCode(thrown: unknown): string {
	for (const { code, name } of layers(thrown)) {
		if (typeof code === 'string' && code !== '') return code;
		if (HOST_REFUSALS.has(name)) return name as string;
	}
	return codeInText(thrown) ?? 'UNKNOWN';
}

/** Whether one layer of a thrown value proves that the connection never opened. */
const proves = ({ code, syscall, name, errors }: Thrown, depth: number) =>
	NOT_OPENED.has(code) ||
	(code === 'ETIMEDOUT' && syscall === 'connect') ||
	HOST_REFUSALS.has(name) ||
	// A server with several addresses: one reason for each of them.
	(Array.isArray(errors) &&
		errors.length > 0 &&
		depth < 3 &&
		errors.every((each) => isNotOpened(each, depth + 1)));

/**
 * Whether a TLS handshake certainly did not complete (Node's behavior). Codes of TLS itself
 * (ERR_SSL_…) prove nothing: they also come after it.
 */
const isHandshake = (layer: Thrown) =>
	(layer.code === 'EPROTO' && layer.syscall === 'write') ||
	(layer.code === 'ECONNRESET' &&
		!('syscall' in layer) &&
		['host', 'port', 'localAddress'].every((name) => name in layer));

/** Whether the request certainly never left; false if in doubt. */
export function isNotOpened(thrown: unknown, depth = 0): boolean {
	const all = layers(thrown);
	if (all.some(isHandshake)) return true;
	if (all.some(({ syscall }) => AFTER_CONNECTING.has(syscall))) return false;
	// A code counts more than a text.
	const hasCode = all.some(({ code }) => typeof code === 'string' && code !== '');
	return (
		(!hasCode && NOT_OPENED.has(codeInText(thrown))) || all.some((layer) => proves(layer, depth))
	);
}
