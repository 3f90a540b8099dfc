import { parseArgs } from 'node:util';
import type { Bench } from './helpers/bench';
import type { Section } from './helpers/figures';
import { layGround } from './helpers/ground';
import { printed, setting } from './helpers/report';
import { blocking } from './sections/blocking';
import { campaign } from './sections/campaign';
import { cluster } from './sections/cluster';
import { growth } from './sections/growth';
import { host } from './sections/host';
import { loading } from './sections/loading';
import { memory } from './sections/memory';
import { patterns } from './sections/patterns';

const SECTIONS: Record<string, (bench: Bench) => Promise<Section>> = {
	loading,
	blocking,
	patterns,
	memory,
	growth,
	host,
	campaign,
	cluster,
};

/** `npm run bench [-- --only memory,growth] [--quick] [--runs 3]`. */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			only: { type: 'string' },
			quick: { type: 'boolean', default: false },
			runs: { type: 'string', default: '3' },
		},
	});
	const names = values.only?.split(',') ?? Object.keys(SECTIONS);
	const unknown = names.find((name) => !(name in SECTIONS));
	if (unknown !== undefined)
		throw new Error(`There is no “${unknown}”. Choose from ${Object.keys(SECTIONS).join(', ')}.`);

	const started = Date.now();
	const seconds = (): string => String(Math.round((Date.now() - started) / 1_000));
	const laid = await layGround();
	const bench: Bench = {
		laid,
		runs: values.quick ? 1 : Number(values.runs),
		smaller: values.quick ? 10 : 1,
		progress: (line) => console.log(`${seconds().padStart(4)} s  ${line}`),
	};
	console.log(await setting(laid.host.node, bench.runs));
	const results: Section[] = [];
	try {
		for (const name of names) {
			const section = await SECTIONS[name]!(bench);
			results.push(section);
			console.log(printed(section));
		}
	} finally {
		await laid.remove();
	}
	const figures = results.flatMap((section) => section.figures);
	const held = figures.filter(({ holds }) => holds).length;
	console.log(`${held} of ${figures.length} bars hold (${seconds()} s)`);
	if (held < figures.length) process.exitCode = 1;
}

void main();
