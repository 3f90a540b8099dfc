import { readdirSync } from 'node:fs';
import path from 'node:path';
import { exampleWorkflow, examples } from '../helpers/exampleWorkflow';
import type { SavedWorkflow } from '../helpers/client';
import { until } from '../helpers/hostBench';
import type { EditorBench } from './editorBench';

/** Of a picture in the gallery of examples. */
const SIZE = { width: 480, height: 270 };

export const examplesInEditor = (bench: EditorBench) =>
	describe('the examples', () => {
		it('one that is imported from its file keeps the credential that is chosen in its node', async () => {
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

		it('documentation: one picture of each', async () => {
			const files = readdirSync(examples).filter((file) => file.endsWith('.workflow.json'));
			const { client, credential, filesFolder } = bench.stage;
			const editor = await bench.editor({ width: 1440, height: 900 });
			await editor.goTo('/home/workflows', editor.part('project-name'));
			for (const file of files) {
				const filledIn = { credentials: [credential], filesFolder };
				const workflow = await client.createWorkflow(await exampleWorkflow(file, filledIn));
				await editor.followTo(workflow, workflow.nodes.at(-1)!.name);
				await editor.pictureOfCanvas(`documentation-${file.replace('.workflow.json', '')}`, SIZE);
			}
		});
	});
