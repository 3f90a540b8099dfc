import { parse } from 'csv-parse/sync';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { AGENT_WITH_PROMPT } from '../../engine/helpers/workflows';
import { examples } from '../helpers/exampleWorkflow';
import { say } from '../helpers/hostBench';
import { walk } from './artefacts';
import type { Editor } from './editor';
import type { EditorBench } from './editorBench';
import { Film } from './film';

const contacts = path.join(examples, 'contacts.csv');
const seenByN8n = '.n8n-files/contacts.csv';

/** More than a person should need, from an empty canvas until it says who was reached; the counts are printed. */
const MOST_INTERACTIONS = { file: 29, table: 24 };

const byPhone = (a: { phone: string }, b: { phone: string }): number =>
	a.phone.localeCompare(b.phone);

/** Adds the node that calls behind the last one and fills it in; `columns` become prompt variables. */
async function callEverybody(editor: Editor, columns: string[]): Promise<void> {
	await editor.addNodeBehind('call', 'Outbound Calls', 'Call many numbers');
	await editor.type('agentNumber', AGENT_WITH_PROMPT);
	await editor.fetchColumns('phone');
	await editor.drag(editor.column('phone'), editor.field('destination'));
	await editor.field('destination').getByText('{{ $json.phone }}').waitFor();
	await editor.find('countries', 'United St', 'United States (US)');
	await editor.field('countries').getByText('United States (US)').waitFor();
	for (const column of columns) {
		await editor.drag(editor.column(column), editor.part('assignment-collection-drop-area'));
		await editor.part('assignment').getByText(`{{ $json.${column} }}`).waitFor();
	}
	await editor.choose('waitUntil', 'Each Call Is Finished');
}

/** Looks at a dry run first, which says how many people would be called; then goes live. */
async function dryRunThenLive(editor: Editor, people: string): Promise<void> {
	await editor.click(editor.part('node-execute-button'));
	await editor
		.part('output-panel')
		.getByText(`Nobody was called: Mode is Dry Run. ${people} would be called`)
		.waitFor();
	await editor.part('node-execute-button').getByText('Execute step').first().waitFor();
	await editor.picture('campaign-dry-run');
	await editor.choose('mode', 'Live: Call');
	await editor.click(editor.part('node-execute-button'));
}

function tell(what: string, { did: { clicks, drags, typed } }: Editor): number {
	const steps = clicks + drags + typed;
	say(
		`From an empty canvas to who was reached, ${what}: ${steps} interactions (${clicks} clicks, ${drags} drags, ${typed} typed fields)`,
	);
	return steps;
}

export const buildingACampaign = (bench: EditorBench) =>
	describe('building a campaign from an empty canvas', () => {
		it('by clicking and dragging alone, a CSV file is called, each number once, and a table with its totals says who was reached', async () => {
			await copyFile(contacts, path.join(bench.stage.filesFolder, 'contacts.csv'));
			const rows = parse<{ name: string; phone: string; amount: string }>(
				await readFile(contacts),
				{ columns: true, bom: true },
			);
			Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 900 });
			const film = new Film(walk);
			const editor = await bench.editor({ width: 1280, height: 800, film });
			await editor.goTo('/workflow/new', editor.part('canvas-add-button'));

			// n8n puts its manual trigger before it.
			await editor.addFirstNode(
				'files from disk',
				'Read/Write Files from Disk',
				'Read File(s) From Disk',
			);
			await editor.type('fileSelector', seenByN8n);
			await editor.closePanel();
			await editor.addNodeBehind('extract from', 'Extract from File', 'Extract from CSV');
			await editor.closePanel();
			await callEverybody(editor, ['name', 'amount']);
			await editor.picture('campaign-filled-in');
			await dryRunThenLive(editor, '27 rows: 25 people');
			const steps = tell('with a CSV file', editor);
			const output = editor.part('output-panel');
			await output
				.getByText(
					'27 rows: 25 people called (27 rows), 0 not called; of 25 called: 25 reached, 0 not',
				)
				.waitFor();
			await editor.part('node-execute-button').getByText('Execute step').first().waitFor();

			expect(steps).toBeLessThanOrEqual(MOST_INTERACTIONS.file);
			await film.end(editor.page);
			await editor.page.setViewportSize({ width: 1600, height: 900 });
			await editor.moveParameters(-190);
			await editor.part('node-credentials-slot').scrollIntoViewIfNeeded();
			await editor.picture('campaign-results');
			await editor.moveParameters(190);

			// The requests are under way at the same time, and arrive in any order.
			const dialed = bench.sandbox.journal.map(({ phone, variables }) => ({ phone, variables }));
			const wanted = new Map(
				rows.map(({ phone, name, amount }) => [phone, { phone, variables: { name, amount } }]),
			);
			expect(dialed.sort(byPhone)).toEqual([...wanted.values()].sort(byPhone));
			const columns = (await output.locator('th').allInnerTexts())
				.map((text) => text.trim())
				.filter((text) => text !== '');
			expect(columns.slice(0, 3)).toEqual(['status', 'called', 'reached']);
			expect(columns).toEqual(
				expect.arrayContaining([
					'name',
					'phone',
					'amount',
					'success',
					'consent_id',
					'conversation_id',
					'settled',
				]),
			);
			const shown = await output.locator('tbody tr').allInnerTexts();
			expect(shown[0]).toContain(rows[0]!.phone);
			expect(shown[0]).toContain('initiated');
			expect(shown[11]).toContain('duplicate');
		});

		it(`a table in n8n is called in at most ${MOST_INTERACTIONS.table} interactions, until it says who was reached`, async () => {
			const rows = [
				{ phone: '+15550100301', name: 'Amara' },
				{ phone: '+15550100302', name: 'Bruno' },
			];
			const agent = bench.sandbox.settings.agents.find(
				({ number }) => number === AGENT_WITH_PROMPT,
			)!;
			agent.placeholders = ['name'];
			await bench.stage.client.createDataTable('Contacts', rows);
			const editor = await bench.editor();
			await editor.goTo('/workflow/new', editor.part('canvas-add-button'));
			await editor.addFirstNode('data table', 'Data table', 'Get row(s)');
			// n8n saves a new workflow by itself, and lists no tables for one that is not saved.
			await editor.page.waitForURL(
				(url) => !url.pathname.endsWith('/new') && !url.searchParams.has('new'),
			);
			await editor.click(editor.part('rlc-input').first());
			await editor.click(editor.part('rlc-item').filter({ hasText: 'Contacts' }).first());
			await editor.closePanel();
			await callEverybody(editor, ['name']);
			await dryRunThenLive(editor, '2 rows: 2');
			const steps = tell('with a table', editor);
			await editor
				.part('output-panel')
				.getByText('2 rows: 2 called, 0 not called; of 2 called: 2 reached, 0 not')
				.waitFor();
			await editor.picture('table-results');
			expect(steps).toBeLessThanOrEqual(MOST_INTERACTIONS.table);
			expect(
				bench.sandbox.journal.map(({ phone, variables }) => ({ phone, ...variables })),
			).toEqual(rows);
		});
	});
