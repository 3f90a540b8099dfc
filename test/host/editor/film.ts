import path from 'node:path';
import type { Page } from 'playwright-core';
import { hideMessages } from './screen';

/** Steps of a walk through the editor, as numbered pictures in a folder. */
export class Film {
	private frames = 0;
	private over = false;

	constructor(private readonly folder: string) {}

	async frame(page: Page): Promise<void> {
		if (this.over) return;
		const name = `${String(++this.frames).padStart(3, '0')}.png`;
		await page.screenshot({
			path: path.join(this.folder, name),
			animations: 'disabled',
			style: hideMessages,
		});
	}

	/** Takes the last step; nothing that happens afterwards is in the film. */
	async end(page: Page): Promise<void> {
		await this.frame(page);
		this.over = true;
	}
}
