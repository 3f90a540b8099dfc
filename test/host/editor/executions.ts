import { bulk, contacts } from '../../engine/helpers/workflows';
import { node } from '../../workflowNode';
import { webhookUrl } from '../helpers/exampleBench';
import { until } from '../helpers/hostBench';
import type { EditorBench } from './editorBench';

export const retryAndStop = (bench: EditorBench) =>
	describe('Retry and Stop', () => {
		it('Retry on an execution that did not succeed calls only the rows that were not dialed', async () => {
			bench.sandbox.settings.dailyLimit = 30;
			const rows = contacts(60);
			const webhook = 'campaign-to-retry';
			const workflow = await bench.workflow('Campaign', { rows, parameters: bulk(), webhook });
			await bench.stage.client.activate(workflow);
			await until(
				'the webhook answers',
				async () => (await fetch(webhookUrl(bench, webhook), { method: 'POST' })).ok,
			);
			await bench.ended(workflow, 1);
			const before = bench.dialed;
			expect(before).toHaveLength(30);
			delete bench.sandbox.settings.dailyLimit;

			const editor = await bench.editor();
			await editor.goTo(
				`/workflow/${workflow.id}/executions`,
				editor.part('execution-preview-retry-button'),
			);
			await editor.message('60 rows: 30 called, 30 not called').waitFor();
			await editor.click(editor.part('execution-preview-retry-button'));
			await editor.picture('retry-offered');
			await editor.click(editor.page.getByText('Retry with original workflow').last());
			const list = editor.part('current-executions-list');
			await list.getByText('Retry of execution').waitFor();
			await list.getByText('Succeeded').waitFor();
			await editor.picture('retry-succeeded');

			expect(bench.sandbox.doubleDialed()).toEqual([]);
			expect(bench.dialed.slice(before.length).sort()).toEqual(
				rows.map(({ phone }) => phone).filter((phone) => !before.includes(phone)),
			);
		});

		it('Retry with the workflow as it is now, of which a step before the node was corrected: nobody is called, and what to press stands there', async () => {
			const webhook = 'campaign-to-correct';
			const rows = contacts(6).map((row) => ({ ...row, 'Opt-out': 'yes' }));
			const edit = (column: string) =>
				node('Edit Fields', 'n8n-nodes-base.set', 3.4, {
					assignments: {
						assignments: [
							{ id: '1', name: 'out', type: 'string', value: `={{ $json['${column}'] }}` },
						],
					},
					includeOtherFields: true,
					options: {},
				});
			const parameters = bulk({ options: { optedOut: '={{ $json.out }}' } });
			const workflow = await bench.workflow('Corrected', {
				rows,
				between: [edit('Opted out')],
				parameters,
				webhook,
			});
			await bench.stage.client.activate(workflow);
			await until(
				'the webhook answers',
				async () => (await fetch(webhookUrl(bench, webhook), { method: 'POST' })).ok,
			);
			await bench.ended(workflow, 1);
			const nodes = workflow.nodes.map((each) =>
				each.name === 'Edit Fields' ? { ...each, parameters: edit('Opt-out').parameters } : each,
			);
			await bench.stage.client.updateWorkflow({ ...workflow, nodes });

			const editor = await bench.editor();
			await editor.goTo(
				`/workflow/${workflow.id}/executions`,
				editor.part('execution-preview-retry-button'),
			);
			await editor.click(editor.part('execution-preview-retry-button'));
			await editor.click(editor.page.getByText('Retry with currently saved workflow').last());
			await editor.click(editor.part('current-executions-list').getByText('Retry of execution'));
			await editor
				.message('The step "Edit Fields" was changed since, and a Retry takes what it gave before')
				.waitFor();
			await editor.picture('retry-of-a-corrected-step');
			expect(bench.dialed).toEqual([]);
		});

		it('Stop while a campaign is running sends no further request', async () => {
			const lanes = 2;
			bench.sandbox.fault({ kind: 'latency', route: 'bulk', after: 4, ms: 1_500 });
			const rows = contacts(200);
			const editor = await bench.editor();
			await editor.goToWorkflow(
				await bench.workflow('Stopped', {
					rows,
					parameters: bulk({ options: { parallelRequests: lanes } }),
				}),
			);
			await editor.click(editor.part('execute-workflow-button').first());
			await until('the campaign is under way', () => bench.sandbox.requests.length >= 4 + lanes);
			await editor.part('stop-execution-button').waitFor();
			await editor.picture('campaign-running');
			await editor.click(editor.part('stop-execution-button'));
			await editor.part('stop-execution-button').waitFor({ state: 'detached' });
			const sent = bench.sandbox.requests.length;
			await editor.picture('campaign-stopped');
			await until('the requests under way are answered', () => bench.sandbox.inFlight === 0);

			// A request may have been on its way to the sandbox.
			expect(bench.sandbox.requests.length).toBeLessThanOrEqual(sent + lanes);
			expect(bench.sandbox.requests.length).toBeLessThan(rows.length / 10);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});
	});
