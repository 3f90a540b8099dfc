import { quoted } from './format';
import { isDateTime } from './json';
import { type Checked, ok, problem } from './problem';

/** What a row says about its person. */
export type OptedOut = 'optedOut' | 'callable';

const words = (list: string): ReadonlySet<string> => new Set(list.split(', '));

/** As `plain` writes them. The last line of each list is what Excel writes for true and false in other languages. */
const OPTED_OUT = words(
	'true, yes, y, 1, x, on, ✓, ✔, ☑, ✅, stop, stopped, stopall, opt out, optout, opted out, ' +
		"unsubscribe, unsubscribed, remove, removed, do not call, don't call, dont call, do not contact, " +
		'dnc, no calls, blocked, cancel, quit, end, ja, j, si, sí, sì, oui, sim, tak, да, ' +
		'wahr, verdadero, vero, vrai, verdadeiro, waar, prawda, истина, sand, sant, sann',
);
const CALLABLE = words(
	'false, no, n, 0, off, none, null, ☐, opt in, optin, opted in, subscribed, callable, ' +
		'nein, non, não, nao, nee, nie, нет, nej, nei, ' +
		'falsch, falso, faux, onwaar, fałsz, ложь, falsk, falskt, usann',
);

/** The day on which somebody opted out, as sheets write it: the year first or last, with or without a time. */
const DATE =
	/^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[t ,].*)?$/;

const LONGEST = 60;

/** Reads a row's Opted Out. A word that is neither yes nor no is refused: it may be a person who asked not to be called. */
export function readOptedOut(cell: unknown): Checked<OptedOut> {
	if (cell === null || cell === undefined || cell === false || cell === 0) return ok('callable');
	if (cell === true || cell === 1 || cell instanceof Date || isDateTime(cell)) {
		return ok('optedOut');
	}
	if (typeof cell === 'string' && cell.length <= LONGEST) {
		const text = plain(cell);
		const word = text.replace(/^[.!"']+|[.!"']+$/g, '');
		if (OPTED_OUT.has(word) || DATE.test(word)) return ok('optedOut');
		if (text === '' || CALLABLE.has(word)) return ok('callable');
	}
	return problem(
		`the value of Opted Out is ${quoted(cell)}, which is neither yes nor no`,
		'Write yes for people who must not be called, otherwise no, or leave the cell empty.',
	);
}

/** In lower case, without invisible characters, and with blanks instead of the hyphens between words. */
const plain = (cell: string): string =>
	cell
		.normalize('NFKC')
		.replace(/\p{Cf}|\ufe0f/gu, '')
		.replace(/\s+/g, ' ')
		.replace(/’/g, "'")
		.replace(/(\p{L})[-_](?=\p{L})/gu, '$1 ')
		.trim()
		.toLowerCase();
