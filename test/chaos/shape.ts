import type { INode } from 'n8n-workflow';
import { Chance } from './random';
import { maxRetryWait } from './waits';

/** What stays the same in all executions of a campaign. */
export interface Shape {
	operation: 'bulkCall' | 'placeCall';
	source: 'items' | 'list' | 'json';
	/** Each row is an item, so that expressions can differ by row. */
	byItem: boolean;
	calledBefore: 'skip' | 'callAgain';
	/** What the memory knows a row by: its number, a key for each number or for each row, or what stands in a column. */
	key: 'number' | 'perNumber' | 'perRow' | 'column';
	/** Prompt variables come from one object, in which one may be missing; a field without a value is sent empty. */
	variablesFrom: 'fields' | 'json';
	/** Mode comes from a column. */
	modes: boolean;
	/** Phone numbers as people write them. */
	messy: boolean;
	/** One cell holds far more than any phone number, of the kind that takes longest to look at. */
	hugeCell: boolean;
	/** An expression that cannot be resolved for some rows, and which field holds it. */
	troubled: 'mode' | 'defaultCountry' | 'callOnceKey' | 'destination' | undefined;
	/** Rows in a loop, so many in each round; 0: no loop. */
	batchSize: number;
	/** How the executions follow one another. */
	course: 'resume' | 'tree' | 'subWorkflow';
	/** How the campaign is interrupted now and then: by the Stop button, or by killing the process. */
	breakOff: 'never' | 'stop' | 'kill';
	/** Some people are on a list, opted out in one of their rows, or have a no-call date today. */
	rules: boolean;
	/** With rules: what Opted Out asks is what an earlier step has said, which goes on where it could not work for a row, and what stands behind it. */
	check: 'set' | 'merge' | undefined;
	/** Calls that one execution and its retries may start. */
	maxCalls: number | undefined;
	/** Calls to a person over all executions, and calls of all of them together. */
	limits: { perPerson?: number; perDay?: number } | undefined;
	/** An earlier day called some of the rows. */
	yesterday: boolean;
	retry?: { tries: number; waitMs: number };
	callsPerMinute: number | undefined;
	/** The API shows the call records only after a while, and the run waits for longer than that. */
	isLate: boolean;
	/** Whether an execution may have On Error = Stop. */
	mayStop: boolean;
	/** Now and then somebody deactivates the node for an execution. */
	isDeactivated: boolean;
	/** Sheets and the API have control and direction characters in their texts. */
	isStrange: boolean;
	token: string;
	/** As it stands in the credential. */
	storedToken: string;
}

/** What may be changed between two executions. */
export interface Settings {
	onError: NonNullable<INode['onError']>;
	callEach: boolean;
	/** The country of a number without + comes from its row; otherwise such rows are not called. */
	countries: boolean;
	waitUntil: 'none' | 'dialed' | 'finished';
	includeInputFields: boolean;
	retryUndialed: boolean;
	parallelRequests: number;
	maxRetryWait: number;
	waitTimeout: number;
	callsPerMinute: number | undefined;
	/** Something that counts for the whole run and cannot be used: nobody may be called. */
	spoiled?: Spoiled;
}

/** An option that comes to different values, to nothing or to no value at all; or a credential that cannot be read. */
export type Spoiled = { option: string; how: 'differs' | 'empty' | 'throws' } | 'credential';

export function shapeOf(chance: Chance, rows: number): Shape {
	const operation = chance.is(0.75) ? 'bulkCall' : 'placeCall';
	const source =
		operation === 'bulkCall'
			? chance.of(['items', 'items', 'items', 'list', 'json'] as const)
			: 'items';
	const byItem = source === 'items';
	const calledBefore = chance.of(['skip', 'callAgain'] as const);
	const remembers = calledBefore === 'skip';
	const key =
		remembers && byItem
			? chance.of(['number', 'number', 'perNumber', 'perRow', 'column', 'column'] as const)
			: 'number';
	const course = chance.of(['resume', 'resume', 'resume', 'tree', 'tree', 'subWorkflow'] as const);
	const isLate = operation === 'bulkCall' && chance.is(0.04);
	const callsPerMinute = course === 'resume' && chance.is(0.08) ? 3_000 : undefined;
	// A pace is worth looking at where it has to be kept from one round to the next.
	const isPaced = callsPerMinute !== undefined;
	const [token, storedToken] = tokenOf(chance);
	const batchSize =
		byItem && (isPaced || chance.is(0.25)) ? Math.max(1, Math.ceil(rows / chance.int(2, 4))) : 0;
	const yesterday = key === 'column' && chance.is(0.4);
	return {
		operation,
		source,
		byItem,
		calledBefore,
		key,
		variablesFrom: byItem ? chance.of(['fields', 'json'] as const) : 'fields',
		modes: byItem && chance.is(0.2),
		messy: chance.is(0.25),
		hugeCell: byItem && chance.is(0.02),
		troubled:
			byItem && chance.is(0.15)
				? chance.of([
						'mode',
						'defaultCountry',
						'destination',
						...(key === 'number' ? [] : (['callOnceKey'] as const)),
					])
				: undefined,
		batchSize,
		course,
		breakOff:
			course === 'resume' && !isPaced
				? chance.of(remembers ? (['never', 'stop', 'kill'] as const) : (['never', 'stop'] as const))
				: 'never',
		yesterday,
		rules: byItem && batchSize === 0 && !yesterday && chance.is(0.3),
		maxCalls: !remembers && course === 'resume' && chance.is(0.3) ? chance.int(0, rows) : undefined,
		limits: limitsOf(new Chance(chance.seed + 2), rows),
		...(chance.is(0.5) ? { retry: { tries: chance.int(2, 4), waitMs: 1 } } : {}),
		callsPerMinute,
		isLate,
		mayStop: chance.is(0.6),
		// From streams of their own, like the limits.
		isDeactivated: new Chance(chance.seed + 3).is(0.2),
		isStrange: new Chance(chance.seed + 4).is(0.25),
		check: new Chance(chance.seed + 6).of(['set', 'merge', undefined] as const),
		token,
		storedToken,
	};
}

/** From a stream of their own, so that the seeds found before limits were drawn are the campaigns that they were. */
function limitsOf(chance: Chance, rows: number): Shape['limits'] {
	if (!chance.is(0.25)) return undefined;
	const which = chance.of(['person', 'day', 'both'] as const);
	return {
		...(which === 'day' ? {} : { perPerson: chance.int(1, 2) }),
		...(which === 'person' ? {} : { perDay: chance.int(1, rows + 1) }),
	};
}

/** Tokens as people store them: with a blank behind, as short as a letter, with characters that JSON escapes. */
function tokenOf(chance: Chance): [token: string, stored: string] {
	const drawn = chance.of([
		'sandbox-token',
		'sandbox-token',
		'tk_8d1f03c7_do_not_show',
		'tk_"quoted"\\and\\escaped',
		't',
	]);
	// A process remembers accounts: what one campaign did must not slow down another one.
	const token = drawn === 't' ? drawn : `${drawn}_${chance.seed}`;
	return [token, chance.of([token, token, `${token} `, ` ${token}\n`])];
}

export function settingsOf(chance: Chance, shape: Shape): Settings {
	return {
		onError: shape.mayStop
			? chance.of(['stopWorkflow', 'stopWorkflow', 'stopWorkflow', 'continueRegularOutput'])
			: chance.of(['continueRegularOutput', 'continueErrorOutput']),
		callEach: chance.is(0.3),
		countries: true,
		waitUntil: shape.isLate
			? 'finished'
			: shape.operation === 'bulkCall'
				? chance.of(['none', 'none', 'none', 'dialed', 'finished'])
				: 'none',
		includeInputFields: chance.is(0.5),
		callsPerMinute: shape.callsPerMinute,
		...freshSettings(chance, shape),
	};
}

/** What differs from one execution to the next in any case. */
export function freshSettings(
	chance: Chance,
	{ isLate }: Shape,
): Pick<Settings, 'retryUndialed' | 'parallelRequests' | 'maxRetryWait' | 'waitTimeout'> {
	return {
		retryUndialed: chance.is(0.4),
		parallelRequests: chance.int(1, 10),
		maxRetryWait: maxRetryWait(chance.of([0, 1, 2])),
		waitTimeout: isLate ? 0.5 : chance.of([0, 0.0005]),
	};
}

/** The settings as somebody changed them before a Retry. */
export function changed(chance: Chance, shape: Shape, settings: Settings): Settings {
	const other = settingsOf(chance, shape);
	return {
		...settings,
		...freshSettings(chance, shape),
		...(chance.is(0.3) ? { onError: other.onError } : {}),
		...(chance.is(0.3) ? { callEach: !settings.callEach } : {}),
		...(chance.is(0.3) ? { countries: !settings.countries } : {}),
		...(chance.is(0.3) ? { waitUntil: other.waitUntil } : {}),
	};
}

const RUN_OPTIONS = [
	'timeout',
	'maxRetryWait',
	'parallelRequests',
	'callsPerMinute',
	'duplicates',
	'includeInputFields',
	'calledBefore',
];

export function spoiledOf(chance: Chance, { byItem, operation }: Shape): Spoiled {
	if (chance.is(0.25)) return 'credential';
	const option = chance.of(
		operation === 'bulkCall' ? [...RUN_OPTIONS, 'retryUndialed', 'waitUntil'] : RUN_OPTIONS,
	);
	return {
		option,
		how: byItem
			? chance.of(['differs', 'differs', 'empty', 'throws'])
			: chance.of(['empty', 'throws']),
	};
}
