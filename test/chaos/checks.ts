import type { IDataObject } from 'n8n-workflow';
import type { RunRequest } from '../engine/helpers/harness';
import type { Chance } from './random';
import type { Row } from './rows';

/** What n8n makes of a step that could not work for a row and goes on (On Error = Continue). */
const WHY = { error: 'The service is not available' };

/** Lets the step that says who opted out not work for some of the rows; the step behind it has found nothing, or adds what it says. */
export function uncheck(chance: Chance, rows: readonly Row[], behind: 'set' | 'merge'): void {
	for (const row of rows.slice(1)) {
		if (row.held !== 'no' || row.isTroubled || !chance.is(0.15)) continue;
		row.isTroubled = row.isUnchecked = true;
		delete row.item.opted_out;
		if (behind === 'merge') Object.assign(row.item, WHY);
		else if (chance.is(0.5)) row.item.opted_out = null;
	}
}

/** That step, with what it says of each row, and the one behind it. `first`: the rows as the execution read them that is continued. */
export function checkOf(
	behind: 'set' | 'merge',
	rows: readonly Row[],
	first: readonly Row[],
): Partial<RunRequest> {
	const said = first.map(({ item, isUnchecked }): IDataObject =>
		isUnchecked ? WHY : { opted_out: item.opted_out ?? null },
	);
	return {
		listBefore: [{}],
		listReads: { gives: said, settings: { onError: 'continueRegularOutput' } },
		listTaken: 'inTurns',
		rowsFrom: placesOf(rows, first),
		rowsSettings: { type: `n8n-nodes-base.${behind}` },
	};
}

/** Where each row stood when the step said something of it. */
export function placesOf(rows: readonly Row[], first: readonly Row[]): number[] {
	const places = new Map(first.map((row, place) => [row, place]));
	return rows.map((row) => places.get(row) ?? 0);
}
