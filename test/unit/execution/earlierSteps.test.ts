import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { earlierSteps } from '../../../nodes/OutboundCalls/execution/earlierSteps';

interface Step {
	items: number;
	type?: string;
	typeVersion?: number;
	parameters?: IDataObject;
}

/** What a host tells of steps, each of which follows on the one before. */
const contextOf = (steps: Record<string, Step>): IExecuteFunctions =>
	({
		getInputData: () => [],
		getNode: () => ({ type: 'ours' }),
		getWorkflowDataProxy: () => ({
			$: (name: string) => ({
				all: () => Array.from({ length: steps[name]!.items }, () => ({ json: {} })),
			}),
		}),
		workflow: {
			nodes: Object.fromEntries(
				Object.entries(steps).map(([name, { type = 'any', parameters = {}, ...more }]) => [
					name,
					{ type, parameters, ...more },
				]),
			),
			getParentNodes: (name: string) => {
				const place = Object.keys(steps).indexOf(name);
				return Object.keys(steps).slice(Math.max(0, place - 1), place);
			},
		},
	}) as unknown as IExecuteFunctions;

const [SET, FILTER, AGGREGATE] = [
	'n8n-nodes-base.set',
	'n8n-nodes-base.filter',
	'n8n-nodes-base.aggregate',
];

const upTo = (limit: unknown): IDataObject => ({ returnAll: false, limit }) as IDataObject;

it.each<[string, Record<string, Step>, number | undefined]>([
	['a step that has stopped there', { List: { items: 50, parameters: upTo(50) } }, 50],
	['one that reads for each of several items', { List: { items: 100, parameters: upTo(50) } }, 50],
	[
		'one whose items were changed one by one',
		{ Table: { items: 50, parameters: upTo(50) }, List: { items: 50, type: SET } },
		50,
	],
	[
		'one whose items were filtered, and brought together',
		{
			Table: { items: 50, parameters: upTo(50) },
			Some: { items: 30, type: FILTER },
			List: { items: 1, type: AGGREGATE },
		},
		50,
	],
	[
		'one whose own items are no more, filtered',
		{ Table: { items: 49, parameters: upTo(50) }, List: { items: 30, type: FILTER } },
		undefined,
	],
	['one that has not', { List: { items: 49, parameters: upTo(50) } }, undefined],
	[
		'one that reads all',
		{ List: { items: 50, parameters: { returnAll: true, limit: 50 } } },
		undefined,
	],
	['one that has no such field', { List: { items: 50, parameters: { limit: 50 } } }, undefined],
	[
		'one whose limit is typed as an expression',
		{ List: { items: 50, parameters: { returnAll: '={{ false }}', limit: '={{ 50 }}' } } },
		50,
	],
	[
		'one that has it among its options',
		{ List: { items: 50, parameters: { options: { limit: 50 } } } },
		50,
	],
	[
		'one that reads so many rows of a file',
		{ List: { items: 50, parameters: { options: { maxRowCount: 50 } } } },
		50,
	],
	[
		'one that reads all rows of a file',
		{ List: { items: 50, parameters: { options: { maxRowCount: -1 } } } },
		undefined,
	],
	[
		'one whose limit is calculated',
		{ List: { items: 50, parameters: upTo('={{ $json.limit }}') } },
		undefined,
	],
	['one that reads one row, as to try it out', { List: { items: 1, parameters: upTo(1) } }, 1],
	['nothing', { List: { items: 0, parameters: upTo(50) } }, undefined],
	[
		'one whose numbers a dry run has cleaned',
		{ Table: { items: 50, parameters: upTo(50) }, List: { items: 50, type: 'ours' } },
		50,
	],
	[
		'a step before it with other items',
		{ Contacts: { items: 50, parameters: upTo(50) }, List: { items: 7 } },
		undefined,
	],
])('the limit of %s', (_, steps, limit) => {
	expect(earlierSteps(contextOf(steps)).cutOffBy('List')?.limit).toBe(limit);
});

const SHEET = 'n8n-nodes-base.googleSheets';
const filtersUI = { values: [{ lookupColumn: 'opted_out', lookupValue: 'yes' }] };

it.each<[string, Step, string | undefined]>([
	[
		'4.7, as somebody chose',
		{
			items: 1,
			type: SHEET,
			typeVersion: 4.7,
			parameters: { options: { returnFirstMatch: true } },
		},
		'firstMatch',
	],
	[
		'4.7, by default',
		{ items: 1, type: SHEET, typeVersion: 4.7, parameters: { filtersUI, options: {} } },
		undefined,
	],
	[
		'4.4, by default',
		{ items: 1, type: SHEET, typeVersion: 4.4, parameters: { filtersUI, options: {} } },
		'firstMatch',
	],
	[
		'4.4, all',
		{
			items: 1,
			type: SHEET,
			typeVersion: 4.4,
			parameters: { filtersUI, options: { returnAllMatches: 'returnAllMatches' } },
		},
		undefined,
	],
	[
		'4.4, without a filter',
		{ items: 1, type: SHEET, typeVersion: 4.4, parameters: { filtersUI: {}, options: {} } },
		undefined,
	],
])('a Google Sheets that looks for the first match, of version %s', (_, step, how) => {
	expect(earlierSteps(contextOf({ List: step })).cutOffBy('List')?.how).toBe(how);
});

it('a host that tells nothing of its steps knows no limit', () => {
	const context = {
		getInputData: () => [],
		getNode: () => ({ type: 'ours' }),
		getWorkflowDataProxy: () => ({}),
	} as unknown as IExecuteFunctions;
	expect(earlierSteps(context).cutOffBy('List')).toBeUndefined();
});

it.each([null, {}, { api: null }, { api: 'named, as in old workflows' }])(
	'a step whose credentials are stored as %j is looked at like any other',
	(credentials) => {
		const context = {
			getInputData: () => [],
			getNode: () => ({ name: 'Calls', type: 'ours' }),
			getInputSourceData: () => ({ previousNode: 'Sheet' }),
			getWorkflowDataProxy: () => ({ $: () => ({ all: () => [] }) }),
			runExecutionData: {
				resultData: {
					runData: {
						Sheet: [{ startTime: 7, source: [{ previousNode: 'Start' }], data: { main: [[]] } }],
					},
				},
			},
			workflow: { nodes: { Sheet: { type: 'any', credentials } } },
		} as unknown as IExecuteFunctions;
		expect(earlierSteps(context).taken()).toMatchObject([
			{ step: 'Sheet', run: 0, runs: 1, ranAt: 7 },
		]);
	},
);

it('what an Edit Fields before a loop makes is known in each round, though the loop is given its items by its own end since', () => {
	const from = (previousNode: string) => ({ source: [{ previousNode }], data: { main: [[]] } });
	const assignments = { assignments: [{ name: 'out', value: '={{ $json.o }}' }] };
	const context = {
		getInputData: () => [],
		getNode: () => ({ type: 'ours' }),
		getInputSourceData: () => ({ previousNode: 'Loop', previousNodeOutput: 1 }),
		getWorkflowDataProxy: () => ({ $: () => ({ all: () => [] }) }),
		runExecutionData: {
			resultData: {
				runData: {
					Sheet: [{ data: { main: [[{ json: { o: 'yes' } }]] } }],
					Edit: [from('Sheet')],
					Loop: [from('Edit'), from('Calls')],
				},
			},
		},
		workflow: {
			nodes: {
				Edit: { type: SET, parameters: { assignments } },
				Loop: { type: 'n8n-nodes-base.splitInBatches' },
			},
		},
	} as unknown as IExecuteFunctions;
	const made = earlierSteps(context).madeOf({ step: undefined, path: ['out'] });
	expect(made).toMatchObject({ by: 'Edit', step: 'Sheet', stored: '={{ $json.o }}' });
	expect([made?.input(), made?.inLastRun()]).toEqual([[{ o: 'yes' }], 1]);
});
