import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox';
import { N8nClient, type Login, type SavedCredential } from './client';
import { ensureHost, type Host } from './host';
import { filesFolderIn, startN8n, type N8nOptions, type RunningN8n } from './n8n';
import { installPackage, packPackage } from './package';
import { endProcessGroups } from './processGroup';
import { step, type Progress } from './progress';
import type { Teardown } from './teardown';

/** A real n8n with this package in it, signed in, and a sandbox that its credential leads to. */
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

/** The password is for one n8n on this machine only, but that n8n runs whatever its owner writes. */
const newLogin = (): Login => ({ email: 'demo@example.com', password: `Demo1${randomBytes(6).toString('hex')}` });

/** Sets up everything in a fresh folder, step by step; `teardown` undoes it, also after half of it. */
export async function setUpStage(
	progress: Progress,
	teardown: Teardown,
	{ sandbox: sandboxOptions, env, keepFolder = () => false }: StageOptions = {},
): Promise<Stage> {
	teardown.add(endProcessGroups);
	const host = await ensureHost(progress);

	const userFolder = await mkdtemp(path.join(await realpath(tmpdir()), 'outbound-calls-n8n-'));
	teardown.add(async () => {
		await endProcessGroups();
		if (!keepFolder()) await rm(userFolder, { recursive: true, force: true });
	});

	const size = await step(progress, 'Packing and installing this package', async () => {
		const { tarball, bytes } = await packPackage();
		await installPackage(tarball, userFolder);
		await rm(path.dirname(tarball), { recursive: true });
		return bytes;
	});
	progress(`The packed package has ${(size / 1024).toFixed(0)} kB`);

	const sandbox = await step(progress, 'Starting the sandbox, which stands in for the phone service', () =>
		startSandbox({
			log: (line) => appendFileSync(path.join(userFolder, 'sandbox.log'), `${line}\n`),
			...sandboxOptions,
		}),
	);
	teardown.add(() => sandbox.close());

	const n8n = await step(progress, 'Starting n8n', () =>
		startN8n({ host, userFolder, logFile: path.join(userFolder, 'n8n.log'), env }),
	);
	teardown.add(() => n8n.stop());

	const login = newLogin();
	const client = new N8nClient(n8n.url);
	const credential = await step(progress, 'Making the owner and the credential', async () => {
		await client.setUpOwner(login);
		const data = { baseUrl: sandbox.baseUrl, apiToken: sandbox.token };
		const saved = await client.createCredential({ name: 'Outbound Calls (sandbox)', type: 'outboundCallsApi', data });
		const { status, message } = await client.testCredential(saved, data);
		if (status !== 'OK') throw new Error(`n8n did not accept the credential: ${message}`);
		return saved;
	});

	return { host, n8n, client, login, sandbox, credential, userFolder, filesFolder: filesFolderIn(userFolder) };
}
