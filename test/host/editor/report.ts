import path from 'node:path';
import { importExample } from '../helpers/exampleBench';
import { itemsOf } from '../helpers/outcomes';
import { pictures } from './artefacts';
import type { EditorBench } from './editorBench';

const cities = ['Lagos', 'Kyoto', 'Porto', 'Quito'];
const reasons = ['Busy', 'No answer', 'No answer', 'Number not in service'];

/** People of a campaign of one day, as its table has them. */
const people = Array.from({ length: 240 }, (_, n) => {
	const row = {
		name: `Person ${n}`,
		phone: `+1555010${1_000 + n}`,
		city: cities[((n * n) % 7) % 4]!,
	};
	const empty = { called_at: '', call_reason: '', reached: '' };
	if (n % 70 === 3)
		return {
			...row,
			...empty,
			phone: `0155 501${n}`,
			call_status: 'invalid',
			call_reason: 'The destination has no country code',
		};
	if (n % 23 === 5) return { ...row, ...empty, call_status: 'do_not_call' };
	if (n > 200) return { ...row, ...empty, call_status: 'outside_hours' };
	const hour = String(9 + (((n * 37) % 89) % 9)).padStart(2, '0');
	const reached = n % 31 === 0 ? '' : (n * 7) % (Number(hour) > 12 ? 3 : 5) === 0 ? 'no' : 'yes';
	const call_reason = reached === 'no' ? reasons[n % 4]! : '';
	return {
		...row,
		called_at: `2026-11-23T${hour}:15:00.000Z`,
		call_status: 'initiated',
		call_reason,
		reached,
	};
});

/** The page of `campaign-report.workflow.json`, in a browser. */
export function lookingAtTheReport(bench: EditorBench): void {
	it('the report is a page that loads nothing and says nothing', async () => {
		const { client } = bench.stage;
		const hostile = {
			name: '<script>alert(1)</script>',
			city: '"><img src=x onerror=alert(2)>',
			call_status: 'unknown',
		};
		const table = await client.createDataTable('people of a report', [
			...people,
			{ ...people[0]!, ...hostile },
		]);
		const workflow = await importExample(bench, 'campaign-report.workflow.json', {
			changes: { Rows: { dataTableId: { __rl: true, mode: 'id', value: table.id } } },
		});
		Object.assign(workflow.settings!, { timezone: 'UTC' });
		const saved = await client.updateWorkflow(workflow);
		const htmlOf = async () => {
			const execution = await client.runAndWait(saved, 'See report');
			const [made] = itemsOf(execution, 'Page');
			return (made!.json as { html: string }).html;
		};
		const { page, asked, said } = await bench.pageOf(await htmlOf());
		expect(await page.textContent('body')).toContain('<script>alert(1)</script>');
		expect([asked, said]).toEqual([[], []]);
		await page.close();

		// The one for the documentation.
		await table.update(
			{ name: hostile.name },
			{ name: 'Amara Osei', city: 'Porto', call_status: 'initiated', reached: 'yes' },
		);
		const shown = await bench.pageOf(
			(await htmlOf()).replace(
				/<p class="at">.*?<\/p>/,
				'<p class="at">23 November 2026, 18:00</p>',
			),
		);
		await shown.page.screenshot({ path: path.join(pictures, 'report.png'), fullPage: true });
		await shown.page.close();
	});
}
