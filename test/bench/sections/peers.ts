import { type Bench, warmUp, withProcesses } from '../helpers/bench';
import {
	atMost,
	count,
	exactly,
	inSeconds,
	median,
	micros,
	times,
	type Section,
} from '../helpers/figures';
import type { Counts, Run, RunOptions, Side } from '../helpers/messages';

const ROWS = 2_000;
const LATENCY_MS = 20;
/** This node looks at each row and writes down whom it calls before it calls: that is a quarter of its time. The rest is the same requests, which the others send, too. */
const MOST_OF_REQUESTS = 0.2;
const MOST_OF_CHUNKS = 0.8;
const LIMITED_ROWS = 300;
const LIMIT = { requests: 5, windowMs: 1_000 };

export const SIDES: Record<Side, string> = {
	node: 'This node',
	requestPerRow: 'HTTP Request, one request for each row',
	chunkedByHand: 'HTTP Request behind a Code node that makes chunks',
};
const sides = Object.keys(SIDES) as Side[];

/** How the sides cope with a limit: by default, and with Retry On Fail and three tries. */
const WAYS: Array<{ name: string; options: Pick<RunOptions, 'onError' | 'retryOnFail'> }> = [
	{ name: 'On Error: Continue', options: { onError: 'continueErrorOutput' } },
	{ name: 'Retry On Fail', options: { retryOnFail: true } },
];

interface Measured {
	side: Side;
	way?: string;
	run: Run;
	counts: Counts;
}

/** The same job by this node and by the two ways in which a user would do it with n8n's own nodes. */
export async function peers(bench: Bench): Promise<Section> {
	const rows = ROWS / bench.smaller;
	const paired = await unlimited(bench, rows);
	const limited = await underLimit(bench);
	const of = (side: Side): Measured[] => paired.filter((each) => each.side === side);
	const cpu = (side: Side): number => median(of(side).map(({ run }) => (run.cpuMs * 1_000) / rows));
	const requests = (side: Side): number => median(of(side).map(({ counts }) => counts.requests));
	// The runs of one turn follow each other directly, so that other load on the machine affects both.
	const ratioTo = (side: Side): number =>
		median(of('node').map(({ run }, turn) => run.cpuMs / of(side)[turn]!.run.cpuMs));
	const ours = limited.filter(({ side }) => side === 'node');

	return {
		title: 'Against the HTTP Request node',
		figures: [
			atMost(
				'CPU ÷ that of HTTP Request, one request for each row',
				ratioTo('requestPerRow'),
				MOST_OF_REQUESTS,
				times,
			),
			atMost(
				'CPU ÷ that of HTTP Request, chunked by hand',
				ratioTo('chunkedByHand'),
				MOST_OF_CHUNKS,
				times,
			),
			exactly(
				'Requests; a tenth of one for each row',
				requests('node'),
				requests('requestPerRow') / 10,
				count,
			),
			exactly(
				`Of ${LIMITED_ROWS} rows, placed under a limit of 5 requests per second`,
				Math.min(...ours.map(({ counts }) => counts.dialed)),
				LIMITED_ROWS,
				count,
			),
			exactly(
				'Numbers called twice under that limit',
				Math.max(...ours.map(({ counts }) => counts.dialedTwice)),
				0,
				count,
			),
		],
		table: [
			...sides.map((side) => ({
				Side: SIDES[side],
				Job: `${count(rows)} rows, no limit`,
				'CPU for each row': micros(cpu(side)),
				Requests: count(requests(side)),
				'Most at once': count(median(of(side).map(({ counts }) => counts.mostInFlight))),
				Time: inSeconds(median(of(side).map(({ run }) => run.wallMs))),
				Called: count(median(of(side).map(({ counts }) => counts.dialed))),
				'Called twice': count(Math.max(...of(side).map(({ counts }) => counts.dialedTwice))),
				'Rows that say so': count(median(of(side).map(({ run }) => run.statuses.initiated ?? 0))),
			})),
			...limited.map(({ side, way, run, counts }) => ({
				Side: SIDES[side],
				Job: `${count(LIMITED_ROWS)} rows, 5 requests per second, ${way!}`,
				'CPU for each row': '',
				Requests: count(counts.requests),
				'Most at once': count(counts.mostInFlight),
				Time: inSeconds(run.wallMs),
				Called: count(counts.dialed),
				'Called twice': count(counts.dialedTwice),
				'Rows that say so': count(run.statuses.initiated ?? 0),
			})),
		],
		details: {
			rows,
			latencyMs: LATENCY_MS,
			limit: LIMIT,
			limitedRows: LIMITED_ROWS,
			paired,
			limited,
		},
	};
}

async function unlimited(bench: Bench, rows: number): Promise<Measured[]> {
	bench.progress(`${rows} rows on three sides, ${bench.runs} times`);
	const measured: Measured[] = [];
	// One process for each side. All stay alive, so that the runs follow each other directly.
	const measureFrom = async (
		[side, ...others]: Side[],
		pairs: Array<() => Promise<Measured>>,
	): Promise<void> => {
		if (side === undefined) {
			for (let run = 0; run < bench.runs; run++)
				for (const measure of pairs) measured.push(await measure());
			return;
		}
		await withProcesses(bench, async (runner, sandbox) => {
			await warmUp(runner, sandbox, side);
			const measure = async (): Promise<Measured> => {
				await sandbox.ask({ kind: 'reset', settings: { latencyMs: LATENCY_MS } });
				const run = await runner.ask({ kind: 'run', side, options: { ...sandbox.address, rows } });
				return { side, run, counts: await sandbox.ask({ kind: 'counts' }) };
			};
			await measureFrom(others, [...pairs, measure]);
		});
	};
	await measureFrom(sides, []);
	return measured;
}

async function underLimit(bench: Bench): Promise<Measured[]> {
	bench.progress(`${LIMITED_ROWS} rows under a limit of 5 requests per second`);
	return (
		await Promise.all(
			WAYS.flatMap(({ name, options }) =>
				sides.map(async (side) =>
					withProcesses(bench, async (runner, sandbox): Promise<Measured> => {
						await sandbox.ask({
							kind: 'reset',
							settings: { latencyMs: LATENCY_MS, rateLimit: LIMIT },
						});
						const run = await runner.ask({
							kind: 'run',
							side,
							options: { ...sandbox.address, rows: LIMITED_ROWS, ...options },
						});
						return { side, way: name, run, counts: await sandbox.ask({ kind: 'counts' }) };
					}),
				),
			),
		)
	).sort((a, b) => sides.indexOf(a.side) - sides.indexOf(b.side));
}
