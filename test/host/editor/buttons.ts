import { bulk, contacts } from '../../engine/helpers/workflows';
import { CALLS } from '../helpers/callWorkflow';
import { until } from '../helpers/hostBench';
import type { EditorBench } from './editorBench';

const MY_PHONE = '+14155550199';

export const buttons = (bench: EditorBench) =>
	describe('buttons', () => {
		it('Test rings my own phone once each time, nobody else’s; Live then calls each number once', async () => {
			const rows = contacts(4);
			const parameters = bulk({ mode: 'test', testNumber: MY_PHONE, calledBefore: 'skip' });
			const editor = await bench.editor();
			await editor.goToWorkflow(await bench.saved({ rows, parameters }));
			await editor.openNode(CALLS);
			for (const times of [1, 2]) {
				await editor.executeStep(/4 of 4 rows would be called/);
				await until(`${times} calls`, () => bench.dialed.length === times);
			}
			await editor.picture('tested');
			expect((await editor.rows()).filter((row) => row.startsWith('test_call'))).toHaveLength(1);
			expect(bench.dialed).toEqual([MY_PHONE, MY_PHONE]);
			await editor.choose('mode', 'Live: Call');
			await editor.executeStep(/4 of 4 rows called/);
			await editor.executeStep(/0 of 4 rows called.*4 called before/s);
			expect(bench.dialed.slice(2).sort()).toEqual(rows.map(({ phone }) => phone).sort());
		});

		it('Retry in the Executions tab calls only the rest', async () => {
			bench.sandbox.settings.dailyLimit = 10;
			const rows = contacts(25);
			const { workflow, start } = await bench.published({ rows, parameters: bulk() });
			await start();
			await bench.ended(workflow, 1);
			expect(bench.dialed).toHaveLength(10);
			delete bench.sandbox.settings.dailyLimit;

			const editor = await bench.editor();
			const retry = editor.part('execution-preview-retry-button');
			await editor.goTo(`/workflow/${workflow.id}/executions`, retry);
			await editor.picture('retry-offered');
			await editor.click(retry);
			await editor.click(editor.page.getByText('Retry with original workflow').last());
			const list = editor.part('current-executions-list');
			await list.getByText('Retry of execution').waitFor();
			await list.getByText('Succeeded').waitFor();
			await editor.picture('retry-succeeded');
			expect(bench.dialed.sort()).toEqual(rows.map(({ phone }) => phone).sort());
		});

		it('Retry On Fail is switched on in the settings, and calls nobody twice', async () => {
			const parameters = bulk({ options: { parallelRequests: 1 } });
			const editor = await bench.editor();
			await editor.goToWorkflow(await bench.saved({ rows: contacts(25), parameters }));
			await editor.openNode(CALLS);
			await editor.click(editor.part('tab-settings'));
			await editor.click(editor.field('retryOnFail').locator('[role=switch], .el-switch').first());
			await editor.field('maxTries').waitFor();
			bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
			await editor.executeStep(/15 of 25 rows called, 10 possibly called/);
			await editor.picture('retry-on-fail');
			expect(bench.dialed).toHaveLength(25);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});
	});
