import {
	type IBinaryKeyData,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import {
	type Fields,
	isBlank,
	isObject,
	numberOf,
	plainText,
	type Problem,
} from '../domain/values';
import type { ApiProblem } from '../domain/api/exchange';
import { keyStoreOf } from './keyStore';
import { stateOf } from './nodeState';
import { Parameters } from './parameters';
import { inSlices } from './slices';

/** An output item, paired with the input items that it comes from. */
export type OutputItem = {
	json: Fields;
	binary?: IBinaryKeyData;
	pairedItem: { item: number } | Array<{ item: number }>;
};

/** An error as n8n shows it: the remedy is its description. */
export interface ShownError extends Error {
	description?: string | null;
}

/** One execution of the node: values, read once, and what n8n does for us. */
export type Execution = ReturnType<typeof openExecution>;

/**
 * Reads what an execution is into values. Parameters are read later, by `input/` and by operations,
 * before the first request.
 */
export function openExecution(context: IExecuteFunctions) {
	const node = context.getNode();
	const items = context.getInputData();
	const input: readonly Fields[] = items.map(({ json }) => json);
	const state = stateOf(context, 'node');
	const id = context.getExecutionId();
	state.outboundCallsFirst ??= id;
	return {
		/** The same in all runs of the node in a loop; another one in each retry. */
		id,
		/** The same in all executions of this node, and no other node's. */
		node: `${context.getWorkflow().id} ${node.id}`,
		/** Run of the node in a loop; for a tool, its uses by the agent (n8n behavior). */
		runIndex: context.getWorkflowDataProxy(0).$runIndex as number,
		/** The ID of the first execution of all that one Retry after another has continued. */
		first: state.outboundCallsFirst,
		/** Manual, trigger, webhook, retry, integrated (a sub-workflow), evaluation and so on. */
		startedBy: context.getMode(),
		/** n8n makes a second type of the node, which agents use (n8n behavior). */
		isTool: node.type.endsWith('Tool'),
		/** On Error is Stop Workflow: what concerns the whole run is thrown. */
		stops: !context.continueOnFail(),
		/** IANA name of the workflow's time zone. */
		timeZone: context.getTimezone(),
		/** Aborted when the execution is stopped. Undefined on older hosts, which have none. */
		signal: (context as Partial<IExecuteFunctions>).getExecutionCancelSignal?.(),
		input,
		parameters: new Parameters(context, node.parameters, input),
		state,
		flow: stateOf(context, 'flow'),
		/** What n8n's database keeps for this workflow. */
		keyStore: keyStoreOf(context),
		/** The number of an item's row, as the sheet has it, or from 1. */
		rowNumber: rowNumbersOf(input),
		/** What n8n says of an item that an earlier node could not process; else undefined. */
		failedItem: (itemIndex: number) => failureOf(items[itemIndex]!),
		binaryOf: (itemIndex: number) => items[itemIndex]?.binary,
		/** What n8n sends requests with, for `http/client.ts`. */
		requestContext: context,
		/** Shows lines above the table, the first and each Careful in bold. Never rejects. */
		hint: (lines: Iterable<string>) => addHint(context, lines),
		/** To be thrown: something in the workflow that has to be changed before anything is sent. */
		operationError: (why: Problem, message = why.message) =>
			withOwnWords(new NodeOperationError(node, message), message, why.remedy),
		/**
		 * To be thrown: an API problem; `message` if it says more than the problem's own. No item index
		 * goes along: the host counts from 0 and would put "[item 1]" after our "Row 2".
		 */
		apiError: ({ httpCode, remedy, apiAdds, ...why }: ApiProblem, message = why.message) => {
			const options = httpCode === undefined ? {} : { httpCode: `${httpCode}` };
			const error = new NodeApiError(node, { message }, { message, ...options });
			return withOwnWords(error, message, apiAdds ? `${remedy} ${apiAdds}` : remedy);
		},
	};
}

/**
 * By `row_number`, which Google Sheets adds, if each item has one of its own; otherwise by
 * position.
 */
function rowNumbersOf(input: readonly Fields[]) {
	let numbers: readonly number[] | undefined;
	const read = () => {
		const own = input.map(({ row_number: number }) => numberOf(number) ?? NaN);
		const isSheet = own.every((number) => Number.isSafeInteger(number) && number > 0);
		return isSheet && new Set(own).size === own.length
			? own
			: input.map((_item, index) => index + 1);
	};
	return (itemIndex: number) => (numbers ??= read())[itemIndex]!;
}

/**
 * n8n keeps it beside the item's fields or as the field `error`, depending on the node and its On
 * Error setting (n8n behavior).
 */
function failureOf({ error, json }: INodeExecutionData) {
	const said = json.error;
	const message = error ? error.message : isObject(said) ? said.message : said;
	return typeof message === 'string' && !isBlank(message) ? message : undefined;
}

/** A hint that cannot be shown must not cost the outcomes of calls; older hosts have none. */
async function addHint(context: Partial<IExecuteFunctions>, lines: Iterable<string>) {
	try {
		const shown: string[] = [];
		for await (const line of inSlices(lines)) {
			// It is escaped before tags are added.
			const text = shownText(line);
			const standsOut = shown.length === 0 || text.startsWith('Careful');
			if (text !== '') shown.push(standsOut ? `<b>${text}</b>` : text);
		}
		context.addExecutionHints?.({ message: shown.join('<br>'), location: 'outputPane' });
	} catch {
		// The rows say the same.
	}
}

/**
 * The editor shows texts as HTML (n8n behavior): what an API or a sheet put into them must stay
 * text, and plain.
 */
const shownText = (text: string) => plainText(text).replace(/</g, '‹').replace(/>/g, '›');

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

/** The credential's name, which saved workflows hold. */
export const CREDENTIAL = 'outboundCallsApi';

/** Its fields. */
export type Credential = Record<'baseUrl' | 'apiToken' | 'callbackSecret', string>;
