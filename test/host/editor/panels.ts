import type { INode, INodeParameters } from 'n8n-workflow';
import type { SavedCredential } from '../helpers/client';
import type { Editor } from './editor';
import type { EditorBench } from './editorBench';

const limits = ['Max Retry Wait (Seconds)', 'Parallel Requests', 'Timeout (Seconds)'];
const rightToCall = [
	'Calling Hours',
	'Time Zone',
	'Unknown Time Zone',
	'No-Call Dates',
	'Do Not Call',
	'Opted Out',
	'Special Numbers',
	'Calls per Person',
	'Stop When Reached',
	'Max Calls',
	'Max Calls per Day',
];
const whomAndWhen = [
	'Remember People By',
	'Share Memory With',
	...rightToCall,
	'Calls per Minute',
	'Duplicates',
];
const bulkOptions = [...whomAndWhen, 'Retry Undialed Rows', 'Include Input Fields', ...limits];
const placeOptions = [...whomAndWhen, 'External Call ID', 'Include Input Fields', ...limits];
const paging = ['Page Parameter', ...limits];
const choices = ['Resource', 'Operation'];
const who = [
	'Countries That May Be Called',
	'Country of Numbers Without +',
	'Prompt Variables From',
	'Prompt Variables',
];
const wait = ['Wait Until', 'Poll Interval (Seconds)', 'Wait Timeout (Minutes)'];

interface Panel {
	parameters: INodeParameters;
	/** Labels, from top to bottom. */
	fields: string[];
	options: string[];
}

const panels: Record<string, Panel> = {
	'Bulk Call': {
		parameters: { operation: 'bulkCall' },
		fields: [
			...choices,
			'Mode',
			'Agent Number',
			'Destinations From',
			'Destination',
			...who,
			'People Called Before',
			'Wait Until',
			'Options',
		],
		options: bulkOptions,
	},
	'Bulk Call that waits': {
		parameters: { operation: 'bulkCall', mode: 'live', waitUntil: 'finished' },
		fields: [
			...choices,
			'Mode',
			'Agent Number',
			'Destinations From',
			'Destination',
			...who,
			'People Called Before',
			...wait,
			'Options',
		],
		options: bulkOptions,
	},
	'Bulk Call with JSON': {
		parameters: { operation: 'bulkCall', destinationSource: 'json', variablesFrom: 'json' },
		fields: [
			...choices,
			'Mode',
			'Agent Number',
			'Destinations From',
			'Destinations (JSON)',
			'Countries That May Be Called',
			'Country of Numbers Without +',
			'Prompt Variables From',
			'Prompt Variables (JSON)',
			'People Called Before',
			'Wait Until',
			'Options',
		],
		options: bulkOptions,
	},
	'Bulk Call that tests': {
		parameters: { operation: 'bulkCall', mode: 'test' },
		fields: [
			...choices,
			'Mode',
			'My Own Phone',
			'Agent Number',
			'Destinations From',
			'Destination',
			...who,
			'People Called Before',
			'Wait Until',
			'Options',
		],
		options: bulkOptions,
	},
	'Place Call': {
		parameters: {},
		fields: [
			...choices,
			'Mode',
			'Agent Number',
			'Destination',
			...who,
			'People Called Before',
			'Wait Until',
			'Options',
		],
		options: placeOptions,
	},
	'Place Call with all input fields': {
		parameters: { agentNumber: 't-sales', variablesFrom: 'input' },
		fields: [
			...choices,
			'Mode',
			'Agent Number',
			'Caller Number',
			'Destination',
			'Countries That May Be Called',
			'Country of Numbers Without +',
			'Prompt Variables From',
			'Fields to Leave Out',
			'People Called Before',
			'Wait Until',
			'Options',
		],
		options: placeOptions,
	},
	'Get Call': {
		parameters: { operation: 'getCall', waitUntil: 'finished' },
		fields: [...choices, 'Batch ID', 'Call Record ID', ...wait, 'On Timeout', 'Options'],
		options: ['Include Input Fields', ...paging],
	},
	'Cancel Call': {
		parameters: { operation: 'cancelCall' },
		fields: [...choices, 'Call Record ID', 'Options'],
		options: ['If Already Placed', 'Include Input Fields', ...limits],
	},
	'Get Batch': {
		parameters: { resource: 'batch', operation: 'getBatch', returnAll: false },
		fields: [...choices, 'Batch ID', 'Output', 'Return All', 'Limit', 'Wait Until', 'Options'],
		options: paging,
	},
	'Cancel Batch': {
		parameters: { resource: 'batch', operation: 'cancelBatch' },
		fields: [...choices, 'Batch ID', 'Options'],
		options: paging,
	},
};

/** A label's first line. The rest of its text comes from the buttons that n8n shows beside it. */
async function labels(editor: Editor): Promise<string[]> {
	const texts = await editor
		.part('node-parameters')
		.locator('[data-test-id="input-label"]:visible')
		.allInnerTexts();
	return texts.map((text) => text.split('\n')[0]!.trim());
}

const ourNode = (
	type: string,
	name: string,
	{ id, name: credentialName }: SavedCredential,
): INode => ({
	id: name,
	name,
	type: `n8n-nodes-outbound-calls.${type}`,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	credentials: { outboundCallsApi: { id, name: credentialName } },
});

/** Four nodes to a line. */
const calling = (
	name: string,
	index: number,
	parameters: INodeParameters,
	credential: SavedCredential,
): INode => ({
	...ourNode('outboundCalls', name, credential),
	position: [(index % 4) * 224, Math.floor(index / 4) * 224],
	parameters,
});

const trigger = (credential: SavedCredential): INode => ({
	...ourNode('outboundCallsTrigger', 'A call has ended', credential),
	webhookId: 'a-call-has-ended',
});

export const lookingAtPanels = (bench: EditorBench) =>
	describe('the panels', () => {
		it('each operation shows its fields and its options in order', async () => {
			const { client, credential } = bench.stage;
			const nodes = Object.entries(panels).map(([name, { parameters }], index) =>
				calling(name, index, parameters, credential),
			);
			const editor = await bench.editor({ height: 1300 });
			await editor.goToWorkflow(
				await client.createWorkflow({ name: 'Panels', nodes, connections: {} }),
			);

			const seen: Record<string, unknown> = {};
			for (const [name, { parameters }] of Object.entries(panels)) {
				await editor.openNode(name);
				const picture = `panel-${name.replaceAll(' ', '-')}`;
				await editor.picture(picture);
				const fields = await labels(editor);
				await editor.click(editor.part('collection-parameter-add').last());
				await editor.option('Max Retry Wait (Seconds)').waitFor();
				await editor.picture(`${picture}-options`);
				seen[name] = {
					parameters,
					fields,
					options: await editor.page.locator('.el-select-dropdown__item:visible').allInnerTexts(),
				};
				await editor.closePanel();
			}
			expect(seen).toEqual(panels);
		});

		it('the trigger shows the address for the dashboard, and asks for a secret in a header unless something else is chosen', async () => {
			const { client, credential } = bench.stage;
			const workflow = await client.createWorkflow({
				name: 'Trigger',
				nodes: [trigger(credential)],
				connections: {},
			});
			const editor = await bench.editor();
			await editor.goToWorkflow(workflow);
			await editor.openNode('A call has ended');
			await editor.picture('trigger');
			expect(await labels(editor)).toEqual(['Authentication', 'Header Name', 'Ignore Repeats']);
			await editor.click(editor.page.getByText('Webhook URLs', { exact: true }));
			await editor.click(editor.page.getByText('Production URL', { exact: true }));
			await editor.page.getByText('/webhook/a-call-has-ended/callback').waitFor();
			await editor.choose('authentication', 'None');
			await editor.field('headerName').waitFor({ state: 'detached' });
			await editor.picture('trigger-without-secret');
			expect(await labels(editor)).toEqual(['Authentication', 'Ignore Repeats']);
		});

		it('publishing the trigger without a secret in the credential is refused in the corner, with what to do', async () => {
			const { client, credential } = bench.stage;
			const workflow = await client.createWorkflow({
				name: 'Trigger without a secret',
				nodes: [trigger(credential)],
				connections: {},
			});
			const editor = await bench.editor();
			await editor.goToWorkflow(workflow);
			await editor.click(editor.part('workflow-open-publish-modal-button'));
			await editor.click(editor.part('workflow-publish-button'));
			await editor
				.message(
					'The credential has no Callback Secret, so nobody could start this workflow. Enter a secret of your choice in the credential, and have the post-call action send it. Or set Authentication to None.',
				)
				.waitFor();
		});
	});
