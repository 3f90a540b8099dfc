import type { ApiProblem } from '../domain/api/exchange';
import type { RowOutcome } from '../domain/outcome';
import type { Execution } from '../execution/execution';
import type { CallSettings } from '../input/settings';
import type { leaveMark } from '../memory/liveGate';
import type { sharedReasons } from './counts';
import type { FollowedCalls } from './followCalls';

/** What the memory told a dry run. */
export interface MemoryNotes {
	/** Numbers of rows that would be called whose person was called before. */
	calledBefore: readonly number[];
	/** The workflow remembers nobody yet. */
	isEmpty: boolean;
	notAsked: string | undefined;
	/** Undefined if this dry run leaves no mark. */
	mark?: Awaited<ReturnType<typeof leaveMark>>;
}

/** A run that has ended, as its rows and the lines above them tell of it. */
export interface RunResult {
	execution: Execution;
	settings: CallSettings;
	operation: 'bulkCall' | 'placeCall';
	rows: readonly RowOutcome[];
	/** Reasons that several rows have. */
	reasons: ReturnType<typeof sharedReasons>;
	followed: FollowedCalls;
	/** In a dry run, the number of each row's request, by position. */
	requests?: ReadonlyMap<number, number>;
	/** When the request to a person left, in milliseconds since 1970. */
	leftAt: (person: string) => number | undefined;
	/** Undefined unless the run was a dry one that asked. */
	memory?: MemoryNotes;
	/** What of a live run is missing in the call history. */
	unwritten: ApiProblem | undefined;
	/** Why the user's own phone did not ring in a test. */
	noTest: string | undefined;
}
