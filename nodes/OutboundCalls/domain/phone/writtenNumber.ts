import type problems from './cellProblems.json';
import { numberOf, textOf, whyUnusable } from '../values';

/**
 * No number is written with more characters. Normalizing takes time that grows with the square of
 * the length.
 */
export const MAX_CELL_LENGTH = 100;

/** Dates, months and hours as sheets write them, with the year first or last. */
const DATES = [
	/^\d{4}-\d{2}-\d{2}(?:\s|$)/,
	/^(?:19|20)\d{2}\s?[-./·]\s?\d{1,2}\s?[-./·]\s?\d{1,2}(?!\d)/,
	/^\d{1,2}\s?[-./·]\s?\d{1,2}\s?[-./·]\s?(?:(?:19|20)\d{2}\s|(?:\d{2}){1,2}$)/,
	// "25-11-26 0930", "25.11.26 9.30"
	/^(?:0?[1-9]|[12]\d|3[01])[-./·](?:0?[1-9]|1[0-2])[-./·]\d{2}\s(?:(?:[01]\d|2[0-3])[0-5]\d|(?:[01]?\d|2[0-3])\.[0-5]\d)$/,
	// "2026-11", "11/2026"
	/^(?:(?:19|20)\d{2}\s?[-./·]\s?(?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])\s?[-./·]\s?(?:19|20)\d{2})$/,
	// "25.-26.11.2026", "9.30-17.00"
	/\d\.\s?-\s?\d/,
	/^(?:[01]?\d|2[0-4])\.[0-5]\d\s?-\s?(?:[01]?\d|2[0-4])\.[0-5]\d$/,
	/^(?:(?:19|20)\d{2}\s\d{1,2}\s\d{1,2}|\d{1,2}\s\d{1,2}\s(?:19|20)\d{2})$/,
];

/** "2025/2026", "2025-26" */
const TWO_YEARS = /^((?:19|20)\d{2})\s?[-./·]\s?((?:19|20)?\d{2})$/;

/** Also in brackets, and with a dot at its end, as in Croatia. */
function isDate(written: string) {
	const bare = written.replace(/^[([]\s*|(?<![)\].\s])[)\].\s]+$/g, '');
	const [, year, next] = TWO_YEARS.exec(bare) ?? [];
	return (
		DATES.some((pattern) => pattern.test(bare)) ||
		(year !== undefined && ((numberOf(year) ?? NaN) + 1) % 100 === (numberOf(next) ?? NaN) % 100)
	);
}

/**
 * What tables make of a number that they take for an amount, or for a date with a time, and degrees
 * of a place. Without its dot it would be another number.
 */
const DECIMAL = /^\+?\d+\.\d{1,2}$|^[^.]*\.0+$|^[1-9]\d{4,}\.\d+$|^(?:[1-9]\d?|1[0-7]\d)\.\d{4,}$/;

/** What a sheet has kept of 491712345678 when it wrote 4.91712E+11 and read that again. */
const ROUNDED = /^(?=\d{12})[1-9]\d{0,5}0+$/;

/** A slash after a whole number. The first one of "06/12/34/56/78" is not. */
const TWO_NUMBERS = [
	// "030 1234567/68", "030 1234567 / 030 7654321"
	/^(?:[^/\d]*\d){6}[^/]*\/\s*(?:\d{1,2}$|[+(]*0(?:[^/\d]*\d){5})/,
	// "030 1234567/890"
	/^(?:[^/\d]*\d){10}[^/]*\/\s*\d{3,4}$/,
	// "030/1234567/68", "0421/12345/67890"
	/\/(?:[^/\d]*\d){5}[^/]*\//,
];

/** "030 1234567 (12)" */
const EXTENSION_IN_BRACKETS = /\d\s*[([]\d{1,4}[)\]]$/;

/** "2. 0171 2345678", "2) 0171 2345678" */
const PLACE_IN_LIST = /^[1-9]\d?(?:\)|\.\s)/;

/** "030 12345…": digits are missing. */
const CUT_OFF = /\.{2}/;

const NO_PHONE_NUMBER = [
	/^-/,
	DECIMAL,
	ROUNDED,
	...TWO_NUMBERS,
	EXTENSION_IN_BRACKETS,
	PLACE_IN_LIST,
	CUT_OFF,
];

/** In front of a link, and of each number that Meta's lead forms export. */
const PREFIX = /^(?:tel|p):/i;

/**
 * The digits of a cell that holds one phone number, with a + if it has one, and brackets as they
 * stand: "+49 (0) 171-2345678" → "+49(0)1712345678". Undefined for all else: words, dates,
 * decimals, exponents, extensions, two numbers, cells of more than 100 characters. A few phone
 * numbers look like a date. They are not called, because a misread date would call a stranger.
 */
export function writtenNumber(value: unknown): string | undefined {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
	const written = plainCell(value) ?? '';
	if (isDate(written) || NO_PHONE_NUMBER.some((pattern) => pattern.test(written))) return undefined;
	const digits = written.replace(PREFIX, '').replace(/[\p{Zs}\t\-./\u00b7]/gu, '');
	return /^(?:[([]*\+)?[()[\]]*\d[\d()[\]]*$/.test(digits) ? digits : undefined;
}

/** "+49 171 2345678 - 2", "+49 30 1234567-12": what stands before the last dash. */
const BEFORE_DASH = /^([^]*\d[^-]*)-\s*\d{1,4}$/;

/**
 * A cell without the few digits after its last dash, which may be a remark or an extension;
 * undefined without any. `isApart`: blanks stand around the dash.
 */
export function beforeDash(value: unknown) {
	const written = plainCell(value) ?? '';
	const [, front] = BEFORE_DASH.exec(written) ?? [];
	return front === undefined
		? undefined
		: { front, isApart: /\s-\s/.test(written.slice(front.length - 1)) };
}

/**
 * A day as sheets count them from 1900 on, with a time of day or without one: from 1982 to 2036.
 */
const COUNTED_DAY = /^[34]\d{4}(?:\.\d+)?$/;

const AMOUNTS = [DECIMAL, ROUNDED, /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i, /^\d+\.\d+$/, /^\d{16,}$/];

/** What a sheet makes of "=0171…", "-171…" or "+49 (171)…" when it calculates. */
const CALCULATED = /^[-=].*\d|^#[¡¿]?[\p{Lu}\d/]+[!?]/u;

/** "0171 2345678 / 0172 3456789" */
const SEPARATORS = /[\n\r|&/,;]|:::|\s(?:or|and|oder|und|ou|et|y)\s|\s(?=\+)/i;

const MIN_DIGITS = 6;

const hasNumber = (text: string) => text.replace(/\D/g, '').length >= MIN_DIGITS;

/** As messages tell them apart. */
type LooksLike = keyof typeof problems;

const LOOKS: ReadonlyArray<readonly [LooksLike, (written: string) => boolean]> = [
	['date', (written) => COUNTED_DAY.test(written) || isDate(written)],
	['amount', (written) => AMOUNTS.some((pattern) => pattern.test(written))],
	['formula', (written) => CALCULATED.test(written)],
	['missing', (written) => whyUnusable(written) !== undefined],
	['several', (written) => written.split(SEPARATORS).filter(hasNumber).length > 1],
	['more', hasNumber],
	['short', (written) => /\d/.test(written)],
];

/** What a cell looks like that holds no phone number. */
export function looksLike(value: unknown): LooksLike {
	const text = textOf(value, MAX_CELL_LENGTH) ?? '';
	if (text.includes('{{')) return 'expression';
	if (text.length > MAX_CELL_LENGTH) return 'long';
	const written = plainCell(value) ?? '';
	return LOOKS.find(([, test]) => test(written))?.[0] ?? 'words';
}

/**
 * A cell without what nobody sees, and with one kind of digits and dashes; undefined for what no
 * cell holds, and for very long ones.
 */
function plainCell(value: unknown) {
	if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
		return undefined;
	const cell = textOf(value, MAX_CELL_LENGTH) ?? '';
	if (cell.length > MAX_CELL_LENGTH) return undefined;
	return (
		withPlainDigits(cell)
			.trim()
			// An apostrophe in front makes a sheet keep a number as text.
			.replace(/^'\s*/, '')
			.replace(/[\p{Pd}\u2212\u30fc]/gu, '-')
	);
}

/**
 * One kind of blanks and brackets, the digits of all scripts as 0 to 9, and no invisible
 * characters, such as the direction marks that phone books copy along. Raised digits, as of a
 * footnote, and digits in circles are none of the number's: they stay as they are.
 */
export const withPlainDigits = (text: string) =>
	IS_ASCII.test(text)
		? text
		: text
				.replace(/\P{No}+/gu, (other) => other.normalize('NFKC'))
				.replace(/(?![\t\n\r])[\p{Cc}\p{Cf}\p{DI}]/gu, '')
				.replace(/[^\P{Nd}\d]/gu, plainDigit);

const IS_ASCII = /^[ -~]*$/;

/** Digits of a script follow each other from its zero on (Unicode). */
function plainDigit(digit: string) {
	const code = digit.codePointAt(0)!;
	let before = 0;
	while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
	return `${before % 10}`;
}
