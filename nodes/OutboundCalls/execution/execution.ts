import {
	type IBinaryKeyData,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import type { Checked, Problem } from '../domain/problem';
import type { ApiProblem } from '../domain/apiProblem';
import { type Credential, readCredential } from './credential';
import { type KeyStore, keyStoreOf } from './keyStore';
import { type FlowState, flowState, type NodeState, nodeState } from './nodeState';
import { Parameters } from './parameters';
import { Slices } from './slices';
import { type Fields, isBlank, isObject, numberOf, plainText } from '../domain/untrustedValues';

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

/** One execution of the node: values, read once, and what n8n does for us. */
export interface Execution {
	/** The same in all runs of the node in a loop; another one in each retry. */
	id: string;
	/** The same in all executions of this node, and no other node's. */
	node: string;
	/**
	 * Run of the node in a loop (`$runIndex`); for a tool, its uses by the agent (n8n behavior).
	 */
	runIndex: number;
	/** The ID of the first execution of all that one Retry after another has continued. */
	first: string;
	/**
	 * What started it: manual, trigger, webhook, retry, integrated (a sub-workflow), evaluation and
	 * so on.
	 */
	startedBy: string;
	/** The node is a tool of an agent. */
	isTool: boolean;
	/** On Error is Stop Workflow: what concerns the whole run is thrown. */
	stops: boolean;
	/** IANA name of the workflow's time zone. */
	timeZone: string;
	/** Aborted when the execution is stopped. Undefined on older hosts, which have none. */
	signal: AbortSignal | undefined;
	input: readonly Fields[];
	parameters: Parameters;
	state: NodeState;
	flow: FlowState;
	/** What n8n's database keeps for this workflow. */
	keyStore: () => KeyStore;
	/** The number of an item's row, as the sheet has it, or from 1. */
	rowNumber: (itemIndex: number) => number;
	/**
	 * What n8n says of an item that an earlier node could not process; undefined for all others.
	 */
	failedItem: (itemIndex: number) => string | undefined;
	binaryOf: (itemIndex: number) => IBinaryKeyData | undefined;
	readCredential(): Promise<Checked<Credential>>;
	/** What n8n sends requests with, for `http/client.ts`. */
	requestContext: IExecuteFunctions;
	/** Shows lines above the table, the first and each Careful in bold. Never rejects. */
	hint(lines: Iterable<string>): Promise<void>;
	/**
	 * To be thrown: something in the workflow that has to be changed before anything can be sent.
	 */
	operationError(why: Problem, message?: string): ShownError;
	/** To be thrown: an API problem; `message` if it says more than the problem's own. */
	apiError(why: ApiProblem, message?: string): ShownError;
}

/**
 * Reads what an execution is into values. Parameters are read later, by `input/` and by operations,
 * before the first request.
 */
export function openExecution(context: IExecuteFunctions): Execution {
	const node = context.getNode();
	const items = context.getInputData();
	const input = items.map(({ json }) => json);
	const state = nodeState(context);
	const id = context.getExecutionId();
	state.outboundCallsFirst ??= id;
	return {
		id,
		node: `${context.getWorkflow().id} ${node.id}`,
		runIndex: context.getWorkflowDataProxy(0).$runIndex as number,
		first: state.outboundCallsFirst,
		startedBy: context.getMode(),
		// n8n makes a second type of the node, which agents use (n8n behavior).
		isTool: node.type.endsWith('Tool'),
		stops: !context.continueOnFail(),
		timeZone: context.getTimezone(),
		signal: (context as Partial<IExecuteFunctions>).getExecutionCancelSignal?.(),
		input,
		parameters: new Parameters(
			(name, itemIndex, fallback) => context.getNodeParameter(name, itemIndex, fallback),
			node.parameters,
			input,
			(expression, itemIndex) => context.evaluateExpression(expression, itemIndex),
		),
		state,
		flow: flowState(context),
		keyStore: () => keyStoreOf(context),
		rowNumber: rowNumbersOf(input),
		failedItem: (itemIndex) => failureOf(items[itemIndex]!),
		binaryOf: (itemIndex) => items[itemIndex]?.binary,
		readCredential: async () => await readCredential(context),
		requestContext: context,
		hint: async (lines) => await addHint(context, lines),
		operationError: (why, message = why.message) => operationError(node, why, message),
		apiError: (why, message = why.message) => apiError(node, why, message),
	};
}

/**
 * By `row_number`, which Google Sheets adds, if each item has one of its own; otherwise by
 * position.
 */
function rowNumbersOf(input: readonly Fields[]): (itemIndex: number) => number {
	let numbers: readonly number[] | undefined;
	const read = (): readonly number[] => {
		const own = input.map(({ row_number: number }) => numberOf(number) ?? NaN);
		const isSheet = own.every((number) => Number.isSafeInteger(number) && number > 0);
		return isSheet && new Set(own).size === own.length
			? own
			: input.map((_item, index) => index + 1);
	};
	return (itemIndex) => (numbers ??= read())[itemIndex]!;
}

/**
 * n8n keeps it beside the item's fields or as the field `error`, depending on the node and its On
 * Error setting (n8n behavior).
 */
function failureOf({ error, json }: INodeExecutionData): string | undefined {
	const said = json.error;
	const message = error ? error.message : isObject(said) ? said.message : said;
	return typeof message === 'string' && !isBlank(message) ? message : undefined;
}

/** A hint that cannot be shown must not cost the outcomes of calls; older hosts have none. */
async function addHint(
	context: Partial<IExecuteFunctions>,
	lines: Iterable<string>,
): Promise<void> {
	const slices = new Slices();
	try {
		const shown: string[] = [];
		for (const line of lines) {
			// Escaped before tags are added.
			const text = shownText(line);
			const standsOut = shown.length === 0 || text.startsWith('Careful');
			if (text !== '') shown.push(standsOut ? `<b>${text}</b>` : text);
			await slices.restIfOver();
		}
		context.addExecutionHints?.({ message: shown.join('<br>'), location: 'outputPane' });
	} catch {
		// The rows say the same.
	}
}

/**
 * An API problem as n8n shows it. `message` replaces the problem's own where the row has to be
 * named. No item index goes along: the host counts from 0 and would put "[item 1]" after our "Row
 * 2".
 */
export function apiError(node: INode, why: ApiProblem, message: string): NodeApiError {
	const description = why.apiAdds ? `${why.remedy} ${why.apiAdds}` : why.remedy;
	const options = {
		message,
		description,
		...(why.httpCode === undefined ? {} : { httpCode: `${why.httpCode}` }),
		...(why.cause === undefined
			? {}
			: {
					// Read by newer hosts only.
					failure: {
						cause: why.cause,
						...(why.retryAfterMs !== undefined && { retryAfterMs: why.retryAfterMs }),
					},
				}),
	};
	return withOwnWords(new NodeApiError(node, { message }, options), message, description);
}

/** Something in the workflow that has to be changed before anything can be sent. */
export function operationError(
	node: INode,
	{ remedy }: Problem,
	message: string,
): NodeOperationError {
	const error = new NodeOperationError(node, message, { description: remedy });
	return withOwnWords(error, message, remedy);
}

/**
 * The editor shows texts as HTML (n8n behavior): what an API or a sheet put into them must stay
 * text, and plain.
 */
const shownText = (text: string): string => plainText(text).replace(/</g, '‹').replace(/>/g, '›');

/**
 * The host replaces messages in which it finds a code of Node's, such as the EPERM in
 * "superpermit".
 */
function withOwnWords<E extends NodeApiError | NodeOperationError>(
	error: E,
	message: string,
	description: string,
): E {
	error.message = shownText(message);
	error.description = shownText(description);
	error.messages = [];
	return error;
}
