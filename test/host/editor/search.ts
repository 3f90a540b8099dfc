import { bulk } from '../../engine/helpers/workflows';
import type { EditorBench } from './editorBench';

const actions = [
	'Call many numbers',
	'Call number',
	'Get call',
	'Cancel call',
	'Get calls of batch',
	'Cancel calls of batch',
];

export const searching = (bench: EditorBench) =>
	describe('searching for a node', () => {
		it.each([
			['light', /outboundCalls\.svg$/],
			['dark', /outboundCalls\.dark\.svg$/],
		] as const)(
			'“call” finds Outbound Calls with its icon (%s theme), its six actions and its trigger',
			async (theme, icon) => {
				const editor = await bench.editor({ theme });
				await editor.goToWorkflow(
					await bench.workflow(`Search (${theme})`, { rows: [], parameters: bulk() }),
				);
				await editor.click(editor.part('node-creator-plus-button'));
				await editor.type(editor.part('node-creator-search-bar'), 'call');
				const found = editor.listed('Outbound Calls');
				const image = found.locator('img').first();
				await image.waitFor();
				await editor.picture(`search-${theme}`);
				expect(await image.getAttribute('src')).toMatch(icon);
				expect(
					await image.evaluate(
						(shown) => (shown as unknown as { naturalWidth: number }).naturalWidth,
					),
				).toBeGreaterThan(0);
				expect(await found.innerText()).toContain(
					'Have an AI agent call people by phone, and start workflows when a call has ended',
				);

				await editor.click(found);
				for (const action of actions) await editor.listed(action).waitFor();
				await editor.click(editor.page.getByText('Triggers (1)'));
				await editor.listed('On new Outbound Calls event').waitFor();
				await editor.picture(`actions-${theme}`);
			},
		);
	});
