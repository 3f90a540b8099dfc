import type { INodeProperties } from 'n8n-workflow';
import type { Execution, OutputItem } from '../execution/execution';

/** One operation: what the panel shows for it, and what it does with the input items. */
export interface Operation {
	/** Stored in saved workflows: never changes. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** It has the field Mode, and three outputs: All Rows, Called and Not Called. */
	callsPeople?: boolean;
	fields: INodeProperties[];
	/** The items of each output. Throws only with On Error = Stop; otherwise every row comes out. */
	execute(execution: Execution): Promise<OutputItem[][]>;
}
