import { isOfRows } from '../domain/expression/parameter';
import { isBlank } from '../domain/fields';
import { type ChosenCountries, onlyCountry } from '../domain/phone/chosenCountries';
import { type Region, regionOf } from '../domain/phone/countries';
import { ok } from '../domain/problem';
import { type Parameters, tryRead } from '../execution/parameters';

const COUNTRY = 'defaultCountry';

/** Whether nothing is chosen. An empty expression is "=" (n8n behaviour). */
export function choosesNoCountry(parameters: Parameters): boolean {
	const stored = parameters.raw(COUNTRY);
	return isBlank(stored) || stored === '=';
}

/** Whose numbers have no + in what counts for the whole run; undefined where that is not the same for all rows. */
export function regionOfAll(
	parameters: Parameters,
	countries: ChosenCountries,
): Region | undefined {
	if (isOfRows(parameters.raw(COUNTRY))) return undefined;
	const country = choosesNoCountry(parameters)
		? ok(onlyCountry(countries))
		: tryRead(() => ok(parameters.perItem<unknown>(COUNTRY, '')(0)));
	return country.ok && (typeof country.value === 'string' || typeof country.value === 'number')
		? regionOf(String(country.value))
		: undefined;
}
