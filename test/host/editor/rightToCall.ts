import { AGENT } from '../../engine/helpers/workflows';
import { CALLS } from '../helpers/callWorkflow';
import type { EditorBench } from './editorBench';

const sheet = [
	{ phone: '0176 12340001', name: 'Amara', zone: '', opted_out: '' },
	{ phone: '+1 212 555 0123', name: 'Bruno', zone: '', opted_out: '' },
	{ phone: '+4917612340003', name: 'Chen', zone: 'Asia/Tokyo', opted_out: '' },
	{ phone: '+4917612340004', name: 'Dalia', zone: '', opted_out: 'stop' },
	{ phone: '+4917612340005', name: 'Emil', zone: '', opted_out: '' },
	{ phone: '15.01.2024', name: 'Fay', zone: '', opted_out: '' },
];

export const callingAtTheRightTime = (bench: EditorBench) =>
	describe('calling hours, lists and limits', () => {
		it('a window is built by clicking, and a dry run over a mixed sheet says of each row whether it may be called', async () => {
			const parameters = {
				resource: 'call',
				operation: 'bulkCall',
				agentNumber: AGENT,
				destination: '={{ $json.phone }}',
				defaultCountry: 'DE',
				options: {
					timeZone: '={{ $json.zone }}',
					optedOut: '={{ $json.opted_out }}',
					doNotCall: '+4917612340005',
					maxCalls: 1,
				},
			};
			const editor = await bench.editor({ height: 1200 });
			await editor.goToWorkflow(
				await bench.workflow('At the right time', { rows: sheet, parameters }),
			);
			await editor.openNode(CALLS);
			await editor.click(editor.part('collection-parameter-add').last());
			await editor.click(editor.option('Calling Hours'));
			await editor.click(editor.page.getByText('Add Window', { exact: true }));
			await editor.field('from').waitFor();
			await editor.picture('calling-hours-added');
			await editor.type('from', '00:00');
			await editor.type('to', '24:00');
			await editor.picture('calling-hours-filled-in');
			await editor.click(editor.part('node-execute-button'));
			const output = editor.part('output-panel');
			await output.getByText('Nobody was called: Mode is Dry Run. 6 rows:').waitFor();
			await editor.click(output.getByText('Not Called Branch (6 items)'));
			await editor.moveParameters(-190);
			await editor.picture('right-to-call-dry-run');
			const shown = await output.locator('tbody tr').allInnerTexts();
			expect(shown[3]).toContain('do_not_call');
			expect(shown[4]).toContain('do_not_call');
			expect(shown[5]).toContain('invalid');
			expect(bench.sandbox.requests).toEqual([]);
			await editor.moveParameters(190);
		});

		it('a date in another form, of which an expression would make nothing without a word, is told in its row', async () => {
			const people = [
				{ phone: '+4917612340001', name: 'Amara', until: '', closed: '24.12.2099' },
				{ phone: '+4917612340002', name: 'Bruno', until: 'forever', closed: '' },
				{ phone: '+4917612340003', name: 'Chen', until: '2099-12-31', closed: '' },
				{ phone: '+4917612340004', name: 'Dalia', until: '2020-12-31', closed: '24.12.99' },
			];
			const parameters = {
				resource: 'call',
				operation: 'bulkCall',
				agentNumber: AGENT,
				destination: '={{ $json.phone }}',
				options: {
					optedOut: '={{ DateTime.fromISO($json.until) > $now }}',
					noCallDates: "={{ DateTime.fromFormat($json.closed, 'dd.MM.yyyy').toISODate() }}",
				},
			};
			const editor = await bench.editor({ height: 1000 });
			await editor.goToWorkflow(
				await bench.workflow('Dates in their own form', { rows: people, parameters }),
			);
			await editor.openNode(CALLS);
			await editor.click(editor.part('node-execute-button'));
			const output = editor.part('output-panel');
			await output.getByText('Nobody was called: Mode is Dry Run. 4 rows:').waitFor();
			await editor.picture('dates-in-another-form');
			const shown = await output.locator('tbody tr').allInnerTexts();
			expect(shown.map((row) => /dry_run|invalid|do_not_call/.exec(row)?.[0])).toEqual([
				'dry_run',
				'invalid',
				'do_not_call',
				'invalid',
			]);
			expect(shown[1]).toContain('The option Opted Out makes no date of "forever"');
			expect(shown[3]).toContain('The option No-Call Dates makes no date of "24.12.99"');
		});
	});
