import { callRecordIdField } from '../../fields/callRecordId';
import { rerunNotice } from '../../fields/notice';
import { cancelCallOptions } from '../../fields/options';
import type { Operation } from '../operation';

export const cancelCall: Operation<'cancelCall'> = {
	value: 'cancelCall',
	name: 'Cancel Call',
	action: 'Cancel call',
	description: 'Cancel a call that is not dialed yet',
	fields: [rerunNotice, callRecordIdField, cancelCallOptions],
};
