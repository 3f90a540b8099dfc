import type { IExecuteFunctions } from 'n8n-workflow';

/** What the host runs a node with, other than the public part of it. */
interface HostContext {
	workflow?: {
		nodes?: Readonly<Record<string, { type: string }>>;
		getChildNodes?: (node: string, connection: string, depth: number) => string[];
	};
}

const ANY_DEPTH = -1;

/**
 * n8n's Agents run a tool without a workflow. A trigger that holds a tool, such as the MCP Server Trigger, runs it before its workflow begins, also through an
 * agent that is a tool itself.
 */
export function isUsedAnew(context: IExecuteFunctions): boolean {
	const { workflow } = context as unknown as HostContext;
	const holders = workflow?.getChildNodes?.(context.getNode().name, 'ai_tool', ANY_DEPTH) ?? [];
	return context.getMode() === 'internal' || holders.some((name) => workflow?.nodes?.[name]?.type.endsWith('Trigger'));
}
