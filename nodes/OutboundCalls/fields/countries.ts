import type { INodeProperties } from 'n8n-workflow';
import { COUNTRY_CHOICES, EVERY_COUNTRY } from '../domain/phone/chosenCountries';

/** Where calls may lead. */
export const countriesField: INodeProperties = {
	displayName: 'Countries That May Be Called',
	name: 'countries',
	type: 'multiOptions',
	required: true,
	noDataExpression: true,
	default: [],
	options: [
		{ name: 'Any Country', value: EVERY_COUNTRY },
		...COUNTRY_CHOICES.map(({ iso: value, ...shown }) => ({ ...shown, value })),
	],
	builderHint: {
		propertyHint: 'Only the person who owns the workflow chooses the countries.',
	},
	description: 'Numbers of other countries are not called. Type a name or a code to search.',
};
