import { agentFields } from '../../fields/agent';
import { calledBeforeFields } from '../../fields/calledBefore';
import { countriesField } from '../../fields/countries';
import { destinationField } from '../../fields/destination';
import { hoursFields } from '../../fields/hours';
import { modeField, testNumberField } from '../../fields/mode';
import { optedOutField } from '../../fields/optedOut';
import { placeCallOptions } from '../../fields/options';
import { promptVariableFields } from '../../fields/promptVariables';
import { rulesField } from '../../fields/rules';
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
		...promptVariableFields,
		...hoursFields,
		optedOutField,
		...calledBeforeFields,
		...callWaitFields,
		rulesField,
		placeCallOptions,
	],
};
