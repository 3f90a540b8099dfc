import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Settings } from '../../sandbox';

/** Where the measured process finds the host's packages and the packed node. */
export interface Ground {
	host: string;
	package: string;
}

/** Ways to have rows called: this node, and what a user would build with n8n's own nodes. */
export type Side = 'node' | 'requestPerRow' | 'chunkedByHand';

/** What can be run: those ways, and a node that only sends. */
export type Runnable = Side | 'sender';

export interface RunOptions {
	baseUrl: string;
	token: string;
	rows: number;
	/** Of this node. */
	parameters?: INodeParameters;
	onError?: 'continueRegularOutput' | 'continueErrorOutput';
	retryOnFail?: boolean;
}

/** What a measured process can be asked. */
export type Task =
	| { kind: 'run'; side: Runnable; options: RunOptions }
	| { kind: 'memory'; side: 'node' | 'twin'; options: RunOptions }
	/** So many executions, several at the same time. */
	| { kind: 'many'; executions: number; options: RunOptions }
	| { kind: 'profile'; side: 'node'; options: RunOptions }
	| { kind: 'follow'; options: Omit<RunOptions, 'rows'>; rows: IDataObject[] };

export interface Run {
	/** Of the whole process while the workflow ran, in milliseconds. */
	cpuMs: number;
	wallMs: number;
	/** Items that came out, on any output. */
	items: number;
	statuses: Record<string, number>;
	/** The message of an execution that ended with one. */
	message?: string;
	endedAt: number;
	maxRssBytes: number;
	/** The longest time in which nothing else had a turn. */
	longestStopMs: number;
	/** The longest stop of which nothing but garbage collection is the cause. */
	longestCollectionMs: number;
	/** Timers that still run once it has ended. */
	timersLeft: number;
	/** Listeners on the signal of its executions once they have ended. */
	listenersLeft: number;
	/** What is alive once it has ended, above what was before. */
	heldBytes: number;
}

export interface Memory {
	/** The most that was alive at the same time, above what was alive before the run. */
	peakBytes: number;
	ledgerBytes: number;
}

/** Milliseconds of CPU by group of sources, without waiting. */
export interface Profile {
	groups: Record<string, number>;
	/** Of this node's, by file. */
	files: Record<string, number>;
	/** The ledger and everything that it calls. */
	ledgerMs: number;
	totalMs: number;
}

export type Answer<T extends Task> = T extends { kind: 'memory' }
	? Memory
	: T extends { kind: 'profile' }
		? Profile
		: Run;

/** What the sandbox's process can be asked. */
export type SandboxTask =
	| { kind: 'reset'; settings: Partial<Settings> }
	| {
			kind: 'addBatches';
			batches: number;
			callsEach: number;
			finishAfterMs: [least: number, most: number];
	  }
	| { kind: 'counts' }
	/** What was read of the batches that were added, and how late. */
	| { kind: 'seen' };

export interface Counts {
	requests: number;
	mostInFlight: number;
	dialed: number;
	/** Numbers that were dialed more than once. */
	dialedTwice: number;
}

export interface Seen {
	reads: number;
	/** From the end of a call to the first look behind it: the latest of all. */
	latestMs: number;
}

export interface Batches {
	rows: Array<{ batch_id: string; consent_id: number }>;
}

export type SandboxAnswer<T extends SandboxTask> = T extends { kind: 'counts' }
	? Counts
	: T extends { kind: 'seen' }
		? Seen
		: T extends { kind: 'addBatches' }
			? Batches
			: null;
