import type { FaultKind, FaultRule } from './faults';

/** An agent of the account. `placeholders` are the `{{names}}` in its prompt. */
export interface Agent {
	number: string;
	sipId?: string;
	name: string;
	placeholders: string[];
}

export interface RateLimit {
	requests: number;
	windowMs: number;
}

export interface Callback {
	url: string;
	headers?: Record<string, string>;
}

/** What can be changed while the sandbox runs. */
export interface Settings {
	token: string;
	agents: Agent[];
	callerNumbers: string[];
	callingEnabled: boolean;
	accountLocked: boolean;
	dailyLimit?: number;
	rateLimit?: RateLimit;
	latencyMs: number;
	pageParameter: string;
	dialAfterMs: number;
	finishAfterMs: number;
	alreadyPlacedStatus: number;
	/** whether the answer to a single call holds `batch_id` and `consent_id`: the API does not document it */
	singleCallIds: boolean;
	callback?: Callback;
}

export interface SandboxOptions extends Partial<Settings> {
	/** 0 (default) takes any free port; the host is always 127.0.0.1 */
	port?: number;
	/** for faults with a `probability` */
	seed?: number;
	/** one line per request; never contains the token */
	log?: (line: string) => void;
	/** the clock, in ms; tests replace it to let time pass as they need it */
	now?: () => number;
	/** called with each answer that the API itself could give, before a fault spoils it; the answer leaves when this is done */
	onOwnAnswer?: (answer: OwnAnswer) => void | Promise<void>;
}

export interface OwnAnswer {
	method: string;
	/** below the base URL, with its query */
	path: string;
	status: number;
	headers: Record<string, unknown>;
	/** parsed JSON, or the raw text when it is not JSON */
	body: unknown;
}

export type Route = 'call' | 'bulk' | 'batch' | 'cancel';

/** A destination that was accepted for dialing. `agentNumber` is as the request named the agent. */
export interface Dial {
	at: number;
	phone: string;
	agentNumber: string;
	callerNumber?: string;
	variables: Record<string, string>;
	batchId: string;
	consentId: number;
	/** null until dialed */
	readonly callSid: string | null;
	externalCallId?: string;
	requestIndex: number;
}

export interface RecordedRequest {
	index: number;
	at: number;
	method: string;
	/** with its query */
	path: string;
	route?: Route;
	/** as received, with `authorization` */
	headers: Record<string, string | string[] | undefined>;
	/** parsed JSON, or the raw text when it is not JSON */
	body: unknown;
	/** null while unanswered, and when the connection was cut */
	status: number | null;
	fault?: FaultKind;
	dialed: number;
	/** The wait that its answer asks for. */
	retryAfter?: unknown;
	/** How many requests had come in when it was over: those after it came in while it was under way. */
	until: number;
}

export const UNDIALED = [
	'failed',
	'skipped',
	'locked',
	'rate_limited',
	'temporarily_unavailable',
] as const;

export interface DestinationOutcome {
	status: (typeof UNDIALED)[number];
	error: string;
	/** after this many, the destination is dialed */
	times?: number;
}

/** A batch that exists although nobody placed it: the only way to get more than one page of records. */
export interface ExistingBatch {
	/** One that was asked for before it was there. */
	batchId?: string;
	phones: string[];
	agentNumber?: string;
	dialAfterMs?: number;
	finishAfterMs?: number;
}

export interface Sandbox {
	/** http://127.0.0.1:PORT/api/v1/outbound */
	baseUrl: string;
	origin: string;
	readonly token: string;
	readonly settings: Settings;
	readonly journal: Dial[];
	readonly requests: RecordedRequest[];
	readonly inFlight: number;
	readonly mostInFlight: number;
	/** Requests in flight that a fault never answers. */
	readonly hanging: number;
	fault(rule: FaultRule): void;
	clearFaults(): void;
	/** The rules that are set, whether or not they still apply. */
	readonly faults: readonly FaultRule[];
	readonly destinationOutcome: Map<string, DestinationOutcome>;
	/** By phone: calls that are dialed and end without a conversation, and why. */
	readonly callErrors: Map<string, string>;
	/** Adds a batch without dialing, so without journal entries; records in the order of `phones`. */
	addBatch(batch: ExistingBatch): { batchId: string; consentIds: number[] };
	/** Forgets journal, requests, records, faults and outcomes; settings stay. */
	reset(): void;
	/** Phones that are in the journal more than once. */
	doubleDialed(): string[];
	/** Ends the server and every open connection, also those that hang. */
	close(): Promise<void>;
}
