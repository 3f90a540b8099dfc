import type { INode } from 'n8n-workflow';
import type { MemorySettings } from '../../nodes/OutboundCalls/memory/keys';
import type { Chance } from './random';

type CalledBefore = MemorySettings['calledBefore'];

/** What stays the same in all executions of a campaign. */
export interface Shape {
	operation: 'bulkCall' | 'placeCall';
	calledBefore: CalledBefore;
	/** The setting of an earlier day's run of some of the rows. */
	yesterday: CalledBefore | undefined;
	/** Prompt variables come from one object, in which one may be missing; a field without a value is sent empty. */
	variablesFrom: 'fields' | 'json';
	/** Phone numbers as people write them. */
	messy: boolean;
	/** An expression that cannot be resolved for some rows, and which field holds it. */
	troubled: 'defaultCountry' | 'onceForEach' | 'destination' | undefined;
	/** Rows in a loop, so many in each round; 0: no loop. */
	batchSize: number;
	/** How the executions follow one another. */
	course: 'resume' | 'tree' | 'subWorkflow' | 'parallel';
	/** How the campaign is interrupted now and then: by the Stop button, or by killing the process. */
	breakOff: 'never' | 'stop' | 'kill';
	/** Some people are on a list, opted out in one of their rows, or have a no-call date today. */
	rules: boolean;
	/** People may be called in so many minutes of each hour; undefined: at any time. */
	openMinutes: number | undefined;
	/** The API asks for long pauses, and runs wait for them. */
	pauses: boolean;
	/** How long a conversation takes. */
	callMs: number;
	/** Calls that one execution and its retries may start. */
	maxCalls: number | undefined;
	/** Calls to a person over all executions, calls of all of them together, hours between two to a person, and none after a conversation. */
	limits: { perPerson?: number; perDay?: number; hoursBetween?: number; stopWhenReached?: boolean };
	retry?: { tries: number; waitMs: number };
	/** Whether an execution may have On Error = Stop. */
	mayStop: boolean;
	token: string;
	/** As it stands in the credential. */
	storedToken: string;
}

/** What may be changed between two executions. */
export interface Settings {
	mode: 'dryRun' | 'live';
	calledBefore: CalledBefore;
	onError: NonNullable<INode['onError']>;
	waitUntil: 'none' | 'dialed' | 'finished';
	includeInputFields: boolean;
	parallelRequests: number;
	/** In seconds. */
	maxRetryWait: number;
	/** In minutes. */
	waitTimeout: number;
	/** Why nobody may be called. */
	spoiled?: Spoiled;
}

/** A setting that differs from row to row, a credential that cannot be read, or no dry run was made. */
export type Spoiled = 'setting' | 'credential' | 'noDryRun';

/** Whether the memory decides who is called. */
export const usesMemory = ({ limits }: Shape, calledBefore: CalledBefore): boolean =>
	calledBefore !== 'callAgain' || Object.keys(limits).length > 0;

export function shapeOf(chance: Chance, rows: number): Shape {
	const operation = chance.is(0.7) ? 'bulkCall' : 'placeCall';
	const calledBefore = chance.of([
		...(['skip', 'onceForEach', 'onceForEach'] as const),
		...(['callAgain', 'callAgain', 'callAgain'] as const),
	]);
	const isAgain = calledBefore === 'callAgain';
	const limits = chance.is(isAgain ? 0.7 : 0.3) ? limitsOf(chance, rows, isAgain) : {};
	const remembers = usesMemory({ limits } as Shape, calledBefore);
	const course = chance.of([
		...(['resume', 'resume', 'resume', 'tree', 'tree', 'subWorkflow'] as const),
		...(isAgain ? (['parallel', 'parallel', 'parallel'] as const) : (['parallel'] as const)),
	] as const);
	const openMinutes =
		limits.hoursBetween === undefined && chance.is(0.25) ? chance.int(10, 45) : undefined;
	const batchSize =
		course !== 'parallel' && chance.is(0.2) ? Math.max(1, Math.ceil(rows / chance.int(2, 4))) : 0;
	const [token, storedToken] = tokenOf(chance);
	return {
		operation,
		calledBefore,
		yesterday:
			remembers && chance.is(0.4)
				? chance.of(['skip', 'onceForEach', calledBefore] as const)
				: undefined,
		variablesFrom: chance.of(['fields', 'json'] as const),
		messy: chance.is(0.25),
		troubled: chance.is(0.15)
			? chance.of(['defaultCountry', 'onceForEach', 'destination'] as const)
			: undefined,
		batchSize,
		course,
		breakOff:
			course === 'resume'
				? chance.of(remembers ? (['never', 'stop', 'kill'] as const) : (['never', 'stop'] as const))
				: 'never',
		rules: chance.is(0.3),
		openMinutes,
		pauses: chance.is(limits.hoursBetween || openMinutes ? 0.8 : 0.2),
		callMs: chance.of([0, 0, 90_000]),
		maxCalls: chance.is(0.15) ? chance.int(0, rows) : undefined,
		limits,
		...(chance.is(0.5) ? { retry: { tries: chance.int(2, 4), waitMs: 5_000 } } : {}),
		mayStop: chance.is(0.6),
		token,
		storedToken,
	};
}

function limitsOf(chance: Chance, rows: number, isAgain: boolean): Shape['limits'] {
	const hours = isAgain ? (['hours', 'hours', 'hours'] as const) : (['hours'] as const);
	const which = chance.of(['person', 'day', 'reached', 'reached', 'all', ...hours] as const);
	if (which === 'hours')
		return {
			hoursBetween: chance.of([1, 1, 1, 3, 48]),
			...(chance.is(0.3) ? { perPerson: chance.int(1, 3) } : {}),
			...(chance.is(0.2) ? { stopWhenReached: true } : {}),
		};
	const has = (one: typeof which): boolean => which === one || which === 'all';
	return {
		...(has('person') ? { perPerson: chance.int(1, 2) } : {}),
		...(has('day') ? { perDay: chance.int(1, rows + 1) } : {}),
		...(has('reached') ? { stopWhenReached: true } : {}),
	};
}

/** Tokens as people store them: with a blank at the end, as short as a letter, with characters that JSON escapes. */
function tokenOf(chance: Chance): [token: string, stored: string] {
	const tokens = ['sandbox-token', 'tk_8d1f03c7_do_not_show', 'tk_"quoted"\\escaped', 't'];
	const drawn = chance.of(tokens);
	// A process remembers accounts: what one campaign did must not slow down another one.
	const token = drawn === 't' ? drawn : `${drawn}_${chance.seed}`;
	return [token, chance.of([token, token, `${token} `, ` ${token}\n`])];
}

export function settingsOf(chance: Chance, shape: Shape): Settings {
	return {
		mode: 'live',
		calledBefore: shape.calledBefore,
		onError: shape.mayStop
			? chance.of(['stopWorkflow', 'stopWorkflow', 'stopWorkflow', 'continueRegularOutput'])
			: chance.of(['continueRegularOutput', 'continueErrorOutput']),
		// What Stop When Reached needs.
		waitUntil: shape.limits.stopWhenReached
			? 'finished'
			: chance.of(['none', 'none', 'none', 'dialed', 'finished']),
		includeInputFields: chance.is(0.5),
		...freshSettings(chance, shape),
	};
}

/** What differs from one execution to the next in any case. */
export const freshSettings = (
	chance: Chance,
	{ pauses }: Shape,
): Pick<Settings, 'parallelRequests' | 'maxRetryWait' | 'waitTimeout'> => ({
	parallelRequests: chance.int(1, 10),
	maxRetryWait: pauses ? 3_600 : chance.of([0, 2, 60, 900]),
	waitTimeout: chance.of([0, 10]),
});

/** The settings as somebody changed them before a Retry. */
export function changed(chance: Chance, shape: Shape, settings: Settings): Settings {
	const { onError, waitUntil } = settingsOf(chance, shape);
	return {
		...settings,
		...freshSettings(chance, shape),
		...(chance.is(0.3) ? { onError } : {}),
		...(chance.is(0.3) ? { waitUntil } : {}),
	};
}
