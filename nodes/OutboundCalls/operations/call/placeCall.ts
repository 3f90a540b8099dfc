import { agentFields } from '../../fields/agent';
import { calledBeforeField } from '../../fields/calledBefore';
import { countriesField } from '../../fields/countries';
import { countryField, destinationField } from '../../fields/destination';
import { modeField, testNumberField } from '../../fields/mode';
import { placeCallOptions } from '../../fields/options';
import { promptVariableFields } from '../../fields/promptVariables';
import { callWaitFields } from '../../fields/waiting';
import type { Operation } from '../operation';

export const placeCall: Operation<'placeCall'> = {
	value: 'placeCall',
	name: 'Place Call',
	action: 'Call number',
	description: 'Call one phone number for each input item',
	callsPeople: true,
	fields: [
		modeField,
		testNumberField,
		...agentFields,
		destinationField,
		countriesField,
		countryField,
		...promptVariableFields,
		calledBeforeField,
		...callWaitFields,
		placeCallOptions,
	],
};
