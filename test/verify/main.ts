import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extract } from 'tar';
import { packPackage, repository } from '../host/helpers/package';
import { packageFindings, sourceFindings } from './findings';
import { n8nNodeFindings } from './n8nNode';

/** Packs the repository and unpacks the package into its own folder, as the scan finds it. */
async function unpacked(): Promise<string> {
	const { tarball } = await packPackage();
	const folder = path.join(await mkdtemp(path.join(tmpdir(), 'outbound-calls-verify-')), 'package');
	await mkdir(folder);
	await extract({ file: tarball, cwd: folder, strip: 1 });
	await rm(path.dirname(tarball), { recursive: true, force: true });
	return folder;
}

function show(title: string, findings: string[]): void {
	console.log(
		findings.length === 0 ? `${title}: nothing found` : `${title}:\n${findings.join('\n')}`,
	);
	if (findings.length > 0) process.exitCode = 1;
}

/**
 * `npm run verify`: n8n's verification scan, on the packed package and on the sources, and the rules of `n8n-node lint`, without the network.
 * With a folder, on that unpacked package and its sources only.
 */
async function main([given]: string[]): Promise<void> {
	if (given) {
		const folder = path.resolve(given);
		show(given, [...(await packageFindings(folder)), ...(await n8nNodeFindings(folder))]);
		return;
	}
	const folder = await unpacked();
	show('The packed package', await packageFindings(folder));
	show('The sources', await sourceFindings(repository));
	show('The sources, by the rules of n8n-node lint', await n8nNodeFindings(repository));
	await rm(path.dirname(folder), { recursive: true, force: true });
}

void main(process.argv.slice(2));
