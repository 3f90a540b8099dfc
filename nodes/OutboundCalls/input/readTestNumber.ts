import type { Region } from '../domain/phone/countries';
import { readPhoneNumber } from '../domain/phone/phone';
import { SPECIAL_KINDS } from '../domain/phone/specialNumbers';
import { type Checked, fail, ok } from '../domain/problem';
import { holdsExpression, type Parameters } from '../execution/parameters';

/** The user's own phone, from the field My Own Phone. It takes no expression: nobody else's phone may ring in a test. `region`: of numbers without +. */
export function readTestNumber(
	parameters: Parameters,
	region: Region | undefined,
): Checked<string> {
	const stored = parameters.raw('testNumber');
	if (holdsExpression(stored))
		return unusable('holds an expression', 'Type your own number there.');
	const text = typeof stored === 'string' ? stored.trim() : '';
	if (text === '')
		return unusable('is empty', 'Type your own number there, with + and its country code.');
	const number = readPhoneNumber(text, region);
	if (!number.ok || !number.value.isValid)
		return unusable(
			'holds no valid phone number',
			'Type your own number there, with + and its country code.',
		);
	if (number.value.special)
		return unusable(
			`holds ${SPECIAL_KINDS[number.value.special][0]}`,
			'Type the number of an ordinary phone there.',
		);
	return ok(number.value.number);
}

const unusable = (what: string, remedy: string): Checked<never> =>
	fail({ message: `My Own Phone ${what}`, remedy, field: true });
