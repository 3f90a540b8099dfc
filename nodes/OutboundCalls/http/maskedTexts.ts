import { plainText, withoutUnseen } from '../domain/format';

/** Shorter texts occur in words by chance. */
const SHORTEST_SECRET = 6;

/** Returns a function that masks the secrets in all texts of an answer, in whatever form, and makes the texts plain and bounded. */
export function maskedTexts(...secrets: string[]): (value: unknown) => unknown {
	const forms = [...new Set(secrets.flatMap(formsOf))]
		.filter(({ length }) => length >= SHORTEST_SECRET)
		.sort((a, b) => b.length - a.length);
	const secret = forms.length === 0 ? undefined : new RegExp(forms.map(escaped).join('|'), 'g');
	// Invisible characters first: they may split the token.
	const fit = (text: string): string =>
		plainText(secret ? withoutUnseen(text).replace(secret, '***') : text);
	const walk = (value: unknown): unknown => {
		if (typeof value === 'string') return fit(value);
		if (Array.isArray(value)) return value.map(walk);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [fit(name), walk(each)]));
	};
	return walk;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The ways in which a server, a gateway or a log quotes a secret. */
function formsOf(given: string): string[] {
	const secret = given.trim();
	if (secret.length < SHORTEST_SECRET) return [];
	const inUrl = [encodeURIComponent(secret), encodeURI(secret)];
	return [given, secret, ...inUrl, ...inUrl.map(withSmallEscapes), ...base64Of(secret)];
}

const withSmallEscapes = (url: string): string =>
	url.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());

/** The part that every base64 text with the secret in it has in common, for each of its three possible offsets. */
function base64Of(secret: string): string[] {
	return [0, 1, 2].flatMap((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const own = bytes
			.toString('base64')
			.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
		return [own, own.replace(/\+/g, '-').replace(/\//g, '_')];
	});
}
