import type { IExecuteFunctions, ITaskData } from 'n8n-workflow';
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
	return (
		context.getMode() === 'evaluation' || $evaluation !== undefined || beganWithDataset(context)
	);
}

function beganWithDataset(context: IExecuteFunctions): boolean {
	const host = hostOf(context);
	const ran = Object.entries(host.runExecutionData?.resultData?.runData ?? {});
	return ran.some(
		([name, runs]) => typeOfStep(host, name) === EVALUATION_TRIGGER || givesDataset(runs),
	);
}

/** A trigger that was renamed or deleted before a Retry is known by what it says of each row: how many are left (n8n behaviour). */
const givesDataset = (runs: ITaskData[]): boolean =>
	runs[0]?.data?.main?.[0]?.[0]?.json._rowsLeft !== undefined;
