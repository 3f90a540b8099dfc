import { closedPort } from '../../engine/helpers/otherServers';
import { assignments, bulk, contacts } from '../../engine/helpers/workflows';
import { chain, node } from '../../workflowNode';
import { CALLS, holding } from '../helpers/callWorkflow';
import { TOKEN } from '../helpers/hostBench';
import type { Editor } from './editor';
import type { EditorBench } from './editorBench';

const listed = (text: string): string[] => text.trim().split(/\s*\n\s*|, /);
const FRESH = listed(`
	Mode, Agent Number, Numbers From, Phone Number, Countries That May Be Called, Prompt Variables From
	Prompt Variables, Calling Hours, Opted Out, People Called Before, Wait Until, Rules, Options`);
const RULES = listed(`
	Calls per Person, Do Not Call, Hours Between Calls, Max Calls, Max Calls per Day, No-Call Dates
	Special Numbers, Stop When Reached, Time Zone`);

export const panels = (bench: EditorBench) =>
	describe('the panel', () => {
		it('of a new Bulk Call: found by what people call it, its fields in order, at 1440 × 900', async () => {
			const editor = await bench.editor();
			const workflow = await bench.stage.client.createWorkflow({
				name: 'New',
				nodes: [node('Start', 'n8n-nodes-base.manualTrigger', 1, {})],
				connections: {},
			});
			await editor.goToWorkflow(workflow);
			await editor.click(editor.part('canvas-handle-plus').last());
			for (const search of ['call people', 'voice agent', 'forget', 'dialer']) {
				await editor.type(editor.part('node-creator-search-bar'), search);
				await editor.listed('Outbound Calls').waitFor();
			}
			await editor.click(editor.listed('Outbound Calls'));
			await editor.click(editor.listed('Call many people'));
			await editor.panelIsOpen();
			await editor.picture('panel-new');
			expect(await editor.labels()).toEqual(['Resource', 'Operation', ...FRESH]);
			await editor.click(editor.part('collection-parameter-add').first());
			await editor.option('Calls per Person').waitFor();
			await editor.picture('panel-rules');
			expect(await editor.options()).toEqual(RULES);
		});

		it('shows what a choice needs: my own phone, the caller number, windows, Once for Each, the time to wait', async () => {
			const editor = await bench.editor({ height: 1400 });
			const rules = { hoursBetweenCalls: 3, maxCallsPerDay: 50 };
			const parameters = bulk({ destination: '', countries: [], rules, options: {} });
			await editor.goToWorkflow(await bench.saved({ rows: contacts(1), parameters }));
			await editor.openNode(CALLS);
			const appears = async (field: string) => await editor.field(field).waitFor();
			await editor.choose('mode', 'Test:');
			await appears('testNumber');
			await editor.type('agentNumber', 't-sales');
			await appears('callerNumber');
			await editor.choose('callingHours', 'Custom');
			await appears('days');
			await editor.choose('calledBefore', 'Once for Each');
			await appears('onceForEach');
			await editor.choose('waitUntil', 'Each Call Is Finished');
			await appears('waitTimeout');
			await editor.picture('panel-choices');
		});

		it('documentation: as it is filled in for a sheet', async () => {
			for (const theme of ['light', 'dark'] as const) {
				const rows = contacts(3).map((row) => ({ ...row, opted_out: 'no' }));
				const editor = await bench.editor({ theme, width: 1920, height: 1500 });
				const parameters = {
					...bulk({ mode: 'dryRun', countries: ['US'], optedOut: '={{ $json.opted_out }}' }),
					callingHours: 'weekdays',
					promptVariables: assignments({ name: '={{ $json.name }}' }),
					calledBefore: 'skip',
					options: {},
				};
				await editor.goToWorkflow(await bench.saved({ rows, parameters }));
				await editor.openNode(CALLS);
				await editor.fetchColumns('phone');
				await editor.part('node-parameters').getByText(rows[0]!.phone).first().waitFor();
				await editor.picture(`documentation-panel-${theme}`, editor.part('node-parameters'));
				await editor.page.close();
			}
		});

		it('of the trigger: publishing it without a secret in the credential is refused, with what to do', async () => {
			const trigger = node(
				'A call has ended',
				'n8n-nodes-outbound-calls.outboundCallsTrigger',
				1,
				{},
				{ webhookId: 'a-call-has-ended', ...holding(bench.stage.credential) },
			);
			const then = node('Then', 'n8n-nodes-base.noOp', 1, {}, { position: [224, 0] });
			const workflow = await bench.stage.client.createWorkflow({
				name: 'Trigger without a secret',
				nodes: [trigger, then],
				connections: chain(trigger.name, then.name),
			});
			const editor = await bench.editor();
			await editor.goToWorkflow(workflow);
			await editor.openNode(trigger.name);
			expect(await editor.labels()).toEqual(['Authentication', 'Header Name', 'Ignore Repeats']);
			await editor.picture('trigger');
			await editor.closePanel();
			await editor.click(editor.part('workflow-open-publish-modal-button'));
			await editor.click(editor.part('workflow-publish-button'));
			await editor.message(/Callback Secret/).waitFor();
		});

		it('of the credential: a wrong token, another server and a closed port are each told; the token is shown nowhere', async () => {
			const editor = await bench.editor();
			await editor.goToWorkflow(await bench.saved({ rows: [], parameters: bulk() }));
			await editor.openNode(CALLS);
			await editor.click(editor.part('node-credentials-select'));
			await editor.click(editor.part('node-credentials-select-item-new'));
			await editor.field('baseUrl').waitFor();
			const { sandbox } = bench;
			await credentialSays(
				editor,
				sandbox.baseUrl,
				'an-earlier-token',
				/token was not accepted/,
				true,
			);
			await editor.picture('credential-wrong-token');
			await credentialSays(editor, sandbox.origin, TOKEN, /not the Outbound Calls API/);
			await credentialSays(editor, await closedPort(), TOKEN, /ECONNREFUSED/);
			await editor.type('baseUrl', `${sandbox.baseUrl}/`);
			await save(editor);
			await editor.message('Credential saved').waitFor();
			// n8n closes it once the credential is accepted.
			await editor.part('editCredential-modal').waitFor({ state: 'hidden' });
			await editor.picture('credential-accepted');
			expect(await editor.readable()).not.toContain(TOKEN);
		});
	});

/** n8n tests a credential when it saves it. */
const save = (editor: Editor) => editor.click(editor.part('credential-save-button'));

async function credentialSays(
	editor: Editor,
	baseUrl: string,
	token: string,
	text: RegExp,
	isFirst = false,
): Promise<void> {
	await editor.type('baseUrl', baseUrl);
	await editor.type('apiToken', token);
	await save(editor);
	const modal = editor.part('editCredential-modal');
	if (isFirst) await editor.click(modal.getByText('More details').first());
	await modal.getByText(text).first().waitFor();
}
