import { AGENT_WITH_PROMPT } from '../../engine/helpers/account';
import { MONDAY, say } from '../helpers/hostBench';
import type { Editor } from './editor';
import type { EditorBench } from './editorBench';

/** From an empty canvas until the table says who was reached. */
const MOST_INTERACTIONS = 25;

/** A sheet of twelve people in Germany, of whom two asked not to be called. */
const sheet = Array.from({ length: 12 }, (_, n) => ({
	name: `Person ${n}`,
	phone: `0151 234567${String(n).padStart(2, '0')}`,
	amount: `${n}.50`,
	opted_out: n % 6 === 2 ? 'yes' : 'no',
}));

/** Adds the node that calls after the last one and fills it in. */
async function callEverybody(editor: Editor): Promise<void> {
	await editor.addNode('phone call', 'Outbound Calls', 'Call many people');
	await editor.type('agentNumber', AGENT_WITH_PROMPT);
	await editor.fetchColumns('phone');
	await editor.drag(editor.column('phone'), editor.field('destination'));
	await editor.field('destination').getByText('{{ $json.phone }}').waitFor();
	await editor.find('countries', 'germ', 'Germany (DE');
	for (const column of ['name', 'amount']) {
		await editor.drag(editor.column(column), editor.part('assignment-collection-drop-area'));
		await editor.part('assignment').getByText(`{{ $json.${column} }}`).waitFor();
	}
	await editor.drag(editor.column('opted_out'), editor.field('optedOut'));
	await editor.field('optedOut').getByText('{{ $json.opted_out }}').waitFor();
	await editor.choose('waitUntil', 'Each Call Is Finished');
}

export const firstCampaign = (bench: EditorBench) =>
	describe('the first campaign, from an empty canvas', () => {
		it(`takes at most ${MOST_INTERACTIONS} interactions; each number is dialed once, with its details`, async () => {
			await bench.stage.client.createDataTable('people', sheet);
			// Late afternoon in Germany.
			await bench.setClock(MONDAY, '15:00');
			Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 900 });
			const editor = await bench.editor();
			await editor.goTo('/workflow/new', editor.part('canvas-add-button'));
			// n8n puts its manual trigger before it.
			// The list of tables needs a workflow that n8n has saved (n8n behavior).
			const saved = editor.page.waitForResponse(/\/rest\/workflows\b/);
			await editor.addNode('data table', 'Data table', 'Get row(s)');
			await saved;
			await editor.click(editor.field('dataTableId'));
			await editor.click(editor.part('rlc-item').filter({ hasText: 'people' }));
			await editor.closePanel();
			await callEverybody(editor);
			await editor.picture('campaign-filled-in');
			await editor.executeStep(/10 of 12 rows would be called/);
			expect(bench.sandbox.requests).toEqual([]);
			await editor.picture('campaign-dry-run');
			await editor.choose('mode', 'Live: Call');
			await editor.executeStep(/10 of 12 rows called.*10 reached/s);
			await editor.picture('campaign-live');

			const { clicks, drags, typed } = editor.did;
			const all = clicks + drags + typed;
			say(`${all} interactions: ${clicks} clicks, ${drags} drags, ${typed} typed fields`);
			expect(all).toBeLessThanOrEqual(MOST_INTERACTIONS);
			const wanted = sheet.filter(({ opted_out }) => opted_out === 'no').map(({ name }) => name);
			const dialed = bench.sandbox.journal.map(({ variables }) => variables.name);
			expect(dialed.sort()).toEqual(wanted.sort());
			const columns = await editor.headings();
			expect(columns.slice(0, 5)).toEqual(['status', 'called', 'reached', 'reason', 'destination']);
			await bench.setClock(MONDAY, '19:30');
		});
	});
