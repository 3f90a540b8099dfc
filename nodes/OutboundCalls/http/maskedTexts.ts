import { type Fields, isObject, LONGEST_TEXT, plainText } from '../domain/values/untrustedValues';

/** Shorter texts occur in words by chance. */
const SHORTEST_SECRET = 6;

/** What is looked at of a text. */
const LONGEST = 5 * LONGEST_TEXT;

/** No documented answer is nested deeper than five. */
const DEEPEST = 50;

/** Characters that nobody sees may stand between those of a secret. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{DI}]/gu;

/**
 * Returns a function that masks the secrets in all texts of an answer, in whatever spelling, and
 * makes the texts plain and bounded.
 */
export function maskedTexts(...secrets: unknown[]): (value: unknown) => unknown {
	const forms = secrets
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter(({ length }) => length >= SHORTEST_SECRET)
		.flatMap((secret) => [spelled(secret), ...base64Of(secret).map(escaped)]);
	const secret = forms.length === 0 ? undefined : new RegExp(forms.join('|'), 'g');
	const fit = (text: string): string => {
		const bounded = text.slice(0, LONGEST);
		const seen = bounded.replace(UNSEEN, '');
		const masked = secret ? seen.replace(secret, '***') : seen;
		// Other texts keep what nobody sees, because some scripts need it.
		return plainText(masked === seen ? bounded : masked);
	};
	const walk = (value: unknown, depth: number): unknown => {
		if (typeof value === 'string') return fit(value);
		if (depth > DEEPEST) return null;
		if (Array.isArray(value)) return value.map((each) => walk(each, depth + 1));
		if (!isObject(value)) return value;
		const entries = Object.entries(value as Fields);
		return Object.fromEntries(entries.map(([name, each]) => [fit(name), walk(each, depth + 1)]));
	};
	return (value) => walk(value, 0);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** HTML's names for characters, without & and ;. */
const ENTITIES: Readonly<Record<string, string>> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/**
 * A pattern for a secret in which each character may stand for itself or be written as in a URL, a
 * form, HTML or JSON.
 */
const spelled = (secret: string): string =>
	Array.from(secret)
		.map((character) => {
			const code = character.codePointAt(0)!;
			const hex = anyCase(code.toString(16).padStart(2, '0'));
			const entity = ENTITIES[character];
			return `(?:${[
				`\\\\?${escaped(character)}`,
				`%${hex}`,
				`&#0*${code};`,
				`&#[xX]0*${hex};`,
				`\\\\u0*${hex}`,
				...(entity === undefined ? [] : [`&${entity};`]),
			].join('|')})`;
		})
		.join('');

const anyCase = (hex: string): string =>
	hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/**
 * The part that every base64 text with the secret in it has in common, for each of its three
 * possible offsets.
 */
function base64Of(secret: string): string[] {
	return [0, 1, 2].flatMap((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const own = bytes
			.toString('base64')
			.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
		return [own, own.replace(/\+/g, '-').replace(/\//g, '_')];
	});
}
