import { type ChosenCountries, chosenName, isChosen } from './chosenCountries';
import type { PhoneNumber } from './identity';
import { SPECIAL_KINDS } from './specialNumbers';

/** Where calls may lead. */
export interface CallableNumbers {
	countries: ChosenCountries;
	/** Whether premium-rate numbers, satellite phones and the like are called. */
	special: 'doNotCall' | 'call';
}

/** Why a number is not called, though it can be; undefined when it may be. While no country is chosen, each row passes: the run as a whole is what waits for the choice. */
export function notAllowed(
	{ country, owner, special }: Pick<PhoneNumber, 'country' | 'owner' | 'special'>,
	rules: CallableNumbers,
): string | undefined {
	if (special !== undefined && rules.special !== 'call')
		return `This is ${SPECIAL_KINDS[special][0]}. Such numbers are called only if the option Special Numbers is set to Call.`;
	const { countries } = rules;
	if (countries === 'none') return undefined;
	const other = [country, ...(owner === undefined ? [] : [owner])].find(
		(each) => !isChosen(countries, each),
	);
	if (other !== undefined)
		return `${chosenName(other)} is not chosen in Countries That May Be Called.`;
	return isChosen(countries, country)
		? undefined
		: 'This number is of no country. Only Every Country in Countries That May Be Called allows it.';
}
