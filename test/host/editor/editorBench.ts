import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { CALLS, callWorkflow } from '../helpers/callWorkflow';
import type { SavedWorkflow } from '../helpers/client';
import { HostBench } from '../helpers/hostBench';
import { pictures, walk, type Theme } from './artefacts';
import { Editor, type EditorOptions } from './editor';

const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** How long the editor may take on a slow machine to show what is expected. */
export const PATIENCE_MS = 60_000;

/** CHROMIUM names another one than Debian's. */
export const launchChromium = async (): Promise<Browser> =>
	await chromium.launch({
		executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
		args: flags,
	});

/** One real n8n and one browser for all that happens in the editor. */
export class EditorBench extends HostBench {
	private browser: Browser | undefined;
	private readonly contexts = new Map<Theme, BrowserContext>();

	override async open(): Promise<void> {
		await Promise.all([pictures, walk].map((folder) => emptyFolder(folder)));
		await super.open();
		this.browser = await launchChromium();
	}

	override async close(): Promise<void> {
		await this.browser?.close();
		await super.close();
	}

	async editor({
		theme = 'light',
		...options
	}: EditorOptions & { theme?: Theme } = {}): Promise<Editor> {
		return await Editor.open(await this.signedIn(theme), pictures, options);
	}

	/** A page that n8n made, in a tab of its own, outside of n8n; what it asked for, and what it wanted to say. */
	async pageOf(html: string): Promise<{ page: Page; asked: string[]; said: string[] }> {
		const page = await this.browser!.newPage({ viewport: { width: 780, height: 600 } });
		const asked: string[] = [];
		const said: string[] = [];
		page.on('request', (request) => asked.push(request.url()));
		page.on('dialog', (dialog) => {
			said.push(dialog.message());
			void dialog.dismiss();
		});
		await page.setContent(html);
		return { page, asked, said };
	}

	/** Photographs what is open, under the name of the test, and closes it: n8n lets one tab at a time change a workflow. */
	async closePages(test: string): Promise<void> {
		const pages = [...this.contexts.values()].flatMap((context) => context.pages());
		for (const page of pages) {
			await page.screenshot({
				path: path.join(pictures, 'ends', `${test.replace(/[^\w]+/g, '-').slice(0, 100)}.png`),
			});
			await page.close();
		}
	}

	/** A workflow that calls `rows`, with its nodes side by side. */
	async workflow(
		name: string,
		given: Omit<Parameters<typeof callWorkflow>[0], 'name' | 'credential'>,
	): Promise<SavedWorkflow> {
		const { credential } = this.stage;
		const workflow = callWorkflow({ name, credential, ...given });
		const before = workflow.nodes.findIndex(({ name: nodeName }) => nodeName === CALLS);
		workflow.nodes.forEach((node, index) => {
			// What is behind the node that calls, one below the other.
			node.position =
				index > before ? [(before + 1) * 224, (index - before - 2) * 192] : [index * 224, 0];
		});
		return await this.saved(workflow);
	}

	/** One for each theme, so that the editor is loaded into the browser once. */
	private async signedIn(theme: Theme): Promise<BrowserContext> {
		const known = this.contexts.get(theme);
		if (known) return known;
		const { n8n, login } = this.stage;
		const context = await this.browser!.newContext({
			baseURL: n8n.url,
			colorScheme: theme,
			locale: 'en-US',
		});
		context.setDefaultTimeout(PATIENCE_MS);
		await context.request.post('/rest/login', {
			data: { emailOrLdapLoginId: login.email, password: login.password },
		});
		this.contexts.set(theme, context);
		return context;
	}
}

async function emptyFolder(folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
}

/** Call once at the top of a test file. */
export function editorBench(): EditorBench {
	const bench = new EditorBench();
	beforeAll(() => bench.open());
	afterEach(async () => {
		await bench.closePages(expect.getState().currentTestName ?? '');
		bench.reset();
	});
	afterAll(() => bench.close());
	return bench;
}
