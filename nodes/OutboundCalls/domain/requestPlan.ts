import { DESTINATIONS_PER_REQUEST } from './limits';
import type { PromptVariables } from './promptVariables';
import type { CallContent, Row } from './row';

/** The rows of one bulk request: 1 to 10 different numbers, one agent, one caller. */
export interface Chunk {
	rows: readonly Row[];
	/** Chunks of the same agent and caller share a group: a refusal that no other row can escape ends it. */
	group: string;
}

/** Agent and caller, which all rows of a request share. "A leading + is optional": both spellings are one agent. */
export const lineOf = ({ agentNumber, callerNumber }: CallContent): string => `${agentNumber.replace(/^\+/, '')} ${callerNumber ?? ''}`;

/**
 * Rows → as few requests as the API's rules allow: grouped by agent and caller, in order,
 * at most `size` different numbers each. Linear in the number of rows.
 */
export function requestPlan(rows: readonly Row[], size = DESTINATIONS_PER_REQUEST): Chunk[] {
	const groups = new Map<string, Row[]>();
	for (const row of rows) {
		const line = lineOf(row);
		const group = groups.get(line);
		if (group) group.push(row);
		else groups.set(line, [row]);
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
	const byNumber = new Map<string, Row[]>();
	let most = 0;
	for (const row of rows) {
		const same = byNumber.get(row.person);
		if (same) same.push(row);
		else byNumber.set(row.person, [row]);
		most = Math.max(most, same?.length ?? 1);
	}
	if (most === 1) {
		return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => rows.slice(i * size, (i + 1) * size));
	}
	const chunks: Row[][] = Array.from({ length: Math.max(most, Math.ceil(rows.length / size)) }, () => []);
	let next = 0;
	for (const same of byNumber.values()) {
		for (const row of same) chunks[next++ % chunks.length]!.push(row);
	}
	return chunks;
}

/** All that a request may say of a row. */
type Call = CallContent & Pick<Row, 'destination'>;

/** Body of `POST /calls/bulk` (API document, same heading). */
export interface BulkBody {
	agent_number: string;
	caller_number?: string;
	destinations: string[] | Array<{ phone: string; prompt_variables?: PromptVariables }>;
	prompt_variables?: PromptVariables;
}

/** Body of `POST /calls` (API document, same heading). */
export interface CallBody {
	destination: string;
	agent_number: string;
	caller_number?: string;
	prompt_variables?: PromptVariables;
	metadata?: { external_call_id: string };
}

/** Shared variables where all rows have the same ones, else the per-destination form: the two never meet in one request. */
export function bulkBody(rows: readonly Call[]): BulkBody {
	const first = rows[0]!;
	const shared = rows.every((row) => sameVariables(row.variables, first.variables));
	const body: BulkBody = {
		agent_number: first.agentNumber,
		destinations: shared
			? rows.map((row) => row.destination)
			: rows.map((row) => (row.variables ? { phone: row.destination, prompt_variables: row.variables } : { phone: row.destination })),
	};
	if (first.callerNumber !== undefined) body.caller_number = first.callerNumber;
	if (shared && first.variables) body.prompt_variables = first.variables;
	return body;
}

export function callBody(row: Call): CallBody {
	const body: CallBody = { destination: row.destination, agent_number: row.agentNumber };
	if (row.callerNumber !== undefined) body.caller_number = row.callerNumber;
	if (row.variables) body.prompt_variables = row.variables;
	if (row.externalCallId !== undefined) body.metadata = { external_call_id: row.externalCallId };
	return body;
}

/** Whether two calls say the same. */
export function sameVariables(a: PromptVariables | undefined, b: PromptVariables | undefined): boolean {
	if (a === b) return true;
	if (!a || !b) return false;
	const names = Object.keys(a);
	return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
