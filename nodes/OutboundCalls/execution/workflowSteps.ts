import type { IExecuteFunctions, INodeExecutionData, ISourceData } from 'n8n-workflow';
import type { Fields } from '../domain/fields';
import { leavesOf } from '../domain/json';
import { keepsNothing } from './editFields';
import { type Failures, failuresOf, type StepSource } from './failures';
import { type HostNode, hostOf, typeOfStep } from './host';

/** What the host says of steps; undefined where it does not know. */
export interface Asked {
	/** Where the items of the input come from. */
	source(): ISourceData | undefined;
	all(step: string): readonly INodeExecutionData[] | undefined;
	/** Of which rows come. */
	matching(step: string, rows: readonly number[]): readonly INodeExecutionData[] | undefined;
}

/** The steps before the node, as the workflow has them and as they ran. */
export interface WorkflowSteps {
	nodeOf: (step: string) => HostNode | undefined;
	typeOf: (step: string) => string;
	parametersOf: (step: string) => Fields;
	isDisabled: (step: string) => boolean;
	parentsOf: (step: string) => string[];
	/** Whether the output that a source names leads to an input of a step, be it through deactivated ones; true where the host does not tell. */
	isWired: (
		source: Pick<ISourceData, 'previousNode' | 'previousNodeOutput'>,
		step: string,
		input?: number,
	) => boolean;
	/** Whether a step stands behind another one, as in a loop. */
	isBehind: (step: string, other: string) => boolean;
	/** The names of all that have run. */
	ran: () => string[];
	/** What it gives. */
	itemsOf: (step: string) => readonly INodeExecutionData[];
	/** Where it was given its items. What a loop hands out in its rounds, it was given in its first run, and what it hands on when it is done, by its own end. */
	sourcesOf: (step: string, output?: number, run?: number) => StepSource[];
	/** A dry run, as one that cleans the numbers of a list, has a row for the empty item, too. Whom a node has called, it knows itself. */
	isDryRun: (step: string) => boolean;
	/** Whether it reads nothing: what it gives is of the steps before it. */
	passesOn: (step: string) => boolean;
	/** The step itself, and all that pass on to it what others read. */
	upTo: (step: string) => string[];
	failures: Failures;
}

export const SET = 'n8n-nodes-base.set';
const LOOP = 'n8n-nodes-base.splitInBatches';
const PASSING_ON =
	/^n8n-nodes-base\.(?:aggregate|code|compareDatasets|crypto|dateTime|executionData|filter|function|functionItem|html|if|itemLists|limit|markdown|merge|noOp|removeDuplicates|renameKeys|respondToWebhook|set|sort|splitInBatches|splitOut|summarize|switch|wait|xml)$/;

export function workflowSteps(context: IExecuteFunctions, asked: Asked): WorkflowSteps {
	const itemsOf = (step: string): readonly INodeExecutionData[] => asked.all(step) ?? [];
	const nodeOf: WorkflowSteps['nodeOf'] = (step) => hostOf(context).workflow?.nodes?.[step];
	const typeOf = (step: string): string => typeOfStep(hostOf(context), step) ?? '';
	const parametersOf = (step: string): Fields => nodeOf(step)?.parameters ?? {};
	const failures = failuresOf(context, itemsOf);
	const isDryRun = (step: string): boolean =>
		typeOf(step) === context.getNode().type && (parametersOf(step).mode ?? 'dryRun') === 'dryRun';
	/** An Edit Fields that takes nothing of what it is given. */
	const isTyped = (step: string): boolean =>
		typeOf(step) === SET &&
		keepsNothing(parametersOf(step)) &&
		!leavesOf(parametersOf(step)).some((text) => typeof text === 'string' && text.startsWith('='));
	const passesOn = (step: string): boolean =>
		(PASSING_ON.test(typeOf(step)) && !isTyped(step)) || isDryRun(step);
	const parentsOf = (step: string): string[] =>
		hostOf(context).workflow?.getParentNodes?.(step, 'main', 1) ?? [];
	const isWired: WorkflowSteps['isWired'] = (
		{ previousNode, previousNodeOutput = 0 },
		step,
		input = 0,
	) => {
		const inputsOf = (name: string) =>
			hostOf(context).workflow?.connectionsByDestinationNode?.[name]?.main;
		const inputs = inputsOf(step);
		if (!inputs) return true;
		const wires = [...((inputs.length > 1 ? inputs[input] : inputs[0]) ?? [])];
		// Execute step leaves out what is deactivated (n8n behaviour).
		const seen = new Set<string>();
		for (const { node, index } of wires) {
			if (node === previousNode && index === previousNodeOutput) return true;
			if (nodeOf(node)?.disabled !== true || seen.has(node)) continue;
			seen.add(node);
			wires.push(...(inputsOf(node)?.[0] ?? []));
		}
		return false;
	};
	return {
		nodeOf,
		typeOf,
		parametersOf,
		isDisabled: (step) => nodeOf(step)?.disabled === true,
		parentsOf,
		isWired,
		isBehind: (step, other) =>
			hostOf(context).workflow?.getChildNodes?.(other, 'main', -1).includes(step) === true,
		ran: () => Object.keys(hostOf(context).runExecutionData?.resultData?.runData ?? {}),
		itemsOf,
		sourcesOf: (step, output, run = -1) =>
			failures.sourcesOf(
				step,
				typeOf(step) === LOOP && output !== ((nodeOf(step)?.typeVersion ?? 3) < 3 ? 1 : 0)
					? 0
					: run,
			),
		isDryRun,
		passesOn,
		upTo(step) {
			const found = new Set([step]);
			for (const name of found)
				if (passesOn(name)) for (const parent of parentsOf(name)) found.add(parent);
			return [...found];
		},
		failures,
	};
}
