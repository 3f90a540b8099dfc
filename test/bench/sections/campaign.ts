import type { Bench } from '../helpers/bench';
import { atMost, count, inSeconds, micros, percent, times, type Section } from '../helpers/figures';
import type { Profile } from '../helpers/messages';
import { THIS_NODE } from '../helpers/profile';
import { RealN8n } from '../helpers/realN8n';
import { CALLS, workflowOf } from '../helpers/workflows';

const ROWS = 100_000;
const LATENCY_MS = 20;
const MOST_GROWTH = 1.5;
/** Of the CPU, for this node's own code. */
const MOST_SHARE = 0.1;
const LOOK_EVERY_MS = 100;

/** One long campaign in a real n8n, whose memory grows with each person called. */
export async function campaign(bench: Bench): Promise<Section> {
	const rows = ROWS / bench.smaller;
	const profile = await profileOf(bench, rows);
	return await RealN8n.with(bench, { latencyMs: LATENCY_MS }, async (n8n) => {
		const { sandbox } = n8n;
		const workflow = await n8n.save(
			workflowOf.node({ baseUrl: sandbox.baseUrl, token: sandbox.token, rows }),
			rows,
		);
		bench.progress(`${count(rows)} rows in one execution`);
		const cpu: Array<{ at: number; ms: number }> = [];
		const looking = setInterval(() => {
			void n8n.cpuMs().then((ms) => cpu.push({ at: Date.now(), ms }));
		}, LOOK_EVERY_MS);
		const run = await n8n.measure(workflow, CALLS).finally(() => {
			clearInterval(looking);
		});
		const { journal } = sandbox;
		if (run.statuses.initiated !== rows || journal.length !== rows)
			throw new Error(JSON.stringify(run.statuses));
		const cpuAt = (at: number): number => (cpu.findLast((look) => look.at <= at) ?? cpu[0]!).ms;
		const tenths = Array.from({ length: 10 }, (_, tenth) => {
			const [from, to] = [
				journal[(tenth * rows) / 10]!.at,
				journal[((tenth + 1) * rows) / 10 - 1]!.at,
			];
			return { wallMs: to - from, cpuMs: cpuAt(to) - cpuAt(from) };
		});
		const [first, last] = [tenths[0]!, tenths[9]!];
		const perRow = (ms: number): string => micros((ms * 1_000) / (rows / 10));
		return {
			title: 'A long campaign',
			figures: [
				atMost(
					`Time for each row, the last tenth of ${count(rows)} ÷ the first`,
					last.wallMs / first.wallMs,
					MOST_GROWTH,
					times,
				),
				atMost(
					'Share of this node in the CPU of n8n',
					(profile.groups[THIS_NODE] ?? 0) / profile.totalMs,
					MOST_SHARE,
					percent,
				),
				atMost(
					`CPU for each row, the last tenth of ${count(rows)} ÷ the first`,
					last.cpuMs / first.cpuMs,
					MOST_GROWTH,
					times,
				),
			],
			table: [
				...tenths.map(({ wallMs, cpuMs }, tenth) => ({
					Part: `Tenth ${tenth + 1}`,
					Time: inSeconds(wallMs),
					'CPU of n8n for each row': perRow(cpuMs),
					'Share of the CPU': '',
				})),
				...Object.entries(profile.groups)
					.sort((a, b) => b[1] - a[1])
					.map(([part, ms]) => ({
						Part: part,
						Time: '',
						'CPU of n8n for each row': '',
						'Share of the CPU': percent(ms / profile.totalMs),
					})),
			],
			details: { rows, latencyMs: LATENCY_MS, run, tenths, profile },
		};
	});
}

/** Where the CPU time of n8n goes in such a campaign, measured in a run of its own: a profiler takes time, too. */
async function profileOf(bench: Bench, rows: number): Promise<Profile> {
	return await RealN8n.with(bench, { latencyMs: LATENCY_MS, inspected: true }, async (n8n) => {
		const { sandbox } = n8n;
		const workflow = await n8n.save(
			workflowOf.node({ baseUrl: sandbox.baseUrl, token: sandbox.token, rows }),
			rows,
		);
		bench.progress(`Profile of ${count(rows)} rows in one execution`);
		return await n8n.profiled(async () => await n8n.measure(workflow, CALLS));
	});
}
