import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RunRequest } from '../engine/helpers/harness';
import type { Sandbox } from '../sandbox';
import { checkOf } from './checks';
import type { Row } from './rows';
import type { Settings, Shape } from './shape';
import { timeoutFor } from './waits';

const AGENT = '+15550002000';
/** An expression of n8n's that cannot be resolved. */
const NOWHERE = "$('Nowhere').first().json.value";

/** The node with these settings, and the rows as its input, its list or its JSON. `first`: as the execution read them that it continues. */
export function requestOf(
	shape: Shape,
	settings: Settings,
	rows: readonly Row[],
	sandbox: Sandbox,
	first = rows,
): RunRequest {
	const { spoiled } = settings;
	return {
		parameters: parametersOf(shape, settings, rows, sandbox),
		items: shape.byItem ? rows.map(({ item }) => item) : [{}],
		api: { baseUrl: sandbox.baseUrl, token: shape.storedToken },
		onError: settings.onError,
		...(shape.batchSize > 0 ? { batchSize: shape.batchSize } : {}),
		...(shape.rules && shape.check ? checkOf(shape.check, rows, first) : {}),
		...(shape.retry ? { retry: shape.retry } : {}),
		...(spoiled === 'credential'
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
	const cell = (name: string): string =>
		shape.troubled === name
			? `={{ ($json.trouble || false) ? ${NOWHERE} : $json.${COLUMNS[name]} }}`
			: `={{ $json.${COLUMNS[name]} }}`;
	const spoil = (name: string): IDataObject =>
		typeof settings.spoiled === 'object' && settings.spoiled.option === name
			? { [name]: spoiledValue(name, settings.spoiled.how) }
			: {};
	const parameters: IDataObject = {
		resource: 'call',
		operation: shape.operation,
		mode: shape.modes || shape.troubled === 'mode' ? cell('mode') : 'live',
		agentNumber: AGENT,
		destinationSource: shape.source,
		destination: cell('destination'),
		countries: ['any'],
		defaultCountry:
			settings.countries && shape.byItem
				? cell('defaultCountry')
				: shape.troubled === 'defaultCountry'
					? `={{ ($json.trouble || false) ? ${NOWHERE} : '' }}`
					: '',
		variablesFrom: shape.variablesFrom,
		promptVariablesJson:
			'={{ $json.amount === undefined ? { name: $json.name } : { name: $json.name, amount: $json.amount } }}',
		promptVariables: shape.byItem ? assignments((name) => `={{ $json.${name} }}`) : {},
		destinationList: {
			destination: rows.map(({ item }) => ({
				phone: item.phone,
				promptVariables: assignments((name) => item[name]),
			})),
		},
		destinationsJson: JSON.stringify(
			rows.map(({ item: { phone, name, amount } }) => ({
				phone,
				prompt_variables: { name, amount },
			})),
		),
		calledBefore: shape.calledBefore,
		waitUntil: settings.waitUntil,
		pollInterval: 1,
		waitTimeout: settings.waitTimeout,
		...['calledBefore', 'waitUntil'].reduce((found, name) => ({ ...found, ...spoil(name) }), {}),
		options: {
			parallelRequests: settings.parallelRequests,
			maxRetryWait: settings.maxRetryWait,
			timeout: timeoutFor(sandbox),
			duplicates: settings.callEach ? 'callEach' : 'callOnce',
			retryUndialed: settings.retryUndialed,
			includeInputFields: settings.includeInputFields,
			...(settings.callsPerMinute === undefined ? {} : { callsPerMinute: settings.callsPerMinute }),
			...(shape.key === 'number' ? {} : { callOnceKey: keyOf(shape, cell) }),
			...(shape.rules ? rulesOf(shape, rows) : {}),
			...(shape.maxCalls === undefined ? {} : { maxCalls: shape.maxCalls }),
			...limitsOf(shape),
			...OPTIONS.reduce((found, name) => ({ ...found, ...spoil(name) }), {}),
		},
	};
	return parameters as INodeParameters;
}

function limitsOf({ limits }: Shape): IDataObject {
	const { perPerson, perDay } = limits ?? {};
	return {
		...(perPerson === undefined
			? {}
			: { callsPerPerson: { limit: [{ calls: perPerson, per: 'ever' }] } }),
		...(perDay === undefined ? {} : { maxCallsPerDay: perDay }),
	};
}

const rulesOf = ({ isStrange }: Shape, rows: readonly Row[]): IDataObject => ({
	doNotCall: [
		'+15550000001',
		...rows
			.filter(({ held, number }) => held === 'listed' && number !== undefined)
			.map(({ number }) => (isStrange ? `\u202a${number}\u202c` : number)),
	].join(',\n'),
	optedOut: '={{ $json.opted_out }}',
	noCallDates: '={{ $json.dates }}',
	timeZone: 'UTC',
});

const OPTIONS = [
	'timeout',
	'maxRetryWait',
	'parallelRequests',
	'callsPerMinute',
	'duplicates',
	'retryUndialed',
	'includeInputFields',
];

const COLUMNS: Record<string, string> = {
	mode: 'mode',
	destination: 'phone',
	defaultCountry: 'country',
	callOnceKey: 'key',
};

function keyOf({ key, troubled }: Shape, cell: (name: string) => string): string {
	if (key === 'column') return cell('callOnceKey');
	const own = key === 'perRow' ? "'order ' + $json.name" : "'spring ' + $json.phone";
	return troubled === 'callOnceKey'
		? `={{ ($json.trouble || false) ? ${NOWHERE} : ${own} }}`
		: `={{ ${own} }}`;
}

/** Values of which each could be used, one for even and one for odd rows. */
const TWO_VALUES: Record<string, string> = {
	duplicates: "['callOnce', 'callEach']",
	calledBefore: "['skip', 'callAgain']",
	waitUntil: "['dialed', 'finished']",
	retryUndialed: '[true, false]',
	includeInputFields: '[true, false]',
};

function spoiledValue(option: string, how: 'differs' | 'empty' | 'throws'): string {
	if (how === 'throws') return `={{ ${NOWHERE} }}`;
	return how === 'empty'
		? '={{ "" }}'
		: `={{ (${TWO_VALUES[option] ?? '[5, 10]'})[$itemIndex % 2] }}`;
}

const assignments = (value: (name: 'name' | 'amount') => unknown): IDataObject => ({
	assignments: [
		{ id: '1', name: 'name', value: value('name'), type: 'string' },
		{ id: '2', name: 'amount', value: value('amount'), type: 'number' },
	].filter((each) => each.value !== undefined),
});
