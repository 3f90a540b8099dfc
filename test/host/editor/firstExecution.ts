import { AGENT, contacts } from '../../engine/helpers/workflows';
import { CALLED, CALLS, NOT_CALLED } from '../helpers/callWorkflow';
import type { SavedWorkflow } from '../helpers/client';
import { callsOf, until } from '../helpers/hostBench';
import type { EditorBench } from './editorBench';

const FOLLOWED = 'Followed';
const MY_PHONE = '+14155550199';
const rows = contacts(12);

/** A node as it is after its required fields were filled in. */
const filledIn = {
	resource: 'call',
	operation: 'bulkCall',
	agentNumber: AGENT,
	destination: '={{ $json.phone }}',
};

/** The node that calls is added by hand. */
async function upToTheRows(bench: EditorBench): Promise<SavedWorkflow> {
	const { nodes, connections, ...workflow } = await bench.workflow('New node', {
		rows,
		parameters: filledIn,
	});
	const kept = nodes.slice(
		0,
		nodes.findIndex(({ name }) => name === CALLS),
	);
	const leading = kept.slice(0, -1).map(({ name }) => [name, connections[name]!] as const);
	return await bench.stage.client.createWorkflow({
		...workflow,
		nodes: kept,
		connections: Object.fromEntries(leading),
	});
}

export const executingForTheFirstTime = (bench: EditorBench) =>
	describe('executing a node for the first time', () => {
		it('a new node with only its fields filled in calls nobody, and says so on the canvas and above the table', async () => {
			const editor = await bench.editor({ height: 1000 });
			await editor.goToWorkflow(await upToTheRows(bench));
			await editor.addNodeBehind('call', 'Outbound Calls', 'Call many numbers');
			await editor.type('agentNumber', AGENT);
			await editor.fetchColumns('phone');
			await editor.drag(editor.column('phone'), editor.field('destination'));
			await editor.field('destination').getByText('{{ $json.phone }}').waitFor();
			await editor.picture('new-node-filled-in');
			await editor.click(editor.part('node-execute-button'));
			await editor
				.part('output-panel')
				.getByText(
					'Nobody was called: Mode is Dry Run. 12 rows: 12 would be called, 0 not. To call them, set Mode to Live.',
				)
				.waitFor();
			await editor.picture('new-node-dry-run');
			// A panel that is open while its node is executed stays on the first output (n8n behaviour).
			await editor.click(editor.part('output-panel').getByText('Not Called Branch (12 items)'));
			await editor.picture('new-node-dry-run-rows');
			expect(await editor.part('output-panel').locator('tbody tr').first().innerText()).toContain(
				'dry_run',
			);
			await editor.closePanel();
			await editor.node('Call many numbers').getByText('Bulk Call: Dry Run').waitFor();
			await editor.picture('new-node-on-the-canvas');
			expect(bench.sandbox.requests).toEqual([]);
		});

		it('Test executed twice with Execute step: my own phone rings each time, nobody else’s, and a dry run after it names nobody as called', async () => {
			const editor = await bench.editor();
			const parameters = { ...filledIn, mode: 'test', testNumber: MY_PHONE, countries: ['any'] };
			await editor.goToWorkflow(await bench.workflow('Tested again', { rows, parameters }));
			await editor.openNode(CALLS);
			const output = editor.part('output-panel');
			for (const times of [1, 2]) {
				await editor.click(editor.part('node-execute-button'));
				await until(`${times} calls`, () => bench.dialed.length === times);
				await editor.part('node-execute-button').getByText('Execute step').first().waitFor();
				await output.getByText('Only your own phone was called').waitFor();
				await editor.picture(`tested-${times}`);
			}
			await editor.choose('mode', 'Dry Run');
			await editor.click(editor.part('node-execute-button'));
			await output
				.getByText('Nobody was called: Mode is Dry Run. 12 rows: 12 would be called, 0 not')
				.waitFor();
			await editor.picture('tested-then-dry-run');
			expect(bench.dialed).toEqual([MY_PHONE, MY_PHONE]);
		});

		it('Live executed twice, the page reloaded, and each step behind it executed: each number is dialed once', async () => {
			const editor = await bench.editor();
			const getCall = {
				operation: 'getCall',
				batchId: '={{ $json.batch_id }}',
				callRecordId: '={{ $json.consent_id }}',
			};
			const parameters = { ...filledIn, mode: 'live', countries: ['any'] };
			const workflow = await bench.workflow('Executed again and again', {
				rows,
				parameters,
				behindCalled: { [FOLLOWED]: getCall },
			});
			await editor.goToWorkflow(workflow);
			await editor.executeWorkflow();
			await editor.picture('executed-once');
			expect(bench.dialed).toHaveLength(rows.length);
			await editor.executeWorkflow();
			await editor.picture('executed-twice');
			const executed = async (times: number) =>
				expect(await bench.ended(workflow, times)).toHaveLength(times);
			await executed(2);

			await editor.page.reload();
			for (const [index, name] of [CALLS, CALLED, NOT_CALLED, FOLLOWED].entries()) {
				await editor.openNode(name);
				await editor.click(editor.part('node-execute-button'));
				await executed(3 + index);
				await editor.part('node-execute-button').getByText('Execute step').first().waitFor();
				await editor.picture(`executed-step-${name.toLowerCase().replace(' ', '-')}`);
				await editor.closePanel();
			}
			expect(bench.dialed.sort()).toEqual(rows.map(({ phone }) => phone));
			// n8n has executed it again, with what it had left.
			const [, , stepExecuted] = await bench.ended(workflow, 3);
			expect(callsOf(stepExecuted!).map(({ status }) => status)).toEqual(
				rows.map(() => 'already_called'),
			);
		});
	});
