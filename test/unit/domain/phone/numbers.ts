import numbers from './numbers.json';

const listsIn = (table: Record<string, string>): Record<string, string[]> =>
	Object.fromEntries(Object.entries(table).map(([iso, list]) => [iso, list.split(' | ')]));

/** Ways in which people of a country write the one mobile number that the library has as its example, by ISO code. */
export const WRITTEN_FORMS = listsIn(numbers.written);

// From the countries' own numbering plans, not from libphonenumber's data.

/** Premium-rate, shared-cost and personal numbers, pagers: dialed only on request. */
export const SPECIAL = Object.values(listsIn(numbers.special)).flat();

/** Special numbers with the zero that is dialed before them inside their country. */
export const SPECIAL_BEHIND_ZERO = numbers.specialBehindZero.split(' | ');

/** Emergency and short numbers with a calling code, and numbers that are too short or too long. */
export const NEVER = [
	...Object.values(listsIn(numbers.never)).flat(),
	...[`+${'1'.repeat(80)}`, `+49${'1'.repeat(14)}`],
];
