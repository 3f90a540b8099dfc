import type { WaitUntil } from '../domain/callRecord';
import type { Duplicates } from '../domain/requestPlan';
import type { Execution } from '../execution/execution';
import { runOptions, type RunOptions } from '../execution/run';
import { RunParameters } from '../execution/runParameters';
import { readRightToCall } from './readRightToCall';

/** What the run waits for, how often it looks and how long, in milliseconds. */
export interface Waiting {
	until: WaitUntil;
	pollIntervalMs: number;
	waitMs: number;
}

/** What counts for a whole run of calls, in the units of the code and within its bounds. */
export interface CallSettings extends RunOptions {
	/** People called by earlier runs are skipped; otherwise nothing is remembered. */
	remembers: boolean;
	duplicates: Duplicates;
	/** Undefined without a limit. */
	callsPerMinute: number | undefined;
	retryUndialed: boolean;
	includeInputFields: boolean;
	rightToCall: ReturnType<typeof readRightToCall>;
	/** Calls of one execution; undefined without a limit. */
	maxCalls: number | undefined;
	/** Undefined: the run does not wait for its calls. */
	waiting: Waiting | undefined;
}

/** Reads every setting before anything is sent; the settings, and why the run cannot begin with them. */
export function callSettings(execution: Execution): { settings: CallSettings; problem: RunParameters['problem'] } {
	const read = new RunParameters(execution);
	const until = read.choice('waitUntil', 'Wait Until', ['none', 'dialed', 'finished']);
	const settings: CallSettings = {
		remembers: read.choice('calledBefore', 'People Called Before', ['skip', 'callAgain']) === 'skip',
		duplicates: read.choice('options.duplicates', 'Duplicates', ['callOnce', 'callEach']),
		callsPerMinute: read.optionalNumber('options.callsPerMinute', 'Calls per Minute', 0),
		retryUndialed: read.flag('options.retryUndialed', 'Retry Undialed Rows', false),
		includeInputFields: read.flag('options.includeInputFields', 'Include Input Fields', true),
		rightToCall: readRightToCall(execution, read),
		maxCalls: read.limit('options.maxCalls', 'Max Calls'),
		...runOptions(read),
		waiting:
			until === 'none'
				? undefined
				: {
						until,
						pollIntervalMs: read.number('pollInterval', 'Poll Interval', 10, 1, 86_400) * 1_000,
						waitMs: read.number('waitTimeout', 'Wait Timeout', 10, 0, Number.MAX_VALUE) * 60_000,
					},
	};
	return { settings, problem: read.problem };
}
