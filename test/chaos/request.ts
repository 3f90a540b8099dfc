import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RunRequest } from '../engine/helpers/harness';
import type { Sandbox } from '../sandbox';
import { NAME_AND_AMOUNT } from '../workflowNode';
import { listedIn, type Row } from './rows';
import type { Settings, Shape } from './shape';
import { timeoutFor } from './waits';

const AGENT = '+15550002000';
/** An expression of n8n's that cannot be resolved. */
const NOWHERE = "$('Nowhere').first().json.value";

/** The node with these settings, and the rows as its input, its list or its JSON. */
export function requestOf(
	shape: Shape,
	settings: Settings,
	rows: readonly Row[],
	sandbox: Sandbox,
): RunRequest {
	return {
		parameters: parametersOf(shape, settings, rows, sandbox),
		items: rows.map(({ item }) => item),
		api: { baseUrl: sandbox.baseUrl, token: shape.storedToken },
		onError: settings.onError,
		...(shape.batchSize > 0 ? { batchSize: shape.batchSize } : {}),
		...(shape.retry ? { retry: shape.retry } : {}),
		...(settings.spoiled === 'credential'
			? { credentialProblem: 'The credential could not be decrypted' }
			: {}),
	};
}

function parametersOf(
	shape: Shape,
	settings: Settings,
	rows: readonly Row[],
	sandbox: Sandbox,
): INodeParameters {
	const cell = (field: string, column: string): string =>
		shape.troubled === field
			? `={{ ($json.trouble || false) ? ${NOWHERE} : $json.${column} }}`
			: `={{ $json.${column} }}`;
	const options: IDataObject = {
		parallelRequests:
			settings.spoiled === 'setting' ? '={{ [5, 10][$itemIndex % 2] }}' : settings.parallelRequests,
		maxRetryWait: settings.maxRetryWait,
		timeout: timeoutFor(sandbox),
		includeInputFields: settings.includeInputFields,
		simplify: false,
		pollInterval: 10,
		defaultCountry: cell('defaultCountry', 'country'),
	};
	return {
		resource: 'call',
		operation: shape.operation,
		mode: settings.mode,
		agentNumber: AGENT,
		destination: cell('destination', 'phone'),
		countries: ['any'],
		variablesFrom: shape.variablesFrom,
		promptVariablesJson:
			'={{ $json.amount === undefined ? { name: $json.name } : { name: $json.name, amount: $json.amount } }}',
		promptVariables: NAME_AND_AMOUNT,
		callingHours: shape.openMinutes === undefined ? 'any' : 'custom',
		callingWindows: { window: windowsOf(shape) },
		calledBefore: settings.calledBefore,
		optedOut: shape.rules ? '={{ $json.opted_out }}' : '',
		onceForEach: cell('onceForEach', 'value'),
		waitTimeout: settings.waitTimeout,
		waitUntil: settings.waitUntil,
		rules: rulesOf(shape, rows),
		options,
	} as INodeParameters;
}

/** So many minutes from the beginning of each hour. */
const windowsOf = ({ openMinutes = 0 }: Shape): IDataObject[] =>
	Array.from({ length: 24 }, (_, hour) => ({
		days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
		from: `${hour}:00`,
		to: `${hour}:${openMinutes}`,
	}));

function rulesOf(
	{ rules, maxCalls, limits, openMinutes }: Shape,
	rows: readonly Row[],
): IDataObject {
	const { perPerson, perDay, hoursBetween, stopWhenReached } = limits;
	return {
		...(rules
			? {
					doNotCall: ['+15550000001', ...listedIn(rows)].join(',\n'),
					noCallDates: '={{ $json.dates }}',
				}
			: {}),
		// On UTC all year.
		...(rules || openMinutes !== undefined ? { timeZone: 'Atlantic/Reykjavik' } : {}),
		...(maxCalls === undefined ? {} : { maxCalls }),
		...(perPerson ? { callsPerPerson: { limit: [{ calls: perPerson, per: 'ever' }] } } : {}),
		...(perDay ? { maxCallsPerDay: perDay } : {}),
		...(hoursBetween ? { hoursBetweenCalls: hoursBetween } : {}),
		...(stopWhenReached ? { stopWhenReached } : {}),
	};
}
