import { agentFields } from '../../fields/agent';
import { calledBeforeField } from '../../fields/calledBefore';
import { countriesField } from '../../fields/countries';
import { countryField, destinationSourceFields } from '../../fields/destination';
import { modeField, testNumberField } from '../../fields/mode';
import { bulkCallOptions } from '../../fields/options';
import { promptVariableFields } from '../../fields/promptVariables';
import { callWaitFields } from '../../fields/waiting';
import type { Operation } from '../operation';

export const bulkCall: Operation<'bulkCall'> = {
	value: 'bulkCall',
	name: 'Bulk Call',
	action: 'Call many numbers',
	description: 'Call a whole list of phone numbers, each once, and get one row for each',
	callsPeople: true,
	fields: [
		modeField,
		testNumberField,
		...agentFields,
		...destinationSourceFields,
		countriesField,
		countryField,
		...promptVariableFields,
		calledBeforeField,
		...callWaitFields,
		bulkCallOptions,
	],
};
