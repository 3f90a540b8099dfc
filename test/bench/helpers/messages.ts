import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox';

/** Where the measured process finds the host's packages and the packed node. */
export interface Ground {
	host: string;
	package: string;
}

/** What runs in the measured process: this node, one that only sends, or one that only reads this node's parameters. */
export type Runnable = 'node' | 'sender' | 'reader';

export interface RunOptions {
	baseUrl: string;
	token: string;
	/** How many of a campaign, or which. */
	rows: number | IDataObject[];
	/** Of this node. */
	parameters?: INodeParameters;
}

/** What the API answers in its own place, if it does. */
export type Fault = FaultRule | null;

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
