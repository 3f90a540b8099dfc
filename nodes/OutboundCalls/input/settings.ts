import { readWaiting, type Waiting } from '../batches/waiting';
import { readCountries } from '../domain/phone/chosenCountries';
import type { CallableNumbers } from '../domain/phone/callableNumbers';
import type { Region } from '../domain/phone/countries';
import { type Checked, ok, problem, type Problem } from '../domain/problem';
import { quoted } from '../domain/format';
import {
	countsCalls,
	limitsOfOthers,
	readCallsPerDay,
	readCallsPerPerson,
} from '../domain/callLimits';
import { memorySetting } from '../domain/memoryKeys';
import type { ClaimSettings } from '../claims/runClaims';
import type { Execution } from '../execution/execution';
import { runOptions, type RunOptions } from '../execution/run';
import type { RunParameters } from '../execution/runParameters';
import type { Slices } from '../execution/slices';
import { type RightToCallRead, readRightToCall } from './readRightToCall';
import { regionOfAll } from './regionOfAll';

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

/** Whom it is right to call, when and how often. As a tool, n8n offers most of these fields to the model, too. */
const NOT_FOR_THE_MODEL: ReadonlyArray<readonly [name: string, label: string]> = [
	['mode', 'Mode'],
	['calledBefore', 'People Called Before'],
	['options.callOnceKey', 'Remember People By'],
	['options.memoryOf', 'Share Memory With'],
	['options.duplicates', 'Duplicates'],
	['options.callingHours', 'Calling Hours'],
	['options.timeZone', 'Time Zone'],
	['options.unknownTimeZone', 'Unknown Time Zone'],
	['options.noCallDates', 'No-Call Dates'],
	['options.doNotCall', 'Do Not Call'],
	['options.optedOut', 'Opted Out'],
	['options.callsPerPerson', 'Calls per Person'],
	['options.stopWhenReached', 'Stop When Reached'],
	['options.maxCalls', 'Max Calls'],
	['options.maxCallsPerDay', 'Max Calls per Day'],
];

/** Reads every setting before anything is sent; `read` knows why the run cannot begin with them. */
export async function callSettings(
	execution: Execution,
	read: RunParameters,
	slices: Slices,
): Promise<CallSettings> {
	for (const [name, label] of NOT_FOR_THE_MODEL) read.isOwn(name, label);
	const countries = read.own('countries', 'Countries That May Be Called', readCountries) ?? 'none';
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
			special: read.own('options.specialNumbers', 'Special Numbers', readSpecial) ?? 'doNotCall',
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
		maxCalls: readMaxCalls(execution, read),
		...runOptions(read),
		waiting: readWaiting(read),
	};
	if (execution.isAlone && usesMemory(settings)) read.problem ??= NOBODY_IS_REMEMBERED;
	const ofOthers =
		usesMemory(settings) && settings.memoryOf === 'workflow'
			? limitsOfOthers(execution.othersInWorkflow())
			: undefined;
	if (ofOthers) settings.limits.ofOthers = ofOthers;
	return settings;
}

const NOBODY_IS_REMEMBERED: Problem = {
	message: 'n8n’s own Agents cannot remember who was called',
	remedy:
		'They run this tool without a workflow, and the memory belongs to one. Build a workflow with the trigger “When Executed by Another Workflow” and this node, and give the agent that workflow as its tool.',
};

/** Where each use is an execution of its own, as with n8n's Agents and its MCP Server Trigger, nobody counts them (n8n behaviour). */
function readMaxCalls({ isUsedAnew, isAlone }: Execution, read: RunParameters): number | undefined {
	const most = read.limit('options.maxCalls', 'Max Calls');
	if (most !== undefined && isUsedAnew) {
		const instead = isAlone ? 'Build' : 'Use Max Calls per Day, or build';
		read.problem ??= {
			message: 'Max Calls cannot be kept here',
			remedy: `Each use of this tool is an execution of its own. ${instead} a workflow with an AI Agent node, or take the option out.`,
		};
	}
	return most;
}

function readSpecial(value: unknown): Checked<CallableNumbers['special']> {
	if (value === 'doNotCall' || value === 'call') return ok(value);
	return problem(
		`Special Numbers is ${quoted(value)}, which cannot be used`,
		'It takes “doNotCall” or “call”.',
	);
}
