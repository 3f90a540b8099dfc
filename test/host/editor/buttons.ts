import { bulk, contacts } from '../../engine/helpers/workflows';
import { CALLS } from '../helpers/callWorkflow';
import { until } from '../helpers/hostBench';
import type { EditorBench } from './editorBench';

const MY_PHONE = '+14155550199';

export const buttons = (bench: EditorBench) =>
	describe('buttons', () => {
		it('Test rings my own phone once each time, nobody else’s; Live then calls each number once', async () => {
			const rows = contacts(4);
			const parameters = bulk({ mode: 'test', testNumber: MY_PHONE, calledBefore: 'skip' });
			const editor = await bench.editor();
			await editor.goToWorkflow(await bench.saved({ rows, parameters }));
			await editor.openNode(CALLS);
			for (const times of [1, 2]) {
				await editor.executeStep(/4 of 4 rows would be called/);
				await until(`${times} calls`, () => bench.dialed.length === times);
			}
			await editor.picture('tested');
			expect((await editor.rows()).filter((row) => row.startsWith('test_call'))).toHaveLength(1);
			expect(bench.dialed).toEqual([MY_PHONE, MY_PHONE]);
			await editor.choose('mode', 'Live: Call');
			await editor.executeStep(/4 of 4 rows called/);
			await editor.executeStep(/0 of 4 rows called.*4 called before/s);
			expect(bench.dialed.slice(2).sort()).toEqual(rows.map(({ phone }) => phone).sort());
		});
	});
