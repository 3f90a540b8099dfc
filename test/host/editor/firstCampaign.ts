import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { AGENT_WITH_PROMPT } from '../../engine/helpers/workflows';
import { readContacts } from '../helpers/campaign';
import { examples } from '../helpers/exampleWorkflow';
import { say } from '../helpers/hostBench';
import type { Editor } from './editor';
import type { EditorBench } from './editorBench';

/** From an empty canvas until the table says who was reached. */
const MOST_INTERACTIONS = 30;

/** Adds the node that calls after the last one and fills it in. */
async function callEverybody(editor: Editor): Promise<void> {
	await editor.addNode('call', 'Outbound Calls', 'Call many people');
	await editor.type('agentNumber', AGENT_WITH_PROMPT);
	await editor.fetchColumns('phone');
	await editor.drag(editor.column('phone'), editor.field('destination'));
	await editor.field('destination').getByText('{{ $json.phone }}').waitFor();
	await editor.find('countries', 'usa', 'United States (US');
	for (const column of ['name', 'amount']) {
		await editor.drag(editor.column(column), editor.part('assignment-collection-drop-area'));
		await editor.part('assignment').getByText(`{{ $json.${column} }}`).waitFor();
	}
	await editor.choose('waitUntil', 'Each Call Is Finished');
}

export const firstCampaign = (bench: EditorBench) =>
	describe('the first campaign, from an empty canvas', () => {
		it(`takes at most ${MOST_INTERACTIONS} interactions; each number is dialed once, with its details`, async () => {
			const contacts = path.join(examples, 'contacts.csv');
			await copyFile(contacts, path.join(bench.stage.filesFolder, 'contacts.csv'));
			Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 900 });
			const editor = await bench.editor();
			await editor.goTo('/workflow/new', editor.part('canvas-add-button'));
			// n8n puts its manual trigger before it.
			await editor.addNode(
				'files from disk',
				'Read/Write Files from Disk',
				'Read File(s) From Disk',
			);
			await editor.type('fileSelector', '.n8n-files/contacts.csv');
			await editor.closePanel();
			await editor.addNode('extract from', 'Extract from File', 'Extract from CSV');
			await editor.closePanel();
			await callEverybody(editor);
			await editor.picture('campaign-filled-in');
			await editor.executeStep(/25 of 27 rows would be called/);
			expect(bench.sandbox.requests).toEqual([]);
			await editor.picture('campaign-dry-run');
			await editor.choose('mode', 'Live: Call');
			await editor.executeStep(/25 of 27 rows called.*25 reached/s);
			await editor.picture('campaign-live');

			const { clicks, drags, typed } = editor.did;
			const all = clicks + drags + typed;
			say(`${all} interactions: ${clicks} clicks, ${drags} drags, ${typed} typed fields`);
			expect(all).toBeLessThanOrEqual(MOST_INTERACTIONS);
			const rows = await readContacts();
			const wanted = new Map(rows.map(({ phone, name }) => [phone, name]));
			const dialed = bench.sandbox.journal.map(({ phone, variables }) => [phone, variables.name]);
			expect(dialed.sort()).toEqual([...wanted].sort());
			const columns = await editor.headings();
			expect(columns.slice(0, 5)).toEqual(['status', 'called', 'reached', 'reason', 'destination']);
		});
	});
