import { ensureHost } from './host';

/** Before all tests: two files that start at the same time would both install n8n. */
export default async function prepare(): Promise<void> {
	await ensureHost((line) => void process.stdout.write(`  ${line}\n`));
}
