import { cancelRecord, type CancelResult, pageParameterOf, readPages } from '../../calls/batches';
import { eachItem, type Handler, type Operation } from '../operation';
import { batchKey, checkBatchId, checkCallRecordId } from '../../domain/api/apiLimits';
import { fail, type Fields, ok, plainText } from '../../domain/values';
import type { ApiAccess } from '../../http/apiAccess';
import { RunParameters } from '../../execution/runParameters';
import { batchIdField, cancelBatchOptions } from '../../fields/common';
import type { ApiProblem } from '../../domain/api/exchange';
import { forEachConcurrent } from '../../execution/concurrency';

export const cancelBatch: Operation = {
	value: 'cancelBatch',
	name: 'Cancel Batch',
	action: 'Cancel calls of batch',
	description:
		'Cancel every call of a batch that has not been dialed yet, and get one row for each',
	fields: [batchIdField, cancelBatchOptions],
};

export const handleCancelBatch: Handler = async (execution) => {
	const batchId = execution.parameters.perItem('batchId');
	const parameters = new RunParameters(execution);
	const pageParameter = pageParameterOf(parameters);
	return await eachItem(
		execution,
		parameters,
		(itemIndex) => checkBatchId(batchId(itemIndex)),
		batchKey,
		async (api, id) => {
			const batch = await readPages(api, id, pageParameter);
			if (!batch.ok) return batch;
			const rows: Fields[] = [];
			let ended: ApiProblem | undefined;
			await forEachConcurrent(api.concurrency, batch.value, async (record, index) => {
				const result = ended ? fail(ended) : await cancelIfOpen(api, record);
				if (result?.ok === false && result.error.reach === 'run') ended = result.error;
				rows[index] = { batch_id: id, id: record.id, phone: record.phone, ...resultFields(result) };
			});
			return ok(rows);
		},
		// One batch after the other: the parallel requests are those of its records.
		1,
	);
};

/** Undefined for a record that needs no request. */
async function cancelIfOpen(api: ApiAccess, record: Fields): Promise<CancelResult | undefined> {
	if (record.status === 'cancelled') return undefined;
	const id = checkCallRecordId(record.id);
	return id.ok
		? await cancelRecord(api, id.value)
		: fail({
				message: 'The API sent this call record without an ID, so it cannot be cancelled',
				remedy: 'Look at the outbound calls page of your dashboard.',
			});
}

/**
 * What a row says of its record, whatever happened: one that cannot be cancelled must not hide the
 * others.
 */
function resultFields(result: CancelResult | undefined): Fields {
	if (!result)
		return { cancelled: false, status: 'already_cancelled', reason: 'It was already cancelled.' };
	if (result.ok) return { cancelled: true, status: 'cancelled', reason: null };
	const why = result.error;
	if (why.alreadyPlaced)
		return { cancelled: false, status: 'already_placed', reason: plainText(why.message) };
	const status = why.gone ? 'gone' : why.unanswered ? 'unknown' : 'not_cancelled';
	return { cancelled: false, status, reason: plainText(`${why.message}. ${why.remedy}`) };
}
