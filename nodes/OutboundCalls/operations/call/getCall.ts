import { batchIdField } from '../../fields/batchId';
import { callRecordIdField } from '../../fields/callRecordId';
import { rerunNotice } from '../../fields/notice';
import { getCallOptions } from '../../fields/options';
import { readWaitFields } from '../../fields/waiting';
import type { Operation } from '../operation';

export const getCall: Operation<'getCall'> = {
	value: 'getCall',
	name: 'Get Call',
	action: 'Get call',
	description: 'Get what became of each call, row for row, and wait for it if you like',
	fields: [rerunNotice, batchIdField, callRecordIdField, ...readWaitFields, getCallOptions],
};
