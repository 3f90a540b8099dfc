import { type Checked, ok, problem } from '../domain/problem';

/** The credential's name, which saved workflows hold. */
export const CREDENTIAL = 'outboundCallsApi';

const ADDRESS = /^https?:\/\/([^/?#]*)([^?#]*)(.*)$/i;

/** The base URL without blanks around it and slashes behind it. Anything that would send calls or the token elsewhere is refused. */
export function checkBaseUrl(given: unknown): Checked<string> {
	const text = typeof given === 'string' ? given.trim() : '';
	const [, host = '', path = '', rest = ''] = ADDRESS.exec(text) ?? [];
	if (host === '') {
		return problem(
			'The Base URL in the credential is not a web address',
			'It begins with https:// or http://. Check the Base URL in the credential: it ends in /api/v1/outbound.',
		);
	}
	const what = host.includes('@')
		? 'a user name or password'
		: rest.startsWith('?')
			? 'a query (the part from the ?)'
			: rest === ''
				? ''
				: 'a fragment (the part from the #)';
	if (what !== '') {
		return problem(
			`The Base URL in the credential holds ${what}, which does not belong there`,
			'Remove it from the Base URL: it ends in /api/v1/outbound.',
		);
	}
	let end = path.length;
	while (end > 0 && path[end - 1] === '/') end--;
	return ok(`${text.slice(0, text.length - path.length)}${path.slice(0, end)}`);
}

/** The token without blanks around it. A header cannot carry other than visible ASCII characters (RFC 9110), and n8n drops them silently. */
export function checkToken(given: unknown): Checked<string> {
	const token = typeof given === 'string' ? given.trim() : '';
	if (token === '')
		return problem('The API token in the credential is empty', 'Copy it from the outbound calls page of your dashboard into the credential.');
	return /^[\x21-\x7e]+$/.test(token)
		? ok(token)
		: problem(
				'The API token in the credential has a character that cannot be sent',
				'Copy the API token from the outbound calls page of your dashboard into the credential, without blanks or line breaks in it.',
			);
}
