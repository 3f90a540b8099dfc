import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { perRun } from './parameters';

/**
 * Puts a row into the field `call` beside the fields of the input item that it belongs to, where the option
 * Include Input Fields asks for that.
 */
export function inputFields(context: IExecuteFunctions): (itemIndex: number, row: IDataObject) => IDataObject {
	if (!perRun<boolean>(context, 'options.includeInputFields', false)) return (_itemIndex, row) => row;
	const items = context.getInputData();
	return (itemIndex, call) => {
		// n8n takes an item with a field named error for a failed one, so a column of that name is renamed.
		const { error, ...input } = items[itemIndex]!.json;
		return { ...input, ...(error === undefined ? {} : { input_error: error }), call };
	};
}
