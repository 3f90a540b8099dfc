import type { INodeParameters } from 'n8n-workflow';

/** Where the measured process finds the host's packages and the packed node. */
export interface Ground {
	host: string;
	package: string;
}

/** What runs in the measured process: this node, or one that only sends. */
export type Runnable = 'node' | 'sender';

export interface RunOptions {
	baseUrl: string;
	token: string;
	rows: number;
	/** Of this node. */
	parameters?: INodeParameters;
}

export type Task = { kind: 'run' | 'memory'; side: Runnable; options: RunOptions };

export interface Run {
	/** Of the whole process while the workflow ran, in milliseconds. */
	cpuMs: number;
	wallMs: number;
	statuses: Record<string, number>;
	/** The longest time in which nothing else had a turn. */
	longestStopMs: number;
	/** Timers that still run once it has ended. */
	timersLeft: number;
}

export interface Memory {
	/** The most that was alive at the same time, above what was alive before the run. */
	peakBytes: number;
	ledgerBytes: number;
}

export type Answer<T extends Task> = T extends { kind: 'memory' } ? Memory : Run;
