import { setTimeout as onMachine } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import type { IRunExecutionData } from 'n8n-workflow';
import {
	outputsOf,
	run,
	type Finished,
	type Output,
	type RunRequest,
} from '../engine/helpers/harness';
import type { Sandbox } from '../sandbox';
import { requestOf } from './request';
import type { Row } from './rows';
import type { Settings, Shape } from './shape';
import type { KillableStore } from './store';
import { isToldToWait, pausesEnd } from './waits';
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
	/** Its ID, which stands in each of its requests, too. */
	mark: string;
	finished: Finished;
	/** Milliseconds since 1970, on the campaign's clock. */
	beganAt: number;
	endedAt: number;
	settings: Settings;
	rows: readonly Row[];
	/** The execution that it continues. */
	parent: Execution | undefined;
	/** No other one ran at any time while it did. */
	wasAlone: boolean;
	/** How it was ended before it ended by itself. */
	broken: 'stop' | 'kill' | undefined;
	/** Longer, or with more requests, than any run has reason to. */
	wasEndless: boolean;
}

export interface Start {
	settings: Settings;
	rows: readonly Row[];
	parent?: Execution | undefined;
	mode?: RunRequest['mode'];
	stopAt?: StopAt | undefined;
}

/** Broken off at a moment of one of its requests: the first one is 1. */
export interface StopAt {
	how: 'stop' | 'kill';
	request: number;
	moment: Moment;
	/** Its record is the one that n8n writes as Stop is pressed, and not the one as the node has ended. */
	keepsFirstRecord: boolean;
}

let started = 0;

/** Runs workflows of one campaign, and watches that each of them ends. */
export class Executions {
	readonly all: Execution[] = [];
	private readonly running = new Set<Guard>();
	/** The API has asked to come back later, and whoever runs the campaign does so. */
	private isToWait = false;

	constructor(
		private readonly shape: Shape,
		private readonly sandbox: Sandbox,
		private readonly store: KillableStore,
	) {}

	async start({ settings, rows, parent, mode, stopAt }: Start): Promise<Execution> {
		const { sandbox, shape, store } = this;
		const mark = `execution-${++started}`;
		if (this.running.size === 0 && this.isToWait) pausesEnd(sandbox);
		this.isToWait &&= this.running.size > 0;
		const guard = new Guard(mark, (rows.length + 5) * REQUESTS_PER_ROW, stopAt, store);
		this.running.add(guard);
		const beganAt = Date.now();
		if (this.running.size > 1) for (const each of this.running) each.wasAlone = false;
		try {
			const finished = await run({
				...requestOf(shape, settings, rows, sandbox),
				...(mode ? { mode } : {}),
				mark,
				executionId: mark,
				retryOf: parent?.finished,
				withSavedWorkflow: true,
				onStarted: (stop, { executionData }) => guard.open(stop, executionData!),
			});
			const { wasAlone, broken, wasEndless, contextThen } = guard;
			if (contextThen) finished.data.executionData!.contextData = contextThen;
			if (broken || wasEndless) await quiet(sandbox);
			const { message, description } = finished.error ?? {};
			this.isToWait ||= isToldToWait([message, description, finished.json]);
			const began = { mark, beganAt, endedAt: Date.now(), settings, rows, parent };
			const execution: Execution = { ...began, finished, wasAlone, broken, wasEndless };
			this.all.push(execution);
			return execution;
		} finally {
			store.isDead = false;
			this.running.delete(guard);
			guard.close();
		}
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
		const { rows, finished } = execution;
		const rounds = Math.ceil(rows.length / (this.shape.batchSize || rows.length));
		return finished.outputStands && this.rounds(execution).length === rounds;
	}
}

type Kept = NonNullable<IRunExecutionData['executionData']>;

/** Breaks an execution off where its campaign says so, and where it has no end. */
class Guard {
	wasAlone = true;
	broken: StopAt['how'] | undefined;
	wasEndless = false;
	/** What n8n kept for the node as it was stopped. */
	contextThen: Kept['contextData'] | undefined;
	private readonly watches: Array<() => void> = [];

	constructor(
		private readonly mark: string,
		private readonly mostRequests: number,
		private readonly stopAt: StopAt | undefined,
		private readonly store: KillableStore,
	) {}

	open(stop: () => void, kept: Kept): void {
		const { stopAt, mark } = this;
		const endless = (): void => {
			if (this.wasEndless || this.broken) return;
			this.wasEndless = true;
			stop();
		};
		this.count('left', mark, this.mostRequests, endless);
		if (stopAt) {
			this.count(stopAt.moment, mark, stopAt.request, () => {
				if (this.wasEndless) return;
				this.broken = stopAt.how;
				this.store.isDead = stopAt.how === 'kill';
				if (stopAt.keepsFirstRecord) this.contextThen = structuredClone(kept.contextData);
				stop();
			});
		}
		const timer = onMachine(endless, LONGEST_RUN_MS);
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

/** A client that is gone may have left connections that the server has not read yet. */
async function quiet(sandbox: Sandbox): Promise<void> {
	for (let seen = -1; seen !== sandbox.requests.length || sandbox.inFlight > 0;) {
		seen = sandbox.requests.length;
		await delay(10);
	}
}

/** The execution and those that it continues, the first one last. */
export function lineage(execution: Execution): Execution[] {
	const found: Execution[] = [];
	for (let each: Execution | undefined = execution; each; each = each.parent) found.push(each);
	return found;
}
