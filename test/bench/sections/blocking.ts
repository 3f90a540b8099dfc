import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { bodyOf, readCallbacks } from '../../../nodes/OutboundCallsTrigger/callback';
import { cellOf, FIELDS, PIECES } from '../../largeCells';
import { type Bench, withProcesses } from '../helpers/bench';
import { atMost, type Figure, type Section, show } from '../helpers/figures';
import type { Fault, Runnable } from '../helpers/messages';
import { campaignRows, numberOf } from '../helpers/rows';

const { count, millis } = show;

const MEGABYTE = 1_000_000;
const COLUMNS = 1_000;
const MOST_MS = 50;

/** A run, and what n8n does of it without this node. */
interface Large {
	rows: IDataObject[];
	parameters?: INodeParameters;
	host: Runnable;
	fault?: Fault;
}

const fieldsOf = (many: number, name = 'field '): IDataObject =>
	Object.fromEntries(Array.from({ length: many }, (_, n) => [`${name}${n}`, 'text']));
const listOf = (many: number, entry: () => object): object[] => Array.from({ length: many }, entry);

const reads = (row: IDataObject, parameters: INodeParameters, many = 1): Large => ({
	rows: Array.from({ length: many }, (_, n) => ({ phone: numberOf(n), ...row })),
	parameters: { mode: 'dryRun', promptVariables: {}, ...parameters },
	host: 'reader',
});

const FORGET = { resource: 'memory', operation: 'forget', people: '={{ $json.cell }}' };

/** Where something is large, for each text that it repeats. */
const PLACES: Array<[where: string, large: (piece: string) => Large]> = [
	...[...FIELDS, ['People to Forget', FORGET] as const].map(
		([field, parameters]): [string, (piece: string) => Large] => [
			field,
			(piece) => {
				const cell = cellOf(piece, MEGABYTE);
				return reads({ row_number: cell, cell }, parameters);
			},
		],
	),
	[
		`${count(COLUMNS)} columns`,
		(piece) => {
			const names = Array.from({ length: COLUMNS }, (_, n) => `${piece}${n}`);
			const cell = cellOf(piece, MEGABYTE / COLUMNS);
			return reads(Object.fromEntries(names.map((name) => [name, cell])), {
				variablesFrom: 'input',
			});
		},
	],
	[
		'an answer',
		(piece) => {
			const result = { destination: numberOf(0), success: false, error: cellOf(piece, MEGABYTE) };
			const body = { success: true, results: [result] };
			return {
				rows: campaignRows(1),
				host: 'sender',
				fault: { kind: 'respond', status: 201, body },
			};
		},
	],
];

/** What is many instead of long. */
const COUNTS: Array<[what: string, large: Large]> = [
	['100 rows of 900 columns', reads(fieldsOf(900), { variablesFrom: 'input' }, 100)],
	[
		'A refusal of 200,000 fields',
		{
			rows: campaignRows(1),
			host: 'sender',
			fault: { kind: 'respond', status: 400, body: { success: false, ...fieldsOf(200_000) } },
		},
	],
];

const CALLBACKS: Array<[what: string, body: () => unknown]> = [
	['1,000 entries of one field', () => listOf(1_000, () => fieldsOf(1))],
	['60,000 entries of one field', () => listOf(60_000, () => fieldsOf(1))],
	['1,000 entries of 900 fields', () => listOf(1_000, () => fieldsOf(900, 'f'))],
	['an object of 300,000 fields', () => fieldsOf(300_000)],
];

/** How long nobody else has a turn, above what n8n needs itself, whatever strangers write. */
export async function blocking(bench: Bench): Promise<Section> {
	const figures: Figure[] = [];
	const table: Section['table'] = [];
	await withProcesses(bench, async (ask) => {
		const above = async ({ rows, parameters, host, fault }: Large): Promise<number> => {
			const stopOf = async (side: Runnable): Promise<number> =>
				(await ask({ kind: 'run', side }, rows, parameters, fault)).longestStopMs;
			const [ofNode, ofHost]: number[][] = [[], []];
			for (let run = 0; run < bench.runs; run++) {
				ofNode!.push(await stopOf('node'));
				ofHost!.push(await stopOf(host));
			}
			return Math.max(0, least(ofNode!) - least(ofHost!));
		};
		for (const [where, large] of PLACES) {
			bench.progress(`1 MB in ${where}`);
			const stops: number[] = [];
			for (const piece of PIECES) stops.push(await above(large(piece)));
			figures.push(atMost(`1 MB in ${where}`, Math.max(...stops), MOST_MS, millis));
			const shown = PIECES.map((piece, n) => [printable(piece), millis(stops[n]!)] as const);
			table.push({ '1 MB of': where, ...Object.fromEntries(shown) });
		}
		for (const [what, large] of COUNTS)
			figures.push(atMost(what, await above(large), MOST_MS, millis));
	});
	for (const [what, body] of CALLBACKS) {
		const stops = Array.from({ length: bench.runs }, () => callbackMs(body()));
		figures.push(atMost(`A callback of ${what}`, least(stops), MOST_MS, millis));
	}
	return {
		title: 'Longest stop, above n8n’s own',
		figures,
		table,
	};
}

/** Whatever else the machine does only adds to a stop. */
const least = (stops: readonly number[]): number => Math.min(...stops);

/** In quotes, because a name that is a number would come first. */
const printable = (piece: string): string =>
	JSON.stringify(piece).replace(
		/[\p{Cf}\p{M}]/gu,
		(one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

/** The trigger does its part in one go, with the text and what the host parsed of it. */
function callbackMs(body: unknown): number {
	const rawBody = Buffer.from(JSON.stringify(body));
	const began = performance.now();
	readCallbacks(bodyOf({ contentType: 'application/json', body, rawBody }), {});
	return performance.now() - began;
}
