import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DataDeduplicationService } from 'n8n-core';
import type { ICheckProcessedContextData, IDataObject, INodeParameters } from 'n8n-workflow';
import { DurableStore } from '../engine/helpers/durableStore';
import { type Finished, packageIn, run } from '../engine/helpers/harness';
import { goesOn } from '../engine/helpers/onError';
import { bulk } from '../engine/helpers/workflows';
import { startSandbox } from '../sandbox';
import { Chance } from './random';

/** Campaigns play at the same time, because most of a takeover is waiting. */
const AT_ONCE = 20;
const PROCESSES = 6;
const root = path.join(__dirname, '../..');

type Package = ReturnType<typeof packageIn>;

/** Copies of the package, each with modules of its own. */
function processesIn(folder: string): Package[] {
	return Array.from({ length: PROCESSES }, (_, n) => {
		const copy = path.join(folder, String(n));
		mkdirSync(copy);
		for (const part of ['package.json', 'dist'])
			cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
		return packageIn(copy);
	});
}

/** One process of one campaign. */
class Process {
	isDead = false;
	/** Statements until it dies. */
	lives = Infinity;
	readonly stops = new Set<() => void>();

	constructor(readonly modules: Package) {}

	/** Before or after each statement. */
	live(): void {
		if (this.lives-- === 0) {
			this.isDead = true;
			for (const stop of this.stops) stop();
		}
		if (this.isDead) throw new Error('The process was killed');
	}
}

/** One table for all processes: what one that was killed has not written by then, it never writes. */
class SharedStore extends DurableStore {
	/** By workflow, which each campaign has of its own. */
	readonly processes = new Map<string, Process[]>();

	constructor() {
		super();
		const { checkProcessedAndRecord, removeProcessed, clearAllProcessedItems } = this;
		const { getProcessedDataCount } = this;
		this.checkProcessedAndRecord = async (items, scope, data, options) =>
			await this.by(data, async () => await checkProcessedAndRecord(items, scope, data, options));
		this.removeProcessed = async (items, scope, data, options) =>
			await this.by(data, async () => await removeProcessed(items, scope, data, options));
		this.clearAllProcessedItems = async (scope, data, options) =>
			await this.by(data, async () => await clearAllProcessedItems(scope, data, options));
		this.getProcessedDataCount = async (scope, data, options) =>
			await this.by(data, async () => await getProcessedDataCount(scope, data, options));
	}

	private async by<T>(
		{ workflow }: ICheckProcessedContextData,
		statement: () => Promise<T>,
	): Promise<T> {
		const of = (this.processes.get(workflow.id) ?? []).filter(
			({ modules }) => modules.nodeTypes === (workflow as { nodeTypes?: unknown }).nodeTypes,
		);
		// A new process may have the modules of one that was killed.
		const process = of.at(-1)!;
		process.live();
		const result = await statement();
		process.live();
		return result;
	}
}

const LIMITS: Array<{ name: string; most: number; parameters: INodeParameters }> = [
	{ name: 'skip', most: 1, parameters: { calledBefore: 'skip' } },
	{
		name: 'once for each',
		most: 1,
		parameters: { calledBefore: 'onceForEach', onceForEach: 'reminder' },
	},
	...[1, 2, 3].map((calls) => ({
		name: `${calls} a day`,
		most: calls,
		parameters: {
			calledBefore: 'callAgain',
			rules: { callsPerPerson: { limit: [{ calls, per: 'day' }] } },
		},
	})),
];

/** What went wrong in a campaign, and what happened. */
export interface Counted {
	executions: number;
	kills: number;
	dials: number;
	/** Calls above a limit, such as a second one to somebody who is called once. */
	tooMany: number;
	/** People whom nobody called although they could be, or calls of a day that were left. */
	tooFew: number;
	/** Executions that ended with a message although their process lived. */
	failed: number;
	longestWaitMs: number;
}

/** Plays a campaign: executions in several processes that want the same people at the same time. */
async function campaign(seed: number, store: SharedStore, packages: Package[]): Promise<Counted> {
	const chance = new Chance(seed);
	const workflowId = `campaign-${seed}`;
	const sandbox = await startSandbox({ latencyMs: chance.of([0, 2, 10]) });
	const counted = { executions: 0, kills: 0, dials: 0, tooMany: 0, tooFew: 0, failed: 0 };
	try {
		const { most, parameters } = chance.of(LIMITS);
		const people = Array.from({ length: chance.int(1, 60) }, (_, n) => ({
			phone: `+1555${String(seed % 9_000).padStart(4, '0')}${100 + n}`,
		}));
		const perDay = chance.is(0.3) ? chance.int(1, people.length) : Infinity;
		const rules = perDay === Infinity ? {} : { maxCallsPerDay: perDay };
		const wanted = bulk({
			...parameters,
			rules: { ...(parameters.rules as object), ...rules },
			options: { parallelRequests: chance.int(1, 5) },
		});
		const processes: Process[] = [];
		store.processes.set(workflowId, processes);
		const start = (): Process => {
			const process = new Process(packages[processes.length % PROCESSES]!);
			if (chance.is(0.3)) process.lives = chance.int(0, 80);
			processes.push(process);
			return process;
		};
		/** How often people could have been called by runs that were not killed. */
		const asked = new Map<string, number>();
		let longestWaitMs = 0;
		const execute = async (process: Process, rows: IDataObject[]): Promise<Finished> => {
			counted.executions++;
			const begun = Date.now();
			let end = (): void => undefined;
			const finished = await run({
				parameters: wanted,
				items: rows,
				api: sandbox,
				workflowId,
				executionId: `${workflowId}-${counted.executions}`,
				process: process.modules,
				mode: 'trigger',
				...goesOn,
				onStarted: (stop) => process.stops.add((end = stop)),
			});
			process.stops.delete(end);
			longestWaitMs = Math.max(longestWaitMs, Date.now() - begun);
			if (!process.isDead) {
				const refused = finished.json.filter(({ status }) => status === 'refused');
				counted.failed += refused.length > 0 || finished.error ? 1 : 0;
				for (const phone of new Set(rows.map((row) => row.phone as string)))
					asked.set(phone, (asked.get(phone) ?? 0) + 1);
			}
			return finished;
		};
		const some = (): IDataObject[] => chance.shuffled(people.filter(() => chance.is(0.7)));
		const running: Array<Promise<unknown>> = [];
		for (let n = chance.int(2, 4); n > 0; n--) {
			const process = start();
			for (let each = chance.int(1, 3); each > 0; each--) {
				running.push(execute(process, some()));
				await sleep(chance.int(0, 30));
			}
		}
		await Promise.all(running);
		counted.kills = processes.filter(({ isDead }) => isDead).length;
		const last = start();
		last.lives = Infinity;
		for (let again = 0; again <= most; again++) await execute(last, people);
		counted.dials = sandbox.journal.length;
		const times = new Map<string, number>();
		for (const { phone } of sandbox.journal) times.set(phone, (times.get(phone) ?? 0) + 1);
		for (const { phone } of people) {
			const called = times.get(phone) ?? 0;
			counted.tooMany += Math.max(0, called - most);
			// Whoever a killed process has entered is not called for that.
			const could = Math.min(most, asked.get(phone) ?? 0);
			if (counted.kills === 0 && perDay === Infinity) counted.tooFew += Math.max(0, could - called);
		}
		counted.tooMany += Math.max(0, counted.dials - perDay);
		const possible = Math.min(perDay, people.length * most);
		if (counted.kills === 0) counted.tooFew += Math.max(0, possible - counted.dials);
		return { ...counted, longestWaitMs };
	} finally {
		store.processes.delete(workflowId);
		await sandbox.close();
	}
}

/** `npm run chaos:processes -- --runs N [--seed S]`: campaigns of several processes over one table, counted over all. */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			runs: { type: 'string', default: '200' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
		},
	});
	const [runs, first] = [Number(values.runs), Number(values.seed)];
	const cache = path.join(root, '.cache');
	mkdirSync(cache, { recursive: true });
	const folder = mkdtempSync(path.join(cache, 'processes-'));
	const store = new SharedStore();
	await DataDeduplicationService.init(store);
	const total: Partial<Counted> = {};
	const wrong: number[] = [];
	try {
		const packages = processesIn(folder);
		let next = first;
		const play = async (): Promise<void> => {
			while (next < first + runs) {
				const seed = next++;
				const counted = await campaign(seed, store, packages);
				for (const [name, value] of Object.entries(counted) as Array<[keyof Counted, number]>)
					total[name] =
						name === 'longestWaitMs'
							? Math.max(total[name] ?? 0, value)
							: (total[name] ?? 0) + value;
				const { tooMany, tooFew, failed } = counted;
				if (tooMany + tooFew + failed > 0) {
					wrong.push(seed);
					console.log(seed, counted);
				}
				if (seed % 100 === 99) console.log(`${seed + 1 - first} of ${runs} campaigns`);
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, play));
	} finally {
		rmSync(folder, { recursive: true });
	}
	console.log(`seed ${first}, ${runs} campaigns of several processes`);
	console.table(total);
	if (wrong.length > 0) process.exitCode = 1;
}

void main();
