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

/**
 * Rows → as few requests as the API's rules allow: grouped by agent and caller, in order,
 * at most `size` different numbers each. Linear in the number of rows.
 */
export function requestPlan(rows: readonly Row[], size = DESTINATIONS_PER_REQUEST): Chunk[] {
	const groups = new Map<string, Row[]>();
	let last: { row: Row; group: Row[] } | undefined;
	for (const row of rows) {
		// Mostly, all rows of a sheet have one agent.
		const isSame =
			last &&
			last.row.agentNumber === row.agentNumber &&
			last.row.callerNumber === row.callerNumber;
		const group: Row[] = isSame ? last!.group : (groups.get(lineOf(row)) ?? []);
		if (group.length === 0) groups.set(lineOf(row), group);
		group.push(row);
		last = { row, group };
	}

	const chunks: Chunk[] = [];
	for (const [line, group] of groups) {
		for (const chunk of chunked(group, size)) chunks.push({ rows: chunk, group: line });
	}
	return chunks;
}

/**
 * The API calls a number once per request however often it is named, so equal numbers must go into
 * different requests. So equal numbers are put side by side, and the rows are dealt out over the
 * smallest possible number of requests. Without equal numbers, the rows keep their order.
 */
function chunked(rows: readonly Row[], size: number): Row[][] {
	const numbers = new Set<string>();
	for (const { person } of rows) numbers.add(person);
	if (numbers.size === rows.length) {
		return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) =>
			rows.slice(i * size, (i + 1) * size),
		);
	}
	const byNumber = new Map<string, Row[]>();
	let most = 0;
	for (const row of rows) {
		const same = byNumber.get(row.person) ?? [];
		if (same.push(row) === 1) byNumber.set(row.person, same);
		most = Math.max(most, same.length);
	}
	const chunks: Row[][] = Array.from(
		{ length: Math.max(most, Math.ceil(rows.length / size)) },
		() => [],
	);
	let next = 0;
	for (const same of byNumber.values()) {
		for (const row of same) chunks[next++ % chunks.length]!.push(row);
	}
	return chunks;
}
