import type { IExecuteFunctions } from 'n8n-workflow';
import { hostOf, typeOfStep } from './host';

/** The step that gives an evaluation its rows (n8n behaviour). */
const EVALUATION_TRIGGER = 'n8n-nodes-base.evaluationTrigger';

/**
 * Whether n8n evaluates this workflow, or one that has called it as a sub-workflow (newer hosts tell it so). As n8n's own node
 * Evaluation sees it, an execution that began with the Evaluation Trigger is one, too: started by hand, or by the Retry button,
 * of which the host tells no more than that it is a Retry.
 */
export function isEvaluation(context: IExecuteFunctions): boolean {
	const { $evaluation } = context.getWorkflowDataProxy(0) as { $evaluation?: unknown };
	return context.getMode() === 'evaluation' || $evaluation !== undefined || beganWithDataset(context);
}

function beganWithDataset(context: IExecuteFunctions): boolean {
	const host = hostOf(context);
	return Object.keys(host.runExecutionData?.resultData?.runData ?? {}).some((name) => typeOfStep(host, name) === EVALUATION_TRIGGER);
}
