import { cancelRecord } from '../../calls/batches';
import { eachItem, type Handler, type Operation } from '../operation';
import { checkCallRecordId } from '../../domain/api/apiLimits';
import { numberOf, ok } from '../../domain/values';
import { inputFieldsOf } from '../../results/flatRow';
import { RunParameters } from '../../execution/runParameters';
import { callRecordIdField, cancelCallOptions } from '../../fields/common';
import { CANCEL_COLUMNS } from '../../domain/outputColumns';

export const cancelCall: Operation = {
	value: 'cancelCall',
	name: 'Cancel Call',
	action: 'Cancel call',
	description: 'Cancel a call that has not been dialed yet',
	fields: [callRecordIdField, cancelCallOptions],
};

const OWN_COLUMNS = new Set(CANCEL_COLUMNS);

export const handleCancelCall: Handler = async (execution) => {
	const callRecordId = execution.parameters.perItem('callRecordId');
	const parameters = new RunParameters(execution);
	const returnPlaced = parameters.choice('ifAlreadyPlaced') === 'output';
	const withInput = inputFieldsOf(execution, parameters);
	return await eachItem(
		execution,
		parameters,
		(itemIndex) => checkCallRecordId(callRecordId(itemIndex)),
		// Each item is carried out by itself.
		(_id, itemIndex) => `${itemIndex}`,
		async (api, id, itemIndex) => {
			const result = await cancelRecord(api, id);
			if (!result.ok && !(result.error.alreadyPlaced && returnPlaced)) return result;
			const row = result.ok
				? { status: 'cancelled', ...result.value, id: shownId(id), cancelled: true, reason: null }
				: {
						success: false,
						id: shownId(id),
						status: 'already_placed',
						cancelled: false,
						reason: result.error.message,
					};
			return ok([withInput(itemIndex, row, OWN_COLUMNS)]);
		},
	);
};

/** A larger ID stays text, because as a number it would lose digits and name another record. */
const shownId = (id: string): number | string =>
	Number.isSafeInteger(numberOf(id)) ? numberOf(id)! : id;
