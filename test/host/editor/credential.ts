import { closedPort } from '../../engine/helpers/otherServers';
import { bulk } from '../../engine/helpers/workflows';
import { TOKEN } from '../helpers/hostBench';
import type { Editor } from './editor';
import type { EditorBench } from './editorBench';

const notAccepted =
	'The API token was not accepted. Copy it from the outbound calls page of your dashboard; rotating it ends the earlier one.';
const notTheApi =
	'Something answers at this address, but it is not the Outbound Calls API. The Base URL ends in /api/v1/outbound.';

/** n8n tests a credential when it saves it. */
const save = (editor: Editor) => editor.click(editor.part('credential-save-button'));

const isTold = (editor: Editor, text: string) =>
	editor.part('editCredential-modal').getByText(text).waitFor();

export const makingACredential = (bench: EditorBench) =>
	describe('making the credential', () => {
		it('a wrong token and a wrong address are each told, then the right ones are accepted; the token is shown nowhere', async () => {
			const editor = await bench.editor();
			const answers: string[] = [];
			editor.page.on('response', (response) => {
				if (response.url().includes('/rest/'))
					void response.text().then(
						(text) => answers.push(text),
						() => undefined,
					);
			});
			await editor.goToWorkflow(
				await bench.workflow('New credential', { rows: [], parameters: bulk() }),
			);
			await editor.openNode('Calls');
			await editor.click(editor.part('node-credentials-select'));
			await editor.click(editor.part('node-credentials-select-item-new'));
			await editor.field('baseUrl').waitFor();
			await editor.picture('credential-empty');

			await editor.type('baseUrl', bench.sandbox.baseUrl);
			await editor.type('apiToken', 'an-earlier-token');
			await save(editor);
			await editor.click(editor.page.getByText('More details').first());
			await isTold(editor, notAccepted);
			await editor.picture('credential-wrong-token');

			await editor.type('baseUrl', bench.sandbox.origin);
			await editor.type('apiToken', TOKEN);
			await save(editor);
			await isTold(editor, notTheApi);
			await editor.picture('credential-wrong-address');

			await editor.type('baseUrl', await closedPort());
			await save(editor);
			await isTold(editor, 'ECONNREFUSED');
			await editor.picture('credential-nothing-there');
			expect(await editor.field('apiToken').locator('input').getAttribute('type')).toBe('password');
			expect(await editor.page.locator('body').innerText()).not.toContain(TOKEN);

			await editor.type('baseUrl', `${bench.sandbox.baseUrl}/`);
			await save(editor);
			await editor.message('Credential saved').waitFor();
			await editor.click(editor.part('credential-edit-button'));
			await editor.page.getByText('Connection tested successfully').waitFor();
			await editor.picture('credential-accepted');

			expect(await editor.readable()).not.toContain(TOKEN);
			expect(answers.length).toBeGreaterThan(0);
			expect(answers.filter((text) => text.includes(TOKEN))).toEqual([]);
		});
	});
