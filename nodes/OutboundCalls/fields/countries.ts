import type { INodeProperties } from 'n8n-workflow';
import { COUNTRY_CHOICES, EVERY_COUNTRY } from '../domain/phone/chosenCountries';

/** Where calls may lead. Empty is no answer: until somebody chose, a live run calls nobody. */
export const countriesField: INodeProperties = {
	displayName: 'Countries That May Be Called',
	name: 'countries',
	type: 'multiOptions',
	default: [],
	options: [
		{ name: 'Every Country', value: EVERY_COUNTRY },
		...COUNTRY_CHOICES.map(({ iso, name }) => ({ name, value: iso })),
	],
	builderHint: {
		propertyHint:
			'Leave it empty. Only the person who owns the workflow chooses the countries, before Mode is set to live.',
	},
	description:
		'Numbers of other countries are not called. Type a name or a code to search, and delete it before you search for the next; choose a country again to take it out. As long as none is chosen, nobody is called in Live, and a dry run names the countries of your rows. An expression gives a list of codes, or text such as DE, AT.',
};
