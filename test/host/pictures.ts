import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { INode } from 'n8n-workflow';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { runCampaign, type Campaign } from './campaign';
import type { SavedCredential } from './client';
import { repository } from './package';
import { setUpStage, type Stage } from './stage';
import { Teardown } from './teardown';

const documentation = path.join(repository, 'docs', 'pictures');
/** Pictures to look at after a change of the panel; git ignores them. */
const review = path.join(__dirname, 'artefacts');

const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** The editor of a stage's n8n in a browser, signed in. */
class Editor {
	private constructor(
		private readonly stage: Stage,
		readonly page: Page,
		private readonly context: BrowserContext,
	) {}

	static async open(browser: Browser, stage: Stage, { height = 900, dark = false } = {}): Promise<Editor> {
		const context = await browser.newContext({
			viewport: { width: 1600, height },
			colorScheme: dark ? 'dark' : 'light',
			locale: 'en-US',
		});
		const { email, password } = stage.login;
		await context.request.post(`${stage.n8n.url}/rest/login`, { data: { emailOrLdapLoginId: email, password } });
		return new Editor(stage, await context.newPage(), context);
	}

	close = () => this.context.close();

	part = (testId: string) => this.page.locator(`[data-test-id="${testId}"]`);

	async goTo(address: string, whenThere: string): Promise<void> {
		await this.page.goto(`${this.stage.n8n.url}${address}`);
		await this.part(whenThere).first().waitFor();
		await this.settle();
	}

	workflow = (id: string) => this.goTo(`/workflow/${id}`, 'canvas-node');

	async runWorkflow(): Promise<void> {
		await this.part('execute-workflow-button').click();
		await this.page.getByText(/Workflow executed successfully|Problem in node/).first().waitFor();
		await this.settle();
	}

	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.part('node-execute-button').waitFor();
		await this.settle();
	}

	async runNode(name: string): Promise<void> {
		await this.openNode(name);
		await this.part('node-execute-button').click();
		await this.settle(2_000);
		await this.closeNode();
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.settle();
	}

	/** As a person drags it: with the button held down and the pointer moving all the way. */
	async drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
		const { mouse } = this.page;
		await mouse.move(from.x, from.y);
		await mouse.down();
		await mouse.move(from.x + 10, from.y + 5, { steps: 4 });
		await mouse.move(to.x, to.y, { steps: 15 });
		await this.settle(300);
		await mouse.up();
		await this.settle(500);
	}

	async dragColumn(column: string, to: string): Promise<void> {
		const item = this.part('run-data-schema-item').filter({ hasText: column }).last();
		await this.drag(await centre(item.locator('[class*=pill]').first()), await centre(this.part(to)));
	}

	/** Moves the parameters aside, so that the table of results has room. */
	async widenOutput(pixels: number): Promise<void> {
		const handle = await centre(this.part('panel-drag-button'));
		await this.drag(handle, { ...handle, x: handle.x - pixels });
	}

	/** Hides the messages in the corner. */
	async dismissMessages(): Promise<void> {
		for (const cross of await this.page.locator('.el-notification__closeBtn').all()) await cross.click();
		await this.settle(500);
	}

	async picture(name: string, folder = review): Promise<void> {
		await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
	}

	/** The editor animates what it opens. */
	settle = (ms = 1_000) => this.page.waitForTimeout(ms);
}

async function centre(part: ReturnType<Page['locator']>): Promise<{ x: number; y: number }> {
	const box = await part.boundingBox();
	if (!box) throw new Error('The editor does not show what is to be dragged, or where to.');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const rows = [
	{ 'First Name': 'Amara Osei', phone: '+15550100201', amount: 120.5 },
	{ 'First Name': 'Bruno Keller', phone: '0155 50100202', amount: 89 },
	{ 'First Name': 'Chiara Romano', phone: '+15550100203', amount: 240.75 },
];

/** A workflow of three nodes whose last one, "Calls", is the node with these parameters. */
async function workflowWith({ client, credential }: Stage, title: string, parameters: INode['parameters'], more: Partial<INode> = {}): Promise<string> {
	const node = (name: string, type: string, typeVersion: number, x: number, own: INode['parameters']): INode => ({
		id: `00000000-0000-4000-8000-00000000${String(x).padStart(4, '0')}`,
		name,
		type,
		typeVersion,
		position: [x, 0],
		parameters: own,
	});
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const { id } = await client.createWorkflow({
		name: title,
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, 0, {}),
			node('Rows', 'n8n-nodes-base.code', 2, 224, { jsCode: `return ${JSON.stringify(rows.map((json) => ({ json })))};` }),
			{
				...node('Calls', 'n8n-nodes-outbound-calls.outboundCalls', 1, 448, parameters),
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
				...more,
			},
		],
		connections: { Start: to('Rows'), Rows: to('Calls') },
	});
	return id;
}

const reminder = '+15550001000';
const variables = { assignments: [{ id: 'name', name: 'name', value: 'Ada', type: 'string' }] };

const panels: Record<string, INode['parameters']> = {
	'place-call': {},
	'bulk-call': { operation: 'bulkCall' },
	'cancel-call': { operation: 'cancelCall' },
	'get-batch': { resource: 'batch', operation: 'getBatch' },
	'list-of-destinations': {
		operation: 'bulkCall',
		agentNumber: reminder,
		destinationSource: 'list',
		destinationList: { destination: [{ phone: '+15550100210', promptVariables: variables }] },
	},
	'json-forms': { operation: 'bulkCall', agentNumber: reminder, destinationSource: 'json', variablesFrom: 'json' },
	'sip-agent': { operation: 'bulkCall', agentNumber: 't-sales', destination: '={{ $json.phone }}', variablesFrom: 'input' },
};

/** The picture in the README: the example campaign after a run. */
async function campaignPicture(browser: Browser, stage: Stage, { workflow }: Campaign): Promise<void> {
	const editor = await Editor.open(browser, stage);
	await editor.workflow(workflow.id);
	await editor.runWorkflow();
	await editor.dismissMessages();
	await editor.openNode('Call contacts');
	await editor.widenOutput(190);
	await editor.picture('bulk-call', documentation);
	await editor.close();
}

async function panelPictures(browser: Browser, stage: Stage): Promise<void> {
	const editor = await Editor.open(browser, stage, { height: 1300 });
	for (const [name, parameters] of Object.entries(panels)) {
		await editor.workflow(await workflowWith(stage, name, parameters));
		await editor.openNode('Calls');
		await editor.picture(`panel-${name}`);
		await editor.page.getByPlaceholder('Add option').click();
		await editor.settle();
		await editor.picture(`options-${name}`);
	}
	await editor.close();
}

async function dragPicture(browser: Browser, stage: Stage): Promise<void> {
	const editor = await Editor.open(browser, stage, { height: 1300 });
	const parameters = { operation: 'bulkCall', agentNumber: reminder, destination: '={{ $json.phone }}' };
	await editor.workflow(await workflowWith(stage, 'Dragged columns', parameters));
	await editor.runNode('Rows');
	await editor.openNode('Calls');
	await editor.dragColumn('First Name', 'assignment-collection-drop-area');
	await editor.dragColumn('amount', 'assignment-collection-drop-area');
	await editor.picture('dragged-columns');
	await editor.close();
}

/** The second row has no number in international format. */
async function refusalPictures(browser: Browser, stage: Stage): Promise<void> {
	const editor = await Editor.open(browser, stage);
	const parameters = { operation: 'bulkCall', agentNumber: reminder, destination: '={{ $json.phone }}' };
	for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
		await editor.workflow(await workflowWith(stage, onError, parameters, { onError }));
		await editor.runWorkflow();
		await editor.dismissMessages();
		await editor.openNode('Calls');
		await editor.picture(`refusal-${onError}`);
	}
	await editor.close();
}

async function searchPicture(browser: Browser, stage: Stage, dark: boolean): Promise<void> {
	const editor = await Editor.open(browser, stage, { dark });
	await editor.workflow(await workflowWith(stage, 'Search', {}));
	await editor.part('node-creator-plus-button').click();
	await editor.part('node-creator-search-bar').fill('call');
	await editor.settle();
	await editor.picture(`search-${dark ? 'dark' : 'light'}`);
	await editor.close();
}

async function credentialPictures(browser: Browser, stage: Stage): Promise<void> {
	const { client, sandbox, credential } = stage;
	const other = async (name: string, data: object): Promise<SavedCredential> =>
		client.createCredential({ name, type: credential.type, data: { baseUrl: sandbox.baseUrl, apiToken: sandbox.token, ...data } });
	const credentials = {
		accepted: credential,
		'other-token': await other('Other token', { apiToken: 'an-earlier-token' }),
		'other-address': await other('Other address', { baseUrl: sandbox.origin }),
	};
	const editor = await Editor.open(browser, stage);
	for (const [name, { id }] of Object.entries(credentials)) {
		await editor.goTo(`/home/credentials/${id}`, 'editCredential-modal');
		// The editor tests a saved credential when it opens it.
		await editor.settle(2_000);
		if (name !== 'accepted') await editor.page.getByText('More details').first().click();
		await editor.settle();
		await editor.picture(`credential-${name}`);
	}
	await editor.close();
}

/** `npm run docs:pictures`: photographs the real editor. Needs Chromium (CHROMIUM names another one than Debian's). */
async function main(): Promise<void> {
	const progress = (line: string) => console.log(line);
	const teardown = new Teardown();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void teardown.run().finally(() => process.exit(130)));
	}
	try {
		await Promise.all([documentation, review].map((folder) => mkdir(folder, { recursive: true })));
		const stage = await setUpStage(progress, teardown);
		const campaign = await runCampaign(stage, progress);
		const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
		teardown.add(() => browser.close());

		await campaignPicture(browser, stage, campaign);
		progress(`The README's picture is in ${documentation}`);
		await panelPictures(browser, stage);
		await dragPicture(browser, stage);
		await refusalPictures(browser, stage);
		await searchPicture(browser, stage, false);
		await searchPicture(browser, stage, true);
		await credentialPictures(browser, stage);
		progress(`Pictures for review are in ${review}`);
	} finally {
		await teardown.run();
	}
}

main().catch((complaint: unknown) => {
	console.error(complaint);
	process.exitCode = 1;
});
