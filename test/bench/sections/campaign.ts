import type { Bench } from '../helpers/bench';
import { atMost, type Section, show } from '../helpers/figures';
import { RealN8n } from '../helpers/realN8n';
import { thisNode } from '../helpers/workflows';

const { count, inSeconds, micros, times } = show;

const ROWS = 100_000;
const LATENCY_MS = 20;
const MOST_GROWTH = 1.5;
const LOOK_EVERY_MS = 100;

/** One long campaign in a real n8n, whose memory grows with each person called. */
export async function campaign(bench: Bench): Promise<Section> {
	const rows = ROWS / bench.smaller;
	return await RealN8n.with(bench, LATENCY_MS, async (n8n) => {
		const { sandbox } = n8n;
		const workflow = await n8n.save(thisNode(), rows);
		bench.progress(`${count(rows)} rows in one execution`);
		const cpu: Array<{ at: number; ms: number }> = [];
		const looking = setInterval(() => {
			void n8n.cpuMs().then((ms) => cpu.push({ at: Date.now(), ms }));
		}, LOOK_EVERY_MS);
		const run = await n8n.measure(workflow).finally(() => clearInterval(looking));
		const { journal } = sandbox;
		if (run.statuses.initiated !== rows || journal.length !== rows)
			throw new Error(JSON.stringify(run.statuses));
		const cpuAt = (at: number): number => (cpu.findLast((look) => look.at <= at) ?? cpu[0]!).ms;
		const tenths = Array.from({ length: 10 }, (_, tenth) => {
			const from = journal[(tenth * rows) / 10]!.at;
			const to = journal[((tenth + 1) * rows) / 10 - 1]!.at;
			return { wallMs: to - from, cpuMs: cpuAt(to) - cpuAt(from) };
		});
		const [first, last] = [tenths[0]!, tenths[9]!];
		const what = `for each row, the last tenth of ${count(rows)} ÷ the first`;
		return {
			title: 'A long campaign',
			figures: [
				atMost(`Time ${what}`, last.wallMs / first.wallMs, MOST_GROWTH, times),
				atMost(`CPU ${what}`, last.cpuMs / first.cpuMs, MOST_GROWTH, times),
			],
			table: tenths.map(({ wallMs, cpuMs }, tenth) => ({
				Part: `Tenth ${tenth + 1}`,
				Time: inSeconds(wallMs),
				'CPU of n8n for each row': micros((cpuMs * 10_000) / rows),
			})),
		};
	});
}
