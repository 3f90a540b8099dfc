import type { SavedWorkflow } from '../../host/helpers/client';
import type { Bench } from '../helpers/bench';
import { inGroups, oneByOne } from '../helpers/byHand';
import { atMost, median, type Section, show } from '../helpers/figures';
import { RealN8n, type HostRun } from '../helpers/realN8n';
import { campaignRows } from '../helpers/rows';
import { inARow, thisNode, type MeasuredWorkflow } from '../helpers/workflows';

const { count, inSeconds, micros, millis, times } = show;

const ROWS = 2_000;
const LATENCY_MS = 20;
/** As over the internet. The node's run takes longer, so the CPU of an idle n8n counts more. */
const LONG_LATENCY_MS = 200;
/** V8 compiles n8n's own code in the first runs; we measure a server that has been up for an hour. */
const WARM_UPS = 8;
/** A ratio close to its bar needs more turns than other figures need runs. */
const TURNS_PER_RUN = 5;
/** What takes long runs in every third turn. */
const RARELY = 3;
const MOST_OF_WITHOUT_MEMORY = 1.5;
const MOST_OF_BY_HAND = 1.15;

const WITH_MEMORY = 'live with memory';
const WITHOUT_MEMORY = 'live without memory';
const BY_HAND = 'by hand in groups of ten';

interface Kind {
	what: string;
	workflow: MeasuredWorkflow;
	/** What the last node says of each row. */
	status: 'initiated' | 'dry_run' | 'none';
	rarely?: boolean;
}

const kindsFor = (api: { baseUrl: string; token: string }): Kind[] => [
	{ what: WITH_MEMORY, workflow: thisNode(), status: 'initiated' },
	{ what: WITHOUT_MEMORY, workflow: thisNode({ calledBefore: 'callAgain' }), status: 'initiated' },
	{ what: 'dry run', workflow: thisNode({ mode: 'dryRun' }), status: 'dry_run' },
	{ what: BY_HAND, workflow: inGroups(api), status: 'initiated' },
	{ what: 'HTTP Request for each row', workflow: oneByOne(api), status: 'initiated', rarely: true },
	{ what: 'no node', workflow: inARow(), status: 'none' },
];

type SavedKind = Kind & { saved: SavedWorkflow };
/** By kind. */
type Turn = Record<string, HostRun>;

/** The CPU of a run in a whole n8n, with everything that is stored, beside that of others. */
export async function host(bench: Bench): Promise<Section> {
	const rows = ROWS / bench.smaller;
	return await RealN8n.with(bench, LATENCY_MS, async (n8n) => {
		const kinds: SavedKind[] = [];
		for (const kind of kindsFor(n8n.sandbox))
			kinds.push({ ...kind, saved: await n8n.save(kind.workflow, rows) });
		const turnsOf = async (compared: SavedKind[], first: number, last: number) => {
			const turns: Turn[] = [];
			for (let turn = first; turn < last; turn++) {
				const { latencyMs } = n8n.sandbox.settings;
				if (turn >= 0)
					bench.progress(`${rows} rows, answers after ${latencyMs} ms: ${turn + 1} of ${last}`);
				const measured = await oneTurn(n8n, compared, rows, turn);
				if (turn >= 0) turns.push(measured);
			}
			return turns;
		};
		const turns = await turnsOf(kinds, -WARM_UPS, bench.runs * TURNS_PER_RUN);
		n8n.sandbox.settings.latencyMs = LONG_LATENCY_MS;
		const live = kinds.filter(({ what }) => [WITH_MEMORY, WITHOUT_MEMORY, BY_HAND].includes(what));
		const slowTurns = await turnsOf(live, 0, bench.runs);
		const ratio = (what: string, bar: number) =>
			atMost(`CPU ${WITH_MEMORY} ÷ ${what}`, ratioTo(what, turns), bar, times);
		return {
			title: 'A whole n8n',
			figures: [ratio(WITHOUT_MEMORY, MOST_OF_WITHOUT_MEMORY), ratio(BY_HAND, MOST_OF_BY_HAND)],
			table: [
				...kinds.map(({ what }) => line(what, what, turns, rows)),
				...live.map(({ what }) =>
					line(`${what}, answers after ${LONG_LATENCY_MS} ms`, what, slowTurns, rows),
				),
			],
		};
	});
}

/** Each kind once, in turns forwards and backwards, so that none always follows the same one. */
async function oneTurn(
	n8n: RealN8n,
	kinds: SavedKind[],
	rows: number,
	turn: number,
): Promise<Turn> {
	const { sandbox } = n8n;
	const phones = campaignRows(rows).map(({ phone }) => phone);
	const measured: Turn = {};
	for (const { what, saved, status, rarely } of turn % 2 === 0 ? kinds : kinds.toReversed()) {
		if (rarely && turn % RARELY !== 0) continue;
		sandbox.reset();
		await n8n.remember(saved, 0);
		const run = await n8n.measure(saved);
		const expected = status === 'initiated' ? phones : [];
		const dialed = sandbox.journal.map(({ phone }) => phone).sort();
		if (run.statuses[status] !== rows || dialed.join() !== expected.join())
			throw new Error(`${what}: ${dialed.length} dials, ${JSON.stringify(run.statuses)}`);
		measured[what] = run;
	}
	return measured;
}

const ratioTo = (what: string, turns: Turn[]): number =>
	median(
		turns
			.filter((turn) => what in turn)
			.map((turn) => turn[WITH_MEMORY]!.cpuMs / turn[what]!.cpuMs),
	);

function line(title: string, what: string, turns: Turn[], rows: number): Record<string, string> {
	const of = (key: 'cpuMs' | 'nodeMs' | 'longestSilenceMs'): number =>
		median(turns.filter((turn) => what in turn).map((turn) => turn[what]![key]));
	return {
		[`${count(rows)} rows`]: title,
		'CPU of n8n for each row': micros((of('cpuMs') * 1_000) / rows),
		'With memory ÷ this': times(ratioTo(what, turns)),
		Time: inSeconds(of('nodeMs')),
		'Longest without an answer': millis(of('longestSilenceMs')),
	};
}
