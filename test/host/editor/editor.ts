import path from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { Film } from './film';
import { hideMessages, hidePointer, showPointer } from './screen';

interface Point {
	x: number;
	y: number;
}

export interface EditorOptions {
	width?: number;
	height?: number;
	/** Photographs every step. */
	film?: Film;
}

/** n8n's editor in a tab of a signed-in browser, used as a person uses it: everything it does is counted. */
export class Editor {
	readonly did = { clicks: 0, drags: 0, typed: 0 };

	private constructor(
		readonly page: Page,
		private readonly pictures: string,
		private readonly film: Film | undefined,
	) {}

	static async open(
		context: BrowserContext,
		pictures: string,
		options: EditorOptions = {},
	): Promise<Editor> {
		const { width = 1440, height = 900, film } = options;
		const page = await context.newPage();
		await page.setViewportSize({ width, height });
		if (film) await showPointer(page);
		return new Editor(page, pictures, film);
	}

	part = (testId: string): Locator => this.page.locator(`[data-test-id="${testId}"]`);

	field = (name: string): Locator => this.part(`parameter-input-${name}`);

	/** A node on the canvas. */
	node = (name: string): Locator =>
		this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

	/** A node in the search panel, or one of its actions. */
	listed = (text: string): Locator =>
		this.part('item-iterator-item').filter({ hasText: text }).first();

	/** A column of the input, left in a node's panel. */
	column = (name: string): Locator =>
		this.part('run-data-schema-item')
			.locator('[class*=pill]')
			.filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) })
			.first();

	/** A message in the corner. */
	message = (text: string): Locator =>
		this.page.locator('.el-notification').filter({ hasText: text }).first();

	async goTo(address: string, whenThere: Locator): Promise<void> {
		await this.page.goto(address);
		await whenThere.first().waitFor();
	}

	goToWorkflow = ({ id }: { id: string }) => this.goTo(`/workflow/${id}`, this.part('canvas-node'));

	async click(what: Locator): Promise<void> {
		this.did.clicks++;
		await what.click();
		await this.film?.frame(this.page);
	}

	async doubleClick(what: Locator): Promise<void> {
		this.did.clicks++;
		await what.dblclick();
		await this.film?.frame(this.page);
	}

	/** Types into a field, or into the field of a parameter. */
	async type(field: Locator | string, text: string): Promise<void> {
		this.did.typed++;
		const input = typeof field === 'string' ? this.field(field).locator('input').first() : field;
		await input.fill(text);
		await this.film?.frame(this.page);
	}

	async choose(field: string, option: string): Promise<void> {
		await this.click(this.field(field));
		await this.click(this.option(option));
	}

	/** Finds a choice of a long list by typing a part of its name. The list may have several choices, so it stays open until it is left. */
	async find(field: string, part: string, option: string): Promise<void> {
		await this.click(this.field(field));
		await this.type(field, part);
		await this.click(this.option(option));
		await this.page.keyboard.press('Tab');
	}

	/** A choice of the list that is open. */
	option = (text: string): Locator =>
		this.page.locator('.el-select-dropdown__item:visible').filter({ hasText: text }).first();

	/** As a person drags: with the button held down and the pointer moving all the way. */
	async drag(what: Locator, to: Locator | Point): Promise<void> {
		this.did.drags++;
		const { mouse } = this.page;
		const from = await centre(what);
		await mouse.move(from.x, from.y);
		await mouse.down();
		await mouse.move(from.x + 10, from.y + 5, { steps: 4 });
		const target = 'x' in to ? to : await centre(to);
		await mouse.move(target.x, target.y, { steps: 15 });
		await this.isDrawn();
		await this.film?.frame(this.page);
		await mouse.up();
		await this.isDrawn();
		await this.film?.frame(this.page);
	}

	/** On an empty canvas. Leaves its panel open. */
	async addFirstNode(search: string, node: string, action: string): Promise<void> {
		await this.click(this.part('canvas-add-button'));
		await this.chooseNode(search, node, action);
	}

	/** Behind the last node of the canvas. Leaves the panel of the new one open. */
	async addNodeBehind(search: string, node: string, action: string): Promise<void> {
		await this.click(this.part('canvas-handle-plus').last());
		await this.chooseNode(search, node, action);
	}

	async openNode(name: string): Promise<void> {
		await this.doubleClick(this.node(name));
		await this.panelIsOpen();
	}

	/**
	 * Executes the workflow that is on the canvas, until n8n says that it has, and puts the message away. The editor fetches what came
	 * out only then, and forgets, when it has it, an execution that was begun meanwhile (n8n behaviour): so that is waited for, too.
	 */
	async executeWorkflow(): Promise<void> {
		const button = this.part('execute-workflow-button').first();
		const message = this.message('Workflow executed successfully');
		const [cameOut] = await Promise.all([
			this.page.waitForResponse((response) =>
				/\/rest\/executions\/\d+$/.test(new URL(response.url()).pathname),
			),
			this.click(button).then(async () => {
				await message.locator('.el-notification__closeBtn').click();
				await message.waitFor({ state: 'detached' });
			}),
		]);
		await cameOut.finished();
		await this.isDrawn();
	}

	closePanel = () => this.click(this.part('ndv-close-button'));

	panelIsOpen = () => this.part('node-parameters').waitFor();

	/** Runs what comes before the node whose panel is open, so that its columns are shown. */
	async fetchColumns(oneOfThem: string): Promise<void> {
		await this.click(this.part('execute-previous-node'));
		await this.column(oneOfThem).waitFor();
	}

	/** To the left (below zero), so that the table of results has room. n8n remembers it for the other panels. */
	async moveParameters(pixels: number): Promise<void> {
		const handle = await centre(this.part('panel-drag-button'));
		await this.drag(this.part('panel-drag-button'), { ...handle, x: handle.x + pixels });
	}

	/** Everything on the page that a person can read, including the values of its fields. */
	async readable(): Promise<string> {
		const fields = await this.page
			.locator('input:visible, textarea:visible')
			.evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
		return [await this.page.locator('body').innerText(), ...fields].join('\n');
	}

	/** Of the whole page, or of a part of it. */
	async picture(name: string, part: Page | Locator = this.page): Promise<void> {
		await part.screenshot({
			path: path.join(this.pictures, `${name}.png`),
			animations: 'disabled',
			style: `${hidePointer} ${hideMessages}`,
		});
	}

	private async chooseNode(search: string, node: string, action: string): Promise<void> {
		await this.type(this.part('node-creator-search-bar'), search);
		await this.listed(node).hover();
		await this.film?.frame(this.page);
		await this.click(this.listed(node));
		await this.click(this.listed(action));
		await this.panelIsOpen();
	}

	/** The editor moves and highlights what is dragged when it draws next. */
	private async isDrawn(): Promise<void> {
		await this.page.evaluate(
			'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
		);
	}
}

async function centre(part: Locator): Promise<Point> {
	await part.scrollIntoViewIfNeeded();
	const box = await part.boundingBox();
	if (!box) throw new Error('The editor does not show what is to be dragged, or where to.');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
