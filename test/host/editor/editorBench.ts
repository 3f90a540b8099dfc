import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import {
	chromium,
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	type Page,
} from 'playwright-core';
import { HostBench, MONDAY } from '../helpers/hostBench';
import { Editor, type EditorOptions } from './editor';

/**
 * Pictures, to look at after a change of the panel; git ignores them. Those named `documentation-…` are also in `docs/pictures`:
 * `convert documentation-report.png +dither -colors 128 png8:docs/pictures/report.png`, those of examples in `docs/pictures/examples`.
 */
const artefacts = path.join(__dirname, '..', 'artefacts');

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

/** n8n's own. */
export type Theme = 'light' | 'dark';

/** One real n8n and one browser for all that happens in the editor. */
export class EditorBench extends HostBench {
	private browser: Browser | undefined;
	private readonly contexts = new Map<Theme, BrowserContext>();
	private readonly strangers: BrowserContext[] = [];
	readonly pictures: string;

	/** @param folder for pictures, of this test file alone */
	constructor(folder: string) {
		super();
		this.pictures = path.join(artefacts, folder);
	}

	override async open(): Promise<void> {
		await rm(this.pictures, { recursive: true, force: true });
		await mkdir(this.pictures, { recursive: true });
		await super.open();
		// It is day in all of the Americas.
		await this.setClock(MONDAY, '19:30');
		// CHROMIUM names another one than Debian's.
		const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
		this.browser = await chromium.launch({ executablePath, args: flags });
	}

	override async close(): Promise<void> {
		await this.browser?.close();
		await super.close();
	}

	async editor({
		theme = 'light',
		...options
	}: EditorOptions & { theme?: Theme } = {}): Promise<Editor> {
		return await Editor.open(await this.signedIn(theme), this.pictures, options);
	}

	/** A page in a browser of somebody who has not signed in to n8n. */
	async visitor(options: BrowserContextOptions): Promise<Page> {
		const context = await this.browser!.newContext({ locale: 'en-US', ...options });
		context.setDefaultTimeout(PATIENCE_MS);
		this.strangers.push(context);
		return await context.newPage();
	}

	/** Photographs what is open, under the name of the test, and closes it: n8n lets one tab at a time change a workflow. */
	async closePages(test: string): Promise<void> {
		const pages = [...this.contexts.values()].flatMap((context) => context.pages());
		for (const page of pages) {
			await page.screenshot({
				path: path.join(this.pictures, 'ends', `${test.replace(/[^\w]+/g, '-').slice(0, 100)}.png`),
			});
			await page.close();
		}
		for (const context of this.strangers.splice(0)) await context.close();
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

/** Call once at the top of a test file. */
export function editorBench(folder = 'editor'): EditorBench {
	const bench = new EditorBench(folder);
	beforeAll(() => bench.open());
	afterEach(async () => {
		await bench.closePages(expect.getState().currentTestName ?? '');
		bench.reset();
	});
	afterAll(() => bench.close());
	return bench;
}
