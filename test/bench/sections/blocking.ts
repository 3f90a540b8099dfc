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
/** As many as become items, and more. */
const ENTRIES = [1_000, 60_000];
const MOST_MS = 50;

/** A run of one row, and what n8n does of it without this node. */
interface Large {
	row: IDataObject;
	parameters?: INodeParameters;
	host: Runnable;
	fault?: Fault;
}

const reads = (row: IDataObject, parameters: INodeParameters): Large => ({
	row: { phone: numberOf(0), ...row },
	parameters: { mode: 'dryRun', promptVariables: {}, ...parameters },
	host: 'reader',
});

/** Where something is large, for each text that it repeats. */
const PLACES: Array<[where: string, large: (piece: string) => Large]> = [
	...FIELDS.map(([field, parameters]): [string, (piece: string) => Large] => [
		field,
		(piece) => {
			const cell = cellOf(piece, MEGABYTE);
			return reads({ row_number: cell, cell }, parameters);
		},
	]),
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
				row: campaignRows(1)[0]!,
				host: 'sender',
				fault: { kind: 'respond', status: 201, body },
			};
		},
	],
];

/** How long nobody else has a turn, above what n8n needs itself, whatever strangers write. */
export async function blocking(bench: Bench): Promise<Section> {
	const figures: Figure[] = [];
	const table: Section['table'] = [];
	await withProcesses(bench, async (ask) => {
		for (const [where, large] of PLACES) {
			bench.progress(`1 MB in ${where}`);
			const above: number[] = [];
			for (const piece of PIECES) {
				const { row, parameters, host, fault } = large(piece);
				const stopOf = async (side: Runnable): Promise<number> =>
					(await ask({ kind: 'run', side }, [row], parameters, fault)).longestStopMs;
				const stops: Array<[node: number, host: number]> = [];
				for (let run = 0; run < bench.runs; run++)
					stops.push([await stopOf('node'), await stopOf(host)]);
				above.push(
					Math.max(
						0,
						least(stops.map(([ofNode]) => ofNode)) - least(stops.map(([, ofHost]) => ofHost)),
					),
				);
			}
			figures.push(atMost(`1 MB in ${where}`, Math.max(...above), MOST_MS, millis));
			const shown = PIECES.map((piece, n) => [printable(piece), millis(above[n]!)] as const);
			table.push({ '1 MB of': where, ...Object.fromEntries(shown) });
		}
	});
	const callbacks = ENTRIES.map((entries) =>
		atMost(
			`A callback of ${count(entries)} entries`,
			least(Array.from({ length: bench.runs }, () => callbackMs(entries))),
			MOST_MS,
			millis,
		),
	);
	return {
		title: 'Longest stop, above n8n’s own',
		figures: [...figures, ...callbacks],
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

/** The trigger does its part in one go. */
function callbackMs(entries: number): number {
	const body = Array.from({ length: entries }, (_, n) => ({ call_id: `c-${n}` }));
	const began = performance.now();
	readCallbacks(bodyOf({ contentType: 'application/json', body }), {});
	return performance.now() - began;
}
