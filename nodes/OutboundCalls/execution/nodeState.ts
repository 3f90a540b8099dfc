import type { IExecuteFunctions } from 'n8n-workflow';
import type { Pace } from '../http/throttle';
import { isAlone } from './usedAnew';

/** Sent, no answer yet. */
export const SENT = 0;

/** What became of a call: packed by the operation that placed it, with a hash of what it said where each row is called. */
export type LedgerEntry = typeof SENT | [packed: unknown, content?: string];

/** What was sent in this execution (placement/ledger.ts). */
export interface LedgerState {
	/** Round of a loop (`$runIndex`): a later round is no retry. */
	round: number;
	execution: string;
	texts: string[];
	/** By number; a number's second, third … call (Duplicates: each row) has " 2", " 3" … behind it. */
	rows: Record<string, LedgerEntry>;
}

/** What rows said of people in one node of this execution (input/saidEarlier.ts): that they opted out, or are not called on some days. */
export interface SaidState {
	/** The round that was read last. */
	round: number;
	/** The first round that said so, by name. Each name has a blank before it, because a key may be one that objects have themselves. */
	rounds: Record<string, number>;
	/** Days since 1970-01-01, by the names in `rounds`. */
	days?: Record<string, readonly number[]>;
}

/**
 * The rows that a retry has read, over the rounds of a loop (placement/ledger.ts): how many of a number, and how many that say the same to it. Another retry may
 * read them in other rounds.
 */
export interface RowsReadState {
	/** The round that was read last, and its rows. */
	round: number;
	here: Record<string, number>;
	/** Of the rounds before. */
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
	/** Round of a loop in which it was placed. */
	round: number;
	/** The person of the row whose words were spoken. */
	person: string;
	/** Undefined while nobody knows. */
	outcome?: object;
}

/**
 * All that this node keeps in the host's context of it. It lives as long as the execution: over the rounds of a loop,
 * an agent's uses of the tool, Retry On Fail and the Retry button (n8n behaviour), not over a kill. The host writes it
 * into the execution's record, so it is plain JSON and short.
 */
export interface NodeState {
	/** Until the output of a round stands. */
	outboundCallsLedger?: LedgerState;
	/** In all rounds of a retry: the rows that it has read. */
	outboundCallsRead?: RowsReadState;
	/** In all rounds: who has answered. */
	outboundCallsAnswers?: AnswersState;
	/** In all rounds: whom the node has called by a key (placement/earlierRounds.ts). */
	outboundCallsByKey?: SaidState;
	/** In all rounds: when the next call may leave. */
	outboundCallsPace?: Pace;
	/** In all rounds: the user's own phone rings once. */
	outboundCallsTest?: TestState;
}

/** A step that has run. */
export interface StepRan {
	/** A hash of its settings. */
	settings: string;
	/** How often it had run. */
	runs: number;
	/** When the workflow had been saved, in epoch milliseconds. */
	savedAt: number;
}

/** What all nodes of this package keep together, in the host's context of the whole execution. It lives as long as that of a node. */
export interface FlowState {
	/** The node that has called the user's own phone. */
	outboundCallsTestedBy?: string;
	/** By list of keys: marks that dry runs have left (claims/unseenMarks.ts). */
	outboundCallsMarks?: Record<string, { execution: string; marks: string[] }>;
	/** The steps that have run, as they were then (input/changedSteps.ts). */
	outboundCallsSteps?: Record<string, StepRan>;
	/** The execution in which a node was to call people for real. */
	outboundCallsLive?: string;
	/** By node, in all of its rounds. */
	outboundCallsOptedOut?: Record<string, SaidState>;
	/** Nodes that Execute step has not run again were asked who opted out. */
	outboundCallsAskedBefore?: true;
	/** By node, in all of its rounds: no-call dates of a column. */
	outboundCallsClosed?: Record<string, SaidState>;
	/** By both IDs of a node's tree of retries, in all of its rounds: calls that were started, or may have been, or are about to be. */
	outboundCallsStarted?: Record<string, number>;
}

/** Whether any node has called somebody in this execution, or may have: in an earlier try or round, or in another use of the tool. */
export const hasCalled = ({ outboundCallsStarted = {} }: FlowState): boolean =>
	Object.values(outboundCallsStarted).some((calls) => calls > 0);

/** The state of the execution, for all of its nodes. */
export const flowState = (context: IExecuteFunctions): FlowState =>
	isAlone(context) ? {} : context.getContext('flow');

/** The state of the node that is executed. */
export const nodeState = (context: IExecuteFunctions): NodeState =>
	isAlone(context) ? {} : context.getContext('node');
