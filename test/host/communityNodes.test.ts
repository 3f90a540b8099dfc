import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { extract } from 'tar';
import { contacts } from '../engine/helpers/workflows';
import type { Sandbox } from '../sandbox';
import { pictures } from './editor/artefacts';
import { Editor } from './editor/editor';
import { launchChromium, PATIENCE_MS } from './editor/editorBench';
import { CALLS, callWorkflow, START } from './helpers/callWorkflow';
import { N8nClient, type SavedWorkflow } from './helpers/client';
import { ensureHost } from './helpers/host';
import { callsOf, say } from './helpers/hostBench';
import { startN8n } from './helpers/n8n';
import { type NpmRegistry, openNpmRegistry } from './helpers/npmRegistry';
import { installedIn, packFolder, packPackage } from './helpers/package';
import { endProcessGroups } from './helpers/processGroup';
import { freshFolder, newLogin, openSandbox } from './helpers/stage';
import { Teardown } from './helpers/teardown';

/** The package as strangers get it: found in the registry and installed, updated and uninstalled on n8n's own screen. */

const PACKAGE = 'n8n-nodes-outbound-calls';

const teardown = new Teardown();
let sandbox: Sandbox;
let registry: NpmRegistry;
let client: N8nClient;
let editor: Editor;
let folder: string;

beforeAll(async () => {
	teardown.add(endProcessGroups);
	const host = await ensureHost(say);
	folder = await freshFolder(teardown);
	sandbox = await openSandbox(say, teardown, folder);
	registry = await openNpmRegistry(host, folder, teardown);
	const n8n = await startN8n({
		host,
		userFolder: folder,
		logFile: path.join(folder, 'n8n.log'),
		env: registry.env,
	});
	teardown.add(() => n8n.stop());
	client = new N8nClient(n8n.url);
	const login = newLogin();
	await client.setUpOwner(login);

	await mkdir(pictures, { recursive: true });
	const browser = await launchChromium();
	teardown.add(() => browser.close());
	const context = await browser.newContext({ baseURL: n8n.url, locale: 'en-US' });
	context.setDefaultTimeout(PATIENCE_MS);
	await context.request.post('/rest/login', {
		data: { emailOrLdapLoginId: login.email, password: login.password },
	});
	editor = await Editor.open(context, pictures);
});

afterAll(() => teardown.run());

async function packed(packing: Promise<{ tarball: string }>): Promise<string> {
	const { tarball } = await packing;
	teardown.add(() => rm(path.dirname(tarball), { recursive: true, force: true }));
	return tarball;
}

const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
const card = () => editor.part('community-package-card');
const goToCommunityNodes = async () =>
	await editor.goTo('/settings/community-nodes', editor.page.getByText('Community nodes').first());
const installedVersion = async () =>
	(
		JSON.parse(await readFile(path.join(installedIn(folder), 'package.json'), 'utf8')) as {
			version: string;
		}
	).version;

async function install(): Promise<void> {
	await goToCommunityNodes();
	await editor.click(button('Install a community node'));
	await editor.type(editor.page.locator('input[name="packageNameInput"]'), PACKAGE);
	await editor.click(editor.page.getByText('I understand the risks'));
	await editor.click(editor.part('install-community-package-button'));
	await editor.message('Package installed').waitFor();
}

async function update(): Promise<void> {
	await goToCommunityNodes();
	await editor.click(card().getByRole('button', { name: 'Update' }));
	await editor.click(button('Confirm update'));
	await editor.message('Package updated').waitFor();
}

async function uninstall(): Promise<void> {
	await goToCommunityNodes();
	await editor.click(card().getByRole('button').last());
	await editor.click(editor.page.getByText('Uninstall package'));
	await editor.click(button('Confirm uninstall'));
	await editor.message('Package uninstalled').waitFor();
}

const SAYS = 'An earlier run of this workflow called';
const NEXT_SAYS = 'In an earlier run, this workflow called';

/** The same files under the next version, which says one thing otherwise. */
async function nextVersion(tarball: string): Promise<string> {
	const copy = path.join(folder, 'next');
	await mkdir(copy);
	await extract({ file: tarball, cwd: copy, strip: 1 });
	const file = path.join(copy, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8')) as { version: string };
	const [major, minor, patch] = manifest.version.split('.');
	await writeFile(
		file,
		JSON.stringify({ ...manifest, version: `${major}.${minor}.${Number(patch) + 1}` }),
	);
	const execute = path.join(copy, 'dist/nodes/OutboundCalls/execute.js');
	const code = await readFile(execute, 'utf8');
	expect(code).toContain(SAYS);
	await writeFile(execute, code.replaceAll(SAYS, NEXT_SAYS));
	return await packed(packFolder(copy));
}

it('is installed, updated, uninstalled and installed again on n8n’s own screen, and nobody is called twice', async () => {
	const tarball = await packed(packPackage());
	const first = await registry.publish(tarball);
	await install();
	await card().getByText(`v${first.version}`).waitFor();
	expect(await installedVersion()).toBe(first.version);

	const data = { baseUrl: sandbox.baseUrl, apiToken: sandbox.token };
	const credential = await client.createCredential({
		name: 'Outbound Calls',
		type: 'outboundCallsApi',
		data,
	});
	const parameters = {
		resource: 'call',
		operation: 'bulkCall',
		mode: 'dryRun',
		countries: ['any'],
		agentNumber: '+15550001000',
		destination: '={{ $json.phone }}',
	};
	const rows = contacts(3);
	let workflow: SavedWorkflow = await client.createWorkflow(
		callWorkflow({ name: 'Campaign', credential, rows: rows.slice(0, 1), parameters }),
	);
	const outcomes = async () => callsOf(await client.runAndWait(workflow, START));
	const statuses = async () => (await outcomes()).map(({ status }) => status);
	/** The same workflow with other fields, or other rows. */
	const changed = async (mode: string, count: number) => {
		const { nodes } = callWorkflow({
			name: 'Campaign',
			credential,
			rows: rows.slice(0, count),
			parameters: { ...parameters, mode },
		});
		workflow = await client.updateWorkflow({ ...workflow, nodes });
	};

	expect(await statuses()).toEqual(['dry_run']);
	await changed('live', 1);
	expect(await statuses()).toEqual(['initiated']);
	expect(await outcomes()).toMatchObject([
		{ status: 'already_called', reason: expect.stringContaining(SAYS) },
	]);

	const second = await registry.publish(await nextVersion(tarball));
	await update();
	await card().getByText(`v${second.version}`).waitFor();
	expect(await installedVersion()).toBe(second.version);
	expect(second.version).not.toBe(first.version);
	// The code of the new version, in an n8n that runs on.
	expect(await outcomes()).toMatchObject([
		{ status: 'already_called', reason: expect.stringContaining(NEXT_SAYS) },
	]);
	await changed('live', 2);
	expect(await statuses()).toEqual(['already_called', 'initiated']);

	await uninstall();
	expect(existsSync(installedIn(folder))).toBe(false);
	await editor.goToWorkflow(workflow);
	await editor.node(CALLS).waitFor();
	const called = sandbox.requests.length;

	await install();
	await card().getByText(`v${second.version}`).waitFor();
	await changed('live', 3);
	expect(sandbox.requests).toHaveLength(called);
	expect(await statuses()).toEqual(['already_called', 'already_called', 'initiated']);
	expect(sandbox.journal.map(({ phone }) => phone)).toEqual(rows.map(({ phone }) => phone));
	expect(registry.downloads).toBe(3);
	say(
		`${first.version} → ${second.version}: installed, updated, uninstalled, installed again; 3 people, 3 calls`,
	);
});
