import { DatesOfPeople } from '../domain/hours/noCallDates';
import { chooseCountries, onlyCountry } from '../domain/phone/chosenCountries';
import type { Problem } from '../domain/problem';
import { Judge, optedOutIn } from '../domain/rightToCall';
import { type CheckedRow, checkRow, type RawRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { holdsExpression } from '../execution/parameters';
import { RunParameters } from '../execution/runParameters';
import { Slices } from '../execution/slices';
import { changingKey } from './changingKey';
import { mayBeEmpty, missingColumn, saysNothing } from './missingColumn';
import { listCutOff, oneForAllRows, stepThatSaysNothing } from './oneOfMany';
import { optedOutEarlier } from './optedOutEarlier';
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
}

/** Reads all parameters, before the first call. Never throws. */
export async function prepare(execution: Execution): Promise<Prepared> {
	const read = new RunParameters(execution);
	const settings = callSettings(execution, read);
	const source = read.choice('destinationSource', 'Destinations From', ['items', 'list', 'json']);
	const variables = read.choice('variablesFrom', 'Prompt Variables From', ['fields', 'input', 'json']);
	const slices = new Slices(execution.signal);
	const protecting = new ProtectingOptions(execution, settings.remembers);
	const dates = new DatesOfPeople();
	// Each row is checked as it is read, so that a large sheet is held once, not twice.
	const checked: CheckedRow[] = [];
	for (const raw of readRows(execution, source, variables, { isRemembered: settings.remembers, country: onlyCountry(settings.callable.countries) })) {
		if (raw.itemIndex > 0) read.compare(raw.itemIndex);
		protecting.see(raw);
		const row = checkRow(raw, checked.length);
		if (row.ok && row.value.noCallDates) dates.see(row.value.person, row.value.noCallDates);
		checked.push(row);
		if (slices.isOver) await slices.rest();
	}
	for (const row of checked) if (row.ok && row.value.noCallDates) row.value.noCallDates = dates.of(row.value.person)!;
	const testNumber = checked.some((each) => each.ok && each.value.isTest) ? readTestNumber(execution.parameters, settings.region) : undefined;
	const problem = slices.isStopped
		? STOPPED
		: (read.problem ??
			answeredOnce(execution) ??
			protecting.problem ??
			(settings.remembers ? await changingKey(execution) : undefined) ??
			noCountry(checked, settings) ??
			(testNumber?.ok === false ? testNumber.error : undefined));
	const optedOut = optedOutIn(checked);
	const earlier = optedOutEarlier(execution, optedOut.keys());
	const { rightToCall } = settings;
	const isJudged = rightToCall.hours !== undefined || rightToCall.doNotCall.size > 0 || optedOut.size > 0 || earlier !== undefined;
	const judge = isJudged && !problem ? new Judge({ ...rightToCall, optedOut, optedOutEarlier: earlier }) : undefined;
	return { settings, checked, judge, testNumber: testNumber?.ok ? testNumber.value : undefined, problem };
}

/** A live run calls nobody until countries are chosen. */
function noCountry(checked: readonly CheckedRow[], { callable }: CallSettings): Problem | undefined {
	if (callable.countries !== 'none') return undefined;
	const live = checked.flatMap((each) => (each.ok && !each.value.isDry ? [each.value.country] : []));
	return live.length > 0 ? chooseCountries(live) : undefined;
}

/** Options of a row, which one item must not answer for all rows. */
const OF_EACH_ROW = { optedOut: 'Opted Out', noCallDates: 'No-Call Dates', timeZone: 'Time Zone' } as const;

/** Why nobody may be called: such an option says nothing of the rows. */
function answeredOnce(execution: Execution): Problem | undefined {
	for (const [name, label] of Object.entries(OF_EACH_ROW)) {
		const problem =
			stepThatSaysNothing(execution, `options.${name}`, label) ??
			listCutOff(execution, `options.${name}`, label) ??
			oneForAllRows(execution, `options.${name}`, label);
		if (problem) return problem;
	}
	return undefined;
}

/** Options that protect people. Where a column in one is misspelt, nobody would be protected. */
const PROTECTING = { optedOut: 'Opted Out', noCallDates: 'No-Call Dates', callOnceKey: 'Remember People By' } as const;
type Protecting = keyof typeof PROTECTING;

/** Finds the one of these options that protects nobody: it needs a column that is not there, or comes to nothing in every row. */
class ProtectingOptions {
	private readonly names: readonly Protecting[];
	/** What those came to that have come to nothing in all rows so far. */
	private readonly unsaid: Map<Protecting, unknown>;

	/** `isRemembered`: people, by a key. Who opted out is known by it, too. */
	constructor(
		private readonly execution: Execution,
		isRemembered: boolean,
	) {
		const { parameters } = execution;
		const isRead = (name: Protecting): boolean => name !== 'callOnceKey' || isRemembered || parameters.raw('options.optedOut') !== undefined;
		this.names = (Object.keys(PROTECTING) as Protecting[]).filter((name) => holdsExpression(parameters.raw(`options.${name}`)) && isRead(name));
		this.unsaid = new Map(this.names.map((name) => [name, undefined]));
	}

	see(row: RawRow): void {
		for (const [name, before] of this.unsaid) {
			if (!saysNothing(row[name])) this.unsaid.delete(name);
			else this.unsaid.set(name, before ?? row[name]);
		}
	}

	/** Why nobody may be called. */
	get problem(): Problem | undefined {
		for (const name of this.names) {
			const message = this.isEmpty(name)
				? `${PROTECTING[name]} is empty in every row`
				: missingColumn(this.execution, `options.${name}`, PROTECTING[name]);
			if (message !== undefined) return { message, remedy: REMEDIES[name] };
		}
		return undefined;
	}

	/** What cannot be read comes to undefined (n8n behaviour). */
	private isEmpty(name: Protecting): boolean {
		const value = this.unsaid.get(name);
		return this.unsaid.has(name) && (value === undefined || !mayBeEmpty(this.execution, `options.${name}`, value));
	}
}

const CHECK = 'Check the name of the column in that option.';
const OTHERWISE = 'If it is right, and your list leaves empty cells out, write';
const REMEDIES: Record<Protecting, string> = {
	optedOut: `${CHECK} ${OTHERWISE} {{ $json.opted_out || "no" }} there, with the name of your column.`,
	noCallDates: `${CHECK} ${OTHERWISE} {{ $json.no_call || [] }} there, with the name of your column.`,
	callOnceKey: `${CHECK} Without it, the keys would be others, and people who were called might be called again. ${OTHERWISE} {{ $json.date || $json.phone }} there, with the name of your column.`,
};
