import {
	type Checked,
	isDateTime,
	isObject,
	ok,
	problem,
	quoted,
	textOf,
	whyUnusable,
} from './values';

const SUBJECT = 'the value of Once for Each';

/** Normalizing takes time that grows with the square of the length. */
const MAX_VALUE_LENGTH = 500;

const INVISIBLE = /[\p{Cf}\p{DI}]|(?!\s)\p{Cc}/gu;

/**
 * "2026-12-01T09:00:00.000+01:00", and "Tue Dec 01 2026 09:00:00 GMT+0100 (…)" as JavaScript writes
 * it.
 */
const DATE =
	/\d{4}-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)|[a-z]{3} [a-z]{3} \d\d \d{4} [\d:]{8} gmt[+-]\d{4}(?: \([^()]*\))?/g;

/** What the call is about, the same however the cell is written; a date in it becomes UTC. */
export function readOnceForEach(value: unknown): Checked<string> {
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return problem(
			`${SUBJECT} is ${quoted(value)}, a number so long that it has been rounded`,
			'Store the column as text.',
		);
	}
	const text = wordsOf(value);
	if (text === undefined) {
		const what = Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : quoted(value);
		return problem(`${SUBJECT} is ${what}`, 'Use one column that holds text, a number or a date.');
	}
	if (text.length > MAX_VALUE_LENGTH) {
		return problem(
			`${SUBJECT} has more than ${MAX_VALUE_LENGTH} characters`,
			'Use a shorter text, such as an ID.',
		);
	}
	const unusable = whyUnusable(text);
	if (unusable) return problem(`${SUBJECT} ${unusable.holds}`, unusable.remedy);
	const plain = text.replace(INVISIBLE, '').trim().toLowerCase().normalize('NFC');
	return plain === ''
		? problem(`${SUBJECT} is empty`, 'Fill in this cell, or leave the row out.')
		: ok(plain.replace(DATE, inUtc));
}

/** Undefined for what is neither text, a number nor a date. */
const wordsOf = (value: unknown) =>
	typeof value === 'boolean'
		? undefined
		: textOf(isDateTime(value) ? new Date(value.toMillis()) : value, MAX_VALUE_LENGTH);

function inUtc(written: string) {
	const date = new Date(written);
	return Number.isNaN(date.getTime()) ? written : date.toISOString();
}
