import type { IExecuteFunctions } from 'n8n-workflow';
import type { CallOutcome } from '../domain/outcome';

/** What was sent in this execution (placement/ledger.ts). */
export interface LedgerState {
	/** Run of the node in a loop (`$runIndex`). */
	runIndex: number;
	/**
	 * The position of the row that was sent for each person; when its request left, in seconds since
	 * 1970, or 0 before that; and what became of it, once the API has answered.
	 */
	people: Record<string, [position: number, leftAt: number, outcome?: CallOutcome]>;
}

/** The one call of a test (placement/testCall.ts). */
export interface TestState {
	/** The node that placed it. */
	node: string;
	/** Run of the node in a loop in which it was placed. */
	runIndex: number;
	/** The person of the row whose details were spoken. */
	person: string;
	/** It is undefined while nobody knows. */
	outcome?: CallOutcome;
}

/**
 * All that this node keeps in n8n's context of it. It lives as long as the execution: over the runs
 * of a loop, an agent's uses of the tool, Retry On Fail and the Retry button (n8n behavior), not
 * over a kill. n8n writes it into the execution's record, so it is plain JSON and short.
 */
export interface NodeState {
	/** The first execution, which Retry continues. */
	outboundCallsFirst?: string;
	/** The ledger is kept until the output is final. */
	outboundCallsLedger?: LedgerState;
	/** Calls that were started, or may have been, or are about to be. */
	outboundCallsStarted?: number;
	/** The API that has answered in this execution, as a digest. */
	outboundCallsApi?: string;
	/**
	 * The user's own phone rings once. All nodes of this package keep that together, in n8n's context
	 * of the whole execution, which lives as long.
	 */
	outboundCallsTest?: TestState;
}

/**
 * The state of the node that is executed, or of all nodes of the execution. n8n's Agents run a tool
 * without a workflow, and have no context to give (n8n behavior).
 */
export const stateOf = (context: IExecuteFunctions, whose: 'flow' | 'node'): NodeState =>
	context.getMode() === 'internal' ? {} : context.getContext(whose);
