import type { RowOutcome } from '../domain/callOutcome';
import {
	type ChosenCountries,
	countedCountries,
	NOT_CHOSEN_YET,
} from '../domain/phone/chosenCountries';
import { SPECIAL_KINDS, type SpecialKind } from '../domain/phone/specialNumbers';
import { formatCount } from '../domain/format';
import type { Row } from '../domain/row';

/** Where the calls of a dry run would lead: countries, what numbers without + were taken for, and special numbers. Each person counts once. */
export function whereTo(rows: readonly RowOutcome[], chosen: ChosenCountries): string[] {
	if (rows.some(({ row }) => !row.isDry)) return [];
	const people = new Map<string, Row>();
	const special = new Map<SpecialKind, number>();
	for (const { row, outcome } of rows) {
		// Nothing is said of rows that an option kept from being planned.
		if (!('person' in row) || outcome.status === 'refused' || people.has(row.person)) continue;
		people.set(row.person, row);
		if (row.special && outcome.status === 'not_allowed')
			special.set(row.special, (special.get(row.special) ?? 0) + 1);
	}
	if (people.size === 0) return [];
	const read = [...people.values()];
	const withoutPlus = read.filter(({ lacksPlus }) => lacksPlus);
	const kinds = [...special].map(
		([kind, count]) => `${SPECIAL_KINDS[kind][1]} ${formatCount(count)}`,
	);
	return [
		`Countries: ${countedCountries(read.map(({ country }) => country))}.`,
		...(chosen === 'none' ? [NOT_CHOSEN_YET] : []),
		...(withoutPlus.length > 0
			? [
					`Numbers without +, by the country that they were taken for: ${countedCountries(withoutPlus.map(({ country }) => country))}. If that is not right, correct Country of Numbers Without +.`,
				]
			: []),
		...(kinds.length > 0
			? [`Not called are ${kinds.join(', ')}: the option Special Numbers calls them.`]
			: []),
	];
}
