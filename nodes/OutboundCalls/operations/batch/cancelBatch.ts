import { batchIdField } from '../../fields/ids';
import { cancelBatchOptions } from '../../fields/options';
import type { Operation } from '../operation';

export const cancelBatch: Operation<'cancelBatch'> = {
	value: 'cancelBatch',
	name: 'Cancel Batch',
	action: 'Cancel calls of batch',
	description:
		'Cancel every call of a batch that has not been dialed yet, and get one row for each',
	fields: [batchIdField, cancelBatchOptions],
};
