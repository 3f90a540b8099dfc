import type { IDataObject } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, phone } from './helpers/workflows';

// What turns text into dates gives nothing for a text in another form, without a word (n8n and Luxon behaviour).

const bench = workbench();
storeForEach();

const statuses = (rows: IDataObject[]): unknown[] => rows.map(({ status }) => status);
const cells = ['25.12.2099', '25.12.99', '12/25/2099', ''].map((closed, n) => ({ phone: phone(n), closed }));
const turned = (of: string): string => `DateTime.fromFormat(${of}, 'dd.MM.yyyy').toISODate()`;

describe('G1 No-Call Dates of a row that are turned from another form', () => {
	it.each([`={{ ${turned('$json.closed')} }}`, `={{ ${turned('$json.closed')} ?? '' }}`, `={{ $json.closed ? ${turned('$json.closed')} : '' }}`])(
		'a cell in a third form is no date, so its row is not called: %s',
		async (noCallDates) => {
			const run = await bench.run(bulk({ options: { noCallDates } }), cells);
			expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'invalid', 'initiated']);
			expect(run.json[1]!.reason).toMatch(/^The option No-Call Dates makes no date of "25\.12\.99"\. /);
		},
	);

	it('so it is where one Edit Fields turns them', async () => {
		const value = `={{ ${turned('$json.closed')} }}`;
		const rowsSettings = {
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { includeOtherFields: true, assignments: { assignments: [{ id: '1', name: 'day', value, type: 'string' }] } },
		};
		const rows = cells.map((row, n) => ({ ...row, day: n === 0 ? '2099-12-25' : null }));
		const host = { listBefore: cells, listTaken: 'inTurns', rowsFrom: [0, 1, 2, 3], rowsSettings } as const;
		const run = await bench.run(bulk({ options: { noCallDates: '={{ $json.day }}' } }), rows, host);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'invalid', 'initiated']);
	});

	it.each([
		"={{ $json.region === 'x' ? DateTime.fromISO($json.closed).toISODate() : '' }}",
		"={{ $json.closed < '2099' ? DateTime.fromISO($json.closed).toISODate() : '' }}",
		"={{ $json.closed ? '' : $json.region.split(',').join() }}",
		'={{ $json.region && "" }}',
		"={{ $json.region.match(/^x/) ? '2099-01-01' : '' }}",
		"={{ $json.region ? '' : DateTime.fromISO($json.closed).toISODate() }}",
		"={{ $json.region ? DateTime.fromISO($json.never).toISODate() : '' }}",
		"={{ $json.off ? DateTime.fromISO($json.off).toISODate() : '' }}",
	])('what leaves a date out on purpose may: %s', async (noCallDates) => {
		const rows = ['2099-12-25', ''].map((closed, n) => ({ phone: phone(n), closed, region: 'y', never: '', off: false }));
		const { json } = await bench.run(bulk({ options: { noCallDates } }), rows);
		expect(statuses(json).slice(0, 1)).toEqual(['initiated']);
	});
});
