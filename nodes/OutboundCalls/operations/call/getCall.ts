import { batchIdField, callRecordIdField } from '../../fields/ids';
import { getCallOptions } from '../../fields/options';
import { readWaitFields } from '../../fields/waiting';
import type { Operation } from '../operation';

export const getCall: Operation<'getCall'> = {
	value: 'getCall',
	name: 'Get Call',
	action: 'Get call',
	description: 'Get the outcome of each call, row by row, and optionally wait for it',
	fields: [batchIdField, callRecordIdField, ...readWaitFields, getCallOptions],
};
