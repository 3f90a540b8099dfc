import { runInNewContext } from 'node:vm';
import type { INodeParameters, NodeHint } from 'n8n-workflow';
import { OutboundCalls } from '../../nodes/OutboundCalls/OutboundCalls.node';
import { OutboundCallsTrigger } from '../../nodes/OutboundCallsTrigger/OutboundCallsTrigger.node';

/** The hints that n8n shows above a panel with these parameters before anything runs: it evaluates their conditions. */
function shownBefore(
	hints: readonly NodeHint[] | undefined,
	parameters: INodeParameters,
): string[] {
	return (hints ?? [])
		.filter(({ whenToDisplay }) => whenToDisplay === 'beforeExecution')
		.filter(({ displayCondition }) => {
			const expression = /^=\{\{(.*)\}\}$/s.exec(displayCondition ?? '={{ true }}')![1]!;
			return runInNewContext(expression, { $parameter: parameters }) as boolean;
		})
		.map(({ message }) => message);
}

describe('before anything runs, the panel says', () => {
	const { hints } = new OutboundCalls().description;
	const live: INodeParameters = {
		operation: 'bulkCall',
		mode: 'live',
		countries: ['DE'],
		calledBefore: 'skip',
		options: { callingHours: { window: [] } },
	};
	const said = (more: INodeParameters): string[] =>
		shownBefore(hints, { ...live, ...more }).map((message) => message.split(/[,:]/, 2).join(','));

	it.each<[string, INodeParameters, string[]]>([
		['nothing of a live node with countries, hours and a memory', {}, []],
		[
			'nothing of a dry run',
			{ mode: 'dryRun', countries: [], options: {}, calledBefore: 'callAgain' },
			[],
		],
		['nothing of a test', { mode: 'test', options: {} }, []],
		['nothing of an operation that calls nobody', { operation: 'getCall', options: {} }, []],
		[
			'that no country is chosen',
			{ countries: [] },
			['Mode is Live, and Countries That May Be Called is empty'],
		],
		['that there are no hours', { options: {} }, ['Mode is Live, without Calling Hours']],
		[
			'that there are no hours, of a node as an old workflow stores it',
			{ options: undefined },
			['Mode is Live, without Calling Hours'],
		],
		[
			'the same of Place Call, whatever blanks and capitals Mode has',
			{ operation: 'placeCall', mode: ' Live', options: {} },
			['Mode is Live, without Calling Hours'],
		],
		[
			'that everybody is called again',
			{ calledBefore: 'callAgain' },
			['Mode is Live, and People Called Before is Call Again'],
		],
	])('%s', (_, more, messages) => {
		expect(said(more)).toEqual(messages);
	});

	it('nothing of calling again within limits', () => {
		expect(
			said({
				calledBefore: 'callAgain',
				options: { callingHours: { window: [] }, callsPerPerson: { limit: [] } },
			}),
		).toEqual([]);
	});
});

it.each<[string, INodeParameters, string]>([
	['a dry run', { operation: 'bulkCall', mode: 'dryRun' }, 'Bulk Call: Dry Run'],
	['a test', { operation: 'placeCall', mode: 'test' }, 'Place Call: Test'],
	[
		'a live node, whatever blanks and capitals Mode has',
		{ operation: 'bulkCall', mode: ' LIVE' },
		'Bulk Call: Live',
	],
	[
		'a node whose rows decide',
		{ operation: 'bulkCall', mode: '={{ $json.mode }}' },
		'Bulk Call: Mode by Row',
	],
	['an operation that calls nobody', { operation: 'getCall' }, 'Get Call'],
])('under the name of the node, the canvas says what it is: %s', (_, parameters, subtitle) => {
	const expression = /^=\{\{(.*)\}\}$/s.exec(new OutboundCalls().description.subtitle!)![1]!;
	expect(runInNewContext(expression, { $parameter: parameters })).toBe(subtitle);
});

it('the trigger’s panel says that publishing needs the Callback Secret, unless none is asked for', () => {
	const notices = new OutboundCallsTrigger().description.properties.filter(
		({ type }) => type === 'notice',
	);
	const secret = notices.filter(({ displayName }) =>
		displayName.includes('needs a Callback Secret'),
	);
	expect(secret.map(({ displayOptions }) => displayOptions?.show)).toEqual([
		{ authentication: ['header', 'query'] },
	]);
});

it('n8n’s AI builder is told that calls ring somebody, and that Live, the countries and calling again are the person’s own to choose', () => {
	const { builderHint, properties } = new OutboundCalls().description;
	expect(builderHint?.searchHint).toMatch(/each call costs money and rings somebody.*no loop/);
	const hintOf = (name: string): string | undefined =>
		properties.find((property) => property.name === name)?.builderHint?.propertyHint;
	expect(hintOf('countries')).toMatch(/^Leave it empty/);
	expect(hintOf('calledBefore')).toMatch(/^Keep skip/);
	const live = properties
		.find(({ name }) => name === 'mode')
		?.options?.find((option) => 'value' in option && option.value === 'live');
	expect(live).toMatchObject({
		builderHint: {
			propertyHint: expect.stringMatching(/^Only the person who owns the workflow/) as string,
		},
	});
});
