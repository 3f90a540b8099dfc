import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Campaign } from './campaign';
import type { Execution, SavedWorkflow } from './client';
import type { Outcome } from './outcomes';
import { findings } from './verdict';

const folder = mkdtempSync(path.join(tmpdir(), 'outbound-calls-verdict-'));
const resultsFile = path.join(folder, 'campaign-results.csv');

beforeEach(() => writeFileSync(resultsFile, 'destination,status\n+1,initiated\n+2,initiated\n+1,duplicate\n'));
afterAll(() => rmSync(folder, { recursive: true }));

const outcome = (destination: string, status = 'initiated'): Outcome => ({
	destination,
	status,
	reason: null,
	callRecordId: 1,
	callSid: null,
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
	resultsFile,
};

const dialed = (...phones: string[]) => ({ journal: phones.map((phone) => ({ phone })) });

describe('findings about a campaign', () => {
	it('are none when every row has one outcome and every number was dialed once', async () => {
		expect(await findings(campaign, dialed('+2', '+1'))).toEqual([]);
	});

	it('name the row that has no outcome', async () => {
		const outcomes = [[outcome('+1')], [], [outcome('+1')]];
		expect(await findings({ ...campaign, outcomes }, dialed('+1', '+2'))).toEqual(['Row 2 (Bob, +2) has no outcomes instead of one.']);
	});

	it('name the row that has two outcomes', async () => {
		const outcomes = [[outcome('+1'), outcome('+1')], [outcome('+2')], [outcome('+1')]];
		expect(await findings({ ...campaign, outcomes }, dialed('+1', '+2'))).toEqual(['Row 1 (Ann, +1) has 2 outcomes instead of one.']);
	});

	it.each([
		['twice', dialed('+1', '+2', '+1'), '+1 (row 1 and row 3) was dialed 2 times instead of once.'],
		['never', dialed('+1'), '+2 (row 2) was dialed 0 times instead of once.'],
		['although no row has it', dialed('+1', '+2', '+3'), '+3 is in no row and was dialed.'],
	])('name a number that was dialed %s', async (_, sandbox, sentence) => {
		expect(await findings(campaign, sandbox)).toEqual([sentence]);
	});

	it('say where the workflow stopped', async () => {
		const stopped = {
			status: 'error',
			data: { resultData: { lastNodeExecuted: 'Call contacts', error: { message: 'Row 3 is odd.' } } },
		} as unknown as Execution;
		expect(await findings({ ...campaign, execution: stopped }, dialed('+1', '+2'))).toEqual([
			'The workflow stopped at "Call contacts". Row 3 is odd.',
		]);
	});

	it('notice a results file that is short or missing', async () => {
		writeFileSync(resultsFile, 'destination,status\n+1,initiated\n');
		expect(await findings(campaign, dialed('+1', '+2'))).toEqual(['campaign-results.csv has 1 rows instead of 3.']);
		rmSync(resultsFile);
		expect(await findings(campaign, dialed('+1', '+2'))).toEqual(['The workflow wrote no campaign-results.csv.']);
	});

	it('notice that nothing was read', async () => {
		writeFileSync(resultsFile, '');
		expect(await findings({ ...campaign, contacts: [], outcomes: [] }, dialed())).toEqual(['No rows were read from contacts.csv.']);
	});
});
