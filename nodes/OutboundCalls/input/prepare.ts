import { isBlank } from '../domain/expressions';
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
import { mayBeMisspelt } from './misspeltColumn';
import { oneForAllRows, stepThatSaysNothing } from './oneOfMany';
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
	const columns = new ProtectingColumns(execution);
	const dates = new DatesOfPeople();
	// Each row is checked as it is read, so that a large sheet is held once, not twice.
	const checked: CheckedRow[] = [];
	for (const raw of readRows(execution, source, variables, { isRemembered: settings.remembers, country: onlyCountry(settings.callable.countries) })) {
		if (raw.itemIndex > 0) read.compare(raw.itemIndex);
		columns.see(raw);
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
			columns.problem ??
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
		const problem = stepThatSaysNothing(execution, `options.${name}`, label) ?? oneForAllRows(execution, `options.${name}`, label);
		if (problem) return problem;
	}
	return undefined;
}

/** Options that protect people. Where a column in one is misspelt, nobody would be protected. */
const PROTECTING = { optedOut: 'Opted Out', noCallDates: 'No-Call Dates', callOnceKey: 'Remember People By' } as const;
type Protecting = keyof typeof PROTECTING;

/** Finds misspelt columns in these options: no row has them. */
class ProtectingColumns {
	private readonly unseen: Map<Protecting, ReturnType<typeof mayBeMisspelt>>;
	/** Those whose expressions come to something all the same, such as the no of a comparison. */
	private readonly saying = new Set<Protecting>();

	constructor(private readonly execution: Execution) {
		const names = (Object.keys(PROTECTING) as Protecting[]).filter((name) => holdsExpression(execution.parameters.raw(`options.${name}`)));
		this.unseen = new Map(names.map((name) => [name, mayBeMisspelt(execution, `options.${name}`)]));
	}

	see(row: RawRow): void {
		for (const [name, isMisspelt] of this.unseen) {
			const isSaid = !isBlank(row[name]);
			// A key that all rows share calls one of them, and the totals say so.
			if ((isSaid && name === 'callOnceKey') || !isMisspelt(row[name], this.execution.input[row.itemIndex]!)) this.unseen.delete(name);
			else if (isSaid) this.saying.add(name);
		}
	}

	/** Why nobody may be called. */
	get problem(): Problem | undefined {
		const [name] = this.unseen.keys();
		return (
			name && {
				message: this.saying.has(name) ? `No row has the column that ${PROTECTING[name]} names` : `${PROTECTING[name]} is empty in every row`,
				remedy: `Check the name of the column in that option. ${name === 'optedOut' ? OR_SAY_NO : 'If there is no such column, take the option out.'}`,
			}
		);
	}
}

const OR_SAY_NO = 'If it is right, and your list leaves empty cells out, write {{ $json.opted_out || "no" }} there, with the name of your column.';
