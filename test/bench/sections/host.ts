import type { Bench } from '../helpers/bench';
import { atMost, inSeconds, median, micros, times, type Section } from '../helpers/figures';
import type { Side } from '../helpers/messages';
import { RealN8n, type HostRun } from '../helpers/realN8n';
import { CALLS, workflowOf } from '../helpers/workflows';
import { SIDES } from './peers';

const ROWS = 2_000;
const LATENCY_MS = 20;
/** With an empty memory, in microseconds. */
const MOST_CPU = 820;
const MOST: Partial<Record<Side, number>> = { requestPerRow: 0.2, chunkedByHand: 1 / 1.2 };

/** The same job in a real n8n: what all of n8n's processes need for it, with everything that is stored. */
export async function host(bench: Bench): Promise<Section> {
	const rows = ROWS / bench.smaller;
	return await RealN8n.with(bench, { latencyMs: LATENCY_MS }, async (n8n) => {
		const { sandbox } = n8n;
		const sides = Object.keys(SIDES) as Side[];
		const options = { baseUrl: sandbox.baseUrl, token: sandbox.token, rows };
		const workflows = new Map(
			await Promise.all(
				sides.map(async (side) => [side, await n8n.save(workflowOf[side](options), rows)] as const),
			),
		);
		const runs = new Map<Side, HostRun[]>(sides.map((side) => [side, []]));
		for (let turn = -1; turn < bench.runs; turn++) {
			if (turn >= 0)
				bench.progress(`${rows} rows in a real n8n, in three ways: ${turn + 1} of ${bench.runs}`);
			for (const side of sides) {
				sandbox.reset();
				if (turn >= 0 && side === 'node') await n8n.remember(workflows.get(side)!, 0);
				const run = await n8n.measure(workflows.get(side)!, CALLS);
				if (sandbox.journal.length !== rows)
					throw new Error(`${SIDES[side]} called ${sandbox.journal.length} of ${rows}`);
				// The first turn warms up.
				if (turn >= 0) runs.get(side)!.push(run);
			}
		}
		const cpuOfRow = (side: Side): number =>
			(median(runs.get(side)!.map(({ cpuMs }) => cpuMs)) * 1_000) / rows;
		const ratioTo = (side: Side): number =>
			median(runs.get('node')!.map(({ cpuMs }, turn) => cpuMs / runs.get(side)![turn]!.cpuMs));
		return {
			title: 'A whole n8n',
			figures: [
				atMost(
					'CPU of a whole n8n for each row, nobody remembered',
					cpuOfRow('node'),
					MOST_CPU,
					micros,
				),
				...Object.entries(MOST).map(([side, most]) =>
					atMost(
						`CPU of a whole n8n ÷ that with ${SIDES[side as Side]}`,
						ratioTo(side as Side),
						most,
						times,
					),
				),
			],
			table: sides.map((side) => ({
				With: SIDES[side],
				'CPU of n8n for each row': micros(cpuOfRow(side)),
				Time: inSeconds(median(runs.get(side)!.map(({ nodeMs }) => nodeMs))),
			})),
			details: { rows, latencyMs: LATENCY_MS, runs: Object.fromEntries(runs) },
		};
	});
}
