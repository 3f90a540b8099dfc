import { bulk, CALLER, SIP_AGENT } from '../../engine/helpers/workflows';
import type { EditorBench } from './editorBench';

const rows = [
	{ phone: '+15550100201', first_name: 'Amara', amount: 120.5, due: '2026-12-01' },
	{ phone: '+15550100202', first_name: 'Bruno', amount: 89, due: '2026-12-02' },
];
const columns = ['first_name', 'amount', 'due'];

const spoken = (bench: EditorBench) =>
	bench.sandbox.journal.map(({ phone, variables }) => [phone, variables]);

export const draggingColumns = (bench: EditorBench) =>
	describe('dragging columns in', () => {
		it('three columns become prompt variables, named after them, and the agent gets each row’s own', async () => {
			const editor = await bench.editor({ height: 1300 });
			await editor.goToWorkflow(
				await bench.workflow('Dragged columns', { rows, parameters: bulk() }),
			);
			await editor.openNode('Calls');
			await editor.fetchColumns('phone');
			for (const column of columns) {
				await editor.drag(editor.column(column), editor.part('assignment-collection-drop-area'));
				await editor.part('assignment').getByText(`{{ $json.${column} }}`).waitFor();
			}
			const names = editor.part('assignment-name').locator('input');
			expect(await Promise.all((await names.all()).map((name) => name.inputValue()))).toEqual(
				columns,
			);
			await editor.picture('dragged-columns');

			await editor.click(editor.part('node-execute-button'));
			await editor.part('output-panel').getByText('2 rows: 2 called, 0 not called').waitFor();
			expect(spoken(bench)).toEqual([
				['+15550100201', { first_name: 'Amara', amount: '120.5', due: '2026-12-01' }],
				['+15550100202', { first_name: 'Bruno', amount: '89', due: '2026-12-02' }],
			]);
		});

		it('in the list of destinations, columns become the variables of one call', async () => {
			const editor = await bench.editor({ height: 1300 });
			const parameters = bulk({ destination: '' });
			await editor.goToWorkflow(
				await bench.workflow('Dragged into the list', { rows: rows.slice(0, 1), parameters }),
			);
			await editor.openNode('Calls');
			await editor.fetchColumns('phone');
			await editor.choose('destinationSource', 'List Below');
			await editor.click(editor.part('fixed-collection-add'));
			const list = editor.part('fixed-collection-destinationList');
			await editor.drag(editor.column('phone'), editor.field('phone'));
			await list.getByText('{{ $json.phone }}').waitFor();
			for (const column of ['first_name', 'amount']) {
				await editor.drag(
					editor.column(column),
					list.locator('[data-test-id="assignment-collection-drop-area"]'),
				);
				await list.getByText(`{{ $json.${column} }}`).waitFor();
			}
			await editor.picture('dragged-into-the-list');

			await editor.click(editor.part('node-execute-button'));
			await editor.part('output-panel').getByText('1 row: 1 called, 0 not called').waitFor();
			expect(spoken(bench)).toEqual([['+15550100201', { first_name: 'Amara', amount: '120.5' }]]);
		});

		it('the caller number is asked for as soon as the agent is a SIP ID, and not for a phone number', async () => {
			const editor = await bench.editor({ height: 1300 });
			await editor.goToWorkflow(
				await bench.workflow('SIP agent', { rows: rows.slice(0, 1), parameters: bulk() }),
			);
			await editor.openNode('Calls');
			await editor.type('agentNumber', SIP_AGENT[0]!);
			await editor.field('callerNumber').waitFor();
			await editor.type('agentNumber', '+1555');
			await editor.field('callerNumber').waitFor({ state: 'detached' });
			await editor.type('agentNumber', SIP_AGENT);
			await editor.type('callerNumber', CALLER);
			await editor.picture('caller-number');

			await editor.click(editor.part('node-execute-button'));
			await editor.part('output-panel').getByText('1 row: 1 called, 0 not called').waitFor();
			expect(bench.sandbox.journal).toMatchObject([
				{ agentNumber: SIP_AGENT, callerNumber: CALLER },
			]);
		});
	});
