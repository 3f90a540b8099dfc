import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isEvaluation } from '../../../nodes/OutboundCalls/execution/evaluation';

interface Host {
	mode: string;
	$evaluation?: unknown;
	/** Names of the steps that ran, with their types. */
	steps?: Record<string, string>;
	/** What they gave; a dataset says how many rows are left. */
	gives?: IDataObject;
}

const dataset = 'n8n-nodes-base.evaluationTrigger';
const webhook = 'n8n-nodes-base.webhook';

/** What a host tells of an execution; `Away` is the name of a step that was renamed since. */
const contextOf = ({ mode, $evaluation, steps = {}, gives = {} }: Host): IExecuteFunctions =>
	({
		getMode: () => mode,
		getWorkflowDataProxy: () => ({ $evaluation }),
		runExecutionData: {
			resultData: {
				runData: Object.fromEntries(
					Object.entries(steps).map(([name, type]) => [
						name,
						[{ data: { main: [[{ json: type === dataset ? { _rowsLeft: 2 } : gives }]] } }],
					]),
				),
			},
		},
		workflow: {
			nodes: Object.fromEntries(
				Object.entries(steps).flatMap(([name, type]) =>
					name === 'Away' ? [] : [[name, { type }]],
				),
			),
		},
	}) as unknown as IExecuteFunctions;

it.each<[Host, boolean]>([
	[{ mode: 'evaluation' }, true],
	[{ mode: 'integrated', $evaluation: { runId: '7' } }, true],
	[{ mode: 'integrated' }, false],
	[{ mode: 'manual', steps: { Rows: dataset } }, true],
	[{ mode: 'retry', steps: { Rows: dataset, Prepare: 'n8n-nodes-base.set' } }, true],
	[{ mode: 'retry', steps: { Start: webhook } }, false],
	[{ mode: 'retry', steps: { Away: dataset } }, true],
	[{ mode: 'retry', steps: { Away: webhook } }, false],
	[{ mode: 'retry', steps: { Rows: 'n8n-nodes-base.noOp' }, gives: { _rowsLeft: 1 } }, true],
	[{ mode: 'webhook', steps: { Start: webhook } }, false],
])('%j is one of n8n’s Evaluations: %s', (host, is) => {
	expect(isEvaluation(contextOf(host))).toBe(is);
});

it('a host that tells nothing of the workflow and its steps is asked for the mode alone', () => {
	const context = {
		getMode: () => 'trigger',
		getWorkflowDataProxy: () => ({}),
		runExecutionData: null,
	} as unknown as IExecuteFunctions;
	expect(isEvaluation(context)).toBe(false);
});
