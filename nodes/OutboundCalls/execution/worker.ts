import type { IExecuteFunctions } from 'n8n-workflow';

/** Whether this process is one of several that execute workflows (queue mode). The host's own contexts carry that, and no documented function tells it. */
export const isWorker = (context: IExecuteFunctions): boolean =>
	(context as unknown as { instanceSettings?: { instanceType?: string } }).instanceSettings
		?.instanceType === 'worker';
