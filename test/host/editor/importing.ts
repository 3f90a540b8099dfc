import path from 'node:path';
import { examples } from '../helpers/exampleWorkflow';
import type { SavedWorkflow } from '../helpers/client';
import { until } from '../helpers/hostBench';
import type { EditorBench } from './editorBench';

export const importing = (bench: EditorBench) =>
	describe('an example that is imported from its file', () => {
		it('keeps the credential that is chosen in its node', async () => {
			const { client, credential } = bench.stage;
			const editor = await bench.editor();
			await editor.goTo('/workflow/new', editor.part('canvas-add-button'));
			const file = path.join(examples, 'campaign.workflow.json');
			await editor.part('workflow-import-input').setInputFiles(file);
			await editor.openNode('Call');
			await editor.click(editor.part('node-credentials-select'));
			await editor.click(editor.option(credential.name));
			await editor.closePanel();
			await editor.picture('imported');
			await until('n8n has saved it', async () => {
				const id = /workflow\/(\w+)/.exec(editor.page.url())?.[1];
				if (!id || id === 'new') return false;
				const { nodes } = await client.send<SavedWorkflow>('GET', `/workflows/${id}`);
				const node = nodes.find(({ name }) => name === 'Call');
				return node?.credentials?.outboundCallsApi?.id === credential.id;
			});
		});
	});
