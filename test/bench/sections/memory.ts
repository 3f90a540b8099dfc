import type { Bench } from '../helpers/bench';
import { atMost, median, type Section, show } from '../helpers/figures';
import { RealN8n, type HostRun } from '../helpers/realN8n';
import { thisNode } from '../helpers/workflows';

const { count, inSeconds, micros, millis, times } = show;

const ROWS = 1_000;
/** A dry run asks so many: more than ten million comparisons would take too long. */
const ASKED = 100;
const LATENCY_MS = 20;
const DRY_SIZES = [0, 10_000, 100_000];
const LIVE_SIZES = [...DRY_SIZES, 1_000_000];
/** How long it may take with so many people remembered, compared with a run that remembers nobody. */
const MOST_TIMES: ReadonlyArray<[people: number, times: number]> = [
	[100_000, 1.5],
	[1_000_000, 5],
];
const MOST_DRY_MS = 5_000;

/** What the memory of people called costs in a real n8n, which reads and writes it as one list. */
export async function memory(bench: Bench): Promise<Section> {
	return await RealN8n.with(bench, LATENCY_MS, async (n8n) => {
		const { sandbox } = n8n;
		const live = await n8n.save(thisNode(), ROWS);
		const dry = await n8n.save(thisNode({ mode: 'dryRun' }), ASKED);
		const liveRun = async (people: number): Promise<HostRun> => {
			await n8n.remember(live, people);
			sandbox.reset();
			const run = await n8n.measure(live);
			if (run.statuses.initiated !== ROWS || sandbox.journal.length !== ROWS)
				throw new Error(JSON.stringify(run.statuses));
			return run;
		};
		const dryRun = async (people: number): Promise<HostRun> => {
			await n8n.remember(dry, people);
			const run = await n8n.measure(dry);
			if (run.statuses.dry_run !== ASKED) throw new Error(JSON.stringify(run.statuses));
			return run;
		};
		// Warms up.
		await liveRun(0);
		const lives = new Map<number, HostRun[]>(LIVE_SIZES.map((people) => [people, []]));
		const dries = new Map<number, HostRun[]>(DRY_SIZES.map((people) => [people, []]));
		for (let turn = 0; turn < bench.runs; turn++) {
			bench.progress(`${ROWS} rows with people remembered: ${turn + 1} of ${bench.runs}`);
			for (const people of LIVE_SIZES) lives.get(people)!.push(await liveRun(people));
			for (const people of DRY_SIZES) dries.get(people)!.push(await dryRun(people));
		}
		const timeOf = (runs: HostRun[]): number => median(runs.map(({ nodeMs }) => nodeMs));
		const most = DRY_SIZES.at(-1)!;
		const ratioOf = (people: number): number =>
			median(lives.get(people)!.map(({ nodeMs }, i) => nodeMs / lives.get(0)![i]!.nodeMs));
		const row = (name: string, rows: number, runs: HostRun[]) => ({
			'People remembered': name,
			Time: inSeconds(timeOf(runs)),
			'CPU of n8n for each row': micros((median(runs.map(({ cpuMs }) => cpuMs)) * 1_000) / rows),
			'Longest without an answer': millis(
				median(runs.map(({ longestSilenceMs }) => longestSilenceMs)),
			),
		});
		return {
			title: 'With people remembered',
			figures: [
				...MOST_TIMES.map(([people, bar]) =>
					atMost(
						`Time with ${count(people)} people remembered ÷ with none`,
						ratioOf(people),
						bar,
						times,
					),
				),
				atMost(
					`Dry run of ${ASKED} rows with ${count(most)} people remembered`,
					timeOf(dries.get(most)!),
					MOST_DRY_MS,
					inSeconds,
				),
			],
			table: [
				...LIVE_SIZES.map((people) => row(`${count(people)}, live`, ROWS, lives.get(people)!)),
				...DRY_SIZES.map((people) => row(`${count(people)}, dry run`, ASKED, dries.get(people)!)),
			],
		};
	});
}
