import { readdirSync } from 'node:fs';
import { exampleWorkflow, examples } from '../helpers/exampleWorkflow';
import type { EditorBench } from './editorBench';

/** Of a picture in the gallery of examples. */
const SIZE = { width: 480, height: 270 };

export const gallery = (bench: EditorBench) =>
	describe('the examples on the canvas', () => {
		const files = readdirSync(examples).filter((file) => file.endsWith('.workflow.json'));

		it('documentation: one picture of each', async () => {
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
