import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startProcessGroup } from './processGroup';
import { step, type Progress } from './progress';

/**
 * npm passes its settings on to scripts. Settings of the repository must not reach an npm that works in another
 * folder, but a registry, proxy or cache that the developer configured must.
 */
const belongsToRepository =
	/^(npm_package_|npm_lifecycle_|npm_config_(local_prefix|ignore_scripts|legacy_peer_deps)$|INIT_CWD$|NODE_OPTIONS$)/i;

export const npmEnvironment = (): NodeJS.ProcessEnv =>
	Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !belongsToRepository.test(name)),
	);

/** What npm itself calls the reason, such as " (ENOSPC)". */
async function reasonIn(logFile: string): Promise<string> {
	const log = await readFile(logFile, 'utf8').catch(() => '');
	const [, code] = /^npm (?:error|ERR!) code (\w+)/m.exec(log) ?? [];
	return code ? ` (${code})` : '';
}

async function lookedUp(logFile: string): Promise<string> {
	const log = await readFile(logFile, 'utf8').catch(() => '');
	const count = log.match(/^npm http (fetch|cache)/gm)?.length ?? 0;
	return count ? `${count} files looked up` : '';
}

/** Runs npm and shows that it is alive. If it fails, says where its log is. */
export async function runNpm(
	progress: Progress,
	title: string,
	{
		args,
		folder,
		env,
		logFile,
	}: { args: string[]; folder: string; env?: NodeJS.ProcessEnv; logFile: string },
): Promise<void> {
	await step(
		progress,
		title,
		async () => {
			const npm = await startProcessGroup({
				program: 'npm',
				args,
				folder,
				env: { ...npmEnvironment(), ...env },
				logFile,
			});
			const status = await npm.ended;
			if (status === 0) return;
			const reason = await reasonIn(logFile);
			throw new Error(`npm ${args[0]} failed${reason}. Its log: ${path.resolve(logFile)}`);
		},
		{ detail: () => lookedUp(logFile) },
	);
}
