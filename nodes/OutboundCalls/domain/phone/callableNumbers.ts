import { type ChosenCountries, chosenName, isChosen } from './chosenCountries';
import type { PhoneNumber } from './phone';
import { SPECIAL_KINDS } from './specialNumbers';

/** Where calls may lead. */
export interface CallableNumbers {
	countries: ChosenCountries;
	/** Whether premium-rate numbers, satellite phones and the like are called. */
	special: 'doNotCall' | 'call';
}

/** Why a number is not called, though it can be; undefined when it may be. */
export function notAllowed(
	{ country, special }: Pick<PhoneNumber, 'country' | 'special'>,
	rules: CallableNumbers,
): string | undefined {
	if (special !== undefined && rules.special !== 'call')
		return `This is ${SPECIAL_KINDS[special][0]}. Special Numbers is not set to Call.`;
	if (isChosen(rules.countries, country)) return undefined;
	return country === undefined
		? 'This number belongs to no country. Only Any Country allows it.'
		: `${chosenName(country)} is not chosen in Countries That May Be Called.`;
}
