import { chooseCountries, onlyCountry } from '../domain/phone/chosenCountries';
import type { Problem } from '../domain/problem';
import { joinDates, joinTimeZones, Judge, optedOutIn, rejectUnread } from '../domain/rightToCall';
import { type CheckedRow, checkRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { RunParameters } from '../execution/runParameters';
import { Slices } from '../execution/slices';
import { changedStep } from './changedSteps';
import { changingKey } from './changingKey';
import { OF_EACH_ROW } from './labels';
import { otherRows } from './otherRows';
import { unreadDates } from './datesRead';
import { fieldsOfList } from './fieldsOfCells';
import { chosenOtherwise } from './otherSpellings';
import { answeredOnce, ProtectingOptions } from './protectingOptions';
import { readRows } from './readRows';
import { readTestNumber } from './readTestNumber';
import { STOPPED } from './rowsWithoutWords';
import { datesEarlier, learnOptedOut, optedOutEarlier } from './saidEarlier';
import { callSettings, type CallSettings } from './settings';
import { wholeList } from './wholeList';

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
	const source = read.choice('destinationSource', 'Destinations From', ['items', 'list', 'json']);
	const variables = read.choice('variablesFrom', 'Prompt Variables From', [
		'fields',
		'input',
		'json',
	]);
	const protecting = new ProtectingOptions(execution, settings.remembers);
	// Each row is checked as it is read, so that a large sheet is held once, not twice.
	const checked: CheckedRow[] = [];
	for (const raw of readRows(execution, source, variables, {
		isRemembered: settings.remembers,
		country: onlyCountry(settings.callable.countries),
	})) {
		if (raw.itemIndex > 0) read.compare(raw.itemIndex);
		protecting.see(raw);
		checked.push(checkRow(raw, checked.length));
		if (slices.isOver) await slices.rest();
	}
	await slices.through(joinTimeZones(checked));
	await slices.through(joinDates(checked, datesEarlier(execution, checked)));
	await slices.restIfOver();
	const testNumber = checked.some((each) => each.ok && each.value.isTest)
		? readTestNumber(execution.parameters, settings.region)
		: undefined;
	const problem = slices.isStopped
		? STOPPED
		: (changedStep(execution) ??
			read.problem ??
			answeredOnce(execution) ??
			(await slices.through(listsMisread(execution))) ??
			wholeList(
				execution,
				source,
				settings.duplicates === 'callEach',
				settings.remembers,
				checked,
			) ??
			otherRows(execution, source, variables, checked) ??
			protecting.problem ??
			(settings.remembers ? await changingKey(execution) : undefined) ??
			noCountry(checked, settings) ??
			(testNumber?.ok === false ? testNumber.error : undefined));
	await slices.restIfOver();
	const optedOut = optedOutIn(checked);
	// What its own row says of a person is known by now.
	await slices.through(rejectUnread(checked));
	await slices.through(learnOptedOut(execution));
	const earlier = optedOutEarlier(execution, optedOut.keys());
	const { rightToCall } = settings;
	const isJudged =
		rightToCall.hours !== undefined ||
		rightToCall.doNotCall.size > 0 ||
		optedOut.size > 0 ||
		earlier !== undefined;
	const judge =
		isJudged && !problem
			? new Judge({ ...rightToCall, optedOut, optedOutEarlier: earlier })
			: undefined;
	await slices.restIfOver();
	return {
		settings,
		checked,
		judge,
		testNumber: testNumber?.ok ? testNumber.value : undefined,
		problem,
		slices,
	};
}

/** Why a list of another step may not say of a row what it is meant to. */
function* listsMisread(execution: Execution): Generator<void, Problem | undefined> {
	for (const [name, label] of Object.entries(OF_EACH_ROW)) {
		const option = `options.${name}`;
		const misread =
			(yield* chosenOtherwise(execution, option, label)) ??
			unreadDates(execution, option, label, false) ??
			(yield* fieldsOfList(execution, option, label));
		if (misread) return misread;
	}
	return undefined;
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
