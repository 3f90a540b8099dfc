import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { broken } from '../chaos/count';
import { seedsFrom, series } from '../chaos/series';
import type { Finding } from './finding';
import { properties } from './properties';

const tests = path.join(__dirname, '..');
const MOST_ROWS = 30;

/** `npm run explore -- --minutes N [--seed S]`: campaigns and properties with seeds that no test has, side by side. */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '10' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
		},
	});
	const first = Number(values.seed);
	const end = Date.now() + Number(values.minutes) * 60_000;
	const isOver = (): boolean => Date.now() >= end;
	const files = filesWithProperties();
	const [campaigns, rounds] = await Promise.all([
		exploreCampaigns(first, isOver),
		exploreProperties(files, first, isOver),
	]);
	const findings = [...campaigns.findings, ...rounds.findings];
	console.log(
		`Seeds from ${first}: ${campaigns.runs} campaigns of up to ${MOST_ROWS} rows, ${rounds.runs} rounds of the properties in ${files.length} files, ${findings.length} findings.`,
	);
	if (findings.length === 0) return;
	console.table(findings.map(({ what, seed, found }) => ({ what, seed, found })));
	console.log(`Each of them again:\n${findings.map(({ replay }) => replay).join('\n')}`);
	process.exitCode = 1;
}

interface Explored {
	runs: number;
	findings: Finding[];
}

async function exploreCampaigns(first: number, isOver: () => boolean): Promise<Explored> {
	const explored: Explored = { runs: 0, findings: [] };
	for await (const { seed, count } of series(seedsFrom(first), MOST_ROWS)) {
		explored.runs++;
		const found = broken(count);
		if (Object.keys(found).length > 0) {
			const replay = `npm run chaos -- --runs 1 --rows ${MOST_ROWS} --seed ${seed}`;
			explored.findings.push({ what: 'campaign', seed, found: JSON.stringify(found), replay });
		}
		if (isOver()) break;
	}
	return explored;
}

async function exploreProperties(
	files: readonly string[],
	first: number,
	isOver: () => boolean,
): Promise<Explored> {
	const explored: Explored = { runs: 0, findings: [] };
	for (const seed of seedsFrom(first)) {
		explored.findings.push(...(await properties(files, seed)));
		explored.runs++;
		if (isOver()) break;
	}
	return explored;
}

/** Those of the tests that draw, but for the campaigns. */
const filesWithProperties = (): string[] =>
	readdirSync(tests, { recursive: true, encoding: 'utf8' })
		.filter(
			(file) =>
				file.endsWith('.test.ts') &&
				readFileSync(path.join(tests, file), 'utf8').includes("from 'fast-check'"),
		)
		.map((file) => path.posix.join('test', file.replaceAll(path.sep, '/')));

void main();
