import {
	rowNames,
	formatCount,
	listed,
	withoutNumbers,
} from '../../../../nodes/OutboundCalls/domain/values/format';
import { plainText, quoted } from '../../../../nodes/OutboundCalls/domain/values/untrustedValues';

const containingItself: Record<string, unknown> = {};
containingItself.self = containingItself;

it.each<[string, unknown, string]>([
	['text is quoted', 'Ada', '"Ada"'],
	['line breaks and runs of spaces become one space', ' a \n\t b ', '"a b"'],
	['60 characters are shown whole', 'x'.repeat(60), `"${'x'.repeat(60)}"`],
	['longer text is cut, and shown to be', 'x'.repeat(61), `"${'x'.repeat(57)}…"`],
	['a number is shown as it is', 42, '"42"'],
	['null is named', null, '"null"'],
	['nothing is named', undefined, '"nothing"'],
	['an object is shown as JSON', { a: 1 }, '"{"a":1}"'],
	['an object that contains itself is nothing', containingItself, '"nothing"'],
])('a value inside a sentence: %s', (_, value, expected) => {
	expect(quoted(value)).toBe(expected);
});

describe('a text that came from outside', () => {
	it.each<[string, string, string]>([
		['loses control characters', 'a\u0000b\u001bc\u007fd\u009be', 'abcde'],
		['loses direction marks', 'a\u202eb\u2066c\u2069d\u200fe\u200ef\u061cg', 'abcdefg'],
		['stays on one line', 'a\r\n\tb\u2028c\u0085d', 'a b c d'],
		['of more is cut, and shown to be', 'x'.repeat(2_001), `${'x'.repeat(1_999)}…`],
		['is not cut within a character', '👩'.repeat(1_001), `${'👩'.repeat(999)}…`],
	])('%s', (_, text, expected) => {
		expect(plainText(text)).toBe(expected);
	});

	it('shows of a number its last four digits only, also where unseen characters stand in it', () => {
		expect(withoutNumbers('Row 1 (+1415\u202a555\u00000123)')).toBe('Row 1 (+•••••••0123)');
	});
});

it.each<[string[], number | undefined, string]>([
	[[], undefined, ''],
	[['a'], undefined, 'a'],
	[['a', 'b'], undefined, 'a and b'],
	[['a', 'b', 'c'], undefined, 'a, b and c'],
	[['a', 'b', 'c', 'd', 'e', 'f', 'g'], undefined, 'a, b, c, d, e and 2 more'],
	[['a', 'b', 'c'], 2, 'a, b and 1 more'],
])('names in a row: %j up to %j read "%s"', (names, limit, expected) => {
	expect(listed(names, limit)).toBe(expected);
});

describe('rows are named as the sheet numbers them', () => {
	it.each<[string, number[], string]>([
		['one row', [1], 'row 1'],
		['two rows', [1, 2], 'rows 1 and 2'],
		['a stretch', [21, 22, 23], 'rows 21 to 23'],
		['a sorted sheet', [9, 4, 1], 'rows 1, 4 and 9'],
		['many stretches', [1, 3, 5, 7, 9, 11, 13], 'rows 1, 3, 5, 7, 9 and 2 more'],
		['stretches and single rows', [1, 2, 3, 4, 6, 7, 9, 10, 11], 'rows 1 to 4, 6, 7 and 9 to 11'],
	])('%s', (_, numbers, expected) => {
		expect(rowNames(numbers)).toBe(expected);
	});

	it('large numbers are written with commas', () => {
		expect([0, 1_234_567].map(formatCount)).toEqual(['0', '1,234,567']);
	});
});
