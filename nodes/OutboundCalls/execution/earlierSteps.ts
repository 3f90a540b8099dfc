import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { saysOptedOut } from '../domain/callOutcome';
import type { Fields } from '../domain/fields';
import { isSameKind, savedAt } from './host';
import { type ReadSteps, readSteps } from './readSteps';
import { type RowOrigins, rowOrigins } from './rowOrigins';
import { type TakenSteps, takenSteps } from './takenSteps';
import { type Asked, workflowSteps } from './workflowSteps';

/** The steps before the node, as far as its expressions may name them. */
export interface EarlierSteps extends ReadSteps, RowOrigins, TakenSteps {
	/** All items of a step, or of the input; none where the host does not tell them. */
	itemsOf(step: string | undefined): readonly Fields[];
	/** That of which a row is; undefined where the host does not tell. */
	itemOf(step: string, row: number): Fields | undefined;
	/**
	 * All items of the input, where the node is given fewer (n8n behaviour): with Execute Once the first one, as the tool of an AI Agent before version 3 none of
	 * them, and $json is the first, whichever the agent is at. None where it is given as many.
	 */
	wholeInput(): readonly Fields[];
	/**
	 * The numbers of people of whom another node of this kind has said that they opted out, as it tells them, also in an execution before this one: Execute step takes what
	 * it gave then, and none of the state (n8n behaviour). `isKnown`: nodes by their IDs that need not be asked. Undefined where no other one has run.
	 */
	optedOutBefore(isKnown: (id: string) => boolean): unknown[] | undefined;
	/** When the workflow was saved as it is, in epoch milliseconds; not a number where the host does not tell. */
	savedAt(): number;
}

interface StepProxy {
	all(): INodeExecutionData[];
	itemMatching: (row: number) => INodeExecutionData | undefined;
}

export function earlierSteps(context: IExecuteFunctions): EarlierSteps {
	/** The host makes a new proxy each time, and works out anew who stands before whom as often as one of its methods is looked up: both take it longer than to answer. */
	const once = <T>(make: (step: string) => T): ((step: string) => T) => {
		const made = new Map<string, T>();
		return (step) => {
			const one = made.get(step) ?? make(step);
			made.set(step, one);
			return one;
		};
	};
	const proxyOf = once((step) =>
		(
			context.getWorkflowDataProxy(0) as unknown as {
				$: (step: string, wholeItems: true) => StepProxy;
			}
		).$(step, true),
	);
	const matcherOf = once((step) => proxyOf(step).itemMatching);
	const asked: Asked = {
		source: () => ifTold(() => context.getInputSourceData()),
		all: (step) => ifTold(() => proxyOf(step).all()),
		matching(step, rows) {
			const items = ifTold(() => rows.map((row) => matcherOf(step)(row)));
			return items?.every((item) => item !== undefined) ? items : undefined;
		},
	};
	const itemsOf = (step: string | undefined): readonly Fields[] =>
		(step === undefined ? context.getInputData() : (asked.all(step) ?? [])).map(({ json }) => json);
	const wholeInput = (): readonly Fields[] => {
		const items =
			ifTold(() =>
				(context.getWorkflowDataProxy(0).$input as { all(): INodeExecutionData[] }).all(),
			) ?? [];
		return items.length > context.getInputData().length ? items.map(({ json }) => json) : [];
	};
	/** Several columns of a row ask, one after the other. */
	let last: { step: string; row: number; item: Fields | undefined } | undefined;
	const itemOf = (step: string, row: number): Fields | undefined => {
		if (last?.step !== step || last.row !== row)
			last = { step, row, item: asked.matching(step, [row])?.[0]?.json };
		return last.item;
	};
	const steps = workflowSteps(context, asked);
	const { name, parameters, type } = context.getNode();
	const optedOutBefore: EarlierSteps['optedOutBefore'] = (isKnown) => {
		const others = steps
			.ran()
			.filter(
				(step) =>
					step !== name &&
					isSameKind(steps.typeOf(step), type) &&
					!isKnown(steps.nodeOf(step)?.id ?? ''),
			);
		return others.length === 0
			? undefined
			: others
					.flatMap((step) => steps.failures.outputsOf(step))
					.flatMap(({ json }) => (saysOptedOut(json) ? [json.destination] : []));
	};
	return {
		itemsOf,
		itemOf,
		wholeInput,
		optedOutBefore,
		savedAt: () => savedAt(context),
		...takenSteps(steps, name, () => asked.source(), parameters),
		...readSteps(context, steps, asked),
		...rowOrigins(context, itemsOf, asked),
	};
}

/** The host throws where it does not know a step, or not whose items they are. */
function ifTold<T>(asked: () => T): T | undefined {
	try {
		return asked();
	} catch {
		return undefined;
	}
}
