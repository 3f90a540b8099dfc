import { type Checked, ok, problem, quoted } from '../domain/values';

/** A global of Node's, whose types the published code does not load. */
declare const URL: new (text: string) => { hostname: string; href: string };

const ADDRESS = /^(https?):\/\/([^/?#]*)([^?#]*)(.*)$/i;

/**
 * The base URL without surrounding spaces and trailing slashes. Refuses what would send calls or
 * the token elsewhere, or unencrypted.
 */
export function checkBaseUrl(given: unknown): Checked<string> {
	const text = typeof given === 'string' ? given.trim() : '';
	const [, scheme = '', host = '', path = '', rest = ''] = ADDRESS.exec(text) ?? [];
	if (host === '') {
		return problem(
			'The Base URL in the credential is not a web address',
			'It begins with https:// and ends in /api/v1/outbound.',
		);
	}
	if (host.includes('@') || rest !== '') {
		return problem(
			'The Base URL in the credential contains a user name, a query (?…) or a fragment (#…)',
			'Remove that part: the Base URL ends in /api/v1/outbound.',
		);
	}
	const name = /[\s\\]/.test(text) ? undefined : urlOf(text)?.hostname;
	if (name === undefined) {
		return problem(
			`The Base URL in the credential is ${quoted(text)}, which is not a web address`,
			'Look for spaces and typos. It looks like https://example.com/api/v1/outbound.',
		);
	}
	if (scheme.toLowerCase() === 'http' && !isNear(name)) {
		return problem(
			'The Base URL in the credential begins with http://, which would send the token unencrypted',
			'Use https://. Plain http:// is accepted only for this computer and private networks.',
		);
	}
	let end = path.length;
	while (end > 0 && path[end - 1] === '/') end--;
	return ok(`${text.slice(0, text.length - path.length)}${path.slice(0, end)}`);
}

/**
 * Whether a request to this address goes to the API behind the base URL. Both as a request would use
 * them.
 */
export const isBelow = (base: string, address: string) =>
	urlOf(address)?.href.startsWith(new URL(`${base}/`).href) ?? false;

/** An address as a request would use it; undefined if no request could. */
function urlOf(address: string) {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}

/**
 * This computer, or a private network: IPv4 addresses by RFC 1122 and 1918, IPv6 by RFC 4291 and
 * 4193, and names that no public server has.
 */
const NEAR: readonly RegExp[] = [
	/^127\.\d+\.\d+\.\d+$/,
	/^10\.\d+\.\d+\.\d+$/,
	/^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/,
	/^192\.168\.\d+\.\d+$/,
	/^\[::1\]$/,
	/^\[f[cd][0-9a-f]{2}:/,
	/^(?:[^.[\]]+|.+\.(?:localhost|local|internal))\.?$/,
];

const isNear = (name: string) => NEAR.some((near) => near.test(name));

/**
 * The token without surrounding spaces. A header carries only visible ASCII characters (RFC 9110);
 * n8n drops others silently.
 */
export function checkToken(given: unknown): Checked<string> {
	const token = typeof given === 'string' ? given.trim() : '';
	if (token === '')
		return problem(
			'The API token in the credential is empty',
			'Copy it from the outbound calls page of your dashboard into the credential.',
		);
	return /^[\x21-\x7e]+$/.test(token)
		? ok(token)
		: problem(
				'The API token in the credential has a character that cannot be sent',
				'Copy it again from the outbound calls page of your dashboard, without spaces or line breaks.',
			);
}
