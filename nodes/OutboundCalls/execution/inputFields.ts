import type { Fields } from '../domain/fields';
import type { Execution } from './execution';
import { flatRow } from './flatRow';
import type { RunParameters } from './runParameters';

/** A result of ours as a row: before the fields of its input item, or alone. */
export type WithInput = (itemIndex: number, row: Fields, ownColumns: ReadonlySet<string>) => Fields;

/** Puts the fields of the input item behind those of its row, unless Include Input Fields is off. `ownColumns`: as for `flatRow`. */
export function inputFieldsOf({ input }: Execution, read: RunParameters): WithInput {
	const included = read.flag('options.includeInputFields', 'Include Input Fields', true);
	return included
		? (itemIndex, row, ownColumns) => flatRow(row, input[itemIndex]!, {}, ownColumns)
		: (_itemIndex, row) => row;
}
