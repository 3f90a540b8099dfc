import { agentFields } from '../../fields/agent';
import { calledBeforeFields } from '../../fields/calledBefore';
import { countriesField } from '../../fields/countries';
import { destinationSourceFields } from '../../fields/destination';
import { hoursFields } from '../../fields/hours';
import { modeField, testNumberField } from '../../fields/mode';
import { optedOutField } from '../../fields/optedOut';
import { bulkCallOptions } from '../../fields/options';
import { promptVariableFields } from '../../fields/promptVariables';
import { rulesField } from '../../fields/rules';
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
		...promptVariableFields,
		...hoursFields,
		optedOutField,
		...calledBeforeFields,
		...callWaitFields,
		rulesField,
		bulkCallOptions,
	],
};
