import { DESTINATIONS_PER_REQUEST } from './apiLimits';
import type { CallContent, Row } from './row';

/** The rows of one bulk request: 1 to 10 different numbers, one agent, one caller. */
export interface Chunk {
	rows: readonly Row[];
	/** Chunks of the same agent and caller share a group: a refusal that no other row can escape ends it. */
	group: string;
}

/** Agent and caller, which all rows of a request share. "A leading + is optional": both spellings are one agent. */
export const lineOf = ({ agentNumber, callerNumber }: CallContent): string =>
	`${agentNumber.replace(/^\+/, '')} ${callerNumber ?? ''}`;

/** Rows of different people → as few requests as the API's rules allow: grouped by agent and caller, in order, at most `size` numbers each. */
export function requestPlan(rows: readonly Row[], size = DESTINATIONS_PER_REQUEST): Chunk[] {
	const groups = new Map<string, Row[]>();
	for (const row of rows) {
		const line = lineOf(row);
		const group = groups.get(line);
		if (group) group.push(row);
		else groups.set(line, [row]);
	}
	return [...groups].flatMap(([group, all]) =>
		Array.from({ length: Math.ceil(all.length / size) }, (_, chunk) => ({
			rows: all.slice(chunk * size, (chunk + 1) * size),
			group,
		})),
	);
}
