import type { IExecuteFunctions } from 'n8n-workflow';
import { hostOf, typeOfStep } from './host';

const ANY_DEPTH = -1;

/**
 * n8n's Agents run a tool without a workflow. The host then has no context of an execution to give, shows of what is thrown the
 * message alone, and makes the node anew, with another ID, for each use (n8n behaviour).
 */
export const isAlone = (context: IExecuteFunctions): boolean => context.getMode() === 'internal';

/** A trigger that holds a tool, such as the MCP Server Trigger, runs it before its workflow begins, also through an agent that is a tool itself. */
export function isUsedAnew(context: IExecuteFunctions): boolean {
	const host = hostOf(context);
	const holders =
		host.workflow?.getChildNodes?.(context.getNode().name, 'ai_tool', ANY_DEPTH) ?? [];
	return isAlone(context) || holders.some((name) => typeOfStep(host, name)?.endsWith('Trigger'));
}
