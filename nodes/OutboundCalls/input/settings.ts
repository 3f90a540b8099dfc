import { readWaiting, type Waiting } from '../batches/waiting';
import type { CallableNumbers } from '../domain/phone/callableNumbers';
import { type ChosenCountries, onlyCountry, readCountries } from '../domain/phone/chosenCountries';
import { type Region, regionOf } from '../domain/phone/countries';
import { type Checked, ok, problem } from '../domain/problem';
import { quoted } from '../domain/format';
import {
	countsCalls,
	readCallsPerDay,
	readCallsPerPerson,
} from '../domain/callLimits';
import { memorySetting } from '../domain/memoryKeys';
import type { ClaimSettings } from '../claims/runClaims';
import { isBlank } from '../domain/fields';
import type { Execution } from '../execution/execution';
import { holdsExpression, type Parameters } from '../execution/parameters';
import { runOptions, type RunOptions } from '../execution/run';
import type { RunParameters } from '../execution/runParameters';
import type { Slices } from '../execution/slices';
import { type RightToCallRead, readRightToCall } from './readRightToCall';

/** What counts for a whole run of calls, in the units of the code and within its bounds. */
export interface CallSettings extends RunOptions, ClaimSettings {
	/** Undefined without a limit. */
	callsPerMinute: number | undefined;
	retryUndialed: boolean;
	includeInputFields: boolean;
	/** Where calls may lead. */
	callable: CallableNumbers;
	/** The parameter that a JSON list of destinations comes from. */
	listsFrom: 'destinationsJson' | undefined;
	rightToCall: RightToCallRead;
	/** Of numbers without + that count for the whole run. */
	region: Region | undefined;
	/** Undefined: the run does not wait for its calls. */
	waiting: Waiting | undefined;
}

/** Whether a run asks n8n's database whom it may call. */
export const usesMemory = ({ remembers, limits }: CallSettings): boolean =>
	remembers || countsCalls(limits);

/** Reads every setting before anything is sent; `read` knows why the run cannot begin with them. */
export async function callSettings(
	execution: Execution,
	read: RunParameters,
	slices: Slices,
): Promise<CallSettings> {
	const countries = read.parsed('countries', 'Countries That May Be Called', readCountries) ?? 'none';
	const region = regionOfAll(execution.parameters, countries);
	const settings: CallSettings = {
		remembers:
			read.choice('calledBefore', 'People Called Before', ['skip', 'callAgain']) === 'skip',
		memoryOf: read.choice('options.memoryOf', 'Share Memory With', ['workflow', 'node']),
		setting: memorySetting(execution.parameters.raw('options.callOnceKey')),
		duplicates: read.choice('options.duplicates', 'Duplicates', ['callOnce', 'callEach']),
		callsPerMinute: read.pace('options.callsPerMinute', 'Calls per Minute'),
		retryUndialed: read.flag('options.retryUndialed', 'Retry Undialed Rows', false),
		includeInputFields: read.flag('options.includeInputFields', 'Include Input Fields', true),
		callable: {
			countries,
			special: read.parsed('options.specialNumbers', 'Special Numbers', readSpecial) ?? 'doNotCall',
		},
		listsFrom:
			read.choice('destinationSource', 'Destinations From', ['items', 'list', 'json']) === 'json'
				? 'destinationsJson'
				: undefined,
		rightToCall: await readRightToCall(execution, read, slices, region),
		region,
		limits: {
			perPerson:
				read.parsed('options.callsPerPerson', 'Calls per Person', readCallsPerPerson) ?? [],
			perDay: read.parsed('options.maxCallsPerDay', 'Max Calls per Day', readCallsPerDay),
			stopWhenReached: read.flag('options.stopWhenReached', 'Stop When Reached', false),
			zone: execution.timeZone,
		},
		maxCalls: read.limit('options.maxCalls', 'Max Calls'),
		...runOptions(read),
		waiting: readWaiting(read),
	};
	return settings;
}

function readSpecial(value: unknown): Checked<CallableNumbers['special']> {
	if (value === 'doNotCall' || value === 'call') return ok(value);
	return problem(
		`Special Numbers is ${quoted(value)}, which cannot be used`,
		'It takes “doNotCall” or “call”.',
	);
}

/** The country of numbers without + that count for the whole run; undefined if it is not the same for all rows. */
function regionOfAll(parameters: Parameters, countries: ChosenCountries): Region | undefined {
	const stored = parameters.raw('defaultCountry');
	if (isBlank(stored) || stored === '=') return regionOf(onlyCountry(countries) ?? '');
	return holdsExpression(stored) || (typeof stored !== 'string' && typeof stored !== 'number') ? undefined : regionOf(String(stored));
}
