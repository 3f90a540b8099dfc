import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { packPackage, repository, unpack } from '../host/helpers/package';

interface Manifest {
	n8n: { nodes: string[]; credentials: string[] };
}

/** Packs the repository and unpacks the package into a folder of its own, as the scan finds it. */
async function unpacked(): Promise<string> {
	const { tarball } = await packPackage();
	const folder = path.join(await mkdtemp(path.join(tmpdir(), 'outbound-calls-verify-')), 'package');
	await mkdir(folder);
	await unpack(tarball, folder);
	await rm(path.dirname(tarball), { recursive: true, force: true });
	return folder;
}

/** A scan of nothing passes, so the parts that it scans must be there. */
function missingParts(folder: string): string[] {
	const { n8n } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
	return ['README.md', 'LICENSE', ...n8n.nodes, ...n8n.credentials]
		.filter((file) => !existsSync(path.join(folder, file)))
		.map((file) => `${file} is not in the package.`);
}

/** What n8n's scan says about a folder, one finding a line; empty when it passes. */
async function findings(folder: string, patterns: string[]): Promise<string[]> {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	if (passed) return [];
	const lines = details?.replaceAll(`${folder}${path.sep}`, '').split('\n');
	return lines?.filter((line) => line.trim() !== '') ?? [message ?? 'The scan gave no result.'];
}

/** `npm run verify`: n8n's own verification scan, without the network, on the packed package and on the sources. */
async function main(): Promise<void> {
	const folder = await unpacked();
	const results = {
		'The packed package': [
			...missingParts(folder),
			...(await findings(folder, ['**/*.js', 'package.json'])),
		],
		'The sources': await findings(repository, SOURCE_FILE_PATTERNS),
	};
	await rm(path.dirname(folder), { recursive: true, force: true });
	for (const [title, found] of Object.entries(results))
		console.log(found.length === 0 ? `${title}: nothing found` : `${title}:\n${found.join('\n')}`);
	const failed = Object.values(results).filter((found) => found.length > 0).length;
	const total = Object.keys(results).length;
	// In jest's format, so that .ci/run counts these too.
	console.log(`Tests: ${failed} failed, ${total - failed} passed, ${total} total`);
	if (failed > 0) process.exitCode = 1;
}

void main();
