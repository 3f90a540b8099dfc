import type { INodeExecutionData, IRun } from 'n8n-workflow';
import { answerMessages } from './childProcess';
import { Engine } from './engine';
import type { Ground, Run, RunOptions, Task } from './messages';
import { peakOf } from './memory';
import { profiled } from './profile';
import { campaignRows } from './rows';
import { sender } from './sender';
import { twin } from './twin';
import { CALLS, followWorkflow, twinWorkflow, workflowOf, type MeasuredWorkflow } from './workflows';

/** The measured process: nothing but n8n's engine, the nodes and the clock. */
const ground = JSON.parse(process.env.BENCH_GROUND!) as Ground;
const opened = Engine.open(ground, { 'bench.twin': twin, 'bench.sender': sender });

answerMessages(async (task: Task) => {
	const engine = await opened;
	switch (task.kind) {
		case 'run':
			return await measured(engine, workflowOf[task.side](task.options), task.options, asItems(campaignRows(task.options.rows)));
		case 'follow':
			return await measured(engine, followWorkflow(task.options), task.options, asItems(task.rows));
		case 'memory': {
			const workflow = task.side === 'twin' ? twinWorkflow() : workflowOf[task.side](task.options);
			const start = engine.prepare(workflow, credentialOf(task.options));
			// Code that is loaded and compiled on first use does not count as memory for the rows.
			for (let i = 0; i < WARM_UPS; i++) await start(asItems(campaignRows(WARM_UP_ROWS)));
			return await peakOf(async (context) => await start(asItems(campaignRows(task.options.rows)), context), expectNoMessage);
		}
		case 'profile': {
			const items = asItems(campaignRows(task.options.rows));
			const start = engine.prepare(workflowOf[task.side](task.options), credentialOf(task.options));
			return await profiled(ground, async () => expectNoMessage(await start(items)));
		}
	}
});

const WARM_UPS = 5;
const WARM_UP_ROWS = 100;

const asItems = (rows: Array<INodeExecutionData['json']>): INodeExecutionData[] => rows.map((json) => ({ json }));

const credentialOf = ({ baseUrl, token }: Omit<RunOptions, 'rows'>) => ({ baseUrl, apiToken: token, callbackSecret: '' });

async function measured(engine: Engine, workflow: MeasuredWorkflow, options: Omit<RunOptions, 'rows'>, items: INodeExecutionData[]): Promise<Run> {
	const start = engine.prepare(workflow, credentialOf(options));
	globalThis.gc?.();
	const cpu = process.cpuUsage();
	const startedAt = performance.now();
	const finished = await start(items);
	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpu);
	const { runData, error } = finished.data.resultData;
	const rows = runData[error ? CALLS : workflow.last]?.at(-1)?.data?.main?.[0] ?? [];
	return {
		cpuMs: (user + system) / 1_000,
		wallMs,
		items: rows.length,
		statuses: statusesOf(rows),
		...(error ? { message: error.message } : {}),
		endedAt: Date.now(),
		maxRssBytes: process.resourceUsage().maxRSS * 1_024,
	};
}

function statusesOf(rows: INodeExecutionData[]): Record<string, number> {
	const statuses: Record<string, number> = {};
	for (const { json, error } of rows) {
		const status = (error ?? json.error) ? 'error' : typeof json.status === 'string' ? json.status : 'none';
		statuses[status] = (statuses[status] ?? 0) + 1;
	}
	return statuses;
}

function expectNoMessage({ data }: IRun): void {
	if (data.resultData.error) throw data.resultData.error;
}
