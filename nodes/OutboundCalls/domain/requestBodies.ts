import { type PromptVariables, sameVariables } from './promptVariables';
import type { CallContent, Row } from './row';

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
