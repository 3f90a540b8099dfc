import type { IExecuteFunctions } from 'n8n-workflow';

/** The host makes a second type of the node, which agents use (n8n behaviour). */
export const isTool = (context: IExecuteFunctions): boolean => context.getNode().type.endsWith('Tool');
