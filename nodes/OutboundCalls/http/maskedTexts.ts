import { boundedJson, MAX_TEXT_LENGTH, parsed, plainText } from '../domain/values';

/** Shorter texts occur in words by chance. */
const MIN_SECRET_LENGTH = 6;
/** A shorter beginning of a secret says nothing of it. */
const MIN_PART_LENGTH = 4;

/** Only so much of a text is looked at. */
const MAX_SEARCH_LENGTH = 5 * MAX_TEXT_LENGTH;

/** No documented answer has more. */
const MAX_VALUES = 10_000;

/** Characters that nobody sees may stand between those of a secret. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{DI}]/gu;

/**
 * Returns a function that reads the body of an answer, as JSON if it is that, masks the secrets in
 * all its texts, in whatever spelling, and makes the texts plain.
 */
export function maskedTexts(...secrets: unknown[]): (value: unknown) => unknown {
	const forms = secrets
		.map((secret) => (typeof secret === 'string' ? secret.trim().replace(/\p{Cs}/gu, '') : ''))
		.filter(({ length }) => length >= MIN_SECRET_LENGTH)
		.flatMap((secret) => [...new Set(writtenForms(secret))]);
	const anyForm = anyOf(forms, 'gi');
	const anyBeginning = anyOf(forms.map((form) => form.slice(0, MIN_PART_LENGTH)));
	const fit = (text: string) => {
		const bounded = text.slice(0, MAX_SEARCH_LENGTH);
		const seen = bounded.replace(UNSEEN, '');
		const whole = seen.replace(anyForm, '***');
		const masked = anyBeginning.test(whole) ? withoutPart(whole, forms) : whole;
		// Other texts keep what nobody sees, because some scripts need it.
		return plainText(masked === seen ? bounded : masked);
	};
	const walk = (value: unknown): unknown => {
		if (typeof value === 'string') return fit(value);
		if (typeof value !== 'object' || value === null) return value;
		return Array.isArray(value)
			? value.map(walk)
			: Object.fromEntries(Object.entries(value).map(([name, inner]) => [fit(name), walk(inner)]));
	};
	return (body) => walk(typeof body === 'string' ? parsed(boundedJson(body, MAX_VALUES)) : body);
}

/** Without a text to look for, it matches nothing. */
const anyOf = (texts: readonly string[], flags?: string) =>
	new RegExp(texts.map(escaped).join('|') || '(?!)', flags);

/** Without the beginning of a secret at the end of a text that somebody has cut. */
function withoutPart(text: string, forms: readonly string[]) {
	const tail = ['…', '...'].find((each) => text.endsWith(each)) ?? '';
	const cut = text.slice(0, text.length - tail.length);
	for (const form of forms)
		for (let length = form.length - 1; length >= MIN_PART_LENGTH; length--)
			if (cut.endsWith(form.slice(0, length))) return `${cut.slice(0, -length)}***${tail}`;
	return text;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** HTML's names for signs, without & and ;. */
const ENTITIES: Readonly<Record<string, string>> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": '#39',
};

const hex = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, '0');

/**
 * A secret as it is, and as programs write it into JSON, URLs, forms, HTML and base64. Capitals do
 * not count.
 */
function writtenForms(secret: string) {
	const json = JSON.stringify(secret).slice(1, -1);
	const url = encodeURIComponent(secret);
	const inHtml = (write: (sign: string) => string | undefined) =>
		secret.replace(/[&<>"']/g, (sign) => `&${write(sign)};`);
	const named = inHtml((sign) => ENTITIES[sign]);
	return [
		secret,
		...[json, json.replace(/\//g, '\\/')].flatMap((text) => [
			text,
			text.replace(/[&<>']/g, (sign) => `\\u00${hex(sign)}`),
		]),
		url,
		url.replace(/%2F/g, '/'),
		url.replace(/%20/g, '+').replace(/[!'()*~]/g, (sign) => `%${hex(sign)}`),
		named,
		// Of templates.
		...[/[=`]/g, /[/=`]/g].map((signs) => named.replace(signs, (sign) => `&#x${hex(sign)};`)),
		inHtml((sign) => `#x${hex(sign)}`),
		inHtml((sign) => `#${sign.charCodeAt(0)}`),
		...base64Of(secret),
	];
}

/**
 * The part that every base64 text with the secret in it has in common, for each of its three
 * possible offsets.
 */
function base64Of(secret: string) {
	return [0, 1, 2].flatMap((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const own = bytes
			.toString('base64')
			.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
		return [own, own.replace(/\+/g, '-').replace(/\//g, '_')];
	});
}
