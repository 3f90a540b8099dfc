import type { INodeProperties } from 'n8n-workflow';
import type { Execution, OutputItem } from '../execution/execution';

/**
 * One operation, as the panel shows it. Its file also holds what it does, which the bundler leaves
 * out of the panel (package.json has `"sideEffects": false`).
 */
export interface Operation {
	/** Stored in saved workflows: never changes. */
	value: string;
	name: string;
	action: string;
	description: string;
	fields: INodeProperties[];
}

/**
 * What an operation does with the input items: one output item for each row. Throws only with On
 * Error = Stop; otherwise every row comes out.
 */
export type Handler = (execution: Execution) => Promise<OutputItem[]>;
