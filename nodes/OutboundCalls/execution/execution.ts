import type { IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import type { Fields } from '../domain/fields';
import type { MemoryScope } from '../domain/memoryKeys';
import type { Checked, Problem } from '../domain/problem';
import type { ApiProblem } from '../http/apiErrors';
import { type Api, openApi } from '../http/client';
import { type EarlierSteps, earlierSteps } from './earlierSteps';
import { isEvaluation } from './evaluation';
import { othersInWorkflow } from './host';
import { type KeyStore, keyStoreOf } from './keyStore';
import { apiError, operationError, shownText } from './nodeErrors';
import { type FlowState, flowState, type NodeState, nodeState } from './nodeState';
import { Parameters } from './parameters';
import { readCredential } from './readCredential';
import { type RetryTree, retryTree } from './retryTree';
import { isAlone, isUsedAnew } from './usedAnew';

/** An output item, paired with the input items that it comes from. */
export type OutputItem = {
	json: Fields;
	binary?: IBinaryKeyData;
	pairedItem: { item: number } | Array<{ item: number }>;
};

/** An error as n8n shows it: the remedy is its description. */
export interface ShownError extends Error {
	description?: string | null | undefined;
}

/** One execution of the node as all rooms above this one see it: values, read once, and what n8n does for us. */
export interface Execution {
	/** The same in all rounds of a loop; another one in each retry. */
	id: string;
	/** The same in all executions of this node, and no other node's; the same for all tools of n8n's Agents. */
	node: string;
	/** Round of a loop (`$runIndex`); for a tool, its uses and tries by the agent (n8n behaviour). */
	round: number;
	tree: RetryTree;
	/** What started it: manual, trigger, webhook, retry, integrated (a sub-workflow), evaluation, internal (n8n's Agents) and so on. */
	mode: string;
	/** Part of one of n8n's Evaluations: nobody is called. */
	isEvaluation: boolean;
	/** The node is a tool of an agent: it gets one item, and only its first output returns (n8n behaviour). */
	isTool: boolean;
	/** Each use of the node is an execution of its own, of which the host keeps nothing. */
	isUsedAnew: boolean;
	/** It belongs to no workflow either: n8n's Agents. */
	isAlone: boolean;
	/** Execute Once is on in the node's settings: the host gives it the first item only (n8n behaviour). */
	executesOnce: boolean;
	/** On Error = Stop: what concerns the whole run is thrown. n8n's Agents have no On Error, and their model would not read the remedy. */
	stops: boolean;
	/** IANA name of the workflow's time zone. */
	timeZone: string;
	/** Aborted when the execution is stopped. Undefined on older hosts, which have none. */
	signal: AbortSignal | undefined;
	input: readonly Fields[];
	parameters: Parameters;
	steps: EarlierSteps;
	state: NodeState;
	flow: FlowState;
	/** What the host's database keeps for this workflow, or for this node alone. */
	keyStore(scope: MemoryScope): KeyStore;
	/** The files of an item. */
	binaryOf: (itemIndex: number) => IBinaryKeyData | undefined;
	/** The parameters of the other nodes of its kind in the workflow, as they are stored. */
	othersInWorkflow(): Fields[];
	/** Reads the credential; sends requests with it. */
	openApi(): Promise<Checked<Api>>;
	/** Says something above the table. */
	hint(message: () => string): void;
	/** To be thrown: something in the workflow that has to be changed before anything can be sent. */
	operationError(why: Problem, message?: string): ShownError;
	/** To be thrown: an API problem; `message` where it says more than the problem's own. */
	apiError(why: ApiProblem, message?: string): ShownError;
}

/** Reads what an execution is into values. Parameters are read later, by `input/` and by operations, before the first request. */
export function openExecution(context: IExecuteFunctions): Execution {
	const node = context.getNode();
	const items = context.getInputData();
	const input = items.map(({ json }) => json);
	const alone = isAlone(context);
	const signal = (context as Partial<IExecuteFunctions>).getExecutionCancelSignal?.();
	return {
		id: context.getExecutionId(),
		node: `${context.getWorkflow().id} ${alone ? '' : node.id}`,
		round: context.getWorkflowDataProxy(0).$runIndex as number,
		tree: retryTree(context),
		mode: context.getMode(),
		isEvaluation: isEvaluation(context),
		// The host makes a second type of the node, which agents use (n8n behaviour).
		isTool: node.type.endsWith('Tool'),
		isUsedAnew: isUsedAnew(context),
		isAlone: alone,
		executesOnce: node.executeOnce === true,
		stops: !context.continueOnFail() && !alone,
		timeZone: context.getTimezone(),
		signal,
		input,
		parameters: new Parameters(
			(name, itemIndex, fallback) => context.getNodeParameter(name, itemIndex, fallback),
			node.parameters,
			input,
			(expression, itemIndex) => context.evaluateExpression(expression, itemIndex),
		),
		steps: earlierSteps(context),
		state: nodeState(context),
		flow: flowState(context),
		keyStore: (scope) => keyStoreOf(context, node.id, scope),
		binaryOf: (itemIndex) => items[itemIndex]?.binary,
		othersInWorkflow: () => othersInWorkflow(context),
		openApi: async () => {
			const credential = await readCredential(context, input.length, signal);
			return credential.ok ? openApi(context, credential.value) : credential;
		},
		hint: (message) => addHint(context, message),
		operationError: (why, message = why.message) => operationError(node, why, message),
		apiError: (why, message = why.message) => apiError(node, why, message),
	};
}

/** A hint that cannot be made or shown must not cost the outcomes of calls; older hosts have none. */
function addHint(context: Partial<IExecuteFunctions>, message: () => string): void {
	try {
		context.addExecutionHints?.({ message: shownText(message()), location: 'outputPane' });
	} catch {
		// The rows say the same.
	}
}
