import type { INode, INodeParameters } from 'n8n-workflow';
import { assignments, bulk, contacts, UNKNOWN_AGENT } from '../../engine/helpers/workflows';
import { node } from '../../workflowNode';
import { ALL_ROWS, CALLED, CALLS, LIST, NOT_CALLED, ROWS } from '../helpers/callWorkflow';
import { itemsOf } from '../helpers/outcomes';
import type { EditorBench } from './editorBench';

const oneBadNumber = () =>
	contacts(6).map((row, index) => (index === 3 ? { ...row, phone: '07700 900123' } : row));
const withoutCountry = () =>
	contacts(6).map((row, index) => ({ ...row, phone: `07700 90012${index}` }));

const editFields = (value: string): INode =>
	node('Edit Fields', 'n8n-nodes-base.set', 3.4, {
		assignments: { assignments: [{ id: '1', name: 'stopped', type: 'string', value }] },
		includeOtherFields: true,
		options: {},
	});

const refusals: Array<
	[
		string,
		{
			rows: object[];
			parameters: INodeParameters;
			between?: INode[];
			message: RegExp;
			remedy: RegExp;
		},
	]
> = [
	[
		'numbers without a country code',
		{
			rows: withoutCountry(),
			parameters: bulk(),
			message:
				/^None of the 6 rows can be called\. Row 1: the destination "••••• ••0120" has no country code$/,
			remedy:
				/^Choose the country under “Country of Numbers Without \+”, or write the number with \+ and its country code\. Nobody was called\.$/,
		},
	],
	[
		'an agent that is not there',
		{
			rows: contacts(6),
			parameters: bulk({ agentNumber: UNKNOWN_AGENT }),
			message: new RegExp(
				`No agent on your account has the number "\\${UNKNOWN_AGENT}", or your token has no access to it`,
				'i',
			),
			remedy: /Agent Number.*Nobody was called, so executing again is safe\.$/,
		},
	],
	[
		'a column that was renamed in the sheet',
		{
			rows: contacts(6).map((row) => ({ ...row, Status: 'stop' })),
			parameters: bulk({ options: { optedOut: "={{ $json.status === 'stop' }}" } }),
			message: /^No row has the column "status", which Opted Out names$/,
			remedy:
				/^Check the name of the column in that option\. If it is right, and your list leaves empty cells out, write .*Nobody was called/,
		},
	],
	[
		'a column that an Edit Fields makes of one that was renamed in the sheet',
		{
			rows: contacts(6).map((row) => ({ ...row, Status: 'stop' })),
			between: [editFields("={{ $json.status === 'stop' }}")],
			parameters: bulk({ options: { optedOut: '={{ $json.stopped }}' } }),
			message:
				/^No item of the step "Rows" has the column "status", of which the step "Edit Fields" makes Opted Out$/,
			remedy:
				/^Check the name of the column in that step\. If it is right, and your list leaves empty cells out, write .*Nobody was called/,
		},
	],
	[
		'a list of which Execute Once takes the first item alone',
		{
			rows: contacts(6),
			between: [{ ...editFields('={{ $json.phone }}'), executeOnce: true }],
			parameters: bulk({
				options: {
					doNotCall: "={{ $('Edit Fields').all().map(item => item.json.stopped).filter(Boolean) }}",
				},
			}),
			message:
				/^Do Not Call takes the list of the step "Edit Fields", which has Execute Once on and takes its first item alone$/,
			remedy:
				/^Switch Execute Once off in the settings of that step: otherwise, whoever stands behind the first one would be called\. Nobody was called/,
		},
	],
	[
		'a field of a cell that is not there',
		{
			rows: contacts(6).map((row) => ({ ...row, owner: [{ opted_out: 'yes' }] })),
			parameters: bulk({ options: { optedOut: '={{ $json.owner[0].optedout }}' } }),
			message: /^No row has the column "owner\[0\]\.optedout", which Opted Out names$/,
			remedy: /^Check the name of the column in that option\..*Nobody was called/,
		},
	],
	[
		'a column of an Edit Fields that is deactivated',
		{
			rows: contacts(6).map((row) => ({ ...row, stopped: '' })),
			between: [{ ...editFields("={{ $json.status === 'stop' }}"), disabled: true }],
			parameters: bulk({ options: { optedOut: '={{ $json.stopped }}' } }),
			message:
				/^Opted Out takes what the step "Edit Fields" says, which is deactivated, or could not do its work$/,
			remedy: /^Activate that step, or look at what it says, and execute again\. Nobody was called/,
		},
	],
	[
		'a column that was renamed in the list of another step',
		{
			rows: contacts(6),
			parameters: bulk({
				options: { doNotCall: `={{ $('${LIST}').first().json.rows.map((row) => row.Telephone) }}` },
			}),
			message:
				/^No item of the step "List" has the column "rows\.Telephone", which Do Not Call names$/,
			remedy: /^Check the name of the column in that option\./,
		},
	],
	[
		'a column of a list without json before it',
		{
			rows: contacts(6),
			parameters: bulk({
				options: {
					doNotCall: `={{ $('${ROWS}').all().map((item) => item.phone).filter(Boolean) }}`,
				},
			}),
			message: /^Do Not Call names "phone" without \.json before it, and finds nothing$/,
			remedy: /^Write \.json\.phone there\. Nobody was called/,
		},
	],
	[
		'an opt-out option that was left empty',
		{
			rows: contacts(6),
			parameters: bulk({ options: { optedOut: '' } }),
			message: /^Opted Out is empty$/,
			remedy:
				/^Drag the column that says who opted out into that option, or remove the option\. Nobody was called/,
		},
	],
	[
		'an opt-out column beside a whole list',
		{
			rows: contacts(6).map((row) => ({ ...row, opted_out: 'no' })),
			parameters: bulk({
				destinationSource: 'json',
				destinationsJson: `={{ $('${ROWS}').all().map((row) => row.json.phone) }}`,
				options: { optedOut: '={{ $json.opted_out }}' },
			}),
			message: /^Opted Out is read from the input item, not from the list$/,
			remedy: /^Set Destinations From to Input Items\. Nobody was called/,
		},
	],
	[
		'a whole list for each item',
		{
			rows: contacts(6),
			parameters: bulk({
				destinationSource: 'json',
				destinationsJson: `={{ $('${ROWS}').all().map((row) => row.json.phone) }}`,
				options: { duplicates: 'callEach' },
			}),
			message: /^With Call Each Row, the list would be called once for each input item$/,
			remedy: /^Switch on Execute Once in the settings of this node\. Nobody was called/,
		},
	],
	[
		'the first row’s name for all',
		{
			rows: contacts(6).map((row, index) => ({ ...row, name: `Ada ${index}` })),
			parameters: bulk({
				promptVariables: assignments({ name: `={{ $('${ROWS}').first().json.name }}` }),
			}),
			message:
				/^Prompt Variables takes an item of the step "Rows" by its place, and the rows come from others of its items$/,
			remedy:
				/^Drag the column in once more: then the expression takes the item that the row comes from, \$\("Rows"\)\.item\. Nobody was called/,
		},
	],
	[
		'a step without item behind it',
		{
			rows: contacts(6).map((row) => ({ ...row, opted_out: 'yes' })),
			parameters: bulk({ options: { optedOut: `={{ $('${ROWS}').json.opted_out }}` } }),
			message: /^Opted Out names "json\.opted_out" without \.item before it, and finds nothing$/,
			remedy: /^Write \.item\.json\.opted_out there\. Nobody was called/,
		},
	],
	[
		'one entry of a list for all of its people',
		{
			rows: [
				{
					people: contacts(3).map((row, index) => ({
						...row,
						opted_out: index === 0 ? 'no' : 'yes',
					})),
				},
			],
			parameters: bulk({
				destinationSource: 'json',
				destinationsJson: '={{ $json.people.map((each) => each.phone) }}',
				options: { optedOut: '={{ $json.people[0].opted_out }}' },
			}),
			message: /^Opted Out takes one entry of the list "people", and others say something else$/,
			remedy:
				/^Take a column of the rows themselves: n8n’s Split Out makes a row of each entry\. .* Nobody was called/,
		},
	],
	[
		'the minute in what people are remembered by',
		{
			rows: contacts(6),
			parameters: bulk({
				calledBefore: 'skip',
				options: { callOnceKey: "={{ $now.toFormat('yyyy-mm') }} {{ $json.phone }}" },
			}),
			message:
				/^Remember People By may hold the minute of the run \(in a format, mm; MM is the month\)$/,
			remedy: /^Nobody would be known again, and each run would call everybody\./,
		},
	],
];

const former = (numbers: Array<string | number>) =>
	contacts(3).map((row, index) => ({ ...row, former: numbers[index] }));

export const reading = (bench: EditorBench) =>
	describe('reading why nobody was called', () => {
		it.each(refusals)(
			'%s: what happened and what to do stand in the panel',
			async (name, { rows, parameters, between = [], message, remedy }) => {
				const editor = await bench.editor();
				await editor.goToWorkflow(await bench.workflow(name, { rows, parameters, between }));
				await editor.openNode(CALLS);
				await editor.click(editor.part('node-execute-button'));
				await editor.part('node-error-message').waitFor();
				await editor.part('node-execute-button').getByText('Execute step').first().waitFor();
				await editor.picture(`refusal-${name.replaceAll(' ', '-')}`);
				expect(await editor.part('node-error-message').innerText()).toMatch(message);
				expect(await editor.part('node-error-description').innerText()).toMatch(remedy);
				expect(bench.dialed).toEqual([]);
			},
		);

		it('a cell of a list that cannot be read: each row that it leaves open says so', async () => {
			const [first, second] = contacts(3);
			const parameters = bulk({
				options: {
					optedOut: `={{ $('${ROWS}').all().some((item) => item.json.former.trim() === $json.phone) }}`,
				},
			});
			const rows = former([second!.phone, Number(first!.phone), 'none']);
			const editor = await bench.editor();
			await editor.goToWorkflow(
				await bench.workflow('A list with a number in it', { rows, parameters }),
			);
			await editor.openNode(CALLS);
			await editor.click(editor.part('node-execute-button'));
			const output = editor.part('output-panel');
			await output.locator('tbody tr').first().waitFor();
			await editor.click(output.getByText('Not Called Branch (3 items)'));
			await editor.picture('a-cell-that-cannot-be-read');
			const shown = await output.locator('tbody tr').allInnerTexts();
			expect(shown).toEqual([
				expect.stringMatching(
					/could not be resolved \(a cell that it takes is empty, or a number where it expects text: .*Correct the cell, or let the expression/s,
				),
				expect.stringContaining('do_not_call'),
				expect.stringContaining('invalid'),
			]);
			expect(bench.dialed).toEqual([]);
		});

		it('a cell that spells otherwise what Opted Out compares it with: its row says so, and to drag the column in', async () => {
			const rows = contacts(3).map((row, index) => ({ ...row, dnc: ['no', 'Yes', 'yes'][index] }));
			const parameters = bulk({ options: { optedOut: "={{ $json.dnc === 'yes' }}" } });
			const editor = await bench.editor();
			await editor.goToWorkflow(
				await bench.workflow('A word in another spelling', { rows, parameters }),
			);
			await editor.openNode(CALLS);
			await editor.click(editor.part('node-execute-button'));
			const output = editor.part('output-panel');
			await output.locator('tbody tr').first().waitFor();
			await editor.picture('a-word-in-another-spelling');
			const shown = await output.locator('tbody tr').allInnerTexts();
			expect(shown).toEqual([
				expect.stringContaining('initiated'),
				expect.stringMatching(
					/The option Opted Out compares "dnc" with a word that the cell spells otherwise: "Yes"\. Drag that column into Opted Out as it is/,
				),
				expect.stringContaining('do_not_call'),
			]);
			expect(bench.dialed).toEqual([rows[0]!.phone]);
		});
	});

export const settings = (bench: EditorBench) =>
	describe('the node’s settings', () => {
		it('rows that cannot be called go where Not Called is dragged to, the others are called', async () => {
			const editor = await bench.editor();
			const parameters = bulk({ options: { includeInputFields: true } });
			const workflow = await bench.workflow('Two branches', {
				rows: oneBadNumber(),
				parameters,
				outputs: [ALL_ROWS, CALLED],
			});
			await editor.goToWorkflow(workflow);
			const handle = (kind: string, node: string) =>
				editor.page.locator(
					`[data-test-id="canvas-node-${kind}-handle"][data-node-name="${node}"]`,
				);
			expect(await handle('output', CALLS).allInnerTexts()).toEqual(
				['All Rows', 'Called', 'Not Called'].map((name) => expect.stringContaining(name) as string),
			);
			await editor.drag(handle('output', CALLS).nth(2), handle('input', NOT_CALLED));
			await editor.picture('not-called-wired');

			await editor.click(editor.part('execute-workflow-button').first());
			await editor.message('Workflow executed successfully').waitFor();
			await editor.picture('not-called-executed');
			await editor.openNode(NOT_CALLED);
			const output = editor.part('output-panel');
			await output.locator('tbody tr').first().waitFor();
			await editor.picture('not-called-rows');
			const arrived = await output.locator('tbody tr').allInnerTexts();
			expect(arrived.filter((text) => text.includes('+1555') || text.includes('07700'))).toEqual([
				expect.stringMatching(
					/invalid.*The destination "07700 900123" has no country code.*07700 900123.*Person 3/s,
				),
			]);
			expect(bench.dialed).toHaveLength(5);
		});

		it('with n8n’s error output switched on, rows that cannot be called still come out on Not Called', async () => {
			const editor = await bench.editor();
			const workflow = await bench.workflow('Three branches', {
				rows: oneBadNumber(),
				parameters: bulk(),
			});
			await editor.goToWorkflow(workflow);
			await editor.openNode(CALLS);
			await editor.click(editor.part('tab-settings'));
			await editor.choose('onError', 'Continue (using error output)');
			await editor.closePanel();
			await editor.click(editor.part('execute-workflow-button').first());
			await editor.message('Workflow executed successfully').waitFor();
			await editor.picture('error-output-executed');
			const [execution] = await bench.ended(workflow, 1);
			expect(
				[ALL_ROWS, CALLED, NOT_CALLED].map((node) => itemsOf(execution!, node).length),
			).toEqual([6, 5, 1]);
			expect(itemsOf(execution!, CALLS, 3)).toEqual([]);
			expect(bench.dialed).toHaveLength(5);
		});

		it('Retry On Fail is switched on here, and then calls nobody twice', async () => {
			const editor = await bench.editor();
			const rows = contacts(25);
			await editor.goToWorkflow(
				await bench.workflow('Retry On Fail', {
					rows,
					parameters: bulk({ options: { parallelRequests: 1 } }),
				}),
			);
			await editor.openNode(CALLS);
			await editor.click(editor.part('tab-settings'));
			await editor.click(editor.field('retryOnFail').locator('[role=switch], .el-switch').first());
			await editor.field('maxTries').waitFor();
			await editor.picture('retry-on-fail');

			bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
			await editor.click(editor.part('node-execute-button'));
			await editor
				.part('output-panel')
				.getByText('25 rows: 15 called, 10 may have been called, 0 not called')
				.waitFor();
			await editor.picture('retry-on-fail-executed');
			expect(bench.dialed).toHaveLength(rows.length);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});
	});
