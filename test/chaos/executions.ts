import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { run, type Finished, type RunRequest } from '../engine/helpers/harness';
import type { Sandbox } from '../sandbox';
import type { Chance } from './random';
import { requestOf } from './request';
import type { Row } from './rows';
import type { Settings, Shape } from './shape';

/** No run of a campaign takes as long, on whatever machine. */
const LONGEST_RUN_MS = 20_000;
/** No run of a campaign has reason to send as many, for each of its rows. */
const REQUESTS_PER_ROW = 40;

/** The rows of one round and what came out of the node for them. */
export interface Round {
	rows: readonly Row[];
	called: INodeExecutionData[];
	notCalled: INodeExecutionData[];
	errorItems: INodeExecutionData[];
}

/** One execution of the workflow, by hand, by Retry or as a sub-workflow. */
export interface Execution {
	finished: Finished;
	settings: Settings;
	rows: readonly Row[];
	/** The execution that it continues. */
	parent: Execution | undefined;
	/** Its dials and requests are those of the sandbox from here … to here; with others', where it ran beside them. */
	from: Mark;
	to: Mark;
	isAlone: boolean;
	/** It was stopped or killed before it ended by itself. */
	wasBroken: boolean;
	/** Longer, or with more requests, than any run has reason to. */
	wasEndless: boolean;
}

interface Mark {
	dials: number;
	requests: number;
}

export interface Start {
	settings: Settings;
	rows: readonly Row[];
	parent?: Execution | undefined;
	/** As the execution was started that it continues, and not with these settings: n8n offers both. */
	withOriginalWorkflow?: boolean;
	mode?: RunRequest['mode'];
	/** Stopped after so many requests. */
	stopAfter?: number | undefined;
	isAlone?: boolean;
}

/** Runs workflows of one campaign, and watches that each of them ends. */
export class Executions {
	readonly all: Execution[] = [];

	constructor(
		private readonly shape: Shape,
		private readonly sandbox: Sandbox,
	) {}

	async start({ settings, rows, parent, withOriginalWorkflow = false, mode, stopAfter, isAlone = true }: Start): Promise<Execution> {
		const { sandbox, shape } = this;
		const from = this.mark();
		const effective = parent && withOriginalWorkflow ? asStored(parent.settings, settings) : settings;
		let [wasBroken, wasEndless] = [false, false];
		const begun = performance.now();
		let watch: NodeJS.Timeout | undefined;
		try {
			const finished = await run({
				...requestOf(shape, effective, rows, sandbox),
				...(mode ? { mode } : {}),
				retryOf:
					parent && (shape.byItem && shape.batchSize === 0 ? { ...parent.finished, data: withInput(parent.finished.data, rows) } : parent.finished),
				withSavedWorkflow: true,
				onStarted: (stop) => {
					watch = setInterval(() => {
						const sent = sandbox.requests.length - from.requests;
						const isEndless = performance.now() - begun > LONGEST_RUN_MS || sent > (rows.length + 5) * REQUESTS_PER_ROW;
						if (wasBroken || wasEndless || !(isEndless || sent >= (stopAfter ?? Infinity))) return;
						if (isEndless) wasEndless = true;
						else wasBroken = true;
						stop();
					}, 1);
				},
			});
			wasEndless ||= performance.now() - begun > LONGEST_RUN_MS;
			const execution = { finished, settings: effective, rows, parent, from, to: this.mark(), isAlone, wasBroken, wasEndless };
			this.all.push(execution);
			return execution;
		} finally {
			clearInterval(watch);
		}
	}

	/** The rounds that came out of an execution, with their rows. */
	rounds({ finished, rows }: Execution): Round[] {
		const size = this.shape.batchSize || rows.length;
		const runs = (finished.data.resultData.runData.Calls ?? []).filter(({ error, data }) => !error && data);
		return runs.map(({ data }, round) => {
			const [called = [], notCalled = [], errorItems = []] = (data?.main ?? []).map((output) => output ?? []);
			return { rows: rows.slice(round * size, (round + 1) * size), called, notCalled, errorItems };
		});
	}

	/** Those of them that came out of this execution, and not of one that it continues. */
	newRounds(execution: Execution): Round[] {
		const { parent } = execution;
		return this.rounds(execution).slice(parent ? this.rounds(parent).length : 0);
	}

	/** Whether all rows came out, in all rounds. */
	isComplete(execution: Execution): boolean {
		const rounds = Math.ceil(execution.rows.length / (this.shape.batchSize || execution.rows.length));
		return execution.finished.outputStands && this.rounds(execution).length === rounds;
	}

	private mark(): Mark {
		return { dials: this.sandbox.journal.length, requests: this.sandbox.requests.length };
	}
}

/** The execution and those that it continues, the first one last. */
export function lineage(execution: Execution): Execution[] {
	const found: Execution[] = [];
	for (let each: Execution | undefined = execution; each; each = each.parent) found.push(each);
	return found;
}

/** The settings of the first execution; whether the credential can be read is a matter of now. */
function asStored({ spoiled: before, ...stored }: Settings, { spoiled: now }: Settings): Settings {
	const spoiled = now === 'credential' ? now : before === 'credential' ? undefined : before;
	return spoiled === undefined ? stored : { ...stored, spoiled };
}

/** The rows in another order, as when the step before the node reads them once more. */
function withInput(data: Finished['data'], rows: readonly Row[]): Finished['data'] {
	const copy = JSON.parse(JSON.stringify(data)) as Finished['data'];
	const [next] = copy.executionData?.nodeExecutionStack ?? [];
	if (next?.data.main?.[0]?.length === rows.length)
		next.data.main[0] = rows.map(({ item }, position) => ({ json: item, pairedItem: { item: position } }));
	return copy;
}

/** A record of an execution in which a step before the node failed: nothing of the node is in it, and n8n offers Retry. */
export async function failedBefore(executions: Executions, settings: Settings, rows: readonly Row[]): Promise<Execution> {
	const execution = await executions.start({ settings: { ...settings, onError: 'stopWorkflow', spoiled: 'credential' }, rows });
	const { data } = execution.finished;
	const record = JSON.parse(JSON.stringify(data)) as Finished['data'];
	delete record.resultData.runData.Calls;
	delete record.resultData.error;
	delete (record.executionData?.contextData as IDataObject | undefined)?.['node:Calls'];
	execution.finished = { ...execution.finished, data: record };
	execution.settings = { ...settings, onError: 'stopWorkflow' };
	return execution;
}

/** Rows in another order, where the order is that of the items. */
export const reordered = (chance: Chance, { byItem, batchSize }: Shape, rows: readonly Row[]): readonly Row[] =>
	byItem && batchSize === 0 && chance.is(0.3) ? chance.shuffled(rows) : rows;
