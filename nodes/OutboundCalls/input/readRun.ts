import { fitsNone, onlyCountry, withCountriesOfRows } from '../domain/phone/callableCountries';
import { type CheckedRow, checkRow, type Row } from '../domain/row';
import type { Execution } from '../execution/execution';
import { RunParameters } from '../execution/runParameters';
import { Slices } from '../execution/slices';
import { changingValue, ProtectingFields } from './protectingFields';
import { readRows, STOPPED } from './readRows';
import { callSettings, type CallSettings } from './settings';

/**
 * A run whose settings and rows have been read and checked: from here on, nothing asks n8n for a
 * parameter.
 */
export type Run = Awaited<ReturnType<typeof readRun>>;

/** Reads all parameters, before the first call. Never throws. */
export async function readRun(execution: Execution) {
	const { input, parameters, signal } = execution;
	const read = new RunParameters(execution);
	const slices = new Slices();
	const settings = await callSettings(execution, read, slices);
	const { callable, memory } = settings;
	const protecting = new ProtectingFields(parameters);
	const values: unknown[] = [];
	// Each row is checked as it is read, so that a large sheet is held once, not twice.
	const checked: CheckedRow[] = [];
	let compared = 0;
	for (const raw of readRows(execution, {
		source: read.choice('destinationSource'),
		variablesFrom: read.choice('variablesFrom'),
		isOnceForEach: memory.calledBefore === 'onceForEach',
		country: onlyCountry(callable.countries),
	})) {
		while (compared < raw.itemIndex) read.compare(++compared);
		protecting.see(raw);
		if (raw.onceForEach) values.push(raw.onceForEach.value);
		checked.push(checkRow(raw, checked.length));
		if (slices.isOver) await slices.restIfOver();
	}
	while (compared < input.length - 1) read.compare(++compared);
	const rows = checked.flatMap((each) => (each.ok ? [each.value] : []));
	const problem = signal?.aborted
		? STOPPED
		: (read.problem ??
			protecting.problem ??
			(await changingValue(execution, values)) ??
			noCountry(checked, rows, settings));
	const optedOut = optedOutIn(checked);
	await slices.restIfOver();
	return {
		settings,
		checked,
		/** These rows may be sent. */
		rows,
		/**
		 * Numbers of people who opted out, or whose Opted Out cannot be read, with the number of the
		 * first such row.
		 */
		optedOut,
		/** This is why none of the rows may be called. */
		problem,
		/** Long work goes on with these. */
		slices,
	};
}

/** Nobody is called until countries are chosen, and if the only one fits none of the rows. */
function noCountry(
	checked: readonly CheckedRow[],
	rows: readonly Row[],
	{ noCountry: refusal, callable: { countries } }: CallSettings,
) {
	if (refusal)
		return withCountriesOfRows(
			refusal,
			rows.map(({ country }) => country),
		);
	const iso = onlyCountry(countries);
	const isOfCountry = checked.every((each) => !each.ok && each.error.problem.isOfCountry);
	return iso !== undefined && isOfCountry && checked.length > 1
		? fitsNone(iso, checked.length)
		: undefined;
}

/**
 * A person opts out, not a row: whoever did so in one row is not called for another, even if the
 * first could not be sent.
 */
function optedOutIn(rows: readonly CheckedRow[]) {
	const found = new Map<string, number>();
	for (const row of rows) {
		const numbers = row.ok ? (row.value.optedOut ? [row.value.person] : []) : row.error.optedOut;
		const { rowNumber } = row.ok ? row.value : row.error;
		for (const number of numbers ?? []) if (!found.has(number)) found.set(number, rowNumber);
	}
	return found;
}
