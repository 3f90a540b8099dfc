import fc from 'fast-check';
import { maskedTexts } from '../../../nodes/OutboundCalls/http/maskedTexts';

const TOKEN = 'tk_8d+1f/03c7=do?not&show';
const fit = maskedTexts(` ${TOKEN}\n`);
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the token is masked wherever an answer quotes it', () => {
	it.each<[string, string]>([
		['raw', TOKEN],
		['with the blanks that it was stored with', ` ${TOKEN}\n`],
		['in a URL', encodeURIComponent(TOKEN)],
		['escaped for HTML', TOKEN.replace('&', '&amp;')],
		[
			'escaped for HTML by a template',
			TOKEN.replace('&', '&amp;').replace('=', '&#x3D;').replaceAll('/', '&#x2F;'),
		],
		['in the path of a URL', encodeURIComponent(TOKEN).replaceAll('%2F', '/')],
		['escaped for HTML by number', TOKEN.replace('&', '&#38;')],
		['escaped for HTML by hexadecimal number', TOKEN.replace('&', '&#x26;')],
		['escaped for JSON', TOKEN.replaceAll('/', '\\/').replace('&', '\\u0026')],
		['in a form', new URLSearchParams({ t: TOKEN }).toString().slice(2)],
		['in base64', base64(TOKEN)],
		['in base64 for URLs', Buffer.from(`x ${TOKEN} y`).toString('base64url')],
	])('%s', (_, quoted) => {
		const masked = JSON.stringify(
			fit({ error: `Token ${quoted} is locked`, [quoted]: [{ at: quoted }] }),
		);
		expect(masked).toContain('***');
		for (const form of [TOKEN, encodeURIComponent(TOKEN), encodeURI(TOKEN)])
			expect(masked.toLowerCase()).not.toContain(form.toLowerCase());
		for (const text of masked.split(/[^\w+/=-]+/))
			expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('do?not&show');
	});

	it('in base64 of any text around it', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: 'binary' }),
				fc.string({ unit: 'binary' }),
				(before, behind) => {
					const masked = fit(base64(`${before}${TOKEN}${behind}`)) as string;
					return masked.includes('***') || before.length + behind.length > 1_400;
				},
			),
			{ seed: 1, numRuns: 500 },
		);
	});

	it.each([1, 5, TOKEN.length - 1])(
		'also where it became whole only because characters in it that nobody sees were taken out, at %d',
		(at) => {
			const split = `${TOKEN.slice(0, at)}\u202e\u0000${TOKEN.slice(at)}`;
			const masked = { '***': 'Token *** is locked' };
			expect(fit({ [split]: `Token ${split} is locked` })).toEqual(masked);
		},
	);

	it('also behind more text than is shown', () => {
		const long = 'x'.repeat(1_990);
		expect(fit(`${long}${TOKEN}`)).toBe(`${long}***`);
	});

	it.each([4, 9, TOKEN.length - 1])('also where it was cut after %d characters', (length) => {
		for (const form of [TOKEN, encodeURIComponent(TOKEN)])
			for (const end of ['', '…', '...'])
				expect(fit(`Bad token ${form.slice(0, length)}${end}`)).toBe(`Bad token ***${end}`);
	});

	it('backslashes and other signs that are escaped cost no more than letters', () => {
		for (const sign of ['\\', '&', '%', '"', '%25'])
			expect(maskedTexts(sign.repeat(26))({ a: `${sign.repeat(25)}x`.repeat(99) })).toBeDefined();
	});

	it('one of a few letters stands in words by chance, and changes nothing', () => {
		expect(maskedTexts('abc')({ text: 'abc', more: ['YWJj'] })).toEqual({
			text: 'abc',
			more: ['YWJj'],
		});
	});
});

interface Answer {
	first: unknown;
	rest: object;
}

describe('an answer keeps its shape', () => {
	it('and its texts are plain and not endless', () => {
		expect(fit({ error: 'a\u202eb\nc', list: ['x'.repeat(10_000)] })).toEqual({
			error: 'ab c',
			list: [`${'x'.repeat(1_999)}…`],
		});
	});

	it('and does not have values without end', () => {
		const many = Object.assign({}, Array<string>(200_000).fill('a "b\\", [c]'));
		const { first, rest } = fit(JSON.stringify({ first: [1, 2], rest: many })) as Answer;
		expect(first).toEqual([1, 2]);
		expect(Object.keys(rest)).toHaveLength(9_995);
	});

	it.each(['[', '{"a":'])('and is not nested without end, as in %s', (open) => {
		const deep = JSON.stringify(fit(`{"a":1,"deep":${open.repeat(50_000)}`));
		expect(deep).toMatch(/^\{"a":1,"deep":/);
		expect(deep.length).toBeLessThan(500);
	});

	it('a field that objects have themselves stays a field', () => {
		const answer = fit(JSON.parse('{"__proto__":{"polluted":1},"constructor":2}')) as object;
		expect(Object.keys(answer)).toEqual(['__proto__', 'constructor']);
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
	});
});
