import type { IExecuteFunctions } from 'n8n-workflow';
import type { Pace } from '../http/throttle';

/** Sent, no answer yet. */
export const SENT = 0;

/** What became of a call: packed by the operation that placed it, with a hash of what it said if each row is called. */
export type LedgerEntry = typeof SENT | [packed: unknown, content?: string];

/** What was sent in this execution (placement/ledger.ts). */
export interface LedgerState {
	/** Run of the node in a loop (`$runIndex`): a later one is no retry. */
	round: number;
	execution: string;
	texts: string[];
	/** By number; a number's second, third … call (Duplicates: each row) has " 2", " 3" … after it. */
	rows: Record<string, LedgerEntry>;
}

/** The rows that a retry has read, over the runs of the node in a loop (placement/ledger.ts): how many of a number, and how many that say the same to it. */
export interface RowsReadState {
	/** The run that was read last, and its rows. */
	round: number;
	here: Record<string, number>;
	/** Of the runs before. */
	before: Record<string, number>;
}

/** Who has answered (placement/proofs.ts). */
export interface AnswersState {
	execution: string;
	round: number;
	/** Of the server: a digest. */
	address: string;
	/** The API itself has, in this execution or in one that it continues. */
	own: boolean;
	/** So many answers in a row were not its own. */
	foreign: number;
}

/** The one call of a test (placement/testCall.ts). */
export interface TestState {
	/** Run of the node in a loop in which it was placed. */
	round: number;
	/** The person of the row whose words were spoken. */
	person: string;
	/** Undefined while nobody knows. */
	outcome?: object;
}

/**
 * All that this node keeps in n8n's context of it. It lives as long as the execution: over the runs of a loop, an agent's uses of the tool,
 * Retry On Fail and the Retry button (n8n behavior), not over a kill. n8n writes it into the execution's record, so it is plain JSON and short.
 */
export interface NodeState {
	/** The first execution, which Retry continues. */
	outboundCallsFirst?: string;
	/** Until the output stands. */
	outboundCallsLedger?: LedgerState;
	/** The rows that a retry has read. */
	outboundCallsRead?: RowsReadState;
	/** Who has answered. */
	outboundCallsAnswers?: AnswersState;
	/** When the next call may leave. */
	outboundCallsPace?: Pace;
	/** The user's own phone rings once. */
	outboundCallsTest?: TestState;
}

/** What all nodes of this package keep together, in n8n's context of the whole execution. It lives as long as that of a node. */
export interface FlowState {
	/** The node that has called the user's own phone. */
	outboundCallsTestedBy?: string;
	/** By list of keys: marks that dry runs have left (claims/unseenMarks.ts). */
	outboundCallsMarks?: Record<string, { execution: string; marks: string[] }>;
	/** The execution in which a node was to call people for real. */
	outboundCallsLive?: string;
	/** By both IDs of a node's tree of retries: calls that were started, or may have been, or are about to be. */
	outboundCallsStarted?: Record<string, number>;
}

/** Whether any node has called somebody in this execution, or may have. */
export const hasCalled = ({ outboundCallsStarted = {} }: FlowState): boolean =>
	Object.values(outboundCallsStarted).some((calls) => calls > 0);

/** n8n's Agents run a tool without a workflow, and have no context to give (n8n behavior). */
const hasContext = (context: IExecuteFunctions): boolean => context.getMode() !== 'internal';

/** The state of the execution, for all of its nodes. */
export const flowState = (context: IExecuteFunctions): FlowState =>
	hasContext(context) ? context.getContext('flow') : {};

/** The state of the node that is executed. */
export const nodeState = (context: IExecuteFunctions): NodeState =>
	hasContext(context) ? context.getContext('node') : {};
