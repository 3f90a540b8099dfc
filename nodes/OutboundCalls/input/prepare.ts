import { chooseCountries, onlyCountry } from '../domain/phone/chosenCountries';
import type { Problem } from '../domain/problem';
import { Judge, optedOutIn } from '../domain/rightToCall';
import { type CheckedRow, checkRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { RunParameters } from '../execution/runParameters';
import { Slices } from '../execution/slices';
import { changingKey, ProtectingFields } from './protectingFields';
import { readRows, STOPPED } from './readRows';
import { readTestNumber } from './readTestNumber';
import { callSettings, type CallSettings } from './settings';

/** A run whose settings and rows have been read and checked: from here on, nothing asks n8n for a parameter. */
export interface Prepared {
	settings: CallSettings;
	checked: CheckedRow[];
	/** Undefined when there is nothing to judge. */
	judge: Judge | undefined;
	/** The user's own phone, which rings once; undefined where no row is one of a test. */
	testNumber: string | undefined;
	/** Why none of the rows may be called. */
	problem: Problem | undefined;
	/** What has to be done without a turn of others goes on with these. */
	slices: Slices;
}

/** Reads all parameters, before the first call. Never throws. */
export async function prepare(execution: Execution): Promise<Prepared> {
	const read = new RunParameters(execution);
	const slices = new Slices(execution.signal);
	const settings = await callSettings(execution, read, slices);
	const rows = readRows(execution, {
		source: read.choice('destinationSource', 'Destinations From', ['items', 'list', 'json']),
		variablesFrom: read.choice('variablesFrom', 'Prompt Variables From', ['fields', 'input', 'json']),
		isRemembered: settings.remembers,
		country: onlyCountry(settings.callable.countries),
	});
	const protecting = new ProtectingFields(execution);
	const keys: unknown[] = [];
	// Each row is checked as it is read, so that a large sheet is held once, not twice.
	const checked: CheckedRow[] = [];
	let compared = 0;
	for (const raw of rows) {
		while (compared < raw.itemIndex) read.compare(++compared);
		protecting.see(raw);
		if (settings.remembers) keys.push(raw.callOnceKey);
		checked.push(checkRow(raw, checked.length));
		if (slices.isOver) await slices.rest();
	}
	while (compared < execution.input.length - 1) read.compare(++compared);
	const testNumber = checked.some((each) => each.ok && each.value.isTest) ? readTestNumber(execution.parameters, settings.region) : undefined;
	const problem = slices.isStopped
		? STOPPED
		: (read.problem ??
			protecting.problem ??
			(await changingKey(execution, keys)) ??
			noCountry(checked, settings) ??
			(testNumber?.ok === false ? testNumber.error : undefined));
	await slices.restIfOver();
	const optedOut = optedOutIn(checked);
	const { rightToCall } = settings;
	const isJudged = rightToCall.hours !== undefined || rightToCall.doNotCall.size > 0 || optedOut.size > 0;
	const judge = isJudged && !problem ? new Judge({ ...rightToCall, optedOut }) : undefined;
	await slices.restIfOver();
	return { settings, checked, judge, testNumber: testNumber?.ok ? testNumber.value : undefined, problem, slices };
}

/** A live run calls nobody until countries are chosen. */
function noCountry(
	checked: readonly CheckedRow[],
	{ callable }: CallSettings,
): Problem | undefined {
	if (callable.countries !== 'none') return undefined;
	const live = checked.flatMap((each) =>
		each.ok && !each.value.isDry ? [each.value.country] : [],
	);
	return live.length > 0 ? chooseCountries(live) : undefined;
}
