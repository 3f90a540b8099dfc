import { isBlank } from '../domain/expressions';
import { type ChosenCountries, onlyCountry } from '../domain/phone/chosenCountries';
import { type Region, regionOf } from '../domain/phone/countries';
import type { Parameters } from '../execution/parameters';

/** Whose numbers have no + in what counts for the whole run; undefined where that is not the same for all rows. */
export function regionOfAll(parameters: Parameters, countries: ChosenCountries): Region | undefined {
	const stored = parameters.raw('defaultCountry');
	const country = isBlank(stored) ? onlyCountry(countries) : stored;
	return typeof country === 'string' ? regionOf(country) : undefined;
}
