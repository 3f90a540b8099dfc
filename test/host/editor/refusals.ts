import type { INodeParameters } from 'n8n-workflow';
import { bulk, contacts, UNKNOWN_AGENT } from '../../engine/workflows';
import { CALLS, NOT_CALLED } from '../callWorkflow';
import type { EditorBench } from './editorBench';

const oneBadNumber = () => contacts(6).map((row, index) => (index === 3 ? { ...row, phone: '07700 900123' } : row));

const refusals: Array<[string, { rows: object[]; parameters: INodeParameters; message: RegExp; remedy: RegExp }]> = [
	[
		'a bad number',
		{
			rows: oneBadNumber(),
			parameters: bulk(),
			message: /^Row 4: the destination "07700 900123" is not a phone number in international format$/,
			remedy: /leading \+ and the country code.*Clean Numbers.*Nothing was called.*“Continue \(using error output\)”/,
		},
	],
	[
		'an agent that is not there',
		{
			rows: contacts(6),
			parameters: bulk({ agentNumber: UNKNOWN_AGENT }),
			message: new RegExp(`No agent on your account has the number "\\${UNKNOWN_AGENT}", or your token has no access to it`, 'i'),
			remedy: /Agent Number/,
		},
	],
];

export const reading = (bench: EditorBench) =>
	describe('reading why nobody was called', () => {
		it.each(refusals)('%s: what happened and what to do stand in the panel', async (name, { rows, parameters, message, remedy }) => {
			const editor = await bench.editor();
			await editor.goToWorkflow(await bench.workflow(name, { rows, parameters }));
			await editor.openNode(CALLS);
			await editor.click(editor.part('node-execute-button'));
			await editor.part('node-error-message').waitFor();
			await editor.part('node-execute-button').getByText('Execute step').first().waitFor();
			await editor.picture(`refusal-${name.replaceAll(' ', '-')}`);
			expect(await editor.part('node-error-message').innerText()).toMatch(message);
			expect(await editor.part('node-error-description').innerText()).toMatch(remedy);
			expect(bench.dialed).toEqual([]);
		});
	});

export const settings = (bench: EditorBench) =>
	describe('the node’s settings', () => {
		it('rows that cannot be called go where the error output is dragged to, the others are called', async () => {
			const editor = await bench.editor();
			const workflow = await bench.workflow('Two branches', { rows: oneBadNumber(), parameters: bulk() });
			await editor.goToWorkflow(workflow);
			await editor.openNode(CALLS);
			await editor.click(editor.part('tab-settings'));
			await editor.choose('onError', 'Continue (using error output)');
			await editor.closePanel();
			const handle = (kind: string, node: string) => editor.page.locator(`[data-test-id="canvas-node-${kind}-handle"][data-node-name="${node}"]`);
			await editor.drag(handle('output', CALLS).nth(1), handle('input', NOT_CALLED));
			await editor.picture('error-output-wired');

			await editor.click(editor.part('execute-workflow-button').first());
			await editor.message('Workflow executed successfully').waitFor();
			await editor.picture('error-output-executed');
			await editor.openNode(NOT_CALLED);
			const output = editor.part('output-panel');
			await output.locator('tbody tr').first().waitFor();
			await editor.picture('error-output-rows');
			const arrived = await output.locator('tbody tr').allInnerTexts();
			expect(arrived.filter((text) => text.includes('+1555') || text.includes('07700'))).toEqual([expect.stringMatching(/07700 900123.*Row 4: /s)]);
			expect(bench.dialed).toHaveLength(5);
		});

		it('Retry On Fail is switched on here, and then calls nobody twice', async () => {
			const editor = await bench.editor();
			const rows = contacts(25);
			await editor.goToWorkflow(await bench.workflow('Retry On Fail', { rows, parameters: bulk({ options: { parallelRequests: 1 } }) }));
			await editor.openNode(CALLS);
			await editor.click(editor.part('tab-settings'));
			await editor.click(editor.field('retryOnFail').locator('[role=switch], .el-switch').first());
			await editor.field('maxTries').waitFor();
			await editor.picture('retry-on-fail');

			bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
			await editor.click(editor.part('node-execute-button'));
			await editor.part('output-panel').getByText('25 rows: 15 initiated, 10 unknown').waitFor();
			await editor.picture('retry-on-fail-executed');
			expect(bench.dialed).toHaveLength(rows.length);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});
	});
