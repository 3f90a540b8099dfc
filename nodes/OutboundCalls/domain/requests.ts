import { DESTINATIONS_PER_REQUEST } from './apiLimits';
import { type PromptVariables, sameVariables } from './promptVariables';
import type { CallContent, Row } from './row';

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
export const agentOf = ({ agentNumber, callerNumber }: CallContent): string =>
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

/**
 * Shared variables where all rows have the same ones, else the per-destination form: the two never
 * meet in one request.
 */
export function bulkBody(rows: readonly Call[]): BulkBody {
	const first = rows[0]!;
	const shared = rows.every((row) => sameVariables(row.variables, first.variables));
	const body: BulkBody = {
		agent_number: first.agentNumber,
		destinations: shared
			? rows.map((row) => row.destination)
			: rows.map((row) =>
					row.variables
						? { phone: row.destination, prompt_variables: row.variables }
						: { phone: row.destination },
				),
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

/** Whether the row has no value for one of the prompt variables. */
export const lacksAny = ({ variables }: Row, names: readonly string[]): boolean =>
	names.some((name) => !Object.hasOwn(variables ?? {}, name));

/**
 * Splits rows that were refused together with 400 so that the good ones are still called. Where the
 * API named the prompt variables that are `missing`, the bad rows are known at once; otherwise
 * halves are tried.
 */
export function isolateBadRows(
	rows: readonly Row[],
	missing: readonly string[] | undefined,
): { bad: readonly Row[]; again: ReadonlyArray<readonly Row[]> } {
	if (missing) {
		const bad = rows.filter((row) => lacksAny(row, missing));
		if (bad.length > 0) {
			const good = rows.filter((row) => !lacksAny(row, missing));
			return { bad, again: good.length > 0 ? [good] : [] };
		}
	}
	if (rows.length === 1) return { bad: rows, again: [] };
	const middle = Math.ceil(rows.length / 2);
	return { bad: [], again: [rows.slice(0, middle), rows.slice(middle)] };
}
