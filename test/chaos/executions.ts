import type { IDataObject } from 'n8n-workflow';
import {
	outputsOf,
	run,
	type Finished,
	type Output,
	type RunRequest,
} from '../engine/helpers/harness';
import type { Sandbox } from '../sandbox';
import { isToldToWait, later } from './later';
import { placesOf } from './checks';
import type { Chance } from './random';
import { requestOf } from './request';
import type { Row } from './rows';
import type { Settings, Shape } from './shape';
import { type Moment, watch } from './watch';

/** Only a run that waits for nothing takes as long, on whatever machine. */
const LONGEST_RUN_MS = 120_000;
/** No run of a campaign has reason to send as many, for each of its rows. */
const REQUESTS_PER_ROW = 40;

/** The rows of one round and what came out of the node for them. */
export interface Round extends Output {
	rows: readonly Row[];
}

/** One execution of the workflow, by hand, by Retry or as a sub-workflow. */
export interface Execution {
	/** Stands in each of its requests. No other execution of the process has the same. */
	mark: string;
	finished: Finished;
	settings: Settings;
	rows: readonly Row[];
	/** The execution that it continues. */
	parent: Execution | undefined;
	/** No other one ran at any time while it did. */
	wasAlone: boolean;
	/** It was stopped or killed before it ended by itself. */
	wasBroken: boolean;
	/** Longer, or with more requests, than any run has reason to. */
	wasEndless: boolean;
}

export interface Start {
	settings: Settings;
	rows: readonly Row[];
	parent?: Execution | undefined;
	/** As the execution was started that it continues, and not with these settings: n8n offers both. */
	withOriginalWorkflow?: boolean;
	mode?: RunRequest['mode'];
	stopAt?: StopAt | undefined;
}

/** Stopped at a moment of one of its requests: the first one is 1. */
export interface StopAt {
	request: number;
	moment: Moment;
}

let started = 0;

/** Runs workflows of one campaign, and watches that each of them ends. */
export class Executions {
	readonly all: Execution[] = [];
	/** Those of the deactivated node, which are nobody's parents. */
	readonly deactivated: Execution[] = [];
	private readonly running = new Set<Guard>();
	/** The API has asked to come back later, and whoever runs the campaign does so. */
	private isToWait = false;

	constructor(
		private readonly shape: Shape,
		private readonly sandbox: Sandbox,
		/** When the node is deactivated. */
		private readonly chance: Chance,
	) {}

	async start(start: Start): Promise<Execution> {
		if (this.shape.isDeactivated && this.chance.is(0.3)) await this.startDeactivated(start);
		const { settings, rows, parent, withOriginalWorkflow = false, mode, stopAt } = start;
		const { sandbox, shape } = this;
		const effective =
			parent && withOriginalWorkflow ? asStored(parent.settings, settings) : settings;
		const mark = `execution-${++started}`;
		if (this.running.size === 0 && this.isToWait) later();
		this.isToWait &&= this.running.size > 0;
		const guard = new Guard(mark, (rows.length + 5) * REQUESTS_PER_ROW, stopAt);
		this.running.add(guard);
		if (this.running.size > 1) for (const each of this.running) each.wasAlone = false;
		try {
			const finished = await run({
				...requestOf(shape, effective, rows, sandbox, firstRows(parent)),
				...(mode ? { mode } : {}),
				mark,
				retryOf: this.recordOf(parent, rows),
				withSavedWorkflow: true,
				onStarted: (stop) => guard.open(stop),
			});
			this.isToWait ||= isToldToWait([
				finished.error?.message,
				finished.error?.description,
				finished.json,
			]);
			const { wasAlone, wasBroken, wasEndless } = guard;
			const execution = {
				mark,
				finished,
				settings: effective,
				rows,
				parent,
				wasAlone,
				wasBroken,
				wasEndless,
			};
			this.all.push(execution);
			return execution;
		} finally {
			this.running.delete(guard);
			guard.close();
		}
	}

	/** What somebody does who has deactivated the node, by hand or by Retry, and then activates it again. */
	private async startDeactivated({ settings, rows, parent, mode }: Start): Promise<void> {
		const mark = `execution-${++started}`;
		const finished = await run({
			...requestOf(this.shape, settings, rows, this.sandbox, firstRows(parent)),
			...(mode ? { mode } : {}),
			disabled: true,
			mark,
			retryOf: this.recordOf(parent, rows),
			withSavedWorkflow: true,
		});
		this.deactivated.push({
			mark,
			finished,
			settings,
			rows,
			parent,
			wasAlone: false,
			wasBroken: false,
			wasEndless: false,
		});
	}

	/** The record of the execution that is retried, with the rows as they come from the step before now. */
	private recordOf(parent: Execution | undefined, rows: readonly Row[]): Finished | undefined {
		const { byItem, batchSize } = this.shape;
		return parent && byItem && batchSize === 0
			? {
					...parent.finished,
					data: withInput(parent.finished.data, rows, placesOf(rows, firstRows(parent) ?? rows)),
				}
			: parent?.finished;
	}

	/** The rounds that came out of an execution, with their rows. */
	rounds({ finished, rows }: Execution): Round[] {
		const size = this.shape.batchSize || rows.length;
		return outputsOf(finished).map((output, round) => ({
			...output,
			rows: rows.slice(round * size, (round + 1) * size),
		}));
	}

	/** Those of them that came out of this execution, and not of one that it continues. */
	newRounds(execution: Execution): Round[] {
		const { parent } = execution;
		return this.rounds(execution).slice(parent ? this.rounds(parent).length : 0);
	}

	/** Whether all rows came out, in all rounds. */
	isComplete(execution: Execution): boolean {
		const rounds = Math.ceil(
			execution.rows.length / (this.shape.batchSize || execution.rows.length),
		);
		return execution.finished.outputStands && this.rounds(execution).length === rounds;
	}
}

/** Stops an execution where its campaign says so, and where it has no end. */
class Guard {
	wasAlone = true;
	wasBroken = false;
	wasEndless = false;
	private readonly watches: Array<() => void> = [];

	constructor(
		private readonly mark: string,
		private readonly mostRequests: number,
		private readonly stopAt: StopAt | undefined,
	) {}

	open(stop: () => void): void {
		const { stopAt, mark } = this;
		const endless = (): void => {
			if (this.wasEndless || this.wasBroken) return;
			this.wasEndless = true;
			stop();
		};
		this.count('left', mark, this.mostRequests, endless);
		if (stopAt) {
			this.count(stopAt.moment, mark, stopAt.request, () => {
				if (this.wasEndless) return;
				this.wasBroken = true;
				stop();
			});
		}
		const timer = setTimeout(endless, LONGEST_RUN_MS);
		this.watches.push(() => clearTimeout(timer));
	}

	close(): void {
		for (const end of this.watches) end();
	}

	private count(moment: Moment, mark: string, most: number, reached: () => void): void {
		let seen = 0;
		this.watches.push(watch(moment, mark, () => ++seen === most && reached()));
	}
}

/** The execution and those that it continues, the first one last. */
export function lineage(execution: Execution): Execution[] {
	const found: Execution[] = [];
	for (let each: Execution | undefined = execution; each; each = each.parent) found.push(each);
	return found;
}

/** The rows as the first execution of these read them, which is the one that has run the steps before the node. */
const firstRows = (execution: Execution | undefined): readonly Row[] | undefined =>
	execution && lineage(execution).at(-1)!.rows;

/** The settings of the first execution; whether the credential can be read is a matter of now. */
function asStored({ spoiled: before, ...stored }: Settings, { spoiled: now }: Settings): Settings {
	const spoiled = now === 'credential' ? now : before === 'credential' ? undefined : before;
	return spoiled === undefined ? stored : { ...stored, spoiled };
}

/** The rows in another order, as when the step before the node reads them once more. */
function withInput(
	data: Finished['data'],
	rows: readonly Row[],
	places: readonly number[],
): Finished['data'] {
	const copy = JSON.parse(JSON.stringify(data)) as Finished['data'];
	const [next] = copy.executionData?.nodeExecutionStack ?? [];
	if (next?.data.main?.[0]?.length !== rows.length) return copy;
	const read = rows.map(({ item }, position) => ({
		json: item,
		pairedItem: { item: places[position]! },
	}));
	next.data.main[0] = read;
	// n8n asks the step before whose item a row is.
	for (const { data: output } of copy.resultData.runData.Rows ?? [])
		if (output) output.main = [read];
	return copy;
}

/** A record of an execution in which a step before the node failed: nothing of the node is in it, and n8n offers Retry. */
export async function failedBefore(
	executions: Executions,
	settings: Settings,
	rows: readonly Row[],
): Promise<Execution> {
	const execution = await executions.start({
		settings: { ...settings, onError: 'stopWorkflow', spoiled: 'credential' },
		rows,
	});
	const { data } = execution.finished;
	const record = JSON.parse(JSON.stringify(data)) as Finished['data'];
	delete record.resultData.runData.Calls;
	delete record.resultData.error;
	const kept = record.executionData?.contextData as IDataObject | undefined;
	for (const context of ['node:Calls', 'flow']) Reflect.deleteProperty(kept ?? {}, context);
	execution.finished = { ...execution.finished, data: record };
	execution.settings = { ...settings, onError: 'stopWorkflow' };
	return execution;
}

/** Rows in another order, where the order is that of the items. */
export const reordered = (
	chance: Chance,
	{ byItem, batchSize }: Shape,
	rows: readonly Row[],
): readonly Row[] => (byItem && batchSize === 0 && chance.is(0.3) ? chance.shuffled(rows) : rows);
