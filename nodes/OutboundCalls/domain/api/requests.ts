import { DESTINATIONS_PER_REQUEST } from './apiLimits';
import { isSame } from '../values/untrustedValues';
import type { CallContent, Row } from '../row';

/**
 * The rows of one bulk request: at most `DESTINATIONS_PER_REQUEST` different numbers, one agent,
 * one caller.
 */
export interface Chunk {
	rows: readonly Row[];
	/** The same for all chunks of one agent and caller (`agentOf`). */
	agent: string;
}

/**
 * Agent and caller, which all rows of a request share. "A leading + is optional": both spellings
 * are one agent.
 */
export const agentOf = ({ agentNumber, callerNumber }: CallContent) =>
	`${agentNumber.replace(/^\+/, '')} ${callerNumber ?? ''}`;

/**
 * Rows of different people → as few requests as the API's rules allow: grouped by agent and caller,
 * in order, at most `size` numbers each.
 */
export function requestPlan(rows: readonly Row[], size = DESTINATIONS_PER_REQUEST): Chunk[] {
	const byAgent = new Map<string, Row[]>();
	for (const row of rows) {
		const agent = agentOf(row);
		const known = byAgent.get(agent);
		if (known) known.push(row);
		else byAgent.set(agent, [row]);
	}
	return [...byAgent].flatMap(([agent, all]) =>
		Array.from({ length: Math.ceil(all.length / size) }, (_, chunk) => ({
			rows: all.slice(chunk * size, (chunk + 1) * size),
			agent,
		})),
	);
}

/**
 * Body of `POST /calls/bulk` (API document, same heading); JSON leaves out what is undefined. Shared
 * variables where all rows have the same ones, else the per-destination form: the two never meet in
 * one request.
 */
export function bulkBody(rows: readonly Row[]) {
	const { agentNumber, callerNumber, variables } = rows[0]!;
	const shared = rows.every((row) => isSame(row.variables, variables));
	return {
		agent_number: agentNumber,
		caller_number: callerNumber,
		destinations: rows.map(({ destination, variables: own }) =>
			shared ? destination : { phone: destination, prompt_variables: own },
		),
		prompt_variables: shared ? variables : undefined,
	};
}

/**
 * Body of `POST /calls` (API document, same heading). What rows may differ in comes through
 * `input/readRows.ts`, and belongs into `saysTheSame`.
 */
export const callBody = (row: Row) => ({
	destination: row.destination,
	agent_number: row.agentNumber,
	caller_number: row.callerNumber,
	prompt_variables: row.variables,
	metadata: row.externalCallId && { external_call_id: row.externalCallId },
});

/** Whether two rows of one person say the same in their call. */
export const saysTheSame = (called: Row, row: Row) =>
	isSame(called.variables, row.variables) &&
	agentOf(called) === agentOf(row) &&
	called.externalCallId === row.externalCallId;

/** Whether the row has no value for one of the prompt variables. */
export const lacksAny = ({ variables }: Row, names: readonly string[]) =>
	names.some((name) => !Object.hasOwn(variables ?? {}, name));

/**
 * Splits rows that were refused together with 400 so that the good ones are still called. Where the
 * API named the prompt variables that are `missing`, the bad rows are known at once; otherwise
 * halves are tried.
 */
export function isolateBadRows(rows: readonly Row[], missing: readonly string[] = []) {
	const bad = rows.filter((row) => lacksAny(row, missing));
	if (bad.length > 0) {
		const good = rows.filter((row) => !bad.includes(row));
		return { bad, again: good.length > 0 ? [good] : [] };
	}
	if (rows.length === 1) return { bad: rows, again: [] };
	const middle = Math.ceil(rows.length / 2);
	return { bad: [], again: [rows.slice(0, middle), rows.slice(middle)] };
}
