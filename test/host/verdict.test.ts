import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Campaign } from './helpers/campaign';
import type { Execution, SavedWorkflow } from './helpers/client';
import type { Outcome } from './helpers/outcomes';
import { resultsTable } from './helpers/resultsTable';
import { findings, unfollowed } from './helpers/verdict';

const folder = mkdtempSync(path.join(tmpdir(), 'outbound-calls-verdict-'));
const resultsFile = path.join(folder, 'campaign-results.csv');

beforeEach(() =>
	writeFileSync(resultsFile, 'destination,status\n+1,initiated\n+2,initiated\n+1,duplicate\n'),
);
afterAll(() => rmSync(folder, { recursive: true }));

const outcome = (
	destination: string,
	status = 'initiated',
	more: Partial<Outcome> = {},
): Outcome => ({
	output: 'Called',
	destination,
	status,
	reason: null,
	reached: true,
	conversationId: 1,
	...more,
});
const notCalled = (destination: string, status: string, reason: string | null = null): Outcome =>
	outcome(destination, status, {
		output: 'Not Called',
		reason,
		reached: null,
		conversationId: null,
	});

const execution = { status: 'success', data: { resultData: {} } } as Execution;

const campaign: Campaign = {
	workflow: {} as SavedWorkflow,
	execution,
	contacts: [
		{ name: 'Ann', phone: '+1' },
		{ name: 'Bob', phone: '+2' },
		{ name: 'Ann again', phone: '+1' },
	],
	outcomes: [[outcome('+1')], [outcome('+2')], [outcome('+1', 'duplicate')]],
	totals: '3 rows: 2 people called (3 rows), 0 not called; of 2 called: 2 reached, 0 not',
	forecast: undefined,
	resultsFile,
};

const dialed = (...phones: string[]) => ({ journal: phones.map((phone) => ({ phone })) });

describe('findings about a campaign', () => {
	it('are none when every row has one outcome and every number was dialed once', async () => {
		expect(await findings(campaign, dialed('+2', '+1'))).toEqual([]);
	});

	it('name the row that has no outcome', async () => {
		const outcomes = [[outcome('+1')], [], [outcome('+1')]];
		expect(await findings({ ...campaign, outcomes }, dialed('+1', '+2'))).toEqual([
			'Row 2 (Bob, +2) has no outcomes instead of one.',
		]);
	});

	it('name the row that has two outcomes', async () => {
		const outcomes = [[outcome('+1'), outcome('+1')], [outcome('+2')], [outcome('+1')]];
		expect(await findings({ ...campaign, outcomes }, dialed('+1', '+2'))).toEqual([
			'Row 1 (Ann, +1) has 2 outcomes instead of one.',
		]);
	});

	it('name the row that came out on Not Called and was dialed, and the one on Called that was not', async () => {
		const outcomes = [[notCalled('+1', 'failed')], [outcome('+2')], [outcome('+1', 'duplicate')]];
		expect(await findings({ ...campaign, outcomes }, dialed('+1', '+2'))).toEqual([
			'Row 1 (Ann, +1) came out on Not Called and was dialed.',
		]);
		expect(await findings(campaign, dialed('+1'))).toContain(
			'Row 2 (Bob, +2) came out on Called and was not dialed.',
		);
	});

	it('do not blame a row whose call is unknown, or that an earlier run called', async () => {
		const outcomes = [
			[notCalled('+1', 'already_called')],
			[outcome('+2', 'unknown')],
			[notCalled('+1', 'already_called')],
		];
		const sentences = await findings({ ...campaign, outcomes }, dialed('+1'));
		expect(sentences).toEqual(['+2 (row 2) was dialed 0 times instead of once.']);
	});

	it.each([
		['twice', dialed('+1', '+2', '+1'), '+1 (row 1 and row 3) was dialed 2 times instead of once.'],
		['although no row has it', dialed('+1', '+2', '+3'), '+3 is in no row and was dialed.'],
	])('name a number that was dialed %s', async (_, sandbox, sentence) => {
		expect(await findings(campaign, sandbox)).toEqual([sentence]);
	});

	it('name a number that was never dialed', async () => {
		const outcomes = [[outcome('+1')], [notCalled('+2', 'failed')], [outcome('+1', 'duplicate')]];
		expect(await findings({ ...campaign, outcomes }, dialed('+1'))).toEqual([
			'+2 (row 2) was dialed 0 times instead of once.',
		]);
	});

	it('say where the workflow stopped', async () => {
		const stopped = {
			status: 'error',
			data: {
				resultData: { lastNodeExecuted: 'Call contacts', error: { message: 'Row 3 is odd.' } },
			},
		} as unknown as Execution;
		expect(await findings({ ...campaign, execution: stopped }, dialed('+1', '+2'))).toEqual([
			'The workflow stopped at "Call contacts". Row 3 is odd.',
		]);
	});

	it('notice a results file that is short or missing', async () => {
		writeFileSync(resultsFile, 'destination,status\n+1,initiated\n');
		expect(await findings(campaign, dialed('+1', '+2'))).toEqual([
			'campaign-results.csv has 1 rows instead of 3.',
		]);
		rmSync(resultsFile);
		expect(await findings(campaign, dialed('+1', '+2'))).toEqual([
			'The workflow wrote no campaign-results.csv.',
		]);
	});

	it('notice that nothing was read', async () => {
		writeFileSync(resultsFile, '');
		expect(await findings({ ...campaign, contacts: [], outcomes: [] }, dialed())).toEqual([
			'No rows were read from contacts.csv.',
		]);
	});
});

it('a row that was called and has no conversation is named, one that was not called is not', () => {
	const open = outcome('+2', 'initiated', { reached: null, conversationId: null });
	expect(unfollowed(campaign)).toEqual([]);
	expect(unfollowed({ ...campaign, outcomes: [[notCalled('+1', 'invalid')], [open], []] })).toEqual(
		['Row 2 (Bob, +2) was called and has no conversation.'],
	);
});

it('the table of results has a line for each outcome: row, status, reason, destination, name and whether the person was reached', () => {
	const outcomes = [
		[outcome('+1')],
		[notCalled('0155', 'invalid', 'No country code.')],
		[outcome('+1', 'duplicate', { reached: false })],
	];
	const lines = resultsTable({ ...campaign, outcomes }).split('\n');
	const cells = lines
		.filter((line) => line.includes('│'))
		.map((line) =>
			line
				.split('│')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);
	expect(cells).toEqual([
		['Row', 'Status', 'Reason', 'Destination', 'Name', 'Reached'],
		['1', 'initiated', '', '+1', 'Ann', 'yes'],
		['2', 'invalid', 'No country code.', '0155', 'Bob', ''],
		['3', 'duplicate', '', '+1', 'Ann again', 'no'],
	]);
});
