/** Country codes whose national numbers keep their leading zero in international format. */
const KEEPS_LEADING_ZERO = new Set(['39', '225', '229', '242', '378', '379']);

/** What callers within the country dial before the number, if it is not a single 0. */
const AT_HOME = new Map([
	['7', /^8(?=\d{10}$)/],
	['36', /^06(?=\d{8,9}$)/],
	['370', /^8(?=\d{8}$)/],
	['375', /^80(?=\d{9}$)/],
]);

/** The shortest number that is taken for an international one without its +, because it begins with the country code. */
const INTERNATIONAL_DIGITS = 11;

/** An international number: no country code begins with 0, none is longer than 15 digits (E.164) or shorter than 7. */
const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;

/** Shorter national numbers can hardly be reached from abroad, and a date that a sheet stores as a number (45306) has five digits. */
const NATIONAL_DIGITS = 6;

/** No number is written with more characters. */
const LONGEST_CELL = 100;

/** Dates as sheets write them, with the year first or last. */
const DATES = [
	/^\d{4}-\d{2}-\d{2}/,
	/^(?:19|20)\d{2}\s?[-./]\s?\d{1,2}\s?[-./]\s?\d{1,2}(?!\d)/,
	/^\d{1,2}\s?[-./]\s?\d{1,2}\s?[-./]\s?(?:(?:19|20)\d{2}\s|(?:\d{2}){1,2}$)/,
];

/** What tables make of a number that they take for an amount. Without its dot it would be another number. */
const DECIMAL = /^'?\+?\d+\.\d{1,2}$|^[^.]*\.0+$/;

/**
 * A number as people write it in sheets, in international format: without spaces, dashes, dots, brackets
 * and invisible characters, `00` as `+`, a national number with the calling code of its country. Undefined when
 * it is not a single phone number. Only the format changes: dialing prefixes and leading zeros go, the
 * country code is added, all other digits stay.
 */
export function cleanNumber(value: unknown, code?: string): string | undefined {
	const text = plain(value);
	if (text === undefined) return undefined;
	const number = text.startsWith('+') ? text : withCountryCode(text, code);
	return number !== undefined && INTERNATIONAL.test(number) ? number : undefined;
}

/** Digits with or without a leading +; undefined for anything else. */
function plain(value: unknown): string | undefined {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
	if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
	const raw = String(value);
	// Normalizing takes time that grows with the square of the length.
	if (raw.length > LONGEST_CELL) return undefined;
	const written = raw.normalize('NFKC').trim();
	if (isDateOrDecimal(written) || written.startsWith('-')) return undefined;
	const text = written
		.replace(/^'/, '')
		.replace(/^tel:/i, '')
		.replace(/[\p{Cf}\p{Zs}\t\-./\p{Pd}\u2212\u00b7]/gu, '')
		.replace(/^\(?(?:00|\+)(\d{1,3})\)/, '+$1')
		.replace(/^00/, '+')
		// "+49 (0) 171": the zero is only for calls within the country, unless the country keeps it.
		.replace(/^(\+?)(\d{1,3})\(0\)/, (_all, plus: string, code: string) => `${plus}${code}${KEEPS_LEADING_ZERO.has(code) ? '0' : ''}`)
		.replace(/[()[\]]/g, '');
	return /^\+?\d+$/.test(text) ? text : undefined;
}

/** Whether it looks like one. A few phone numbers do too. They are not called, because a misread date would call a stranger. */
function isDateOrDecimal(written: string): boolean {
	const text = written
		.replace(/\p{Cf}/gu, '')
		.replace(/^'\s*/, '')
		.replace(/[\p{Pd}\u2212]/gu, '-');
	return DECIMAL.test(text) || DATES.some((date) => date.test(text));
}

function withCountryCode(digits: string, code: string | undefined): string | undefined {
	if (code === undefined) return undefined;
	// North America dials 011 for calls abroad, and its own numbers always have ten digits.
	if (code === '1') {
		if (digits.startsWith('011')) return `+${digits.slice(3)}`;
		return /^[01]?\d{10}$/.test(digits) ? `+1${digits.slice(-10)}` : undefined;
	}
	if (!digits.startsWith('0') && digits.startsWith(code) && digits.length >= INTERNATIONAL_DIGITS) return `+${digits}`;
	if (!digits.startsWith('0') && digits.length < NATIONAL_DIGITS) return undefined;
	const national = digits.replace(AT_HOME.get(code) ?? '', '');
	// Behind what is dialed at home no number begins with 0: without that zero it would be another one.
	if (national !== digits && national.startsWith('0')) return undefined;
	return `+${code}${KEEPS_LEADING_ZERO.has(code) ? digits : national.replace(/^0/, '')}`;
}

/** Whether what stands in the destination could be called if its country were known. */
export const needsCountry = (value: unknown): boolean => ['49', '1'].some((code) => cleanNumber(value, code) !== undefined);

/** An agent's number without the spaces and the like that people write; a SIP ID, and what is neither, as it is. */
export const agentNumberOf = (text: string): string => (/^t/.test(text) ? text : (plain(text) ?? text));
