import { parseArgs } from 'node:util';
import type { Bench } from './helpers/bench';
import type { Section } from './helpers/figures';
import { layGround } from './helpers/ground';
import { publish, published, printed, setting } from './helpers/report';
import { campaign } from './sections/campaign';
import { growth } from './sections/growth';
import { host } from './sections/host';
import { kills } from './sections/kills';
import { limit } from './sections/limit';
import { load } from './sections/load';
import { peers } from './sections/peers';
import { remembered } from './sections/remembered';
import { start } from './sections/start';
import { time } from './sections/time';
import { waiting } from './sections/waiting';

const SECTIONS: Record<string, (bench: Bench) => Promise<Section>> = {
	host,
	limit,
	peers,
	growth,
	load,
	time,
	remembered,
	campaign,
	kills,
	waiting,
	start,
};

/**
 * `npm run bench [-- --only limit,growth [--publish]] [--quick] [--runs 3]`. A whole run is published; sections that were measured
 * anew take the place of those before if asked to, on the same machine with the same versions.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			only: { type: 'string' },
			publish: { type: 'boolean', default: false },
			quick: { type: 'boolean', default: false },
			runs: { type: 'string', default: '5' },
		},
	});
	const names = values.only?.split(',') ?? Object.keys(SECTIONS);
	const unknown = names.find((name) => !(name in SECTIONS));
	if (unknown !== undefined)
		throw new Error(`There is no “${unknown}”. Choose from ${Object.keys(SECTIONS).join(', ')}.`);

	const started = Date.now();
	const laid = await layGround();
	const bench: Bench = {
		laid,
		runs: values.quick ? 1 : Number(values.runs),
		smaller: values.quick ? 10 : 1,
		progress: (line) =>
			console.log(`${String(Math.round((Date.now() - started) / 1_000)).padStart(4)} s  ${line}`),
	};
	const measuredOn = await setting(laid.host.node, bench.runs);
	console.log(Object.values(measuredOn).join(' · '));
	const before = values.publish && values.only !== undefined ? await published(measuredOn) : {};
	const results: Record<string, Section> = {};
	try {
		for (const name of names) {
			results[name] = await SECTIONS[name]!(bench);
			console.log(printed(results[name]));
		}
	} finally {
		await laid.remove();
	}
	if ((values.only === undefined || values.publish) && !values.quick)
		await publish(measuredOn, { ...before, ...results });
	const figures = Object.values(results).flatMap((section) => section.figures);
	const held = figures.filter(({ holds }) => holds).length;
	console.log(
		`${held} of ${figures.length} bars hold (${Math.round((Date.now() - started) / 1_000)} s)`,
	);
	if (held < figures.length) process.exitCode = 1;
}

void main();
