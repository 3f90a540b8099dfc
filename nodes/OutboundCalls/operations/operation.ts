import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

/** One operation: what the panel shows for it, and what it does with the input items. */
export interface Operation {
	/** Stored in saved workflows: never changes. */
	value: string;
	name: string;
	action: string;
	description: string;
	fields: INodeProperties[];
	/** Throws only with On Error = Stop; otherwise every row comes out, as a result or as an error item. */
	execute(context: IExecuteFunctions): Promise<INodeExecutionData[]>;
}
