import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';

/** For screenshots without the messages in the corner, which come and go. */
const hideMessages = '.el-notification { visibility: hidden }';

/** On a slow machine, a field that a column was dragged to opens late, with a tip over the next one. */
const letTipsBe =
	'[data-reka-popper-content-wrapper]:has([class*="_tip_"]), [data-reka-popper-content-wrapper]:has([class*="_tip_"]) * { pointer-events: none !important }';

/** Of the canvas, its nodes and notes, without the nodes' own buttons. */
const onlyTheCanvas = `
	body * { visibility: hidden !important }
	.vue-flow__viewport, .vue-flow__viewport * { visibility: visible !important }
	.vue-flow__viewport button, [data-test-id="node-issues"], [data-test-id="canvas-handle-plus-wrapper"] {
		display: none !important;
	}`;

interface Size {
	width: number;
	height: number;
}

interface Point {
	x: number;
	y: number;
}

export interface EditorOptions {
	width?: number;
	height?: number;
}

/** n8n's editor in a tab of a signed-in browser, used as a person uses it: everything it does is counted. */
export class Editor {
	readonly did = { clicks: 0, drags: 0, typed: 0 };

	private constructor(
		readonly page: Page,
		private readonly pictures: string,
	) {}

	static async open(
		context: BrowserContext,
		pictures: string,
		options: EditorOptions = {},
	): Promise<Editor> {
		const { width = 1440, height = 900 } = options;
		const page = await context.newPage();
		await page.setViewportSize({ width, height });
		return new Editor(page, pictures);
	}

	part = (testId: string): Locator => this.page.locator(`[data-test-id="${testId}"]`);

	private get hint(): Locator {
		return this.part('output-panel').locator('[data-test-id="node-run-hint"], [class*="callout"]');
	}

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
	message = (text: string | RegExp): Locator =>
		this.page.locator('.el-notification').filter({ hasText: text }).first();

	async goTo(address: string, whenThere: Locator): Promise<void> {
		await this.page.goto(address);
		await this.page.addStyleTag({ content: letTipsBe });
		await whenThere.first().waitFor();
	}

	goToWorkflow = ({ id }: { id: string }) => this.goTo(`/workflow/${id}`, this.part('canvas-node'));

	/** As a link inside of the editor does: without loading it again. */
	async followTo({ id }: { id: string }, oneOfItsNodes: string): Promise<void> {
		await this.page.evaluate(
			`history.pushState({}, '', '/workflow/${id}'); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`,
		);
		await this.node(oneOfItsNodes).waitFor();
	}

	async click(what: Locator): Promise<void> {
		this.did.clicks++;
		await what.click();
	}

	async doubleClick(what: Locator): Promise<void> {
		this.did.clicks++;
		await what.dblclick();
	}

	/** Types into a field, or into the field of a parameter. */
	async type(field: Locator | string, text: string): Promise<void> {
		this.did.typed++;
		const input = typeof field === 'string' ? this.field(field).locator('input').first() : field;
		await input.fill(text);
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
		const from = await center(what);
		await mouse.move(from.x, from.y);
		await mouse.down();
		await mouse.move(from.x + 10, from.y + 5, { steps: 4 });
		const target = 'x' in to ? to : await center(to);
		await mouse.move(target.x, target.y, { steps: 15 });
		await this.isDrawn();
		await mouse.up();
		await this.isDrawn();
		await this.page.evaluate('document.activeElement.blur()');
	}

	/** On an empty canvas, or after its last node, with the first node found. Leaves its panel open. */
	async addNode(search: string, node: string, action: string): Promise<void> {
		const first = this.part('canvas-add-button');
		const isFirst = await first.isVisible();
		await this.click(isFirst ? first : this.part('canvas-handle-plus').last());
		await this.type(this.part('node-creator-search-bar'), search);
		// A person would press Enter, but n8n ignores it while it is still searching.
		await this.part('item-iterator-item').first().filter({ hasText: node }).click();
		await this.click(this.listed(action));
		await this.panelIsOpen();
	}

	async openNode(name: string): Promise<void> {
		await this.doubleClick(this.node(name));
		await this.panelIsOpen();
	}

	/** Executes the workflow that is on the canvas, until n8n says that it has. */
	async executeWorkflow(): Promise<void> {
		await this.click(this.part('execute-workflow-button').first());
		await this.hasExecuted();
	}

	/** Executes the node whose panel is open, until its summary says so. */
	async executeStep(summary: RegExp): Promise<void> {
		await this.click(this.part('node-execute-button'));
		await this.hint.filter({ hasText: summary }).first().waitFor();
		await this.hasExecuted();
	}

	/** Puts the message away. Before it comes, the editor forgets an execution that is begun (n8n behavior). */
	private async hasExecuted(): Promise<void> {
		const message = this.message(/executed successfully/);
		await message.waitFor();
		// It may go by itself before.
		const close = message.locator('.el-notification__closeBtn');
		await close.click({ timeout: 2_000 }).catch(() => undefined);
		await message.waitFor({ state: 'detached' });
	}

	/** The lines above the table of results. */
	async summary(): Promise<string> {
		return await this.hint.first().innerText();
	}

	/** The text of each row of the table of results. */
	async rows(): Promise<string[]> {
		const texts = await this.part('output-panel').locator('tbody tr').allInnerTexts();
		return texts.map((text) => text.trim());
	}

	/** Cells among the first ones of each row that n8n shows in red, because they hold nothing. */
	async emptyCells(firstColumns: number): Promise<number> {
		const cells = `tbody tr td:nth-child(-n+${firstColumns + 1})`;
		return await this.part('output-panel').locator(`${cells} [class*="empty"]`).count();
	}

	/** How many rows of the table of results stand on the screen in full. */
	async visibleRows(): Promise<number> {
		const panel = await this.part('output-panel').boundingBox();
		const rows = await this.part('output-panel').locator('tbody tr').all();
		const boxes = await Promise.all(rows.map((row) => row.boundingBox()));
		return boxes.filter((box) => box && box.y + box.height <= panel!.y + panel!.height).length;
	}

	/** The columns of the table of results. */
	async headings(): Promise<string[]> {
		const texts = await this.part('output-panel').locator('th').allInnerTexts();
		return texts.map((text) => text.trim()).filter((text) => text !== '');
	}

	/** The first line of each label. The rest comes from the buttons that n8n shows beside it. */
	async labels(): Promise<string[]> {
		const labels = this.part('node-parameters').locator('[data-test-id="input-label"]:visible');
		return (await labels.allInnerTexts()).map((text) => text.split('\n')[0]!.trim());
	}

	/** The choices of the list that is open. */
	async options(): Promise<string[]> {
		return await this.page.locator('.el-select-dropdown__item:visible').allInnerTexts();
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
		const handle = await center(this.part('panel-drag-button'));
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
			style: hideMessages,
		});
	}

	/** Of all nodes and notes, without what n8n shows around them, in the small. */
	async pictureOfCanvas(name: string, { width, height }: Size): Promise<void> {
		await this.click(this.part('zoom-to-fit'));
		const style = await this.page.addStyleTag({ content: onlyTheCanvas });
		await this.isDrawn();
		const all = await this.page.locator('.vue-flow__node').all();
		const boxes = (await Promise.all(all.map((each) => each.boundingBox()))).flatMap(
			(box) => box ?? [],
		);
		const left = Math.min(...boxes.map(({ x }) => x));
		const top = Math.min(...boxes.map(({ y }) => y));
		const right = Math.max(...boxes.map((box) => box.x + box.width));
		const bottom = Math.max(...boxes.map((box) => box.y + box.height));
		// The names of nodes stand below their boxes.
		const scale = Math.min(width / (right - left + 60), height / (bottom - top + 80));
		const clip = {
			x: (left + right - width / scale) / 2,
			y: (top + bottom + 40 - height / scale) / 2,
			width: width / scale,
			height: height / scale,
			scale,
		};
		const devTools = await this.page.context().newCDPSession(this.page);
		const { data } = await devTools.send('Page.captureScreenshot', { clip });
		await writeFile(path.join(this.pictures, `${name}.png`), data, 'base64');
		await style.evaluate((element) => (element as unknown as { remove: () => void }).remove());
	}

	/** Of the results, as far as the columns before this one. */
	async pictureOfTable(name: string, before: string): Promise<void> {
		const panel = this.part('output-panel');
		const { x, y } = (await panel.boundingBox())!;
		const column = (await panel.locator('th').filter({ hasText: before }).boundingBox())!;
		const last = (await panel.locator('tbody tr').last().boundingBox())!;
		const clip = { x, y, width: column.x - x, height: last.y + last.height + 12 - y };
		const file = path.join(this.pictures, `${name}.png`);
		await this.page.screenshot({ path: file, clip, animations: 'disabled', style: hideMessages });
	}

	/** The editor moves and highlights what is dragged when it draws next. */
	private async isDrawn(): Promise<void> {
		await this.page.evaluate(
			'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
		);
	}
}

async function center(part: Locator): Promise<Point> {
	await part.scrollIntoViewIfNeeded();
	const box = await part.boundingBox();
	if (!box) throw new Error('The editor does not show what is to be dragged, or where to.');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
