import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import {
	CHOICES,
	HOURS_BETWEEN,
	NUMBER_FIELDS,
	type NumberField,
} from '../../nodes/OutboundCalls/domain/panelDefaults';
import { CALL_COLUMNS } from '../../nodes/OutboundCalls/domain/outputColumns';
import { PROTECTIONS, REACH } from '../../nodes/OutboundCalls/domain/outcome';
import { AHEAD } from '../../nodes/OutboundCalls/placement/claimsAhead';
import { pageOf } from './page';

/** The manual's tables say what the code's tables say. */
const docs = path.join(__dirname, '../../docs');
const reference = pageOf(path.join(docs, 'reference.md'));

/** The rows of the tables that begin with these headings. */
const rowsUnder = (...headings: string[]): string[][] =>
	reference.tables
		.filter(({ header }) => headings.every((heading, n) => header[n] === heading))
		.flatMap(({ rows }) => rows);
const rowOf = (rows: string[][], name: string): string =>
	rows.find(([first]) => first === name)?.join(' ') ?? `no row ${name}`;
const namesIn = (cells: string[]): string[] => cells.flatMap((cell) => cell.split(', '));
const numbersIn = (text: string): number[] =>
	(text.match(/(?<!\w)\d[\d,]*/g) ?? []).map((digits) => Number(digits.replaceAll(',', '')));

it('the reference has each status, and says who was called', () => {
	const { components } = parse(readFileSync(path.join(docs, 'api.openapi.yaml'), 'utf8')) as {
		components: {
			schemas: { BulkResult: { properties: { status: { enum: string[] } } } };
		};
	};
	const ofApi = components.schemas.BulkResult.properties.status.enum;
	const ofRules = Object.values(PROTECTIONS).map(([status]) => status);
	const others = { initiated: 'yes', placed: 'yes', unknown: 'maybe', duplicate: 'other_row' };
	const called = Object.fromEntries(
		[...ofApi, ...ofRules, ...Object.keys(REACH), 'test_call'].map((status) => [status, 'no']),
	);
	const rows = rowsUnder('status', 'called', 'Meaning');
	const told = rows.flatMap(([names, who]) => namesIn([names!]).map((name) => [name, who]));
	expect(Object.fromEntries(told)).toEqual({ ...called, ...others });
});

it('the reference has each column, and what held_by may say', () => {
	const [simple, more] = reference.tables.filter(({ header }) => header[0] === 'Column');
	const names = [simple, more].map((table) => namesIn(table!.rows.map(([first]) => first!)));
	const { bulkCall, placeCall } = CALL_COLUMNS;
	// Of Place Call, and of a dry run with several agents: told beside other columns.
	const beside = ['agent_number', 'caller_number', 'call_id', 'external_call_id'];
	const [told, toldMore] = [names[0]!.filter((name) => name !== 'Your columns'), names[1]!];
	expect([...told, ...beside].sort()).toEqual([...placeCall.simple].sort());
	expect([...told, ...toldMore].sort()).toEqual([...bulkCall.everything].sort());
	const heldBy = rowOf(simple!.rows, 'held_by').match(/\w+_\w+|countries/g)!;
	expect(heldBy.slice(1)).toEqual(Object.keys(PROTECTIONS));
});

it('the reference has the beginning and the highest value of each number, and each choice', () => {
	const rows = reference.tables.flatMap((table) => table.rows);
	const elsewhere: Record<string, string> = { calls: 'Calls per Person', limit: 'Get Batch' };
	for (const [name, field] of Object.entries(NUMBER_FIELDS)) {
		const { label, unit, initial, most = initial }: NumberField = field;
		const row = rowOf(rows, elsewhere[name] ?? (unit ? `${label} (${unit})` : label));
		expect([row, numbersIn(row)]).toEqual([row, expect.arrayContaining([initial, most])]);
	}
	expect(numbersIn(rowOf(rows, 'Hours Between Calls')).slice(0, -1)).toEqual([...HOURS_BETWEEN]);
	const text = readFileSync(path.join(docs, 'reference.md'), 'utf8');
	const choices = Object.values(CHOICES).flatMap(({ options }) =>
		options.map(({ name }) => name.split(':')[0]!),
	);
	expect(choices.filter((choice) => !text.includes(`*${choice}`))).toEqual([]);
});

it('the manual says how many people may stay entered after a kill', () => {
	const { tables } = pageOf(path.join(docs, 'memory-and-retry.md'));
	const row = rowOf(
		tables.flatMap(({ rows }) => rows),
		'n8n is killed while it calls',
	);
	expect(numbersIn(row)).toEqual([...AHEAD].reverse().flat());
});
