import type { INodeExecutionData, IRun } from 'n8n-workflow';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { answerMessages } from './childProcess';
import { Engine } from './engine';
import { peakOf } from './memory';
import type { Ground, Run, RunOptions, Task } from './messages';
import { campaignRows, countStatuses } from './rows';
import { sender } from './sender';
import { measuredWorkflow } from './workflows';

/** The measured process: nothing but n8n's engine, the nodes and the clock. */
const ground = JSON.parse(process.env.BENCH_GROUND!) as Ground;
const opened = Engine.open(ground, {
	// Its items are pinned.
	'n8n-nodes-base.manualTrigger': sender,
	'bench.sender': sender,
});

const WARM_UPS = 5;
const WARM_UP_ROWS = 100;

answerMessages(async ({ kind, side, options }: Task) => {
	const engine = await opened;
	const { baseUrl, token, rows } = options;
	const start = engine.prepare(measuredWorkflow(side, options), {
		baseUrl,
		apiToken: token,
		callbackSecret: '',
	});
	if (kind === 'run') return await measured(async () => await start(itemsOf(rows)));
	// Code that is loaded and compiled on first use does not count as memory for the rows.
	for (let i = 0; i < WARM_UPS; i++) await start(itemsOf(WARM_UP_ROWS));
	return await peakOf(async (context) => await start(itemsOf(rows), context), expectNoMessage);
});

const itemsOf = (rows: RunOptions['rows']): INodeExecutionData[] =>
	(typeof rows === 'number' ? campaignRows(rows) : rows).map((json) => ({ json }));

async function measured(work: () => Promise<IRun>): Promise<Run> {
	globalThis.gc?.();
	const timersBefore = timers();
	const stops = monitorEventLoopDelay({ resolution: 1 });
	stops.enable();
	const cpu = process.cpuUsage();
	const startedAt = performance.now();
	const finished = await work();
	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpu);
	// A stop counts once it is over and others had their turn.
	await new Promise((resolve) => setTimeout(resolve, 5));
	stops.disable();
	expectNoMessage(finished);
	for (let looks = 0; looks < 20 && timers() > timersBefore; looks++)
		await new Promise((resolve) => setTimeout(resolve, 5));
	const { runData, lastNodeExecuted } = finished.data.resultData;
	return {
		cpuMs: (user + system) / 1_000,
		wallMs,
		statuses: countStatuses(runData[lastNodeExecuted!]?.at(-1)?.data?.main?.[0] ?? []),
		longestStopMs: stops.max / 1e6,
		timersLeft: Math.max(0, timers() - timersBefore),
	};
}

const timers = (): number =>
	process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

function expectNoMessage({ data }: IRun): void {
	if (data.resultData.error) throw data.resultData.error;
}
