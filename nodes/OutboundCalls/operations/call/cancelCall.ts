import { callRecordIdField } from '../../fields/ids';
import { cancelCallOptions } from '../../fields/options';
import type { Operation } from '../operation';

export const cancelCall: Operation<'cancelCall'> = {
	value: 'cancelCall',
	name: 'Cancel Call',
	action: 'Cancel call',
	description: 'Cancel a call that has not been dialed yet',
	fields: [callRecordIdField, cancelCallOptions],
};
