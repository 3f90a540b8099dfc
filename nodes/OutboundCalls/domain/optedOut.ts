import { quoted } from './format';
import { isObject } from './json';
import { type Checked, ok, problem } from './problem';

/** What a row says of itself. */
export type OptedOut = 'optedOut' | 'callable';

/** What people write into such a column. Upper case, dots and exclamation marks around words, and hyphens and underscores between them, do not matter. */
const WORDS: Record<OptedOut, readonly string[]> = {
	optedOut: [
		...['true', 'yes', 'y', '1', 'x', 'on', '✓', '✔', '☑', '✅'],
		...[
			'stop',
			'stopped',
			'stopall',
			'opt out',
			'optout',
			'opted out',
			'unsubscribe',
			'unsubscribed',
			'remove',
			'removed',
		],
		...[
			'do not call',
			"don't call",
			'dont call',
			'do not contact',
			'dnc',
			'no calls',
			'blocked',
			'cancel',
			'quit',
			'end',
		],
		...['ja', 'j', 'si', 'sí', 'sì', 'oui', 'sim', 'tak', 'да'],
		// What Excel writes for true in these languages.
		...[
			'wahr',
			'verdadero',
			'vero',
			'vrai',
			'verdadeiro',
			'waar',
			'prawda',
			'истина',
			'sand',
			'sant',
			'sann',
		],
	],
	callable: [
		...['', 'false', 'no', 'n', '0', 'off', 'none', 'null', '☐'],
		...['opt in', 'optin', 'opted in', 'subscribed', 'callable'],
		...['nein', 'non', 'não', 'nao', 'nee', 'nie', 'нет', 'nej', 'nei'],
		...['falsch', 'falso', 'faux', 'onwaar', 'fałsz', 'ложь', 'falsk', 'falskt', 'usann'],
	],
};

const meanings = new Map(
	Object.entries(WORDS).flatMap(([meaning, words]) =>
		words.map((word) => [word, meaning as OptedOut]),
	),
);

const LONGEST = 60;

/** The day on which somebody opted out, as sheets write days: with the year first or last, a time behind it or not. */
const DATE =
	/^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[t ,].*)?$/;

/**
 * The option Opted Out of a row. Do not call: true, 1, a date, and words such as yes, x, stop, unsubscribed, ja, si. May be called: empty, false, 0,
 * and words such as no, n, nein. Anything else is refused, so that the row is not called: it may be a person who asked not to be. Of several cells in a list, one is enough.
 */
export function readOptedOut(cell: unknown): Checked<OptedOut> {
	if (!Array.isArray(cell) || cell.length === 0) return readCell(cell);
	const said = cell.map(readCell);
	return (
		said.find((each) => each.ok && each.value === 'optedOut') ??
		said.find(({ ok }) => !ok) ??
		said[0]!
	);
}

function readCell(cell: unknown): Checked<OptedOut> {
	if (cell === null || cell === undefined || cell === false || cell === 0) return ok('callable');
	if (cell === true || cell === 1 || isDate(cell)) return ok('optedOut');
	if (typeof cell !== 'string' || cell.length > LONGEST) return unreadable(cell);
	const word = wordIn(cell);
	const meaning = meanings.get(word) ?? (DATE.test(word) ? 'optedOut' : undefined);
	return meaning === undefined ? unreadable(cell) : ok(meaning);
}

/** Whether a cell holds a word for no. */
export const meansNo = (cell: unknown): boolean =>
	typeof cell === 'string' && wordIn(cell) !== '' && meanings.get(wordIn(cell)) === 'callable';

const isWord = (cell: unknown): boolean => /^(?:string|number|boolean)$/.test(typeof cell);

/** Whether a cell holds the same word, be it in other letters, with blanks, brackets or a picture beside it ("🚫 DNC"), or of another kind. */
export function sameWord(word: unknown, cell: unknown): boolean {
	const text = String(cell);
	// A longer cell is no word, and would take its time.
	if (!isWord(cell) || text.length > 300) return false;
	const [asked, held] = [String(word), text].map((each) =>
		[each, each.replace(ADORNING, '')].map(wordIn).filter((said) => said !== ''),
	);
	return held!.some((each) => asked!.includes(each));
}

const ADORNING =
	/^[\s#()[\]{}<>•\p{Extended_Pictographic}\ufe0f]+|[\s()[\]{}<>•\p{Extended_Pictographic}\ufe0f]+$/gu;

/** Whether a text has the same word in it, by itself or, from four letters on, as the beginning of one: STOP and Stopped have stop in them, Not has no "no". */
export function hasWord(word: unknown, text: string): boolean {
	const asked = plain(String(word));
	const words = spaced(asked);
	// What has no letter is looked for as it stands. A longer text would take its time.
	if (words.trim() === '') return false;
	const held = plain(text.slice(0, 10_000));
	// Signs stand around it so that the word by itself is not meant.
	if (/^[^\p{L}\p{N}]|[^\p{L}\p{N}]$/u.test(asked)) return held.includes(asked);
	return spaced(held).includes(words.length > 5 ? words.trimEnd() : words);
}

const spaced = (words: string): string => ` ${words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

/** Without dots and the like around it, unless it is nothing else. */
function wordIn(cell: string): string {
	const text = plain(cell);
	return text.replace(/^[.!"']+|[.!"']+$/g, '') || text;
}

const plain = (cell: string): string =>
	cell
		.normalize('NFKC')
		.replace(/\p{Cf}|\ufe0f/gu, '')
		.replace(/\s+/g, ' ')
		.replace(/’/g, "'")
		.replace(/(\p{L})[-_](?=\p{L})/gu, '$1 ')
		.trim()
		.toLowerCase();

/** A Date, or the date of an expression of n8n (Luxon). */
const isDate = (cell: unknown): boolean =>
	cell instanceof Date || (isObject(cell) && typeof cell.toISODate === 'function');

const unreadable = (cell: unknown): Checked<never> =>
	problem(
		`the option Opted Out is ${quoted(cell)}, which says neither yes nor no`,
		'Write yes for people who must not be called, and no or nothing for others.',
	);
