import type { Execution } from '../execution/execution';
import type { RunParameters } from '../execution/runParameters';
import type { Fields } from '../domain/values';

/**
 * A row as a table shows it: `head`, the input's own fields, `tail`. An input field with a name of
 * ours comes out as `input_<name>`, so that no column is lost; so does `error`, because n8n takes
 * an item with that field for a failed one (n8n behavior). `ownColumns`: names that are ours though
 * this row may lack them.
 */
export function flatRow(
	head: Fields,
	input: Fields,
	tail: Fields,
	ownColumns: ReadonlySet<string>,
): Fields {
	const isOurs = (name: string) =>
		name === 'error' ||
		ownColumns.has(name) ||
		Object.hasOwn(head, name) ||
		Object.hasOwn(tail, name);
	const names = Object.keys(input);
	const taken = names.filter(isOurs);
	if (taken.length === 0) return { ...head, ...input, ...tail };

	const renamed = new Set(taken.map((name) => `input_${name}`));
	const fields: Array<[string, Fields[string]]> = names.map((name) => {
		if (isOurs(name)) return [`input_${name}`, input[name]];
		let free = name;
		// A column that has the new name of another one gives way.
		if (renamed.has(free))
			while (renamed.has(free) || Object.hasOwn(input, free)) free = `input_${free}`;
		return [free, input[name]];
	});
	return { ...head, ...Object.fromEntries(fields), ...tail };
}

/**
 * Puts the fields of the input item after those of its row, unless Include Input Fields is off.
 * `ownColumns`: as for `flatRow`.
 */
export function inputFieldsOf({ input }: Execution, parameters: RunParameters) {
	const included = parameters.flag('options.includeInputFields', 'Include Input Fields', true);
	return (itemIndex: number, row: Fields, ownColumns: ReadonlySet<string>) =>
		included ? flatRow(row, input[itemIndex]!, {}, ownColumns) : row;
}
