import type { Page } from 'playwright-core';

const arrow = `<svg xmlns="http://www.w3.org/2000/svg" width="28" height="28" viewBox="0 0 24 24"><path d="M4 2v17l4.6-4.3 3 7 3-1.3-3-6.8H18z" fill="#111" stroke="#fff" stroke-width="1.5"/></svg>`;

/** For screenshots without the pointer. */
export const hidePointer = '#pointer { visibility: hidden }';

/** For screenshots without the messages in the corner, which come and go. */
export const hideMessages = '.el-notification { visibility: hidden }';

/** A browser without a screen draws no pointer: one is drawn into the page, where the mouse is. */
export async function showPointer(page: Page): Promise<void> {
	await page.addInitScript((picture) => {
		const { document } = globalThis as unknown as { document: PageDocument };
		document.addEventListener(
			'mousemove',
			({ clientX, clientY }) => {
				let pointer = document.getElementById('pointer');
				if (!pointer) {
					pointer = document.createElement('div');
					pointer.id = 'pointer';
					pointer.innerHTML = picture;
					document.body.append(pointer);
				}
				pointer.style.cssText = `position:fixed;z-index:99999;pointer-events:none;left:${clientX - 4}px;top:${clientY - 2}px`;
			},
			true,
		);
	}, arrow);
}

/** The browser's own types, as far as they are used here: the tests' code has no others. */
interface PageDocument {
	body: { append(part: PagePart): void };
	addEventListener(
		event: 'mousemove',
		listener: (event: { clientX: number; clientY: number }) => void,
		capture: true,
	): void;
	createElement(name: 'div'): PagePart;
	getElementById(id: string): PagePart | null;
}

interface PagePart {
	id: string;
	innerHTML: string;
	style: { cssText: string };
}
