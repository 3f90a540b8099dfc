import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from '../helpers/bench';
import { atMost, median, type Section, show } from '../helpers/figures';

const { kilobytes, millis } = show;

const run = promisify(execFile);

const STARTS = 11;
const MOST_MS = 10;
const MOST_BYTES = 300_000;

/** In a process that has loaded only n8n-workflow, as the host has when it loads a node. */
const script = (file: string): string => `
require(${JSON.stringify(path.join(file, '../../../../../n8n-workflow'))});
const started = performance.now();
require(${JSON.stringify(file)});
console.log(performance.now() - started);`;

/** What the package adds to the start of n8n, and to the disk. */
export async function loading({ laid, progress }: Bench): Promise<Section> {
	progress(`Loading the node, ${STARTS} times`);
	const nodeFile = path.join(laid.ground.package, 'dist/nodes/OutboundCalls/OutboundCalls.node.js');
	const loadMs: number[] = [];
	for (let i = 0; i < STARTS; i++) {
		const { stdout } = await run(laid.host.node, ['-e', script(nodeFile)]);
		loadMs.push(Number(stdout));
	}
	return {
		title: 'Loading',
		figures: [
			atMost('Loading the node, above n8n-workflow', median(loadMs), MOST_MS, millis),
			atMost('Packed package', laid.tarballBytes, MOST_BYTES, kilobytes),
		],
		table: [],
	};
}
