import { batchIdField } from '../../fields/batchId';
import { rerunNotice } from '../../fields/notice';
import { cancelBatchOptions } from '../../fields/options';
import type { Operation } from '../operation';

export const cancelBatch: Operation<'cancelBatch'> = {
	value: 'cancelBatch',
	name: 'Cancel Batch',
	action: 'Cancel calls of batch',
	description: 'Cancel every call of a batch that is not dialed yet, and get one row for each',
	fields: [rerunNotice, batchIdField, cancelBatchOptions],
};
