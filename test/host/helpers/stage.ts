import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { N8nClient, type Login, type SavedCredential } from './client';
import { ensureHost, type Host } from './host';
import { filesFolderIn, startN8n, type N8nOptions, type RunningN8n } from './n8n';
import { installPackage, packPackage } from './package';
import { endProcessGroups } from './processGroup';
import { step, type Progress } from './progress';
import type { Teardown } from './teardown';

/** A real n8n with this package and a signed-in owner, and a sandbox that its credential points to. */
export interface Stage {
	host: Host;
	n8n: RunningN8n;
	client: N8nClient;
	login: Login;
	sandbox: Sandbox;
	credential: SavedCredential;
	userFolder: string;
	/** Where workflows may read and write files. */
	filesFolder: string;
}

interface StageOptions {
	sandbox?: SandboxOptions;
	env?: N8nOptions['env'];
	/** Keeps the folder with n8n's database and logs when the answer, at teardown, is yes. */
	keepFolder?: () => boolean;
}

/** A fresh folder for n8n's files, gone at teardown. */
export async function freshFolder(
	teardown: Teardown,
	keepFolder: () => boolean = () => false,
): Promise<string> {
	const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'outbound-calls-n8n-'));
	teardown.add(async () => {
		await endProcessGroups();
		if (!keepFolder()) await rm(folder, { recursive: true, force: true });
	});
	return folder;
}

/** Packs this package once and installs it for an n8n in each of these folders. */
export async function installPacked(progress: Progress, userFolders: string[]): Promise<void> {
	const size = await step(progress, 'Packing and installing this package', async () => {
		const { tarball, bytes } = await packPackage();
		for (const folder of userFolders) await installPackage(tarball, folder);
		await rm(path.dirname(tarball), { recursive: true });
		return bytes;
	});
	progress(`The packed package has ${(size / 1000).toFixed(0)} kB`);
}

/** The sandbox, with a log of its own in `folder`. */
export async function openSandbox(
	progress: Progress,
	teardown: Teardown,
	folder: string,
	options: SandboxOptions = {},
): Promise<Sandbox> {
	const log = (line: string) => appendFileSync(path.join(folder, 'sandbox.log'), `${line}\n`);
	const sandbox = await step(progress, 'Starting the sandbox as the phone service', () =>
		startSandbox({ log, ...options }),
	);
	teardown.add(() => sandbox.close());
	return sandbox;
}

/** The owner of a fresh n8n, signed in, with a credential that leads to the sandbox. */
export async function signUp(
	progress: Progress,
	url: string,
	sandbox: Sandbox,
): Promise<Pick<Stage, 'client' | 'login' | 'credential'>> {
	// That n8n runs any code that its owner writes. A password needs 8 characters, a number and a capital.
	const password = `Demo1${randomBytes(6).toString('hex')}`;
	const login = { email: 'demo@example.com', password };
	const client = new N8nClient(url);
	const credential = await step(progress, 'Making the owner and the credential', async () => {
		await client.send('POST', '/owner/setup', { ...login, firstName: 'Demo', lastName: 'Owner' });
		const data = { baseUrl: sandbox.baseUrl, apiToken: sandbox.token };
		const saved = await client.createCredential({
			name: 'Outbound Calls (sandbox)',
			type: 'outboundCallsApi',
			data,
		});
		const { status, message } = await client.testCredential(saved, data);
		if (status !== 'OK') throw new Error(`n8n did not accept the credential: ${message}`);
		return saved;
	});
	return { client, login, credential };
}

/** Sets up everything in a fresh folder, step by step; `teardown` undoes it, also after half of it. */
export async function setUpStage(
	progress: Progress,
	teardown: Teardown,
	{ sandbox: sandboxOptions, env, keepFolder }: StageOptions = {},
): Promise<Stage> {
	teardown.add(endProcessGroups);
	const host = await ensureHost(progress);
	const userFolder = await freshFolder(teardown, keepFolder);
	await installPacked(progress, [userFolder]);
	const sandbox = await openSandbox(progress, teardown, userFolder, sandboxOptions);

	const n8n = await step(progress, 'Starting n8n', () =>
		startN8n({ host, userFolder, logFile: path.join(userFolder, 'n8n.log'), env }),
	);
	teardown.add(() => n8n.stop());

	const owned = await signUp(progress, n8n.url, sandbox);
	return { host, n8n, sandbox, ...owned, userFolder, filesFolder: filesFolderIn(userFolder) };
}
