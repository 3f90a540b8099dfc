import type { Bench } from '../helpers/bench';
import { atMost, count, exactly, type Section } from '../helpers/figures';
import { RealN8n } from '../helpers/realN8n';
import { numberOf } from '../helpers/rows';
import { CALLS, workflowOf } from '../helpers/workflows';

const ROWS = 1_500;
const LATENCY_MS = 50;
const LANES = 5;
/** At each size. */
const KILLS = 5;
/** People remembered before, and how many of the rows a crash may leave claimed and never called. */
const SIZES: Array<[people: number, mostInVain: number]> = [
	[0, LANES * 10],
	[200_000, 500],
];

/** A real n8n, killed at moments by chance: who is called twice, and who is remembered and was never called. */
export async function kills(bench: Bench): Promise<Section> {
	return await RealN8n.with(bench, { latencyMs: LATENCY_MS }, async (n8n) => {
		const { sandbox } = n8n;
		const phones = Array.from({ length: ROWS }, (_, n) => numberOf(n));
		const options = {
			baseUrl: sandbox.baseUrl,
			token: sandbox.token,
			rows: ROWS,
			parameters: { options: { parallelRequests: LANES } },
		};
		const workflow = await n8n.save(workflowOf.node(options), ROWS);
		await n8n.measure(workflow, CALLS);
		const killed: Array<{
			people: number;
			after: number;
			inVain: number;
			twice: number;
			neither: number;
		}> = [];
		for (let kill = 0; kill < Math.ceil(KILLS / bench.smaller); kill++) {
			for (const [people] of SIZES) {
				bench.progress(`Killed with ${count(people)} people remembered: ${kill + 1} of ${KILLS}`);
				sandbox.reset();
				await n8n.remember(workflow, people);
				const least = Math.floor(Math.random() * ROWS * 0.9);
				const lateMs = Math.random() * LATENCY_MS;
				let reached = 0;
				await n8n.killedDuring(workflow, () => {
					if (sandbox.journal.length > least && reached === 0) reached = Date.now();
					return reached > 0 && Date.now() - reached >= lateMs;
				});
				const after = sandbox.journal.length;
				const dialed = new Set(sandbox.journal.map(({ phone }) => phone));
				const inVain = (await n8n.remembered(workflow, phones)).filter(
					(phone) => !dialed.has(phone),
				).length;
				await n8n.measure(workflow, CALLS);
				killed.push({
					people,
					after,
					inVain,
					twice: sandbox.doubleDialed().length,
					neither: ROWS - inVain - sandbox.journal.length,
				});
			}
		}
		const of = (size: number) => killed.filter(({ people }) => people === size);
		return {
			title: 'Killed',
			figures: [
				exactly(
					'Numbers called twice',
					killed.reduce((sum, { twice }) => sum + twice, 0),
					0,
					count,
				),
				exactly(
					'Rows that the next run forgot',
					killed.reduce((sum, { neither }) => sum + Math.abs(neither), 0),
					0,
					count,
				),
				...SIZES.map(([people, most]) =>
					atMost(
						`Most claimed and never called, with ${count(people)} people remembered`,
						Math.max(...of(people).map(({ inVain }) => inVain)),
						most,
						count,
					),
				),
			],
			table: killed.map(({ people, after, inVain, twice }) => ({
				'People remembered': count(people),
				'Killed after': `${count(after)} of ${count(ROWS)}`,
				'Claimed and never called': count(inVain),
				'Called twice': count(twice),
			})),
			details: { rows: ROWS, latencyMs: LATENCY_MS, lanes: LANES, killed },
		};
	});
}
