import type { Fields } from '../domain/fields';
import type {
	IConnections,
	IExecuteFunctions,
	IRunExecutionData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/** A step of the workflow, as it is now. */
export interface HostNode {
	id?: string;
	type: string;
	typeVersion?: number;
	executeOnce?: boolean;
	disabled?: boolean;
	onError?: string;
	continueOnFail?: boolean;
	alwaysOutputData?: boolean;
	credentials?: Readonly<Record<string, { id?: unknown } | null>> | null;
	parameters?: Fields;
}

/** What the host runs a node with, other than the public part of it. Each of it may be missing (n8n behaviour). */
interface Host {
	additionalData?: IWorkflowExecuteAdditionalData;
	runExecutionData?: Partial<IRunExecutionData> | null;
	workflow?: {
		nodes?: Readonly<Record<string, HostNode>>;
		connectionsByDestinationNode?: IConnections;
		getParentNodes?: (node: string, connection: string, depth: number) => string[];
		getChildNodes?: (node: string, connection: string, depth: number) => string[];
	};
}

export const hostOf = (context: IExecuteFunctions): Host => context as unknown as Host;

/** The type of another step of the workflow; undefined where the host does not tell it. */
export const typeOfStep = ({ workflow }: Host, name: string): string | undefined =>
	workflow?.nodes?.[name]?.type;

/** As a tool, a node has a type of its own (n8n behaviour). */
export const isSameKind = (type: string, other: string): boolean =>
	type.replace(/Tool$/, '') === other.replace(/Tool$/, '');

/**
 * The parameters of the other nodes of this kind in the workflow, as they are stored, also of those that are deactivated for now. Execute step leaves out of the
 * workflow, in n8n before 1.100, what does not stand before it.
 */
export function othersInWorkflow(context: IExecuteFunctions): Fields[] {
	const { name, type } = context.getNode();
	const saved = savedWorkflow(context)?.nodes ?? [];
	const nodes = {
		...Object.fromEntries(saved.map((node) => [node.name, node])),
		...hostOf(context).workflow?.nodes,
	};
	return Object.entries(nodes).flatMap(([other, node]) =>
		other !== name && isSameKind(node.type, type) ? [node.parameters ?? {}] : [],
	);
}

const savedWorkflow = (
	context: IExecuteFunctions,
): Partial<Pick<IWorkflowBase, 'nodes' | 'updatedAt'>> | undefined =>
	(
		hostOf(context).additionalData as
			{ hooks?: { workflowData?: Partial<IWorkflowBase> } } | undefined
	)?.hooks?.workflowData;

/** When the workflow was saved as it is, in epoch milliseconds; not a number where the host does not tell. */
export function savedAt(context: IExecuteFunctions): number {
	return new Date(savedWorkflow(context)?.updatedAt ?? NaN).getTime();
}
