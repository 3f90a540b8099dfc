import { readWaiting } from '../calls/batches';
import { CallingHours, readCallingHours } from '../domain/hours/callingHours';
import { readNoCallDates } from '../domain/hours/noCallDates';
import { readTimeZone } from '../domain/hours/timeZones';
import { LIMITS_FOR_ALL } from '../domain/panelDefaults';
import { readCallsPerPerson, readHoursBetween, readLimitForAll } from '../domain/limits';
import { type DoNotCall, readDoNotCall } from '../domain/optOuts';
import {
	type ChosenCountries,
	onlyCountry,
	readCountries,
} from '../domain/phone/callableCountries';
import { type Region, regionOf } from '../domain/phone/countries';
import { readPhoneNumber } from '../domain/phone/phone';
import {
	type Checked,
	fail,
	fieldProblem,
	isBlank,
	ok,
	problem,
	quoted,
	typedText,
} from '../domain/values';
import type { Execution } from '../execution/execution';
import { holdsExpression, type Parameters } from '../execution/parameters';
import { requestOptions } from '../http/apiAccess';
import type { RunParameters } from '../execution/runParameters';
import type { Slices } from '../execution/slices';
import type { MemorySettings } from '../memory/keys';
import { isByHand, markOf } from '../memory/liveGate';
import { isUnresolved, unresolved } from './protectingFields';

/** The settings of a run of calls, in the units of the code and within its bounds. */
export type CallSettings = Awaited<ReturnType<typeof callSettings>>;

/**
 * Fields that take no expression, by their labels: whoever builds the workflow decides, not a row
 * or an AI model.
 */
const WITHOUT_EXPRESSIONS = {
	testNumber: 'My Own Phone',
	countries: 'Countries That May Be Called',
	callingHours: 'Calling Hours',
	callingWindows: 'Calling Windows',
	calledBefore: 'People Called Before',
	'rules.specialNumbers': 'Special Numbers',
};

/** Rules that each row may have. A fixed text that cannot be read concerns the rule, not the rows. */
const FIXED_RULES = {
	'rules.noCallDates': readNoCallDates,
	'rules.timeZone': readTimeZone,
};

const RULES_FOR_ALL = Object.keys(LIMITS_FOR_ALL) as Array<keyof typeof LIMITS_FOR_ALL>;

/** Reads every setting before anything is sent; `read` knows why the run cannot start with them. */
export async function callSettings(execution: Execution, read: RunParameters, slices: Slices) {
	const { parameters, startedBy } = execution;
	for (const [name, label] of Object.entries(WITHOUT_EXPRESSIONS))
		read.takesNoExpression(name, label);
	read.isCollection('rules', 'Rules');
	read.isCollection('options', 'Options');
	const mode = read.choice('mode');
	const chosen = readCountries(parameters.raw('countries'));
	const countries: ChosenCountries = chosen.ok ? chosen.value : new Set();
	const region = regionOfAll(parameters, countries);
	const own = parameters.raw('testNumber');
	const testNumber = mode === 'test' ? read.accept(readTestNumber(own, region)) : undefined;
	const windows = readCallingHours(read.choice('callingHours'), parameters.raw('callingWindows'));
	const hours = new CallingHours(read.accept(windows) ?? []);
	checkFixedRules(parameters, read);
	const maxCalls = read.added('maxCalls', 'rules');
	const stored = typedText(parameters.raw('onceForEach'));
	const memory = memorySettings(execution, read);
	const asks = (name: string) => !isBlank(parameters.raw(name));
	const settings = {
		// n8n's Evaluations run a workflow for real.
		mode: startedBy === 'evaluation' ? 'dryRun' : mode,
		/** The user's own phone, in E.164; undefined unless the mode is a test. */
		testNumber,
		callable: { countries, special: read.choice('specialNumbers') },
		noCountry: chosen.ok ? undefined : chosen.error,
		hours,
		doNotCall: await readListed(execution, read, slices, region),
		memory,
		/** The stored text of Once for Each, if it is used and holds no expression; otherwise ''. */
		fixedOnceForEach:
			memory.calledBefore === 'onceForEach' && !stored.startsWith('=') ? stored : '',
		/** Undefined without a limit, as the next one. */
		maxCalls: maxCalls && Math.floor(maxCalls),
		callsPerMinute: read.added('callsPerMinute', 'options'),
		includeInputFields: read.flag('options.includeInputFields', 'Include Input Fields', true),
		/** Rows have only the columns that everybody reads and later nodes need. */
		simplify: read.flag('options.simplify', 'Simplify', true),
		...requestOptions(read),
		waiting: readWaiting(read),
		/** Says which rules are set. */
		asks: {
			optedOut: asks('optedOut'),
			doNotCall: asks('rules.doNotCall'),
			noCallDates: asks('rules.noCallDates'),
		},
	};
	if (memory.limits.stopWhenReached && settings.waiting?.until !== 'finished')
		read.refuse(
			fieldProblem(
				'Stop When Reached needs to know who was reached',
				'Set Wait Until to Each Call Is Finished, or remove the rule.',
			),
		);
	return settings;
}

function checkFixedRules(parameters: Parameters, read: RunParameters) {
	for (const [name, check] of Object.entries(FIXED_RULES)) {
		const stored = parameters.raw(name);
		const checked = check(stored);
		if (!checked.ok && !holdsExpression(stored)) read.refuse({ ...checked.error, field: true });
	}
}

function memorySettings(execution: Execution, read: RunParameters): MemorySettings {
	const { parameters, first, node, startedBy, timeZone: zone } = execution;
	const calledBefore = read.choice('calledBefore');
	const hoursBetween = read.parsed(
		'rules.hoursBetweenCalls',
		'Hours Between Calls',
		readHoursBetween,
	);
	return {
		calledBefore,
		mark: markOf(calledBefore, parameters.raw('onceForEach'), hoursBetween),
		limits: {
			counted: [
				...(read.parsed('rules.callsPerPerson', 'Calls per Person', readCallsPerPerson) ?? []),
				...RULES_FOR_ALL.flatMap(
					(rule) =>
						read.parsed(`rules.${rule}`, LIMITS_FOR_ALL[rule].label, (stored) =>
							readLimitForAll(rule, stored),
						) ?? [],
				),
			],
			hoursBetween,
			stopWhenReached: read.flag('rules.stopWhenReached', 'Stop When Reached', false),
			zone,
		},
		isByHand: isByHand(execution),
		retryOf: startedBy === 'retry' ? first : undefined,
		node,
	};
}

async function readListed(
	{ parameters }: Execution,
	read: RunParameters,
	slices: Slices,
	region: Region | undefined,
): Promise<DoNotCall> {
	const name = 'rules.doNotCall';
	const list = read.parsed<unknown>(name, 'Do Not Call', (value) =>
		isUnresolved(value) && holdsExpression(parameters.raw(name))
			? fail(unresolved('Do Not Call'))
			: ok(value),
	);
	return read.accept(await readDoNotCall(list, region, () => slices.restIfOver())) ?? new Set();
}

/** The user's own phone, from a field that takes no expression. `region`: of numbers without +. */
function readTestNumber(stored: unknown, region: Region | undefined): Checked<string> {
	const number = readPhoneNumber(stored, region);
	if (number.ok && number.value.isValid && !number.value.special) return ok(number.value.number);
	const message = isBlank(stored)
		? 'My Own Phone is empty'
		: `My Own Phone is ${quoted(stored)}, which is not an ordinary phone number`;
	return problem(message, 'Type your own number there, with + and its country code.');
}

/**
 * The country of numbers without + that count for the whole run; undefined if it is not the same
 * for all rows.
 */
function regionOfAll(parameters: Parameters, countries: ChosenCountries) {
	const stored = parameters.raw('options.defaultCountry');
	if (isBlank(stored) || stored === '=') return regionOf(onlyCountry(countries) ?? '');
	return holdsExpression(stored) ? undefined : regionOf(typedText(stored));
}
