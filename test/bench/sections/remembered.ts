import type { Bench } from '../helpers/bench';
import {
	atMost,
	count,
	inSeconds,
	median,
	micros,
	millis,
	times,
	type Section,
} from '../helpers/figures';
import { RealN8n, type HostRun } from '../helpers/realN8n';
import { CALLS, workflowOf } from '../helpers/workflows';

const ROWS = 1_000;
const LATENCY_MS = 20;
/** People remembered before the run, and how long it may take, compared with a run that remembers nobody. */
const SIZES: Array<[people: number, most?: number]> = [
	[0],
	[10_000],
	[100_000, 1.5],
	[1_000_000, 6],
];

/** What the memory of people called costs in a real n8n, which reads and writes it as one list. */
export async function remembered(bench: Bench): Promise<Section> {
	return await RealN8n.with(bench, { latencyMs: LATENCY_MS }, async (n8n) => {
		const { sandbox } = n8n;
		const options = { baseUrl: sandbox.baseUrl, token: sandbox.token, rows: ROWS };
		const without = await n8n.save(
			workflowOf.node({ ...options, parameters: { calledBefore: 'callAgain' } }),
			ROWS,
		);
		const withMemory = await n8n.save(workflowOf.node(options), ROWS);
		const once = async (people?: number): Promise<HostRun> => {
			if (people !== undefined) await n8n.remember(withMemory, people);
			sandbox.reset();
			const run = await n8n.measure(people === undefined ? without : withMemory, CALLS);
			if (run.statuses.initiated !== ROWS || sandbox.journal.length !== ROWS)
				throw new Error(JSON.stringify(run.statuses));
			return run;
		};
		await n8n.measure(withMemory, CALLS);
		await once();

		const none: HostRun[] = [];
		const runs = new Map<number, HostRun[]>(SIZES.map(([people]) => [people, []]));
		for (let turn = 0; turn < bench.runs; turn++) {
			bench.progress(
				`${ROWS} rows with a memory of up to a million people: ${turn + 1} of ${bench.runs}`,
			);
			none.push(await once());
			for (const [people] of SIZES) runs.get(people)!.push(await once(people));
		}
		const ratio = (people: number): number =>
			median(runs.get(people)!.map(({ nodeMs }, turn) => nodeMs / none[turn]!.nodeMs));
		const row = (name: string, of: HostRun[]) => ({
			'People remembered': name,
			Time: inSeconds(median(of.map(({ nodeMs }) => nodeMs))),
			'CPU of n8n for each row': micros((median(of.map(({ cpuMs }) => cpuMs)) * 1_000) / ROWS),
			'Longest without an answer': millis(
				median(of.map(({ longestSilenceMs }) => longestSilenceMs)),
			),
		});
		return {
			title: 'With people remembered',
			figures: SIZES.flatMap(([people, most]) =>
				most === undefined
					? []
					: [
							atMost(
								`Time with ${count(people)} people remembered ÷ without memory`,
								ratio(people),
								most,
								times,
							),
						],
			),
			table: [
				row('No memory', none),
				...SIZES.map(([people]) => row(count(people), runs.get(people)!)),
			],
			details: { rows: ROWS, latencyMs: LATENCY_MS, none, runs: Object.fromEntries(runs) },
		};
	});
}
