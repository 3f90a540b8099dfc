import type { INodeExecutionData, IRun } from 'n8n-workflow';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { answerMessages } from './childProcess';
import { Engine } from './engine';
import type { Ground, Run, RunOptions, Task } from './messages';
import { peakOf } from './memory';
import { profiled } from './profile';
import { campaignRows } from './rows';
import { sender } from './sender';
import { twin } from './twin';
import {
	CALLS,
	followWorkflow,
	twinWorkflow,
	workflowOf,
	type MeasuredWorkflow,
} from './workflows';

/** The measured process: nothing but n8n's engine, the nodes and the clock. */
const ground = JSON.parse(process.env.BENCH_GROUND!) as Ground;
const opened = Engine.open(ground, { 'bench.twin': twin, 'bench.sender': sender });

answerMessages(async (task: Task) => {
	const engine = await opened;
	switch (task.kind) {
		case 'run':
			return await measured(
				engine,
				workflowOf[task.side](task.options),
				task.options,
				asItems(campaignRows(task.options.rows)),
			);
		case 'follow':
			return await measured(engine, followWorkflow(task.options), task.options, asItems(task.rows));
		case 'many': {
			// Each with its own person, as of a webhook.
			const rows = campaignRows(task.executions);
			return await measured(
				engine,
				workflowOf.node(task.options),
				task.options,
				[],
				async (start) => {
					let last: IRun | undefined;
					for (let from = 0; from < rows.length; from += AT_ONCE) {
						const some = rows.slice(from, from + AT_ONCE);
						last = (await Promise.all(some.map(async (row) => await start(asItems([row])))))[0];
					}
					return last!;
				},
			);
		}
		case 'memory': {
			const workflow = task.side === 'twin' ? twinWorkflow() : workflowOf[task.side](task.options);
			const start = engine.prepare(workflow, credentialOf(task.options));
			// Code that is loaded and compiled on first use does not count as memory for the rows.
			for (let i = 0; i < WARM_UPS; i++) await start(asItems(campaignRows(WARM_UP_ROWS)));
			return await peakOf(
				async (context) => await start(asItems(campaignRows(task.options.rows)), context),
				expectNoMessage,
			);
		}
		case 'profile': {
			const items = asItems(campaignRows(task.options.rows));
			const start = engine.prepare(workflowOf[task.side](task.options), credentialOf(task.options));
			return await profiled(ground, async () => expectNoMessage(await start(items)));
		}
	}
});

/** Executions at the same time. */
const AT_ONCE = 20;
const WARM_UPS = 5;
const WARM_UP_ROWS = 100;

const asItems = (rows: Array<INodeExecutionData['json']>): INodeExecutionData[] =>
	rows.map((json) => ({ json }));

const credentialOf = ({ baseUrl, token }: Omit<RunOptions, 'rows'>) => ({
	baseUrl,
	apiToken: token,
	callbackSecret: '',
});

async function measured(
	engine: Engine,
	workflow: MeasuredWorkflow,
	options: Omit<RunOptions, 'rows'>,
	items: INodeExecutionData[],
	work: (start: ReturnType<Engine['prepare']>) => Promise<IRun> = async (start) =>
		await start(items),
): Promise<Run> {
	const start = engine.prepare(workflow, credentialOf(options));
	globalThis.gc?.();
	const before = { timers: timers(), heapBytes: process.memoryUsage().heapUsed };
	const stops = monitorEventLoopDelay({ resolution: 1 });
	let longestCollectionMs = 0;
	const collections = new PerformanceObserver((list) => {
		for (const { duration } of list.getEntries())
			longestCollectionMs = Math.max(longestCollectionMs, duration);
	});
	collections.observe({ entryTypes: ['gc'] });
	stops.enable();
	const cpu = process.cpuUsage();
	const startedAt = performance.now();
	const finished = await work(start);
	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpu);
	// A stop counts once it is over and others had their turn.
	await new Promise((resolve) => setTimeout(resolve, 5));
	stops.disable();
	collections.disconnect();
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
		longestStopMs: stops.max / 1e6,
		longestCollectionMs,
		...(await left(engine, before)),
	};
}

const timers = (): number =>
	process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

async function left(engine: Engine, before: { timers: number; heapBytes: number }) {
	// Connections close, and what they held goes.
	await new Promise((resolve) => setTimeout(resolve, 100));
	globalThis.gc?.();
	return {
		timersLeft: Math.max(0, timers() - before.timers),
		listenersLeft: engine.listenersLeft,
		heldBytes: Math.max(0, process.memoryUsage().heapUsed - before.heapBytes),
	};
}

function statusesOf(rows: INodeExecutionData[]): Record<string, number> {
	const statuses: Record<string, number> = {};
	for (const { json, error } of rows) {
		const status =
			(error ?? json.error) ? 'error' : typeof json.status === 'string' ? json.status : 'none';
		statuses[status] = (statuses[status] ?? 0) + 1;
	}
	return statuses;
}

function expectNoMessage({ data }: IRun): void {
	if (data.resultData.error) throw data.resultData.error;
}
