import { parse } from 'csv-parse/sync';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { AGENT_WITH_PROMPT } from '../../engine/workflows';
import { examples } from '../exampleWorkflow';
import { say } from '../hostBench';
import { walk } from './artefacts';
import type { EditorBench } from './editorBench';
import { Film } from './film';

const contacts = path.join(examples, 'contacts.csv');
const seenByN8n = '.n8n-files/contacts.csv';

/** More than a person should need; the count is printed. */
const MOST_INTERACTIONS = 25;

const byPhone = (a: { phone: string }, b: { phone: string }): number => a.phone.localeCompare(b.phone);

export const buildingACampaign = (bench: EditorBench) =>
	describe('building a campaign from an empty canvas', () => {
		it('by clicking and dragging alone, a CSV file is called, each number once, and the results are a table with its totals', async () => {
			await copyFile(contacts, path.join(bench.stage.filesFolder, 'contacts.csv'));
			const rows = parse<{ name: string; phone: string; amount: string }>(await readFile(contacts), { columns: true, bom: true });
			const film = new Film(walk);
			const editor = await bench.editor({ width: 1280, height: 800, film });
			await editor.goTo('/workflow/new', editor.part('canvas-add-button'));

			await editor.click(editor.part('canvas-add-button'));
			await editor.click(editor.listed('Trigger manually'));
			await editor.addNodeBehind('files from disk', 'Read/Write Files from Disk', 'Read File(s) From Disk');
			await editor.type('fileSelector', seenByN8n);
			await editor.closePanel();
			await editor.addNodeBehind('extract from', 'Extract from File', 'Extract from CSV');
			await editor.closePanel();

			await editor.addNodeBehind('call', 'Outbound Calls', 'Call many numbers');
			await editor.type('agentNumber', AGENT_WITH_PROMPT);
			await editor.fetchColumns('phone');
			await editor.drag(editor.column('phone'), editor.field('destination'));
			await editor.field('destination').getByText('{{ $json.phone }}').waitFor();
			for (const column of ['name', 'amount']) {
				await editor.drag(editor.column(column), editor.part('assignment-collection-drop-area'));
				await editor.part('assignment').getByText(`{{ $json.${column} }}`).waitFor();
			}
			await editor.picture('campaign-filled-in');
			await editor.click(editor.part('node-execute-button'));
			const { clicks, drags, typed } = editor.did;
			const output = editor.part('output-panel');
			await output.getByText('27 rows: 25 initiated, 2 duplicate').waitFor();
			await editor.part('node-execute-button').getByText('Execute step').first().waitFor();

			const steps = clicks + drags + typed;
			say(`From an empty canvas to the first campaign: ${steps} interactions (${clicks} clicks, ${drags} drags, ${typed} typed fields)`);
			expect(steps).toBeLessThanOrEqual(MOST_INTERACTIONS);
			await film.end(editor.page);
			await editor.page.setViewportSize({ width: 1600, height: 900 });
			await editor.moveParameters(-190);
			await editor.part('node-credentials-slot').scrollIntoViewIfNeeded();
			await editor.picture('campaign-results');
			await editor.moveParameters(190);

			// The requests are under way at the same time, and arrive in any order.
			const dialed = bench.sandbox.journal.map(({ phone, variables }) => ({ phone, variables }));
			const wanted = new Map(rows.map(({ phone, name, amount }) => [phone, { phone, variables: { name, amount } }]));
			expect(dialed.sort(byPhone)).toEqual([...wanted.values()].sort(byPhone));
			expect(await output.locator('th').allInnerTexts()).toEqual(
				expect.arrayContaining(['destination', 'success', 'status', 'reason', 'consent_id', 'call_sid', 'batch_id']),
			);
			const shown = await output.locator('tbody tr').allInnerTexts();
			expect(shown[0]).toContain(rows[0]!.phone);
			expect(shown[0]).toContain('initiated');
			expect(shown[11]).toContain('duplicate');
		});
	});
