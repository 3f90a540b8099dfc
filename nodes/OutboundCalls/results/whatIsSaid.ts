import type { RowOutcome } from '../domain/callOutcome';
import { listed, quoted } from '../domain/format';

/** Names that are shown; the others are counted. */
const SHOWN = 10;

/** Which prompt variables a dry run would send, and what keeps them from being spoken: a name that the prompt may write otherwise, or no value. */
export function whatIsSaid(rows: readonly RowOutcome[]): string[] {
	if (rows.some(({ row }) => !row.isDry)) return [];
	const names = new Set<string>();
	const spoken = new Set<string>();
	for (const { row } of rows) {
		if (!('variables' in row)) continue;
		for (const [name, value] of Object.entries(row.variables ?? {})) {
			names.add(name);
			if (value.trim() !== '') spoken.add(name);
		}
	}
	if (names.size === 0) return [];
	const show = (some: readonly string[]): string => listed(some.map(quoted), SHOWN);
	const odd = [...names].filter((name) => /[\p{Lu}\s]/u.test(name));
	const empty = [...names].filter((name) => !spoken.has(name));
	return [
		`Sent as prompt variables: ${show([...names])}.`,
		...(odd.length > 0
			? [`Capitals and blanks count: the agent’s prompt has to name ${show(odd)} in the same way.`]
			: []),
		...(empty.length > 0
			? [
					`Empty in every row: ${show(empty)}. Look at ${empty.length === 1 ? 'its column' : 'their columns'}.`,
				]
			: []),
	];
}
