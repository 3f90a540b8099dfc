import type { INodeParameters } from 'n8n-workflow';
import { AGENT_WITH_PROMPT, UNKNOWN_AGENT } from '../../engine/helpers/account';
import { assignments, bulk, contacts } from '../../engine/helpers/workflows';
import { CALLS, START } from '../helpers/callWorkflow';
import { MONDAY, SATURDAY } from '../helpers/hostBench';
import type { EditorBench } from './editorBench';

const rows = contacts(6).map((row, n) => ({ ...row, opted_out: n === 2 ? 'yes' : 'no' }));

const twelve = contacts(12).map((row, n) => ({ ...row, opted_out: n % 6 === 2 ? 'yes' : 'no' }));
const MY_PHONE = '+14155550199';

/** What somebody filled in, and what n8n shows for it: what happened, and what to do. */
const refusals: Array<[string, INodeParameters, RegExp, RegExp]> = [
	[
		'an agent that the account does not have',
		{ agentNumber: UNKNOWN_AGENT },
		/agent/i,
		/Agent Number.*Nobody was called/,
	],
	['Live without a dry run', { calledBefore: 'skip' }, /^Make a dry run/, /copy/i],
];

/** Each kind of row that a dry run finds. It is day in the Americas, and night in Tokyo. */
const messySheet = [
	{ name: 'Amara Osei', phone: '+15550100101', time_zone: 'America/New_York', opted_out: 'no' },
	{
		name: 'Bruno Keller',
		phone: '+5511912345678',
		time_zone: 'America/Sao_Paulo',
		opted_out: 'no',
	},
	{
		name: 'Bruno Keller',
		phone: '(11) 91234-5678',
		time_zone: 'America/Sao_Paulo',
		opted_out: 'no',
	},
	{ name: 'Chiara Romano', phone: '(11) 9123', time_zone: 'America/Sao_Paulo', opted_out: 'no' },
	{ name: 'Elena Petrova', phone: '+15550100105', time_zone: 'America/New_York', opted_out: 'yes' },
	{ name: 'Farid Haddad', phone: '+15550100106', time_zone: 'Asia/Tokyo', opted_out: 'no' },
	{ name: 'Grace Kim', phone: '+15550100107', time_zone: 'America/New_York', opted_out: 'no' },
];
const STATUSES = 'dry_run dry_run duplicate invalid do_not_call outside_hours dry_run'.split(' ');

export const readingResults = (bench: EditorBench) =>
	describe('reading what became of the rows', () => {
		it.each(refusals)(
			'nobody is called with %s: what happened and what to do stand in the panel',
			async (name, more, message, remedy) => {
				const editor = await bench.editor();
				const definition = bench.define({ rows, parameters: { ...bulk(), ...more } });
				await editor.goToWorkflow(await bench.stage.client.createWorkflow(definition));
				await editor.openNode(CALLS);
				await editor.click(editor.part('node-execute-button'));
				await editor.part('node-error-message').waitFor();
				await editor.picture(`refusal-${name.replaceAll(' ', '-')}`);
				expect(await editor.part('node-error-message').innerText()).toMatch(message);
				expect(await editor.part('node-error-description').innerText()).toMatch(remedy);
				expect(bench.dialed).toEqual([]);
			},
		);

		it.each(['light', 'dark'] as const)(
			'a dry run over a messy sheet: a summary in lines, and each row says why (%s theme)',
			async (theme) => {
				const parameters = {
					...bulk({ mode: 'dryRun', agentNumber: AGENT_WITH_PROMPT }),
					countries: ['US', 'BR'],
					promptVariables: assignments({ name: '={{ $json.name }}' }),
					callingHours: 'weekdays',
					optedOut: '={{ $json.opted_out }}',
					calledBefore: 'skip',
					rules: { timeZone: '={{ $json.time_zone }}' },
					options: { defaultCountry: 'BR' },
				};
				const workflow = await bench.saved({ rows: messySheet, parameters });
				const editor = await bench.editor({ theme, width: 2220, height: 930 });
				await editor.goToWorkflow(workflow);
				await editor.openNode(CALLS);
				await editor.executeStep(/3 of 7 rows would be called/);
				await editor.moveParameters(-500);
				await editor.picture(`dry-run-${theme}`);
				await editor.pictureOfTable(`documentation-dry-run-${theme}`, 'prompt_variables');
				const shown = await editor.rows();
				expect(shown.map((row) => row.split(/\s/)[0])).toEqual(STATUSES);
				const lines = (await editor.summary()).split('\n').map((line) => line.trim());
				expect(lines[0]).toMatch(/^3 of 7 rows would be called/);
				for (const told of [
					/remembers nobody yet/,
					/1 more can be called from/,
					/Opted Out: 1 row/,
					/row 4/,
					/Prompt variables: "name"/,
				])
					expect(lines).toContainEqual(expect.stringMatching(told));
				await editor.moveParameters(500);
				await editor.page.close();
				expect(bench.sandbox.requests).toEqual([]);
			},
		);

		it.each(['light', 'dark'] as const)(
			'no cell of the first five columns is empty, and five rows are in view, whatever came of the run (%s theme)',
			async (theme) => {
				const editor = await bench.editor({ theme });
				const see = async (name: string): Promise<void> => {
					await editor.picture(`results-${name}-${theme}`);
					expect([name, await editor.emptyCells(5)]).toEqual([name, 0]);
					expect([name, (await editor.visibleRows()) >= 5]).toEqual([name, true]);
				};
				const open = async (fields: INodeParameters, settings = {}): Promise<void> => {
					const parameters = bulk({
						agentNumber: AGENT_WITH_PROMPT,
						countries: ['US'],
						promptVariables: assignments({
							name: '={{ $json.name }}',
							amount: '={{ $json.amount }}',
						}),
						optedOut: '={{ $json.opted_out }}',
						calledBefore: 'skip',
						waitUntil: 'finished',
						options: { simplify: true, includeInputFields: true },
						...fields,
					});
					const workflow = await bench.saved({ rows: twelve, parameters, settings });
					await editor.goToWorkflow(workflow);
					await editor.openNode(CALLS);
				};
				Object.assign(bench.sandbox.settings, { dialAfterMs: 100, finishAfterMs: 300 });
				await open({ mode: 'test', testNumber: MY_PHONE });
				await editor.executeStep(/10 of 12 rows would be called/);
				await see('test');
				await open({});
				bench.sandbox.callErrors.set(twelve[1]!.phone, 'busy');
				await editor.executeStep(/10 of 12 rows called.*9 reached, 1 not/s);
				await see('live');
				await editor.executeStep(/0 of 12 rows called.*10 called before/s);
				await see('second-run');
				bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
				await open({}, { onError: 'continueRegularOutput' });
				await editor.executeStep(/0 of 12 rows called, 10 possibly called/);
				await see('lost-answer');
				await bench.setClock(SATURDAY, '19:30');
				await open({ mode: 'dryRun', callingHours: 'weekdays' });
				await editor.executeStep(/0 of 12 rows would be called.*10 more can be called from/s);
				await see('weekend');
				await bench.setClock(MONDAY, '19:30');
			},
		);

		it('all rows come out, also with n8n’s error output on, and the run can be pinned: then nobody is dialed again', async () => {
			const parameters = bulk({ countries: ['US'] });
			const mixed = rows.map((row, n) => (n === 3 ? { ...row, phone: '0155 501' } : row));
			const settings = { onError: 'continueErrorOutput' as const };
			const workflow = await bench.saved({ rows: mixed, parameters, settings });
			const editor = await bench.editor();
			await editor.goToWorkflow(workflow);
			await editor.openNode(CALLS);
			await editor.executeStep(/5 of 6 rows called.*add a Filter/s);
			expect((await editor.rows()).map((row) => row.split(/\s/)[0])).toEqual(
				mixed.map((_, n) => (n === 3 ? 'invalid' : 'initiated')),
			);
			await editor.click(editor.part('ndv-pin-data'));
			await editor.picture('pinned');
			await editor.closePanel();
			await editor.executeWorkflow();
			expect(bench.dialed).toHaveLength(5);
			const again = await bench.stage.client.runAndWait(workflow, START);
			expect([again.status, bench.dialed.length]).toEqual(['success', 5]);
		});
	});
