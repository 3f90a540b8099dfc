import { plainText, withoutUnseen } from '../domain/format';

/** Shorter ones stand in words by chance, and guard nothing. */
const SHORTEST_SECRET = 6;

/**
 * A function that makes the texts of an answer fit for outputs and messages: an answer that quotes the token back
 * must not carry it there, in whatever form, and texts are plain and not endless. Only texts change, so that the
 * answer keeps its shape.
 */
export function maskedTexts(...secrets: string[]): (value: unknown) => unknown {
	const forms = [...new Set(secrets.flatMap(formsOf))]
		.filter(({ length }) => length >= SHORTEST_SECRET)
		.sort((a, b) => b.length - a.length);
	const secret = forms.length === 0 ? undefined : new RegExp(forms.map(escaped).join('|'), 'g');
	// Characters that are taken out may have stood in the token.
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

/** What is the same in the base64 of every text that contains the secret, for each place that it can begin at in a group of three bytes. */
function base64Of(secret: string): string[] {
	return [0, 1, 2].flatMap((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const own = bytes
			.toString('base64')
			.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
		return [own, own.replace(/\+/g, '-').replace(/\//g, '_')];
	});
}
