import type { Problem } from '../domain/problem';
import type { CheckedRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { missingColumn } from './missingColumn';
import { ofOtherRows } from './oneOfMany';
import { type DestinationSource, storedPhones } from './readRows';

/** Fields that decide who is called, or whether anybody is, by their labels. */
const DECIDES = { mode: 'Mode', defaultCountry: 'Country of Numbers Without +', agentNumber: 'Agent Number', callerNumber: 'Caller Number' } as const;

/** Why nobody may be called: a Filter or a Sort has moved the rows, and each would be called by what another one says. */
export function otherRows(execution: Execution, source: DestinationSource): Problem | undefined {
	const { parameters } = execution;
	const problem = ofOtherRows(execution, storedPhones(parameters, source), 'Destination');
	return Object.entries(DECIDES).reduce((found, [name, label]) => found ?? ofOtherRows(execution, [parameters.raw(name)], label), problem);
}

/** Why nobody may be called: a column was renamed, and without it each row is live, or each number without + is of the same country. */
export function decidedWithoutColumn(execution: Execution, checked: readonly CheckedRow[]): Problem | undefined {
	const rows = checked.flatMap((each) => (each.ok && !each.value.isDry ? [each.value] : []));
	const decides = { mode: rows.length > 0, defaultCountry: rows.some(({ lacksPlus }) => lacksPlus) } as const;
	for (const name of ['mode', 'defaultCountry'] as const) {
		const missing = decides[name] ? missingColumn(execution, name, DECIDES[name], CHECK) : undefined;
		if (missing) return missing;
	}
	return undefined;
}

const CHECK =
	'Check the name of the column in that field. If it is right, and your list leaves empty cells out, write what counts in its place, such as ($json.status || "none").';
